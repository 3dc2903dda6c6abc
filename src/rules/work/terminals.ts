// What the frames so far say of terminals. v2: the agent's own, told in updates. v1: the client's,
// which the agent asks for, uses and releases.
import { get, isObject, num, objects, str, obj } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { type Session, fact } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import { rulesOf, type Fold, fail, type RuleFault, quote } from '../rule.ts';
import { isReplay, offersCancel } from './tool-facts.ts';
import type { Seq } from '../../trace/event.ts';

/** v2: a terminal of the agent that the client shows. */
interface DisplayTerminal {
  readonly id: string;
  /** The frame that named it first. */
  readonly first: Seq;
  command: string | undefined;
  /** Where its present `exitStatus` was reported; undefined: it runs. */
  exited: Seq | undefined;
  /** The client may cancel it, as last advertised. */
  cancel: boolean;
  /** What was said last of it was history replay. */
  replayed: boolean;
}

export interface ClientTerminal {
  readonly id: string;
  /** The answer to `terminal/create`. */
  readonly created: Seq;
  /** Bytes of output that the agent asked to keep at most. */
  readonly limit: number | undefined;
  /** The request to release it, unless that failed. */
  released: Seq | undefined;
  /** The answer that told of its exit. */
  exited: Seq | undefined;
  /** A tool call showed it. */
  shown: boolean;
}

export const displayTerminals = fact<Session, Map<string, DisplayTerminal>>(() => new Map());
export const clientTerminals = fact<Session, Map<string, ClientTerminal>>(() => new Map());

/** Methods that use a terminal of the client, and end with `terminal/release`. */
export const TERMINAL_USES = [
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
] as const;

export const terminalFold: Fold = [
  onUpdate(['terminal_update', 'terminal_output_chunk'], (step) => {
    const { session, itemId, seq, update } = step;
    if (itemId === undefined) return;
    const terminals = displayTerminals.of(session);
    const terminal = terminals.get(itemId) ?? shown(itemId, seq);
    terminals.set(itemId, terminal);
    terminal.replayed = isReplay(step);
    if (step.variant !== 'terminal_update') return;
    const command = get(update, 'command');
    if (command !== undefined) terminal.command = str(update, 'command');
    const exit = get(update, 'exitStatus');
    if (exit !== undefined) terminal.exited = isObject(exit) ? seq : undefined;
    const capabilities = get(update, 'capabilities');
    if (capabilities !== undefined) terminal.cancel = offersCancel(capabilities);
  }),
  onAnswer(['terminal/create'], ({ session, result, params, seq }) => {
    const id = str(result, 'terminalId');
    if (session === undefined || id === undefined) return;
    const limit = num(params, 'outputByteLimit');
    const made = {
      id,
      created: seq,
      limit,
      released: undefined,
      exited: undefined,
      shown: false,
    };
    clientTerminals.of(session).set(id, made);
  }),
  onUpdate(['tool_call', 'tool_call_update'], ({ session, update }) => {
    for (const item of objects(update, 'content')) {
      if (str(item, 'type') !== 'terminal') continue;
      const terminal = clientTerminal(session, str(item, 'terminalId'));
      if (terminal && terminal.released === undefined) terminal.shown = true;
    }
  }),
  onRequest(['terminal/release'], ({ session, params, seq }) => {
    const terminal = clientTerminal(session, str(params, 'terminalId'));
    if (terminal) terminal.released ??= seq;
  }),
  onAnswer(['terminal/release'], ({ session, params, error, asked }) => {
    const terminal = clientTerminal(session, str(params, 'terminalId'));
    if (error && terminal?.released === asked.seq) terminal.released = undefined;
  }),
  onAnswer(['terminal/wait_for_exit', 'terminal/kill'], ({ session, params, result, seq }) => {
    const terminal = clientTerminal(session, str(params, 'terminalId'));
    if (terminal && isObject(result)) terminal.exited ??= seq;
  }),
  onAnswer(['terminal/output'], ({ session, params, result, seq }) => {
    const terminal = clientTerminal(session, str(params, 'terminalId'));
    if (terminal && isObject(get(result, 'exitStatus'))) terminal.exited ??= seq;
  }),
];

export function clientTerminal(
  session: Session | undefined,
  id: string | undefined,
): ClientTerminal | undefined {
  return session === undefined || id === undefined
    ? undefined
    : clientTerminals.of(session).get(id);
}

function shown(id: string, first: Seq): DisplayTerminal {
  return {
    id,
    first,
    command: undefined,
    exited: undefined,
    cancel: false,
    replayed: false,
  };
}

// Terminals of the agent that the client shows, in v2. Family `term` of the catalogue.

/** Undefined: nothing of base64 is there. `key`: the field that holds it. */
export function oddBase64(
  data: Json | undefined,
  pointer: string,
  key = 'data',
): RuleFault | 'pass' | undefined {
  if (typeof data !== 'string') return undefined;
  const odd = /[^A-Za-z0-9+/=]/.exec(data)?.[0];
  if (odd !== undefined)
    return fail(`\`${key}\` holds ${quote(odd)}, which is not base64`, pointer);
  if (/=[^=]|={3,}$/.test(data)) return fail(`\`${key}\` has padding before its end`, pointer);
  if (data.length % 4 === 0) return 'pass';
  return fail(`\`${key}\` has ${data.length} characters, no multiple of 4`, pointer);
}

function oddCwd(cwd: string | undefined, pointer: string): RuleFault | 'pass' | undefined {
  if (cwd === undefined) return undefined;
  return isAbsolutePath(cwd)
    ? 'pass'
    : fail(`\`cwd\` is ${quote(cwd)}, which is not absolute`, pointer);
}

export const DISPLAY_TERMINALS = rulesOf({ side: 'agent' })({
  'term/base64': {
    versions: [2],
    severity: 'error',
    clause: 'each piece of terminal output is base64 on its own, with its padding',
    on: [
      onUpdate(['terminal_output_chunk'], ({ update }) =>
        oddBase64(get(update, 'data'), '/params/update/data'),
      ),
      onUpdate(['terminal_update'], ({ update }) =>
        oddBase64(get(obj(update, 'output'), 'data'), '/params/update/output/data'),
      ),
    ],
  },
  'term/output-after-exit': {
    versions: [2],
    severity: 'hint',
    clause: 'a terminal that has exited stays as it is: no more output, no other command',
    on: [
      onUpdate(['terminal_output_chunk'], (step) => {
        if (isReplay(step)) return undefined;
        const terminal = displayTerminals.of(step.session).get(step.itemId ?? '');
        if (terminal === undefined || terminal.replayed) return undefined;
        if (terminal.exited === undefined) return 'pass';
        return fail(`output of ${quote(terminal.id)}, which exited in #${terminal.exited}`, {
          seqs: [terminal.exited, step.seq],
        });
      }),
      onUpdate(['terminal_update'], (step) => {
        const command = str(step.update, 'command');
        if (command === undefined || isReplay(step)) return undefined;
        const terminal = displayTerminals.of(step.session).get(step.itemId ?? '');
        if (terminal?.exited === undefined || terminal.replayed) return undefined;
        if (terminal.command === undefined || terminal.command === command) return 'pass';
        return fail(`the terminal ${quote(terminal.id)} is used again, for ${quote(command)}`, {
          pointer: '/params/update/command',
          seqs: [terminal.exited, step.seq],
        });
      }),
    ],
  },
  'term/cwd-absolute': {
    severity: 'error',
    clause: 'the working directory of a command is an absolute path',
    on: [
      onUpdate(['terminal_update'], ({ update }) =>
        oddCwd(str(update, 'cwd'), '/params/update/cwd'),
      ),
      onRequest(['session/request_permission'], ({ params }) =>
        oddCwd(str(obj(params, 'subject'), 'cwd'), '/params/subject/cwd'),
      ),
      // v1, where the client runs it.
      onRequest(['terminal/create'], ({ params }) => oddCwd(str(params, 'cwd'), '/params/cwd')),
    ],
  },
});
