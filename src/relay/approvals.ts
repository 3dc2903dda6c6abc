// P-01: which programs a page may start. What the person gave on our own command line, our bundled
// agent, a trace replayed by ourselves and the presets are approved; any other command line is shown on
// the relay's own terminal, where no web page can type, and waits for a `y`. The answer is remembered
// by its hash.
import { createHash } from 'node:crypto';
import { visibleParts } from '../lib/visible-text.ts';
import type { Launch, Problem } from '../link/messages.ts';
import { readSmall } from './regular-file.ts';
import { writePrivate } from './state-folder.ts';

/** The relay's own terminal. */
export interface ApprovalTerminal {
  /** Shows the text and waits for one key: true for `y`. The signal takes the question back. */
  confirm(text: string, signal: AbortSignal): Promise<boolean>;
}

export interface ApprovalOptions {
  /** Where answers are remembered. */
  readonly file: string;
  readonly terminal: ApprovalTerminal | undefined;
  /** `--trust-page`: everything is approved. */
  readonly trustPage: boolean;
  /** `--allow-command`, and the command line of ours that names an agent: in any folder. */
  readonly allowed: readonly (readonly string[])[];
  /** Command lines that can do nothing but play a trace that the relay keeps. */
  readonly isReplay: (argv: readonly string[]) => boolean;
  /** The bundled agent, whatever follows; and the presets, exactly. */
  readonly bundled: readonly string[];
  readonly presets: readonly (readonly string[])[];
}

/** Variables that make a program load or run something else: never part of a general approval. */
const LOADERS =
  /^(PATH|PATHEXT|COMSPEC|SHELL|ENV|BASH_ENV|NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|PYTHON.*|PERL5.*|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GIT_.*|EDITOR|VISUAL|PAGER|NPM_CONFIG_.*)$/i;

export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #remembered: Set<string>;
  /** One question at a time. */
  #asking: Promise<unknown> = Promise.resolve();

  constructor(options: ApprovalOptions) {
    this.#options = options;
    this.#remembered = new Set(remembered(options.file));
  }

  /**
   * Undefined: start it. `onAsking` is called before the terminal is asked. The signal: nobody
   * waits for the answer any more.
   */
  async check(
    launch: Launch,
    onAsking: () => void,
    signal: AbortSignal,
  ): Promise<Problem | undefined> {
    const hash = hashOf(launch);
    if (this.#isGiven(launch) || this.#remembered.has(hash)) return undefined;
    const { terminal } = this.#options;
    if (!terminal) return { code: 'no_terminal', message: noTerminal(launch) };
    onAsking();
    const answer = this.#asking.then(async () => {
      if (this.#remembered.has(hash)) return true;
      return !signal.aborted && (await terminal.confirm(questionOf(launch), signal));
    });
    this.#asking = answer.catch(() => undefined);
    if (await answer) {
      this.#remember(hash);
      return undefined;
    }
    return {
      code: 'refused',
      message: 'The command was refused in the terminal of the relay. Start it again to be asked.',
    };
  }

  #isGiven(launch: Launch): boolean {
    const { trustPage, allowed, isReplay, bundled, presets } = this.#options;
    if (trustPage) return true;
    if (Object.keys(launch.env).some((name) => LOADERS.test(name))) return false;
    if (allowed.some((argv) => same(argv, launch.argv))) return true;
    // Files and terminals are more than the agent alone: with them, the person is asked.
    if (launch.roots.length > 0) return false;
    return (
      isReplay(launch.argv) ||
      same(bundled, launch.argv.slice(0, bundled.length)) ||
      presets.some((argv) => same(argv, launch.argv))
    );
  }

  #remember(hash: string): void {
    this.#remembered.add(hash);
    const approved = [...this.#remembered];
    try {
      writePrivate(this.#options.file, JSON.stringify({ version: 1, approved }) + '\n');
    } catch {
      // It holds for this run at least.
    }
  }
}

/** Arguments, folder, names of variables, values of those that load code, folders it may touch. */
export function hashOf({ argv, cwd, env, roots }: Launch): string {
  const variables = Object.entries(env)
    .map(([name, value]) => (LOADERS.test(name) ? [name, value] : [name]))
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const canonical = JSON.stringify([argv, cwd, variables, [...roots].sort()]);
  return createHash('sha256').update(canonical).digest('hex');
}

/** What the terminal shows: nothing in it can hide or act (S-10, S-11). */
export function questionOf({ argv, cwd, env, roots }: Launch): string {
  const variables = Object.entries(env).map(([name, value]) =>
    LOADERS.test(name)
      ? `  with ${shown(name)}=${quoted(value)}   <- makes it load or run something else`
      : `  with ${shown(name)} set`,
  );
  const folders = roots.map((root) => `  may read, write and run commands in ${quoted(root)}`);
  return [
    'The page asks to run a command line that is new here:',
    '',
    `  ${argv.map(quoted).join(' ')}`,
    `  in ${quoted(cwd)}`,
    ...variables,
    ...folders,
    '',
    'Press y to allow it, now and later. Any other key refuses.',
  ].join('\n');
}

function noTerminal({ argv }: Launch): string {
  const allow = `--allow-command '${JSON.stringify(argv)}'`;
  return `This command line is new, and the relay has no terminal to ask in. Start the relay with ${allow}, or with --trust-page to allow everything this page asks for.`;
}

function remembered(file: string): string[] {
  try {
    const { approved } = JSON.parse(readSmall(file) ?? '{}') as { approved?: unknown };
    return Array.isArray(approved) ? approved.filter((hash) => typeof hash === 'string') : [];
  } catch {
    return [];
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

function quoted(text: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(text) ? text : `"${shown(text)}"`;
}

function shown(text: string): string {
  return visibleParts(text.replaceAll('\n', '\u240a').replaceAll('\t', '\u2409'))
    .map((part) => (part.type === 'text' ? part.text : `<${part.sign}>`))
    .join('');
}
