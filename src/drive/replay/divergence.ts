// In what a rerun differs from its recording: the story that both tell, and the state in which
// both leave their sessions.
import { holdsMessages } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { diffTraces } from '../../diff/traces/diff.ts';
import type {
  Alias,
  DiffOptions,
  TraceDiffReport,
  TraceDifference,
  DiffRowSide,
} from '../../diff/traces/report/report.ts';
import { grouped } from '../../lib/grouped.ts';
import { Folders } from './bindings.ts';
import { withStrings } from '../adapt/line-edit.ts';
import { readRecorded, type RecordedFrame } from './recorded.ts';
import { type IndexedTrace, indexedTrace } from '../../model/indexed-trace.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import type { Frame, Seq, TraceEvent } from '../../trace/event.ts';
import { itemIdOf } from '../../model/facts/variants.ts';

export type Diverging = TraceDifference & {
  readonly view: 'story' | 'state';
  /** The frame that makes it so; absent: it cannot be told. */
  readonly frame?: FrameDifference;
};

/** What is not compared, and what is compared as it stands; in the words of `acp-scope diff`. */
export type DivergenceOptions = Pick<DiffOptions, 'ignore' | 'raw' | 'rawValues'>;

export interface Divergence {
  /** Story first. */
  readonly differences: readonly Diverging[];
  /** Frames that are not as recorded, and that change neither story nor state. */
  readonly besides: readonly FrameDifference[];
  readonly aliases: readonly Alias[];
  /** Both stories side by side, those rows too that say the same. */
  readonly story: TraceDiffReport;
}

/**
 * `recorded` is its left side, `live` its right. `folders`: those of now are read as those of the
 * recording. Throws DiffOptionError where a rule to leave something out is none.
 */
export async function divergenceOf(
  recorded: readonly TraceEvent[],
  live: readonly TraceEvent[],
  folders: Folders = new Folders(),
  options: DivergenceOptions = {},
): Promise<Divergence> {
  const { a, b } = sourcesOf(recorded, live, folders);
  const story = await diffTraces(a, b, { ...options, view: 'story' });
  const state = await diffTraces(a, b, { ...options, view: 'state' });
  const byFrame = await diffTraces(a, b, { ...options, view: 'frames', eachChunk: true });
  const differing = byFrame.differences.map(frameDifference);
  const named = new Set<FrameDifference>();
  const frames = { a: framesBySeq(recorded), b: framesBySeq(live) };
  const told = (report: TraceDiffReport, view: Diverging['view']): readonly Diverging[] =>
    report.differences
      .filter((one) => !isSame(one))
      .map((one) => {
        const step = report.rows.row(one.row);
        const own = framesIn(step, differing, frames);
        for (const frame of own) named.add(frame);
        const frame = own[0] ?? frameBefore(step, differing);
        return { ...one, view, ...(frame && { frame }) };
      });
  const differences = [...told(story, 'story'), ...told(state, 'state')];
  const besides = differing.filter((one) => !named.has(one));
  return { differences, besides, aliases: story.aliases, story };
}

/** As far as both go: the rerun may be under way. */
export function storySoFar(
  recorded: readonly TraceEvent[],
  live: readonly TraceEvent[],
  folders: Folders,
  options: DivergenceOptions = {},
): Promise<TraceDiffReport> {
  const { a, b } = sourcesOf(recorded, live, folders);
  return diffTraces(a, b, { ...options, view: 'story' });
}

/** The frames by their number; several if they are the messages of an array. */
type FramesBySeq = ReadonlyMap<Seq, readonly RecordedFrame[]>;

function framesBySeq(events: readonly TraceEvent[]): FramesBySeq {
  return grouped(readRecorded(events).frames, ({ seq }) => seq);
}

function sourcesOf(
  recorded: readonly TraceEvent[],
  live: readonly TraceEvent[],
  folders: Folders,
): { readonly a: IndexedTrace; readonly b: IndexedTrace } {
  return {
    a: sourceOf(recorded, 'recorded', undefined),
    b: sourceOf(live, 'live', folders.renamed.length > 0 ? folders : undefined),
  };
}

/** The same words, where only the names around them differ. */
function isSame({ kind, before, after }: TraceDifference): boolean {
  return kind === 'changed' && JSON.stringify(before) === JSON.stringify(after);
}

/** Frames alone: how the two processes were started and ended is no part of what was said. */
function sourceOf(
  events: readonly TraceEvent[],
  name: string,
  folders: Folders | undefined,
): IndexedTrace {
  const frames = events.flatMap((event) =>
    event.type === 'frame' ? [folders ? inFolders(event, folders) : event] : [],
  );
  return indexedTrace(frames, name);
}

function inFolders(frame: Frame, folders: Folders): Frame {
  if (!('text' in frame.line) || !holdsMessages(messageOf(frame))) return frame;
  const text = withStrings(frame.line.text, (_, said) => folders.toRecorded(said));
  return { ...frame, line: { text } };
}

// Which frame of a step makes it diverge: a message of forty chunks differs from the chunk on that says
// something else. Read off the same comparison, frame by frame.

/** A frame that is not as recorded; `$` stands for the whole. */
export interface FrameDifference {
  readonly kind: TraceDifference['kind'];
  readonly a?: { readonly seq: Seq };
  readonly b?: { readonly seq: Seq };
  readonly path: string;
}

/** The frames of each side, by their number. */
interface FramesOf {
  readonly a: FramesBySeq;
  readonly b: FramesBySeq;
}

type Step = { readonly a?: DiffRowSide; readonly b?: DiffRowSide };

function frameDifference({ kind, a, b, path }: TraceDifference): FrameDifference {
  return { kind, ...(a && { a: { seq: a.seq } }), ...(b && { b: { seq: b.seq } }), path };
}

/** Those that are frames of the step, in their order. */
function framesIn(
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
function frameBefore(
  { a, b }: Step,
  differing: readonly FrameDifference[],
): FrameDifference | undefined {
  const isBefore = (one: FrameDifference) =>
    (one.a && a ? one.a.seq <= a.last : false) || (one.b && b ? one.b.seq <= b.last : false);
  return differing.findLast(isBefore) ?? differing[0];
}

function isOf(at: Seq | undefined, step: DiffRowSide | undefined, frames: FramesBySeq): boolean {
  if (at === undefined || !step || at < step.seq) return false;
  const [own = [], first = []] = [frames.get(at), frames.get(step.seq)];
  // The response to a request is in its step, however late it came.
  return own.some((frame) =>
    first.some(
      (one) =>
        at === step.seq ||
        (at <= step.last && thingOf(frame) === thingOf(one)) ||
        isAnswer(frame, one),
    ),
  );
}

function isAnswer({ message, pair }: RecordedFrame, { place }: RecordedFrame): boolean {
  return (message.kind === 'success' || message.kind === 'failure') && pair === place;
}

/** What a frame is about: frames of one message or of one tool call are about the same. */
function thingOf({ message, place, session }: RecordedFrame): string {
  const read = message.kind === 'notification' ? updateOf(message.params) : undefined;
  if (!read) return `#${place}`;
  const family = read.variant.replace(/_(?:content_)?(?:output_)?(?:chunk|update)$/, '');
  return [session, family, itemIdOf(read.variant, read.update)].join(' ');
}
