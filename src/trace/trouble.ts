// Why events of a recording could not be kept: a code, and the words for it, which stand in a gap,
// on the command line and in the page alike; and the sentence for who ends a recording that lacks some.
import { formatCount } from '../lib/format.ts';

/** Why nothing more of a recording can be kept now. */
export interface Trouble {
  /** What the system says, as ENOSPC; or a word of ours: see `REASONS`. */
  readonly code: string;
  /** The file that takes nothing. */
  readonly path: string;
  /** Events that are lost by it, so far. */
  readonly lost: number;
}

const REASONS: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  ENOSPC: ['the disk is full (ENOSPC)', 'Free some space there'],
  LOW: ['under 1 GiB, or a tenth, of the disk is free', 'Free some space there'],
  LIMIT: ['the recording has the most that it may have, 2 GiB', 'Start the agent again'],
  FOLDER: ['all recordings together have 8 GiB', 'Free some space there'],
  EDQUOT: ['the disk quota is used up (EDQUOT)', 'Free some space there'],
  EFBIG: ['the file may not grow further (EFBIG)', 'Raise the limit on the size of files'],
  EIO: ['the disk reports an error (EIO)', 'Look after the disk'],
  EROFS: ['the file system is read-only (EROFS)', 'Make it writable'],
  EACCES: ['writing there is not permitted (EACCES)', 'Permit it'],
  EPERM: ['writing there is not permitted (EPERM)', 'Permit it'],
  ENOENT: ['the folder does not exist (ENOENT)', 'Make the folder again'],
  ENOTDIR: ['a file stands where its folder should be (ENOTDIR)', 'Make the folder again'],
  EEXIST: ['a file of this name exists (EEXIST)', 'Move it away'],
  REMOVED: ['the file of the recording was removed', 'Leave it where it is'],
  SLOW: ['the disk is slower than what is to be recorded', 'Wait until it keeps up'],
  HANGS: ['the disk hangs: it takes nothing and says nothing', 'Look after the disk'],
};

/** Without capital and full stop: `the disk is full (ENOSPC)`. */
export function troubleReason(code: string): string {
  return REASONS[code]?.[0] ?? `the system refuses it (${code})`;
}

/** What a person can do, in the same form. */
export function fixOf(code: string): string {
  return REASONS[code]?.[1] ?? 'Look after the disk';
}

/** So many events from `seq` on. */
export interface MissingEvents {
  readonly seq: number;
  count: number;
  /** As `Trouble` has it. */
  readonly code: string;
}

export class MissingRanges {
  #missing: readonly MissingEvents[] = [];

  /** Takes the place of what was known of the same events. */
  add(missing: MissingEvents): void {
    const { seq, count } = missing;
    if (count <= 0) return;
    const others = this.#missing.filter(
      (other) => other.seq + other.count <= seq || other.seq >= seq + count,
    );
    this.#missing = [...others, missing];
  }

  get count(): number {
    return this.#missing.reduce((sum, { count }) => sum + count, 0);
  }

  /** Undefined: nothing is missing. */
  sentence(of: number, path: string): string | undefined {
    if (this.#missing.length === 0) return undefined;
    const counts = new Map<string, number>();
    for (const { code, count } of this.#missing) counts.set(code, (counts.get(code) ?? 0) + count);
    const causes = [...counts].map(
      ([code, count]) => `${formatCount(count)}: ${troubleReason(code)}`,
    );
    const total = `${formatCount(this.count)} of ${formatCount(of)} events are not in ${path}`;
    return `${total} (${causes.join('; ')}).`;
  }
}
