// A frame of many megabytes as a line of the trace file, made a piece at a time: as one text it
// would take its memory several times over, and beyond half a gigabyte there is no text at all.
import { createHash } from 'node:crypto';
import { cutDown, LINE_CAPS, type LongLine } from '../../lib/capped-lines.ts';
import { escapedSize, writeEscaped } from './json-bytes.ts';
import type { Frame } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { lineOf } from '../../trace/line.ts';
import { brokenHead, unfinishedTail } from './utf8-tail.ts';

/** Escapes make a line longer. Past this no reader could hold it, so it is cut down like one over the cap. */
const MOST_TEXT = 2 * LINE_CAPS.whole;
const BREATH = new Uint8Array();
/** Bytes that are worked on at once. */
const PART = 64 * 1024;

/**
 * The line with its 0x0A. `frame` has an empty text; `pieces` are the bytes of its own line. Pieces
 * without bytes are between two stretches of work, and say that others may have their turn.
 */
export function* longFrameLine(frame: Frame, pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  const text = yield* textSize(pieces);
  if (text !== undefined && text > MOST_TEXT) {
    const long = cutDown(pieces, () => createHash('sha256'));
    return yield Buffer.from(eventLine({ ...frame, ...keptOf(long) }) + '\n');
  }
  const line = text === undefined ? { base64: '' } : frame.line;
  const event = eventLine({ ...frame, line });
  const middle = event.indexOf('""') + 1;
  yield Buffer.from(event.slice(0, middle));
  yield* text === undefined ? base64Of(pieces) : textOf(pieces);
  yield Buffer.from(`${event.slice(middle)}\n`);
}

/** Of a line too long to keep. Head and tail are cut between characters, so that they read as text. */
export function keptOf({ bytes, sha256, head, tail }: LongLine): Pick<Frame, 'line' | 'oversize'> {
  return {
    line: lineOf(head.subarray(0, head.length - unfinishedTail(head))),
    oversize: { bytes, sha256, tail: lineOf(tail.subarray(brokenHead(tail))) },
  };
}

/** Bytes of the line as JSON text; undefined: it is not UTF-8. */
function* textSize(pieces: readonly Uint8Array[]): Generator<Uint8Array, number | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  try {
    for (const part of partsOf(pieces)) {
      decoder.decode(part, { stream: true });
      size += escapedSize(part);
      yield BREATH;
    }
    decoder.decode();
    return size;
  } catch {
    return undefined;
  }
}

function* textOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of partsOf(pieces)) {
    const bytes = new Uint8Array(escapedSize(part));
    writeEscaped(bytes, 0, part);
    yield bytes;
  }
}

function* base64Of(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let rest = Buffer.alloc(0);
  for (const part of partsOf(pieces)) {
    const bytes = Buffer.concat([rest, part]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield Buffer.from(bytes.toString('base64', 0, whole));
  }
  yield Buffer.from(rest.toString('base64'));
}

function* partsOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += PART) yield piece.subarray(at, at + PART);
}
