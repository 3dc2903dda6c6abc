// The lines of a session's file: a head that says what the file is, then one change a line.
import { parseJson } from '../acp/json.ts';
import type { Change } from './history.ts';

/** The first line of every session file. */
export interface Head {
  readonly session: string;
  readonly version: 1;
  readonly cwd: string;
  /** The session this one was forked from. */
  readonly from?: string;
}

export interface Lines {
  readonly head: Head;
  readonly changes: readonly Change[];
  /** Lines that cannot be read, as after a crash in mid-write. They are passed over. */
  readonly unreadable: number;
}

/** Reads a session file; undefined when its head cannot be read. */
export function readLines(text: string): Lines | undefined {
  const [first = '', ...rest] = text.split('\n');
  const head = parseJson(first);
  if (!isHead(head)) return undefined;
  const changes: Change[] = [];
  let unreadable = 0;
  for (const line of rest) {
    if (line === '') continue;
    const value = parseJson(line);
    if (isChange(value)) changes.push(value);
    else unreadable++;
  }
  return { head, changes, unreadable };
}

function isHead(value: unknown): value is Head {
  const head = value as Partial<Head> | null | undefined;
  return typeof head?.session === 'string' && typeof head.cwd === 'string' && head.version === 1;
}

// The store is ours alone: a line that parses and carries a change's name was written whole.
function isChange(value: unknown): value is Change {
  return typeof (value as Partial<Change> | null | undefined)?.change === 'string';
}
