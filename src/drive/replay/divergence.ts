// In what a rerun differs from its recording: the story that both tell, and the state in which
// both leave their sessions.
import { diffTraces } from '../../diff/traces/diff.ts';
import type {
  Alias,
  DiffSource,
  TraceDiffReport,
  TraceDifference,
} from '../../diff/traces/report.ts';
import { chipBook } from '../../model/chips.ts';
import { messageOf } from '../../model/digest.ts';
import { TraceIndex } from '../../model/trace-index.ts';
import { connectionId, type Frame, type TraceEvent } from '../../trace/event.ts';
import { eventSize } from '../../trace/line.ts';
import { DEFAULT_IGNORE } from '../../model/compare-terms.ts';
import { Folders } from './folders.ts';
import { withStrings } from './line-tokens.ts';

export type Diverging = TraceDifference & { readonly view: 'story' | 'state' };

export interface Divergence {
  /** Story first. */
  readonly differences: readonly Diverging[];
  readonly aliases: readonly Alias[];
  /** Both stories side by side, those rows too that say the same. */
  readonly story: TraceDiffReport;
}

/**
 * `recorded` is its left side, `live` its right. `folders`: those of now are read as those of the
 * recording. `ignore`: rules of diff/traces/ignore.ts; throws DiffOptionError where one is none.
 */
export async function divergenceOf(
  recorded: readonly TraceEvent[],
  live: readonly TraceEvent[],
  folders: Folders = new Folders(),
  ignore: readonly string[] = DEFAULT_IGNORE,
): Promise<Divergence> {
  const { a, b } = sourcesOf(recorded, live, folders);
  const story = await diffTraces(a, b, { view: 'story', ignore });
  const state = await diffTraces(a, b, { view: 'state', ignore });
  const differences = [
    ...story.differences.map((one) => ({ ...one, view: 'story' as const })),
    ...state.differences.map((one) => ({ ...one, view: 'state' as const })),
  ].filter((one) => !isSame(one));
  return { differences, aliases: story.aliases, story };
}

/** As far as both go: the rerun may be under way. */
export function storySoFar(
  recorded: readonly TraceEvent[],
  live: readonly TraceEvent[],
  folders: Folders,
): Promise<TraceDiffReport> {
  const { a, b } = sourcesOf(recorded, live, folders);
  return diffTraces(a, b, { view: 'story', ignore: DEFAULT_IGNORE });
}

function sourcesOf(
  recorded: readonly TraceEvent[],
  live: readonly TraceEvent[],
  folders: Folders,
): { readonly a: DiffSource; readonly b: DiffSource } {
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
): DiffSource {
  const frames = events.flatMap((event) =>
    event.type === 'frame' ? [folders ? inFolders(event, folders) : event] : [],
  );
  const connection = connectionId(name);
  const index = new TraceIndex(connection, chipBook());
  for (const frame of frames) index.append(frame, messageOf(frame), eventSize(frame));
  return {
    index,
    connection,
    eventAt(place) {
      const frame = frames[place];
      if (!frame) throw new Error(`no frame stands at ${place}`);
      return frame;
    },
  };
}

function inFolders(frame: Frame, folders: Folders): Frame {
  if (!('text' in frame.line) || messageOf(frame).kind === 'invalid') return frame;
  const text = withStrings(frame.line.text, (_, said) => folders.toRecorded(said));
  return { ...frame, line: { text } };
}
