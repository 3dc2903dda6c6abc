// Reading a stored history in pieces, twice: once to survey it, once to tell it. However long it
// is, no more of it is in memory than a line.
import { createReadStream } from 'node:fs';
import { readEntry, readHead, type Entry, type Head } from '../../drive/adapt/entry.ts';
import type { Replay } from '../../drive/adapt/windows.ts';
import { Surveyor } from '../../drive/adapt/survey.ts';
import { Teller } from '../../drive/adapt/teller.ts';
import { LineSplitter } from '../../lib/lines.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';

const UNREADABLE = 'A line of the history cannot be read: it was cut off while it was written.';

/** The lines of a replay, in pieces of some. Throws where the file cannot be read. */
export async function* historyLines(path: string, replay: Replay): AsyncGenerator<string[]> {
  const survey = new Surveyor();
  let head: Head | undefined;
  for await (const piece of linesOf(path, replay.until))
    for (const line of piece)
      if (head === undefined) head = headOf(line);
      else survey.take(entryOf(line));
  if (head === undefined) return;
  const { acp, compactions } = replay;
  const teller = new Teller({ head, survey, acp, compactions });
  yield teller.begin();
  let isHead = true;
  for await (const piece of linesOf(path, replay.until)) {
    const entries = isHead ? piece.slice(1) : piece;
    if (piece.length > 0) isHead = false;
    yield entries.flatMap((line) => teller.tell(entryOf(line)));
  }
}

function headOf(line: string | undefined): Head {
  const read = readHead(line ?? '');
  if (!read.ok) throw new Error(read.problem);
  return read.head;
}

function entryOf(line: string | undefined): Entry {
  const entry = line === undefined ? undefined : readEntry(line);
  return entry ?? { type: 'gap', why: UNREADABLE };
}

/** Lines of the first so many bytes; undefined: not UTF-8. Empty ones are left out. */
async function* linesOf(path: string, until: number): AsyncGenerator<(string | undefined)[]> {
  if (until === 0) return;
  const splitter = new LineSplitter();
  for await (const chunk of createReadStream(path, { end: until - 1 }))
    yield splitter
      .push(chunk as Uint8Array)
      .filter((line) => line.length > 0)
      .map(decodeUtf8);
  const rest = splitter.end();
  if (rest) yield [decodeUtf8(rest)];
}
