// Terminals of the agent that the client shows, in v2. Family `term` of the catalogue.
import { get, obj, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { onRequest, onUpdate } from '../listen.ts';
import { fail, type Fault } from '../outcome.ts';
import { quote } from '../quote.ts';
import type { Rule } from '../rule.ts';
import { displayTerminals } from './terminal-facts.ts';
import { isReplay } from './tool-facts.ts';

/** Undefined: nothing of base64 is there. */
function oddData(data: Json | undefined, pointer: string): Fault | 'pass' | undefined {
  if (typeof data !== 'string') return undefined;
  const odd = /[^A-Za-z0-9+/=]/.exec(data)?.[0];
  if (odd !== undefined)
    return fail(`\`data\` holds ${quote(odd)}, which is not base64`, { pointer });
  if (/=[^=]|={3,}$/.test(data)) return fail('`data` has padding before its end', { pointer });
  if (data.length % 4 === 0) return 'pass';
  return fail(`\`data\` has ${data.length} characters, no multiple of 4`, { pointer });
}

const base64: Rule = {
  id: 'term/base64',
  versions: [2],
  side: 'agent',
  severity: 'error',
  clause: 'each piece of terminal output is base64 on its own, with its padding',
  on: [
    onUpdate(['terminal_output_chunk'], ({ update }) =>
      oddData(get(update, 'data'), '/params/update/data'),
    ),
    onUpdate(['terminal_update'], ({ update }) =>
      oddData(get(obj(update, 'output'), 'data'), '/params/update/output/data'),
    ),
  ],
};

const outputAfterExit: Rule = {
  id: 'term/output-after-exit',
  versions: [2],
  side: 'agent',
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
};

function oddCwd(cwd: string | undefined, pointer: string): Fault | 'pass' | undefined {
  if (cwd === undefined) return undefined;
  return isAbsolutePath(cwd)
    ? 'pass'
    : fail(`\`cwd\` is ${quote(cwd)}, which is not absolute`, { pointer });
}

const cwdAbsolute: Rule = {
  id: 'term/cwd-absolute',
  versions: [2],
  side: 'agent',
  severity: 'error',
  clause: 'the working directory of a command is an absolute path',
  on: [
    onUpdate(['terminal_update'], ({ update }) => oddCwd(str(update, 'cwd'), '/params/update/cwd')),
    onRequest(['session/request_permission'], ({ params }) =>
      oddCwd(str(obj(params, 'subject'), 'cwd'), '/params/subject/cwd'),
    ),
  ],
};

export const DISPLAY_TERMINALS: readonly Rule[] = [base64, outputAfterExit, cwdAbsolute];
