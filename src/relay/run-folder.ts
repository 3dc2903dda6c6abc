// What a run of the page's needs on this machine: folders of its own in the temporary folder, and
// canaries, MCP servers that note who connects. A page can name nothing that was not made here for it.
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { assertNever } from '../lib/assert-never.ts';
import type { RunFolderAnswer, RunFolderCall, Problem } from '../link/messages.ts';
import { readSmall } from './regular-file.ts';

const RUN = 'acp-scope-run-';
const NOTE = /^\d{1,6}-[a-z]{1,20}\.txt$/;
const TOOL = /^[a-z]{1,20}_[a-z0-9]{6}$/;

export class RunFolder {
  /** How a canary is started, without what it notes. */
  readonly #canary: readonly string[];
  readonly #folders = new Set<string>();
  /** Where a canary notes, by its tool. */
  readonly #notes = new Map<string, string>();
  #root: string | undefined;
  #count = 0;

  constructor(canary: readonly string[]) {
    this.#canary = canary;
  }

  call(call: RunFolderCall): RunFolderAnswer | { readonly problem: Problem } {
    try {
      return this.#answer(call);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `The temporary folder cannot be used: ${why}. Make room or set TMPDIR.`;
      return { problem: { code: 'io', message } };
    }
  }

  /** Takes everything away; what an agent still holds open is left to the system. */
  clear(): void {
    const root = this.#root;
    this.#root = undefined;
    this.#folders.clear();
    this.#notes.clear();
    if (root === undefined) return;
    try {
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Windows keeps the folder of a program that runs.
    }
  }

  #answer(call: RunFolderCall): RunFolderAnswer {
    switch (call.op) {
      case 'folder': {
        const path = this.#next(call.name);
        mkdirSync(path);
        this.#folders.add(path);
        return { op: 'folder', path, relative: relative(call.from, path), separator: sep };
      }
      case 'remove':
        if (this.#folders.delete(call.path)) rmSync(call.path, { recursive: true, force: true });
        return { op: 'done' };
      case 'canary':
        return this.#newCanary(call.name);
      case 'seen': {
        const note = this.#notes.get(call.tool);
        return { op: 'seen', ...seenIn((note === undefined ? undefined : readSmall(note)) ?? '') };
      }
      case 'clear':
        this.clear();
        return { op: 'done' };
      default:
        return assertNever(call);
    }
  }

  #newCanary(name: string): RunFolderAnswer {
    const note = `${this.#next(name)}.txt`;
    const tool = `${name}_${shortToken()}`;
    const [command = '', ...args] = this.#canary;
    this.#notes.set(tool, note);
    return {
      ...{ op: 'canary', name: `acp-scope-${name}`, command, tool },
      args: [...args, '--note', note, '--tool', tool],
    };
  }

  #next(name: string): string {
    this.#root ??= realpathSync(mkdtempSync(join(tmpdir(), RUN)));
    return join(this.#root, `${++this.#count}-${name}`);
  }
}

/** Six letters and digits that nobody guesses. */
export function shortToken(): string {
  return Array.from({ length: 6 }, () => randomInt(36).toString(36)).join('');
}

/**
 * Whether these words start a canary as a run gives it, and so can do nothing but note a few words in
 * a folder made for that. `script`: the program of ours that runs.
 */
export function isCanary(words: readonly string[], script: string): boolean {
  const [node = '', program = '', command, option, note = '', last, tool = '', ...more] = words;
  if (command !== 'canary-mcp' || option !== '--note' || last !== '--tool' || more.length > 0)
    return false;
  try {
    const isOurs =
      realpathSync(node) === realpathSync(process.execPath) &&
      realpathSync(program) === realpathSync(script);
    return isOurs && TOOL.test(tool) && isNote(note);
  } catch {
    return false;
  }
}

function isNote(path: string): boolean {
  const folder = dirname(path);
  const { mode, uid } = lstatSync(folder);
  const isPrivate = process.getuid === undefined || (uid === process.getuid() && !(mode & 0o077));
  const isRun = basename(folder).startsWith(RUN) && dirname(folder) === realpathSync(tmpdir());
  return isRun && isPrivate && join(folder, basename(path)) === path && NOTE.test(basename(path));
}

function seenIn(text: string) {
  const lines = text.split('\n');
  const count = (event: string) => lines.filter((line) => line === event).length;
  return { started: count('started'), listed: count('listed'), called: count('called') };
}
