// What the library lists: the traces that the words fit, in the order chosen, each with what was found in it.
import type { FoundFrame } from '../../model/query/found-frame.ts';
import type { TraceFind } from '../../engine/library/trace-finds.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import { count } from '../../lib/format.ts';
import { wordsFit } from '../../lib/nearest.ts';
import type { ConnectionId } from '../../trace/event.ts';

export type SortBy = 'name' | 'agent' | 'frames' | 'size' | 'when';
export interface Sort {
  readonly by: SortBy;
  readonly down: boolean;
}

export type LibraryRow =
  | {
      readonly type: 'trace';
      readonly key: string;
      readonly trace: TraceSummary;
      readonly found?: number;
      /** Where a rule is asked: that it goes, or why it stays. */
      readonly fate?: 'goes' | `stays: ${string}`;
    }
  | {
      readonly type: 'hit';
      readonly key: string;
      readonly trace: TraceSummary;
      readonly frame: FoundFrame;
    }
  /** More was found than is said, or not all could be asked. */
  | {
      readonly type: 'rest';
      readonly key: string;
      readonly trace: TraceSummary;
      readonly words: string;
      readonly isWrong: boolean;
    };

/** Whether every word stands somewhere in what is said of the trace. */
export function fits(trace: TraceSummary, words: string): boolean {
  const { name, number, agent, agentVersion, tags = [], note, file } = trace;
  return wordsFit(words, [name, `c${number}`, agent, agentVersion, note, file, ...tags]);
}

const BY: Readonly<Record<SortBy, (a: TraceSummary, b: TraceSummary) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
  agent: (a, b) => agentWords(a).localeCompare(agentWords(b), 'en', { numeric: true }),
  frames: (a, b) => a.frames - b.frames,
  size: (a, b) => a.stored - b.stored,
  when: (a, b) => a.startedAt.localeCompare(b.startedAt),
};

/** Equal ones stand as they came here, the newest first. */
export function sorted(
  traces: readonly TraceSummary[],
  { by, down }: Sort,
): readonly TraceSummary[] {
  const order = BY[by];
  return traces.toSorted((a, b) => (down ? order(b, a) : order(a, b)) || b.number - a.number);
}

/** `Claude Agent 0.5.1`. */
export function agentWords({ agent, agentVersion }: TraceSummary): string {
  return [agent, agentVersion].filter((part) => part !== undefined).join(' ');
}

/** `finds` undefined: nothing is looked for. Where something is, traces without it are left out. */
export function libraryRows(
  traces: readonly TraceSummary[],
  finds: ReadonlyMap<ConnectionId, TraceFind> | undefined,
): readonly LibraryRow[] {
  if (!finds) return traces.map((trace) => ({ type: 'trace', key: trace.connection, trace }));
  return traces.flatMap((trace): readonly LibraryRow[] => {
    const found = finds.get(trace.connection);
    if (!found || (found.count === 0 && found.problem === undefined)) return [];
    const { connection } = trace;
    const more = found.count - found.first.length;
    return [
      { type: 'trace', key: connection, trace, found: found.count },
      ...found.first.map((frame): LibraryRow => {
        return { type: 'hit', key: `${connection}#${frame.seq}`, trace, frame };
      }),
      ...(more > 0 ? [rest(trace, `${count(more, 'more frame')}`, false)] : []),
      ...(found.problem === undefined ? [] : [rest(trace, found.problem, true)]),
    ];
  });
}

function rest(trace: TraceSummary, words: string, isWrong: boolean): LibraryRow {
  return { type: 'rest', key: `${trace.connection} ${words}`, trace, words, isWrong };
}
