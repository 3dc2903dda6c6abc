#!/usr/bin/env node
// The bin: finds the command and runs it. Commands are loaded when asked for, so that the tap in
// an editor's way starts no relay code, and the relay no SDK.
import { version } from '../../package.json';
import { EXIT, helpOf, runCommand, type Command } from './command.ts';
import { COMMAND_TABLE, HIDDEN } from './table.ts';
import { WORDS } from './words.ts';
import { AS_MARK, printable, withoutCiCommands } from '../lib/print/ci-commands.ts';
import { faultPlace } from '../relay/faults.ts';

async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--version') {
    console.log(version);
    return EXIT.ok;
  }
  if (name === 'help') return help(rest.find((word) => !word.startsWith('-')));
  if (name === '--help') return help(undefined);
  const load = loaderOf(name);
  if (load) return runCommand(await load(), rest);
  if (name !== '' && !name.startsWith('-')) return unknown(name);
  return runCommand((await import('./serve.ts')).serve, args);
}

function loaderOf(name: string): (() => Promise<Command>) | undefined {
  const tables: readonly (typeof HIDDEN)[] = [COMMAND_TABLE, HIDDEN];
  return tables.find((table) => Object.hasOwn(table, name))?.[name];
}

async function help(name: string | undefined): Promise<number> {
  if (name !== undefined) {
    const load = loaderOf(name);
    if (!load) return unknown(name);
    console.log(helpOf(await load()));
    return EXIT.ok;
  }
  const lines = Object.values(WORDS).map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  console.log(['ACP Scope, the inspector for the Agent Client Protocol.', '', ...lines].join('\n'));
  console.log(
    '\nExit status: 0 success, 1 a check failed, 2 the command line, 3 the environment, 4 a fault of ACP Scope',
  );
  console.log(
    '\nEach command explains itself: acp-scope help COMMAND, or acp-scope COMMAND --help',
  );
  return EXIT.ok;
}

async function unknown(name: string): Promise<number> {
  const { didYouMean } = await import('../lib/nearest.ts');
  const near = didYouMean(name, [...Object.keys(COMMAND_TABLE), 'help']);
  console.error(`acp-scope has no command ${name}.${near} Run acp-scope --help for those it has.`);
  return EXIT.usage;
}

// Printed text quotes agents, files and names: neither a terminal nor the log of a CI obeys any of it. A
// report was made harmless in the spelling of its format, so that nothing in it changes here.
// The two ends of an argument of thousands of letters show which it is.
const LONG_WORD = /(\S{400})\S{600,}(\S{200})/gu;
const [print, say] = [console.log, console.error];
const joined = (words: readonly unknown[]) => words.map(String).join(' ');
console.log = (...words: readonly unknown[]) => print(withoutCiCommands(joined(words), AS_MARK));
console.error = (...words: readonly unknown[]) =>
  say(printable(joined(words).replace(LONG_WORD, '$1…$2')));

/** Prints where an error arose, too. */
const DEBUG = 'ACP_SCOPE_DEBUG';

/** Ends with a sentence and a status of its own: 1 would be a check that failed. */
function endWithFault(error: unknown): never {
  console.error(
    `This is a fault of ACP Scope ${version}: ${faultPlace(error)}. The command is not finished. Please report it with this line and the command; ${DEBUG}=1 shows more.`,
  );
  if (process.env[DEBUG]) console.error(error instanceof Error ? error.stack : error);
  process.exit(EXIT.own);
}

/** True if nobody reads the output any more, as in `acp-scope show FILE | head`. */
function isClosedPipe(error: unknown): boolean {
  const isOutput = [process.stdout, process.stderr].some(({ errored }) => errored === error);
  return isOutput && error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

// Also for promises that nobody awaits. The relay continues after a fault, and catches it in its own way.
process.on('uncaughtException', (error) => {
  if (isClosedPipe(error)) process.exit(EXIT.pipe);
  if (process.listenerCount('uncaughtException') === 1) endWithFault(error);
});
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  endWithFault(error);
}
