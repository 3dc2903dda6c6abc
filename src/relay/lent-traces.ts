// Traces that pages lend the relay, so that a replayed agent can read them: files in a folder of our
// own under the state folder, whose names we make. They outlive the page, for an editor may be told
// their path; those long unused go, and the oldest where there are too many.
import {
  closeSync,
  constants,
  lstatSync,
  lutimesSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { lentName, lentTrace } from '../link/lent-name.ts';
import type { LendCall, Problem } from '../link/messages.ts';
import { prepareFolder } from './state-folder.ts';

export interface LentLimits {
  /** Bytes of one trace, and of all. */
  readonly one: number;
  readonly all: number;
  /** Milliseconds since one was last used. */
  readonly age: number;
}

const MB = 1024 * 1024;
const DAY = 24 * 3600 * 1000;
const LIMITS: LentLimits = { one: 512 * MB, all: 1024 * MB, age: 30 * DAY };
/** What never became a file is nobody's after this. */
const PART_AGE = 3600 * 1000;
const PART = /^\.[\w-]+\.part$/;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

type Lent = { readonly path?: string } | { readonly problem: Problem };

export function lentFolder(state: string): string {
  return join(state, 'replays');
}

/** Of one page: what it is lending now. */
export class LentTraces {
  readonly #folder: string;
  readonly #limits: LentLimits;
  #open: { readonly file: number; readonly part: string; readonly path: string } | undefined;
  #size = 0;

  constructor(state: string, limits: LentLimits = LIMITS) {
    this.#folder = lentFolder(state);
    this.#limits = limits;
  }

  call(call: LendCall): Lent {
    try {
      switch (call.op) {
        case 'begin':
          return this.#begin(call);
        case 'part':
          return this.#add(call.base64);
        case 'end':
          return this.#end();
      }
    } catch (error) {
      this.clear();
      const why = error instanceof Error ? error.message : String(error);
      return failed('io', `The trace cannot be kept in ${this.#folder}: ${why}.`);
    }
  }

  /** What was begun is not wanted any more. */
  clear(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    try {
      closeSync(open.file);
    } catch {
      // The disk refused the last of it, which nobody wants.
    }
    remove(open.part);
  }

  #begin({ trace, name }: Extract<LendCall, { readonly op: 'begin' }>): Lent {
    this.clear();
    const file = lentName(trace, name);
    if (file === undefined)
      return failed('bad_message', 'The id of this trace is none that a file can be called by.');
    const prepared = prepareFolder(this.#folder);
    if (!prepared.ok) return failed('io', prepared.message);
    sweep(this.#folder, this.#limits);
    const part = join(this.#folder, `.${randomUUID()}.part`);
    this.#open = { file: openSync(part, NEW, 0o600), part, path: join(this.#folder, file) };
    this.#size = 0;
    return {};
  }

  #add(base64: string): Lent {
    if (!this.#open) return failed('bad_message', 'No trace was begun.');
    const bytes = Buffer.from(base64, 'base64');
    this.#size += bytes.length;
    if (this.#size > this.#limits.one) {
      this.clear();
      const most = Math.floor(this.#limits.one / MB);
      return failed(
        'io',
        `The trace is over ${most} MB, more than the relay keeps for a replay. Save it as a file and give acp-scope replay its path.`,
      );
    }
    for (let at = 0; at < bytes.length;) at += writeSync(this.#open.file, bytes, at);
    return {};
  }

  #end(): Lent {
    if (!this.#open) return failed('bad_message', 'No trace was begun.');
    const { file, part, path } = this.#open;
    this.#open = undefined;
    try {
      closeSync(file);
      renameSync(part, path);
    } catch (error) {
      remove(part);
      throw error;
    }
    makeRoom(this.#folder, this.#limits, path);
    return { path };
  }
}

/** Removes what was not used for long, and what never became whole. */
export function sweep(folder: string, { age }: LentLimits = LIMITS): void {
  const now = Date.now();
  for (const { path, isPart, usedAt } of filesIn(folder))
    if (now - usedAt > (isPart ? PART_AGE : age)) remove(path);
}

/** An agent reads it: it is used. */
export function noteUse(path: string, state: string): void {
  if (dirname(path) !== lentFolder(state) || lentTrace(path) === undefined) return;
  try {
    lutimesSync(path, new Date(), new Date());
  } catch {
    // It goes the earlier.
  }
}

const MANNERS: ReadonlySet<string> = new Set(['--loose', '--strict']);
const SPEED = /^(?:max|real|\d{1,6}(?:\.\d{1,3})?)$/;

/**
 * Whether the command line plays a trace of this folder as the agent, and can do nothing else:
 * it writes no file, and starts nothing. `command`: how acp-scope is run here.
 */
export function isLentReplay(
  argv: readonly string[],
  command: readonly string[],
  state: string,
): boolean {
  if (!command.every((word, at) => word === argv[at])) return false;
  const [replay, path = '', as, agent, ...how] = argv.slice(command.length);
  if (replay !== 'replay' || as !== '--as' || agent !== 'agent') return false;
  if (dirname(path) !== lentFolder(state) || join(path) !== path) return false;
  if (lentTrace(path) === undefined || !isFile(path)) return false;
  const rest = MANNERS.has(how[0] ?? '') ? how.slice(1) : how;
  if (rest.length === 0) return true;
  return rest.length === 2 && rest[0] === '--speed' && SPEED.test(rest[1] ?? '');
}

/** The least lately used go, but not the one that has just come. */
function makeRoom(folder: string, { all }: LentLimits, kept: string): void {
  const files = filesIn(folder).filter(({ isPart }) => !isPart);
  let size = files.reduce((sum, one) => sum + one.size, 0);
  for (const { path, size: own } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (size <= all) return;
    if (path === kept) continue;
    remove(path);
    size -= own;
  }
}

/** Files of ours alone. */
function filesIn(folder: string) {
  let names: readonly string[];
  try {
    // A link would lead to a folder that is not ours.
    names = lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const isPart = PART.test(name);
    if (!isPart && lentTrace(name) === undefined) return [];
    const path = join(folder, name);
    try {
      const stat = lstatSync(path);
      return stat.isFile() ? [{ path, isPart, size: stat.size, usedAt: stat.mtimeMs }] : [];
    } catch {
      return [];
    }
  });
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Windows keeps what is being read.
  }
}

function failed(code: Problem['code'], message: string): Lent {
  return { problem: { code, message } };
}
