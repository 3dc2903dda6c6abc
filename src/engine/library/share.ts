// What leaves the page goes through here: a trace file read twice and written without what should not
// leave, and a text that is copied. Blobs of blobs: the browser may keep them on disk.
import { chunksOf } from '../../lib/bytes.ts';
import { LineSplitter } from '../../lib/lines.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import { Redactor, type Redaction, type RedactionOptions } from '../../model/redact/redactor.ts';
import type { Seq, TraceEvent } from '../../trace/event.ts';
import { isUnreadable, parseEvent, parseHeader } from '../../trace/format.ts';

/** Characters that are put into a blob at once. */
const PART = 1 << 20;

export interface Shared {
  readonly name: string;
  readonly blob: Blob;
  readonly redaction: Redaction;
}

/** What leaves of a trace, and as what. */
export interface SharedPart {
  /** These events alone, which keep their numbers. */
  readonly seqs?: readonly Seq[] | undefined;
  /** As a page that shows it by itself, at this frame first; else as a trace file. */
  readonly page?: { readonly frame: Seq | undefined } | undefined;
}

/** A text as it may be copied, and how many places were left out of it. */
export interface Plain {
  readonly text: string;
  readonly places: number;
}

/** Says whether somebody still waits for what is made. */
export type IsWanted = () => boolean;

/** What knows the secrets of a trace file. Throws where it is not wanted any more. */
export async function redactorOf(
  blob: Blob,
  options: RedactionOptions,
  isWanted: IsWanted,
): Promise<Redactor> {
  const redactor = new Redactor(options);
  for await (const { text, event } of linesOf(blob, isWanted)) redactor.learn(text, event);
  redactor.learned();
  return redactor;
}

/**
 * The trace file without what its level leaves out. A line that is not UTF-8 is no event, and is left out.
 * Throws where it is not wanted any more.
 */
export async function sharedFile(
  { name, blob }: Omit<Shared, 'redaction'>,
  options: RedactionOptions,
  isWanted: IsWanted,
): Promise<Shared> {
  // As it is, so at once, however long.
  if (options.level === 'all') return { name, blob, redaction: new Redactor(options).redaction };
  const redactor = await redactorOf(blob, options, isWanted);
  const { type } = blob;
  let made = new Blob([], { type });
  let part = '';
  for await (const { text, event, end } of linesOf(blob, isWanted)) {
    part += (event ? redactor.eventText(text, event) : headed(redactor, text)) + end;
    if (part.length < PART) continue;
    made = new Blob([made, part], { type });
    part = '';
  }
  return { name, blob: new Blob([made, part], { type }), redaction: redactor.redaction };
}

/** The first line, with what it says of what was left out; any other that is no event, by itself. */
export function headed(redactor: Redactor, text: string): string {
  const left = redactor.line(text);
  const header = parseHeader(left);
  if (isUnreadable(header)) return left;
  const redacted = redactor.mark(header.redacted);
  return redacted ? JSON.stringify({ ...(JSON.parse(left) as object), redacted }) : left;
}

interface FileLine {
  readonly text: string;
  readonly event: TraceEvent | undefined;
  /** Its 0x0A, or nothing. */
  readonly end: string;
}

async function* linesOf(blob: Blob, isWanted: IsWanted): AsyncGenerator<FileLine> {
  const splitter = new LineSplitter();
  for await (const chunk of chunksOf(blob.stream())) {
    if (!isWanted()) throw new Error('Something else was asked for meanwhile.');
    for (const line of splitter.push(chunk)) yield* fileLine(line, '\n');
  }
  const last = splitter.end();
  if (last) yield* fileLine(last, '');
}

function* fileLine(bytes: Uint8Array, end: string): Generator<FileLine> {
  const text = decodeUtf8(bytes);
  if (text === undefined) return;
  const event = parseEvent(text);
  yield { text, event: isUnreadable(event) ? undefined : event, end };
}
