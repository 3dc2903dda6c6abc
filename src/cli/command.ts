// What every command of the bin is: a usage, a summary, its options and a run. Errors on stderr are one
// sentence that names the cause and the fix.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { withoutSecrets } from '../lib/secrets/arguments.ts';
import { variableOf } from '../lib/variables.ts';

/** What ends a command from outside. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The check failed, usage, environment, a fault of ACP Scope; a relay that cannot continue; and a closed output, with
 * the status that a shell shows for SIGPIPE.
 */
export const EXIT = {
  ...{ ok: 0, failed: 1, usage: 2, environment: 3, own: 4, fault: 70, pipe: 141 },
} as const;
type Exit = number;

type Options = NonNullable<ParseArgsConfig['options']>;

interface Help {
  /** `acp-scope convert IN OUT`. */
  readonly usage: string;
  readonly summary: string;
  /** Lines for --help: options and what they do. */
  readonly details: readonly string[];
}

/** A command line as it was read. */
interface Given<O extends Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O }>>['values'];
  /** The words that are no options. */
  readonly files: readonly string[];
  /** What follows the first `--`, untouched; undefined: there is no `--`, or it is no command's. */
  readonly agent: readonly string[] | undefined;
}

interface Shape<O extends Options> extends Help {
  readonly options: O;
  /** Files that it writes, as its usage names them: `OUT`, `--html`. */
  readonly writes?: readonly string[];
  /** `files`: it takes words that are no options. `agent`: what follows `--` is the agent's command. */
  readonly takes?: readonly ('files' | 'agent')[];
  run(given: Given<O>): Promise<Exit>;
}

export interface Command extends Help {
  readonly options: Options;
  readonly writes: readonly string[];
  run(args: readonly string[]): Promise<Exit>;
}

/** A mistake in the command line, as a sentence; ends with status 2. */
export class UsageError extends Error {}

/** A mistake in a file that the command line names: how the command is used does not help. */
export class FileMistake extends UsageError {}

/** Why a file could not be read or written, or nothing started, as a sentence; ends with status 3. */
export class FileError extends Error {}

export function command<const O extends Options>({
  options,
  takes = [],
  writes = [],
  run,
  ...help
}: Shape<O>): Command & { read(args: readonly string[]): Given<O> } {
  const read = (args: readonly string[]) => {
    const split = splitCommand(args);
    const { own, agent } = takes.includes('agent') ? split : { own: args, agent: undefined };
    const isAgents = takes.includes('agent') && !takes.includes('files');
    const allowPositionals = isAgents || takes.includes('files');
    const { values, positionals } = parse({ args: [...own], options, allowPositionals });
    if (isAgents && positionals.length > 0)
      throw new UsageError(misplaced(help.usage, positionals));
    return { values, files: positionals, agent };
  };
  return { ...help, options, writes, read, run: async (args) => run(read(args)) };
}

/** Words of an agent that stand before the `--`, as a sentence. */
function misplaced(usage: string, words: readonly string[]): string {
  const [shown = ''] = withoutSecrets(words);
  const name = usage.split(' ', 2).join(' ');
  return `"${shown}" is no option of ${name}. The agent follows --: ${name} … -- ${shown}`;
}

/** The agent's command. Throws UsageError where there is none. `name`: of the command that needs it. */
export function agentOf(name: string, agent: readonly string[] | undefined): readonly string[] {
  if (agent?.length) return agent;
  throw new UsageError(`${name} needs the agent’s command after --.`);
}

function splitCommand(args: readonly string[]): {
  readonly own: readonly string[];
  readonly agent: readonly string[] | undefined;
} {
  const at = args.indexOf('--');
  return at < 0
    ? { own: args, agent: undefined }
    : { own: args.slice(0, at), agent: args.slice(at + 1) };
}

/** `parseArgs` with our error class. */
function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    refuseTwice(config);
    return parseArgs(config);
  } catch (error) {
    // Node's sentence names the option; what follows it is advice about `--` that misleads here.
    if (error instanceof UsageError) throw error;
    const message = error instanceof Error ? error.message.split('. To specify')[0] : String(error);
    throw new UsageError(`${message}.`.replace('..', '.'));
  }
}

/** A variable where the agent should be: only a shell understands that. Its value may be a secret. */
export function refuseVariable([first = '']: readonly string[] = []): void {
  const name = variableOf(first)?.name;
  if (name !== undefined)
    throw new UsageError(
      `The agent's command begins with the variable ${name}, and no shell reads it. Set ${name} in the environment of acp-scope, which hands its own on; in a shell: ${name}=… acp-scope …`,
    );
}

/** Throws UsageError for an option that takes one value and has several: all but the last would be dropped. */
function refuseTwice(config: ParseArgsConfig): void {
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    const { type, multiple } = config.options?.[token.name] ?? {};
    if (type !== 'string' || multiple) continue;
    given.set(token.name, [...(given.get(token.name) ?? []), token.value]);
  }
  for (const [name, values] of given)
    if (values.length > 1)
      throw new UsageError(
        `--${name} takes one value and has ${values.length}: ${values.join(' and ')}. Give it once.`,
      );
}

export function helpOf({ usage, summary, details }: Help): string {
  return [`Usage: ${usage}`, '', summary, ...details.map((line) => `  ${line}`)].join('\n');
}

/** Runs a command by its arguments; turns what went wrong into a sentence and a status. */
export async function runCommand(command: Command, args: readonly string[]): Promise<Exit> {
  const { own, agent } = splitCommand(args);
  if (own.includes('--help')) {
    console.log(helpOf(command));
    return EXIT.ok;
  }
  try {
    refuseVariable(agent);
    return await command.run(args);
  } catch (error) {
    if (error instanceof FileError) {
      console.error(error.message);
      return EXIT.environment;
    }
    if (!(error instanceof UsageError)) throw error;
    const usage = error instanceof FileMistake ? '' : `\nUsage: ${command.usage}`;
    console.error(`${error.message}${usage}`);
    return EXIT.usage;
  }
}
