// The agent of a command line: a command, or a URL in its place with the headers that go along.
import { addressOf, isUrl } from '../../relay/transports/address.ts';
import { agentOf, UsageError } from '../command.ts';
import type { AgentWords } from './launcher.ts';

/** Of every command that drives an agent. */
export const HEADER_OPTION = { type: 'string', multiple: true } as const;

export const URL_HELP = [
  "--header 'NAME: VALUE' for a URL (ws://, http://) in the place of CMD, more than once;",
  '                 ${VARIABLE} in it is read from the environment. Never recorded. docs/transports.md',
];

/** `name`: of the command that needs it. Throws UsageError, without the values of headers. */
export function agentWordsOf(
  name: string,
  agent: readonly string[] | undefined,
  headers: readonly string[] = [],
): AgentWords {
  const argv = agentOf(name, agent);
  if (!isUrl(argv)) {
    if (headers.length === 0) return { argv };
    throw new UsageError('--header is for a URL after --, and there is a command.');
  }
  const read = addressOf(argv[0] ?? '', headers, process.env);
  if (!read.ok) throw new UsageError(read.message);
  return { argv: [read.address.shown], address: read.address };
}
