// The page's calls about live connections: start, stop, send, answer.
import { CODE, type Json } from '../../acp/message.ts';
import type { ClientSettings } from '../../drive/settings.ts';
import type { ActingClient } from '../../drive/client.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { defined } from '../../lib/defined.ts';
import { commandKey } from '../../lib/split-command.ts';
import type { InterceptCall, Launch, Problem } from '../../link/messages.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { chosenFor, UNKNOWN_COMMAND } from './launches.ts';
import type { HandAnswer, KnownLaunch, RequestAnswer, StartAnswer } from '../messages.ts';
import type { Parts } from '../parts.ts';
import { unknownValues } from './relay-calls.ts';

const ENDED = 'This connection has ended. Start the agent again to go on.';
const NO_LINK =
  'The page has no link to the relay now. Nothing was sent; try again when it is back.';

/** All but the link itself. */
export function connectionsApi(parts: Parts) {
  const { calls, catalog, driving, asks, store } = parts;

  /** Why nothing can be sent there. */
  const fault = (connection: ConnectionId): Problem | undefined => {
    if (!catalog.isRunning(connection) || !driving.client(connection))
      return { code: 'ended', message: ENDED };
    return undefined;
  };

  const start = async (
    launch: KnownLaunch,
    wished: ClientSettings,
    rules?: string,
  ): Promise<StartAnswer> => {
    const settings = within(launch, wished);
    await store.putRecent({
      key: commandKey(launch),
      launch,
      settings: { ...settings },
      usedAt: Date.now(),
    });
    const answer = await calls.start(launch, defined({ rules }));
    if (!answer.ok) return answer;
    await driving.adopt(answer.connection, { launch, settings });
    await catalog.known(answer.connection);
    return answer;
  };

  return {
    presets: () => calls.presets(),
    /** Whether there is a folder where the relay runs. */
    look: (path: string) => calls.look(path),
    /** What an ended agent left running, and runs now; undefined: it is not known. `end`: ends it first. */
    left: (connection: ConnectionId, end?: true) => calls.left(connection, end),
    start: (launch: KnownLaunch, settings: ClientSettings) => start(launch, settings),

    async stop(connection: ConnectionId, how: 'end' | 'kill' | 'SIGKILL') {
      parts.send({ type: 'stop', connection, how });
    },

    /**
     * The same command and settings again, as a new connection. `rules`: their text, in force before
     * anything is sent.
     */
    async restart(
      connection: ConnectionId,
      change?: Partial<ClientSettings>,
      rules?: string,
    ): Promise<StartAnswer> {
      const chosen = await chosenFor(parts, connection);
      if (!chosen) return { ok: false, problem: { code: 'not_found', message: UNKNOWN_COMMAND } };
      const { launch } = chosen;
      const settings = { ...chosen.settings, ...change };
      const { withheld = [] } = launch;
      // Before anything is kept: what lacks values must not take the place of what has them.
      if (withheld.length > 0)
        return { ok: false, problem: unknownValues(withheld), lacks: { launch, settings } };
      return start(launch, settings, rules);
    },

    /** Exactly this line (no 0x0A in it), `origin` composer. */
    async sendLine(connection: ConnectionId, text: string): Promise<Problem | undefined> {
      if (text.includes('\n')) {
        const message = 'A frame is one line: take the line break out, or send two frames.';
        return { code: 'bad_message', message };
      }
      const problem = fault(connection);
      if (problem) return problem;
      const line = { text };
      if (!parts.send({ type: 'send', connection, line, origin: 'composer' }))
        return { code: 'io', message: NO_LINK };
      asks.say(connection, text);
      await store.addSent({ at: Date.now(), connection, text });
      return undefined;
    },

    /** A request with the next free id, `origin` script. Resolves with its answer. */
    async request(connection: ConnectionId, method: string, params: Json): Promise<RequestAnswer> {
      const problem = fault(connection) ?? linkFault(parts);
      const client = driving.client(connection);
      if (problem || !client) return { kind: 'ended', message: problem?.message ?? ENDED };
      return asks.wait(connection, client.request(method, params));
    },

    async notify(connection: ConnectionId, method: string, params: Json) {
      driving.client(connection)?.notify(method, params);
    },

    /** The id the next request of ours should carry, as JSON. */
    async nextId(connection: ConnectionId) {
      return String(driving.client(connection)?.nextId ?? 0);
    },

    async answer(
      connection: ConnectionId,
      request: Seq,
      answer: HandAnswer,
    ): Promise<Problem | undefined> {
      const problem = fault(connection) ?? linkFault(parts);
      const client = driving.client(connection);
      if (problem || !client) return problem;
      if (give(client, request, answer)) return undefined;
      return { code: 'bad_message', message: `Request #${request} is answered already.` };
    },

    /** Returns why it was not done; undefined: it was. Waits for a person if the relay's terminal asks. */
    intercept: (connection: ConnectionId, call: InterceptCall) => calls.intercept(connection, call),

    /** What is wrong with rules as they are written, as sentences. */
    async checkRules(text: string) {
      const [{ readRules }, { problemWords }] = await Promise.all([
        import('../../drive/intercept/read.ts'),
        import('../../drive/scenario/file/text-problem.ts'),
      ]);
      const read = readRules(text);
      return read.ok ? [] : read.problems.map(problemWords);
    },

    /** Rules that are ready made. */
    interceptPresets: async () => (await import('../../drive/intercept/table.ts')).PRESETS,

    setSettings: (connection: ConnectionId, settings: ClientSettings) =>
      driving.change(connection, settings),

    async settings(connection: ConnectionId) {
      return (await driving.how(connection))?.settings ?? driving.client(connection)?.settings;
    },
  };
}

/** We offer the agent no more than it is started with. */
function within({ roots, terminals }: Launch, settings: ClientSettings): ClientSettings {
  const { advertise } = settings;
  const files = roots.length > 0;
  return {
    ...settings,
    advertise: {
      ...advertise,
      readFiles: advertise.readFiles && files,
      writeFiles: advertise.writeFiles && files,
      terminals: advertise.terminals && terminals === true,
    },
  };
}

function linkFault(parts: Parts): Problem | undefined {
  return parts.send({ type: 'ping' }) ? undefined : { code: 'io', message: NO_LINK };
}

/** False: it is answered already. */
function give(client: ActingClient, request: Seq, answer: HandAnswer): boolean {
  switch (answer.kind) {
    case 'option':
      return client.select(request, answer.optionId);
    case 'cancelled':
      return client.cancel(request);
    case 'elicitation': {
      const { action, content } = answer;
      return client.answer(request, defined({ action, content }));
    }
    case 'host':
      if (answer.allow) return client.allow(request);
      return client.refuse(request, CODE.internalError, 'The user refused this');
    case 'never':
      return client.leaveOpen(request);
    default:
      return assertNever(answer);
  }
}
