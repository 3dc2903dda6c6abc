// What a person approved, for the next run: each facet as a hash under a key of this state folder, so
// that the file tells nobody what was started with which values.
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readSmall } from '../regular-file.ts';
import { writePrivate } from '../state-folder.ts';
import { approvedOf, isApprovedBy, type Approved, type Facet } from './facets.ts';

/** Version 1 knew less of what it approved, version 2 asked without some values: neither is honoured. */
const VERSION = 3;
const KEY_BYTES = 32;
/** The oldest go. */
const MOST_KEPT = 1000;

/** The nearest of what was approved before: what is not part of it, and what of it is no more. */
export interface Before {
  readonly fresh: readonly Facet[];
  /** Variables that are not set any more, or otherwise. */
  readonly lost: number;
}

export class KeptApprovals {
  readonly #file: string;
  readonly #key: Buffer;
  /** Of this run: they hold where the file cannot be written. */
  readonly #here: Approved[] = [];

  /** `state`: the state folder. */
  constructor(state: string) {
    this.#file = join(state, 'approved.json');
    this.#key = keyAt(join(state, 'approved.key'));
  }

  covers(facets: readonly Facet[]): boolean {
    const launch = approvedOf(facets, this.#keyOf);
    return this.#all().some((approved) => isApprovedBy(approved, launch));
  }

  /** Undefined: this command line was never approved. */
  before(facets: readonly Facet[]): Before | undefined {
    const argv = facets.filter(({ kind }) => kind === 'argv').map(this.#keyOf);
    const launch = facets.map(this.#keyOf);
    const nearest = this.#all()
      .filter(({ same }) => argv.every((key) => same.includes(key)))
      .map(({ same, most }) => {
        const known = new Set([...same, ...most]);
        const fresh = facets.filter((_, at) => !known.has(launch[at] ?? ''));
        // A file and a folder there always is: those are other ones, and not lost.
        const others = fresh.filter(({ kind }) => kind === 'file' || kind === 'cwd').length;
        return { fresh, lost: same.filter((key) => !launch.includes(key)).length - others };
      });
    return nearest.sort((a, b) => a.fresh.length + a.lost - (b.fresh.length + b.lost))[0];
  }

  add(facets: readonly Facet[]): void {
    const approved = [...this.#all(), approvedOf(facets, this.#keyOf)].slice(-MOST_KEPT);
    this.#here.splice(0, Infinity, ...approved);
    try {
      writePrivate(this.#file, JSON.stringify({ version: VERSION, approved }) + '\n');
    } catch {
      // It holds for this run at least.
    }
  }

  readonly #keyOf = (facet: Facet): string =>
    createHmac('sha256', this.#key).update(JSON.stringify(facet)).digest('hex');

  /** Read anew: another relay of ours, on another port, adds to the same file. */
  #all(): readonly Approved[] {
    const known = new Map<string, Approved>();
    for (const approved of [...this.#here, ...read(this.#file)])
      known.set(JSON.stringify(approved), approved);
    return [...known.values()];
  }
}

function read(file: string): readonly Approved[] {
  try {
    const { version, approved } = JSON.parse(readSmall(file) ?? '{}') as Record<string, unknown>;
    return version === VERSION && Array.isArray(approved) ? approved.filter(isApproved) : [];
  } catch {
    return [];
  }
}

function isApproved(value: unknown): value is Approved {
  const { same, most } = (value ?? {}) as Partial<Record<keyof Approved, unknown>>;
  return [same, most].every(
    (keys) => Array.isArray(keys) && keys.every((key) => typeof key === 'string'),
  );
}

/** The key of the folder; made where there is none, or none that is whole. */
function keyAt(file: string): Buffer {
  const stored = keyIn(file);
  if (stored) return stored;
  const made = randomBytes(KEY_BYTES);
  try {
    writePrivate(file, `${made.toString('hex')}\n`);
  } catch {
    // What is approved then holds for this run.
  }
  return keyIn(file) ?? made;
}

function keyIn(file: string): Buffer | undefined {
  const key = Buffer.from(readSmall(file)?.trim() ?? '', 'hex');
  return key.length === KEY_BYTES ? key : undefined;
}
