// Which methods may be called, by what was advertised, and that these are there. Family `cap` of the
// catalogue; contents of params stand in cap-params.ts, what the client must offer in cap-client.ts.
import { CODE } from '../../acp/message.ts';
import { gateOf, shutGate } from '../../acp/gate.ts';
import { get, isObject, str } from '../../acp/json.ts';
import type { Millis } from '../../lib/time.ts';
import { type Connection, type Session, fact } from '../connection.ts';
import { onAnswer, onNotification, onRequest, onUpdate } from '../listen.ts';
import type { AnswerStep, RequestStep } from '../steps.ts';
import {
  agentHas,
  BASELINE,
  clientHas,
  offeredOn,
  SESSION_METHODS,
  isOffered,
} from './handshake.ts';
import { catalogue, fail, undecidable, type Outcome, quote, type Fold } from '../rule.ts';
import { mayCross } from '../turns/turn-facts.ts';
import { displayTerminals } from '../work/terminals.ts';
import { offersCancel, toolCalls } from '../work/tool-facts.ts';

/** In v1 the others hang on capabilities of their own. */
const BASELINE_OF_V1: ReadonlySet<string> = new Set(['session/new', 'session/prompt']);

function needsSession({ from }: Pick<RequestStep, 'from'>, connection: Connection): Outcome {
  if (from !== 'client') return undefined;
  return isOffered(connection, 'session');
}

/** What advertises the method that was asked for; undefined: nothing does, or nothing need. */
function advertisedAs(
  { method, asked, params }: AnswerStep,
  connection: Connection,
): string | undefined {
  const { version, authMethods } = connection;
  if (version === undefined) return undefined;
  const gate = gateOf(method, asked.from, version);
  if (gate === undefined || gate.by === asked.from) return undefined;
  // These are cap/baseline-missing and auth/login-unimplemented.
  if (version === 2 && (BASELINE.has(method) || gate.byAuthMethods)) return undefined;
  if (gate.byAuthMethods) return authMethods.length > 0 ? gate.words : undefined;
  if (asked.from === 'client') return gate.paths.find((path) => agentHas(connection, path));
  const mode = method === 'elicitation/create' ? str(params, 'mode') : undefined;
  const paths = mode === undefined ? gate.paths : [`elicitation.${mode}`];
  return paths.find((path) => clientHas(connection, path));
}

/** The tool call or terminal that was last said to be no longer cancellable. */
const withdrawal = fact<Session, { id: string | undefined; at: Millis | undefined }>(() => ({
  id: undefined,
  at: undefined,
}));

export const withdrawalFold: Fold = [
  onUpdate(['tool_call_update', 'terminal_update'], ({ update, session, itemId, at }) => {
    const capabilities = get(update, 'capabilities');
    if (capabilities === undefined || offersCancel(capabilities)) return;
    Object.assign(withdrawal.of(session), { id: itemId, at });
  }),
];

/** `known`: whether the entity was told of; `cancel`: whether it lets itself be cancelled now. */
function mayCancel(
  { session, at }: RequestStep,
  id: string | undefined,
  what: string,
  known: { readonly cancel: boolean } | undefined,
  { gaps }: Connection,
): Outcome {
  if (session === undefined || id === undefined) return undefined;
  if (known?.cancel) return 'pass';
  if (known === undefined) {
    const seen = `the ${what} ${quote(id)} was never told of`;
    return session.origin === 'new' && gaps === 0
      ? fail(seen)
      : undecidable(`${seen} on this connection`, 'a recording from the start of the session');
  }
  if (gaps > 0)
    return undecidable(
      `the ${what} ${quote(id)} was not seen to advertise \`capabilities.cancel\`, but events are missing`,
      'a recording without a gap',
    );
  const last = withdrawal.of(session);
  const crossed = last.id === id && last.at !== undefined && mayCross(last.at, at);
  return fail(
    `the ${what} ${quote(id)} does not advertise \`capabilities.cancel\`${crossed ? ' any more; the frames may have crossed' : ''}`,
    crossed ? { severity: 'warning' } : {},
  );
}

function hasArchive(connection: Connection): boolean {
  return (
    agentHas(connection, 'session.archive') || agentHas(connection, 'sessionCapabilities.archive')
  );
}

export const CAPABILITIES = catalogue({
  'cap/session-method': {
    side: 'client',
    severity: 'error',
    needs: 'capabilities',
    clause: 'an optional session method is called only where the agent advertises it',
    on: onRequest(SESSION_METHODS, ({ method, from }, connection) => {
      const { version } = connection;
      if (from !== 'client' || version === undefined) return undefined;
      const gate = gateOf(method, 'client', version);
      if (gate === undefined || gate.paths.length === 0) return undefined;
      // In v2 all of them hang on `session`, which is cap/session-surface.
      if (version === 2 && (BASELINE.has(method) || !agentHas(connection, 'session')))
        return undefined;
      if (!shutGate(method, 'client', version, offeredOn(connection))) return 'pass';
      return fail(`the agent does not advertise \`${gate.words}\``, '/method');
    }),
  },
  'cap/session-surface': {
    versions: [2],
    side: 'client',
    severity: 'error',
    needs: 'capabilities',
    clause: 'sessions are asked for only where the agent advertises `session`',
    on: [
      onRequest(SESSION_METHODS, (step, connection) =>
        step.method === 'session/load' || step.method === 'session/set_mode'
          ? undefined
          : needsSession(step, connection),
      ),
      onNotification(['session/cancel'], needsSession),
    ],
  },
  'cap/baseline-missing': {
    side: 'agent',
    severity: 'error',
    needs: 'capabilities',
    clause:
      'an agent has `session/new` and `prompt`; in v2 one with `session` has `list`, `resume` and `close` too',
    on: onAnswer([...BASELINE], ({ method, asked, error }, connection) => {
      if (asked.from !== 'client') return undefined;
      if (connection.version === 2 && !agentHas(connection, 'session')) return undefined;
      if (connection.version === 1 && !BASELINE_OF_V1.has(method)) return undefined;
      if (error?.code !== CODE.methodNotFound) return 'pass';
      return fail(`-32601 for \`${method}\``, '/error/code');
    }),
  },
  'cap/advertised-missing': {
    side: 'sender',
    severity: 'error',
    needs: 'capabilities',
    clause: 'a method that is advertised is there',
    on: onAnswer('all', (step, connection) => {
      const words = advertisedAs(step, connection);
      if (words === undefined) return undefined;
      if (step.error?.code !== CODE.methodNotFound) return 'pass';
      return fail(
        `-32601 for \`${step.method}\`, although \`${words}\` is advertised`,
        '/error/code',
      );
    }),
  },
  'cap/entity-cancel': {
    versions: [2],
    side: 'client',
    severity: 'error',
    clause: 'a tool call or terminal is cancelled only while it advertises `capabilities.cancel`',
    on: [
      onRequest(['tool_call/cancel'], (step, connection) => {
        const id = str(step.params, 'toolCallId');
        const known = step.session && toolCalls.of(step.session).get(id ?? '');
        return mayCancel(step, id, 'tool call', known, connection);
      }),
      onRequest(['terminal/cancel'], (step, connection) => {
        const id = str(step.params, 'terminalId');
        const known = step.session && displayTerminals.of(step.session).get(id ?? '');
        return mayCancel(step, id, 'terminal', known, connection);
      }),
    ],
  },
  /** What `session/list` filters by, and says of each session. */
  'cap/archived-field': {
    side: 'sender',
    severity: 'error',
    needs: 'capabilities',
    clause: '`archived` is asked for only where it is advertised, and told of every session then',
    on: [
      onRequest(['session/list'], ({ params, from }, connection) => {
        const filter = get(params, 'archived') ?? null;
        if (from !== 'client' || filter === null) return undefined;
        if (hasArchive(connection)) return 'pass';
        return fail(
          `\`archived\` is ${quote(filter)}, and the agent does not advertise it`,
          '/params/archived',
        );
      }),
      onAnswer(['session/list'], ({ result, from }, connection) => {
        const sessions = get(result, 'sessions');
        if (from !== 'agent' || !Array.isArray(sessions) || !hasArchive(connection))
          return undefined;
        const without = sessions.findIndex(
          (info) => isObject(info) && typeof get(info, 'archived') !== 'boolean',
        );
        if (without < 0) return 'pass';
        return fail(`no \`archived\` on a session, though the agent advertises it`, {
          pointer: `/result/sessions/${without}`,
          sentence: 'listed',
        });
      }),
    ],
  },
});
