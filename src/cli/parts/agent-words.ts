// The agent of a command line: a command, or a URL in its place with the headers that go along.
import { isUrl } from '../../lib/program-name.ts';
import type { Variable } from '../../lib/variables.ts';
import { addressOf } from '../../relay/transports/address.ts';
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
  const read = addressOf(
    argv[0] ?? '',
    headers.map((header) => headerOf(header, process.env)),
  );
  if (!read.ok) throw new UsageError(read.message);
  return { argv: [read.address.shown], address: read.address };
}

/** `Name: value`, where `${NAME}` is a variable of `env`. Throws UsageError. */
export function headerOf(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Variable {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(at, 0)).trim();
  const value = text.slice(at + 1).trim();
  return {
    name,
    value: value.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
      const found = env[variable];
      if (found !== undefined) return found;
      throw new UsageError(`The header ${name} names the variable ${variable}, which is not set.`);
    }),
  };
}
