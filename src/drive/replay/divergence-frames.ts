// Which frame of a step makes it diverge: a message of forty chunks differs from the chunk on that says
// something else. Read off the same comparison, frame by frame.
import { str } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import type { DiffRowSide, TraceDifference } from '../../diff/traces/report/report.ts';
import type { Seq } from '../../trace/event.ts';
import type { RecordedFrame } from './recorded.ts';

/** A frame that is not as recorded; `$` stands for the whole. */
export interface FrameDifference {
  readonly kind: TraceDifference['kind'];
  readonly a?: { readonly seq: Seq };
  readonly b?: { readonly seq: Seq };
  readonly path: string;
}

/** The frames of each side, by their number. */
export interface FramesOf {
  readonly a: ReadonlyMap<Seq, RecordedFrame>;
  readonly b: ReadonlyMap<Seq, RecordedFrame>;
}

type Step = { readonly a?: DiffRowSide; readonly b?: DiffRowSide };

export function frameDifference({ kind, a, b, path }: TraceDifference): FrameDifference {
  return { kind, ...(a && { a: { seq: a.seq } }), ...(b && { b: { seq: b.seq } }), path };
}

/** Those that are frames of the step, in their order. */
export function framesIn(
  step: Step,
  differing: readonly FrameDifference[],
  frames: FramesOf,
): readonly FrameDifference[] {
  return differing.filter(
    ({ a, b }) => isOf(a?.seq, step.a, frames.a) || isOf(b?.seq, step.b, frames.b),
  );
}

/**
 * Of a step that differs in no frame of its own, such as the rest of a message that was cut in two by
 * another: the last frame up to its end that is not as recorded, else the first after it.
 */
export function frameBefore(
  { a, b }: Step,
  differing: readonly FrameDifference[],
): FrameDifference | undefined {
  const isBefore = (one: FrameDifference) =>
    (one.a && a ? one.a.seq <= a.last : false) || (one.b && b ? one.b.seq <= b.last : false);
  return differing.findLast(isBefore) ?? differing[0];
}

function isOf(
  at: Seq | undefined,
  step: DiffRowSide | undefined,
  frames: ReadonlyMap<Seq, RecordedFrame>,
): boolean {
  if (at === undefined || !step || at < step.seq) return false;
  const [frame, first] = [frames.get(at), frames.get(step.seq)];
  if (!frame || !first) return false;
  // The answer of a request stands in its step, however late it came.
  return (
    at === step.seq ||
    (at <= step.last && thingOf(frame) === thingOf(first)) ||
    isAnswer(frame, first)
  );
}

function isAnswer({ message, pair }: RecordedFrame, { place }: RecordedFrame): boolean {
  return (message.kind === 'success' || message.kind === 'failure') && pair === place;
}

const IDS = ['toolCallId', 'messageId', 'terminalId', 'planId', 'compactionId'] as const;

/** What a frame is about: frames of one message or of one tool call are about the same. */
function thingOf({ message, place, session }: RecordedFrame): string {
  const read = message.kind === 'notification' ? updateOf(message.params) : undefined;
  if (!read) return `#${place}`;
  const family = read.variant.replace(/_(?:content_)?(?:output_)?(?:chunk|update)$/, '');
  const id = IDS.map((key) => str(read.update, key)).find((known) => known !== undefined);
  return [session, family, id].join(' ');
}
