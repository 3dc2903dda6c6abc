// What an agent may ask of its client or show it, by what the client advertised. Family `cap` of the
// catalogue.
import { CODE, type Json } from '../../acp/message.ts';
import { offerFor } from '../../acp/handshake.ts';
import { updateGate } from '../../acp/editions/editions.ts';
import { capabilityAt, isYes } from '../../acp/gate.ts';
import { arr, isArray, get, objects, str } from '../../acp/json.ts';
import { OPENERS } from '../../acp/methods.ts';
import type { Connection } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import type { RequestStep } from '../steps.ts';
import { clientHas } from './handshake.ts';
import { rulesOf, fail, type Outcome, answerSeen } from '../rule.ts';

/** v1 fs and terminals: nothing but `true` says yes. */
function needsTrue(path: string) {
  return ({ from }: RequestStep, { clientCapabilities }: Connection): Outcome => {
    if (from !== 'agent') return undefined;
    const said = capabilityAt(clientCapabilities ?? {}, path);
    if (said === true) return 'pass';
    const how = said === undefined ? 'does not advertise' : `says ${JSON.stringify(said)} of`;
    return fail(`the client ${how} \`${path}\``, '/method');
  };
}

const MODES: ReadonlySet<string | undefined> = new Set(['form', 'url']);

/** The mode of an elicitation, where it is one of ACP's and the client does not advertise it. */
function shutMode(params: Json | undefined, connection: Connection): string | undefined {
  const mode = str(params, 'mode');
  return MODES.has(mode) && !clientHas(connection, `elicitation.${mode}`) ? mode : undefined;
}

function boolOptions(holder: Json | undefined, pointer: string, connection: Connection): Outcome {
  const options = get(holder, 'configOptions');
  if (!isArray(options)) return undefined;
  const at = options.findIndex((option) => str(option, 'type') === 'boolean');
  if (at < 0 || clientHas(connection, 'session.configOptions.boolean')) return 'pass';
  return fail(
    'an option of type "boolean", and the client does not advertise `session.configOptions.boolean`',
    `${pointer}/configOptions/${at}`,
  );
}

export const CAP_CLIENT = rulesOf({ side: 'agent' })({
  'cap/client-fs': {
    versions: [1],
    severity: 'error',
    needs: 'capabilities',
    clause: 'files are read and written only where the client advertises it with `true`',
    on: [
      onRequest(['fs/read_text_file'], needsTrue('fs.readTextFile')),
      onRequest(['fs/write_text_file'], needsTrue('fs.writeTextFile')),
    ],
  },
  'cap/client-terminal': {
    versions: [1],
    severity: 'error',
    needs: 'capabilities',
    clause: 'terminals are used only where the client advertises them with `true`',
    on: onRequest(
      [
        'terminal/create',
        'terminal/output',
        'terminal/wait_for_exit',
        'terminal/kill',
        'terminal/release',
      ],
      needsTrue('terminal'),
    ),
  },
  'cap/elicitation-mode': {
    severity: 'error',
    needs: 'capabilities',
    clause: 'an elicitation has a mode that the client advertises by name; `{}` advertises none',
    on: onRequest(['elicitation/create'], ({ params, from }, connection) => {
      if (from !== 'agent' || !MODES.has(str(params, 'mode'))) return undefined;
      const mode = shutMode(params, connection);
      if (mode === undefined) return 'pass';
      return fail(
        `mode "${mode}", and the client does not advertise \`elicitation.${mode}\``,
        '/params/mode',
      );
    }),
  },
  'cap/elicitation-reply': {
    side: 'client',
    severity: 'warning',
    needs: 'capabilities',
    clause: 'a mode of elicitation that was not advertised is refused with −32602',
    on: onAnswer(['elicitation/create'], ({ params, from, error }, connection) => {
      const mode = from === 'client' ? shutMode(params, connection) : undefined;
      if (mode === undefined) return undefined;
      if (error?.code === CODE.invalidParams) return 'pass';
      // To a client without elicitation the method is unknown.
      if (error?.code === CODE.methodNotFound && !clientHas(connection, 'elicitation'))
        return 'pass';
      const [what, pointer] = answerSeen(error);
      return fail(`${what} for mode "${mode}", which the client does not advertise`, pointer);
    }),
  },
  'cap/bool-config': {
    versions: [1],
    severity: 'error',
    needs: 'capabilities',
    clause: 'config options that switch are offered only where the client advertises them',
    on: [
      onAnswer([...OPENERS, 'session/set_config_option'], ({ result, from }, connection) =>
        from === 'agent' ? boolOptions(result, '/result', connection) : undefined,
      ),
      onUpdate(['config_option_update'], ({ update }, connection) =>
        boolOptions(update, '/params/update', connection),
      ),
    ],
  },
  'cap/gated-update': {
    severity: 'error',
    needs: 'capabilities',
    clause: 'an update that needs a capability is sent only to a client that advertises it',
    on: onUpdate('all', ({ variant }, connection) => {
      const path = updateGate(connection.version ?? 1, variant);
      if (path === undefined) return undefined;
      if (clientHas(connection, path)) return 'pass';
      return fail(`\`${variant}\`, and the client does not advertise \`${path}\``, {
        pointer: '/params/update/sessionUpdate',
        sentence: path,
      });
    }),
  },
  'cap/terminal-auth': {
    severity: 'error',
    clause: 'sign-in by terminal is offered only to a client that advertises it',
    on: onAnswer(['initialize'], ({ params, result, from }, { version }) => {
      if (from !== 'agent' || result === undefined) return undefined;
      const methods = arr(result, 'authMethods');
      const at = methods.findIndex((method) => str(method, 'type') === 'terminal');
      if (at < 0) return objects(result, 'authMethods').length > 0 ? 'pass' : undefined;
      const offer = offerFor(params, version);
      // The second is how clients said so before there was a word for it.
      if (['auth.terminal', '_meta.terminal-auth'].some((path) => isYes(capabilityAt(offer, path))))
        return 'pass';
      return fail(
        'a method of type "terminal", and the client does not advertise `auth.terminal`',
        `/result/authMethods/${at}`,
      );
    }),
  },
});
