// What the library lists: the traces that the words fit, in the order chosen, each with what was found in it.
import type { FoundFrame } from '../../model/query/found-frame.ts';
import type { TraceFind } from '../../engine/library/trace-finds.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import { count } from '../../lib/format.ts';
import { grouped } from '../../lib/grouped.ts';
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
      /** It stands under its run. */
      readonly inRun?: true;
      readonly found?: number;
      /** Where a rule is asked: that it goes, or why it stays. */
      readonly fate?: 'goes' | `stays: ${string}`;
    }
  /** The connections that a run of ours made: one row, opened to them. */
  | {
      readonly type: 'run';
      readonly key: string;
      readonly title: string;
      readonly traces: readonly TraceSummary[];
      /** The first of them in the order chosen. */
      readonly trace: TraceSummary;
      readonly open: boolean;
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
export function traceFits(trace: TraceSummary, words: string): boolean {
  const { name, number, agent, agentVersion, tags = [], note, file } = trace;
  return wordsFit(words, [name, `c${number}`, agent, agentVersion, note, file, ...tags]);
}

const BY: Readonly<Record<SortBy, (a: TraceSummary, b: TraceSummary) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
  agent: (a, b) => agentOfTrace(a).localeCompare(agentOfTrace(b), 'en', { numeric: true }),
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
export function agentOfTrace({ agent, agentVersion }: TraceSummary): string {
  return [agent, agentVersion].filter((part) => part !== undefined).join(' ');
}

/** A run stands where the first of its traces would; `isOpen` by the key of its row. */
export function runRows(
  traces: readonly TraceSummary[],
  isOpen: (key: string) => boolean,
): readonly LibraryRow[] {
  const row = (trace: TraceSummary) => ({ type: 'trace', key: trace.connection, trace }) as const;
  const byRun = grouped(traces, ({ group, connection }) => group?.id ?? connection);
  return [...byRun].flatMap(([id, all]): readonly LibraryRow[] => {
    const [trace] = all;
    if (!trace) return [];
    if (trace.group === undefined) return [row(trace)];
    const key = `run ${id}`;
    const open = isOpen(key);
    return [
      { type: 'run', key, title: trace.group.title, traces: all, trace, open },
      ...(open ? all.map((one) => ({ ...row(one), inRun: true as const })) : []),
    ];
  });
}

/** Traces in which something was found, under each what. */
export function libraryRows(
  traces: readonly TraceSummary[],
  finds: ReadonlyMap<ConnectionId, TraceFind>,
): readonly LibraryRow[] {
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
