// In what a rerun differs from its recording: the story that both tell, and the state in which
// both leave their sessions.
import { diffTraces } from '../../diff/traces/diff.ts';
import type {
  Alias,
  DiffOptions,
  TraceDiffReport,
  TraceDifference,
} from '../../diff/traces/report/report.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import { type IndexedTrace, indexedTrace } from '../../model/indexed-trace.ts';
import type { Frame, Seq, TraceEvent } from '../../trace/event.ts';
import {
  frameBefore,
  frameDifference,
  framesIn,
  type FrameDifference,
} from './divergence-frames.ts';
import { Folders } from './folders.ts';
import { withStrings } from './line-tokens.ts';
import { readRecorded, type RecordedFrame } from './recorded.ts';

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

function framesBySeq(events: readonly TraceEvent[]): ReadonlyMap<Seq, RecordedFrame> {
  return new Map(readRecorded(events).frames.map((frame) => [frame.seq, frame]));
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
  if (!('text' in frame.line) || messageOf(frame).kind === 'invalid') return frame;
  const text = withStrings(frame.line.text, (_, said) => folders.toRecorded(said));
  return { ...frame, line: { text } };
}
