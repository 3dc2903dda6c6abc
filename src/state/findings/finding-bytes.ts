// The line that a finding is about, the part of it that is meant, and the line of that side before it on
// which nothing is found: what the same looks like where it is right.
import { jsonFault } from '../../acp/json-fault.ts';
import { pointerParts } from '../../acp/json-pointer.ts';
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { FrameDetail } from '../../engine/messages.ts';
import { jsonEntries, rootSpan, type JsonSpan } from '../../lib/json-text.ts';
import { coveredText, MOST_HIDDEN_IN } from '../../model/redact/hidden.ts';
import { seq, type Seq } from '../../trace/event.ts';
import type { FindingPlace } from '../../rules/finding.ts';
import type { App } from '../app.svelte.ts';

/** Frames before it that are looked at. */
const LOOKS_BACK = 12;
/** Characters of the line before what is meant, of it, and behind it. */
const AROUND = 120;
const MOST = 280;

export interface LineExcerpt {
  readonly before: string;
  /** Empty: no place of the line is meant. */
  readonly meant: string;
  readonly after: string;
}

export interface FindingBytes {
  readonly frame: FrameDetail;
  readonly excerpt: LineExcerpt;
  readonly legal?: { readonly seq: Seq; readonly excerpt: LineExcerpt };
}

/** A frame, with all that is found in it. */
export interface FindingFrame {
  readonly frame: FrameDetail;
  readonly findings: readonly FrameFinding[];
}

export async function findingFrame(
  { engine, current }: App,
  at: Seq,
): Promise<FindingFrame | undefined> {
  if (!current) return undefined;
  const [frame, findings] = await Promise.all([
    engine.timeline.frame(current.connection, at),
    engine.findings.ofFrame(current.connection, at),
  ]);
  return frame && { frame, findings };
}

/** Undefined: no line of it is kept as text, or it is too long to be looked through while a page waits. */
export async function findingBytes(
  { engine, current }: App,
  place: FindingPlace,
): Promise<FindingBytes | undefined> {
  if (!current) return undefined;
  const { connection } = current;
  const frame = await engine.timeline.frame(connection, place.seq);
  const text = textOf(frame);
  if (!frame || text === undefined) return undefined;
  const found = { frame, excerpt: lineExcerpt(text, meantIn(text, place.pointer)) };
  for (let at = place.seq - 1; at >= Math.max(1, place.seq - LOOKS_BACK); at--) {
    const one = await engine.timeline.frame(connection, seq(at));
    const line = textOf(one);
    if (one?.value === undefined || one.from !== frame.from || line === undefined) continue;
    const findings = await engine.findings.ofFrame(connection, one.seq);
    if (findings.some(({ verdict }) => verdict === 'fail')) continue;
    return { ...found, legal: { seq: one.seq, excerpt: lineExcerpt(line, undefined) } };
  }
  return found;
}

function textOf(frame: FrameDetail | undefined): string | undefined {
  const text = frame?.line && 'text' in frame.line ? frame.line.text : undefined;
  return text !== undefined && text.length <= MOST_HIDDEN_IN ? text : undefined;
}

/**
 * Where a pointer leads, as far as the text has it; in what is no JSON, from where it stops being it.
 * Undefined: the whole is meant.
 */
export function meantIn(
  text: string,
  pointer: string,
): readonly [from: number, to: number] | undefined {
  const fault = jsonFault(text);
  if (fault) return [Math.min(fault.at, Math.max(0, text.length - 1)), text.length];
  if (pointer === '') return undefined;
  let span: JsonSpan = rootSpan(text);
  for (const key of pointerParts(pointer)) {
    const next = [...jsonEntries(text, span)].find(
      (entry) => (entry.key ?? String(entry.index)) === key,
    );
    if (!next) break;
    span = next;
  }
  return [span.start, span.end];
}

/** Secrets are hidden as in the frame's detail, also where the excerpt cuts them. */
export function lineExcerpt(line: string, meant: ReturnType<typeof meantIn>): LineExcerpt {
  const text = coveredText(line);
  if (!meant) return { before: '', meant: '', after: cut(text, MOST) };
  const [from, to] = meant;
  return {
    before: from > AROUND ? `…${text.slice(from - AROUND, from)}` : text.slice(0, from),
    meant: cut(text.slice(from, to), MOST),
    after: cut(text.slice(to), AROUND),
  };
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
