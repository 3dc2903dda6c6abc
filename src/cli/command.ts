// What every command of the bin is: a usage, a summary and a run. Errors on stderr are one
// sentence that names the cause and the fix.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { variableOf } from '../lib/variables.ts';

/** The check failed, usage, environment; and a program of ours that cannot go on. */
export const EXIT = { ok: 0, failed: 1, usage: 2, environment: 3, fault: 70 } as const;
export type Exit = number;

export interface Command {
  /** `acp-scope convert IN OUT`. */
  readonly usage: string;
  readonly summary: string;
  /** Lines for --help: options and what they do. */
  readonly details: readonly string[];
  run(args: readonly string[]): Promise<Exit>;
}

/** A mistake in the command line, as a sentence; ends with status 2. */
export class UsageError extends Error {}

/** A mistake in a file that the command line names: how the command is used does not help. */
export class FileMistake extends UsageError {}

/** Everything after the first `--` is the agent's command, untouched. */
export function splitCommand(args: readonly string[]): {
  readonly own: readonly string[];
  readonly command: readonly string[] | undefined;
} {
  const at = args.indexOf('--');
  return at < 0
    ? { own: args, command: undefined }
    : { own: args.slice(0, at), command: args.slice(at + 1) };
}

/** `parseArgs` with our error class. */
export function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's sentence names the option; what follows it is advice about `--` that misleads here.
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

export function helpOf(command: Command): string {
  return [
    `Usage: ${command.usage}`,
    '',
    command.summary,
    ...command.details.map((line) => `  ${line}`),
  ].join('\n');
}

/** Runs a command by its arguments; turns usage errors into a sentence and status 2. */
export async function runCommand(command: Command, args: readonly string[]): Promise<Exit> {
  if (splitCommand(args).own.includes('--help')) {
    console.log(helpOf(command));
    return EXIT.ok;
  }
  try {
    refuseVariable(splitCommand(args).command);
    return await command.run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const usage = error instanceof FileMistake ? '' : `\nUsage: ${command.usage}`;
    console.error(`${error.message}${usage}`);
    return EXIT.usage;
  }
}
