// Turns that a restore cannot be compared in: child sessions were live in them, and one of the two
// clients does not take child sessions, so the agent reports their work to it in other items.
import type { IndexedTrace } from '../indexed-trace.ts';
import type { NormalItemKind } from '../replay/normal-form.ts';
import { pairItems } from '../replay/pair-items.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { LiveSource } from './report/report.ts';
import type { Numbering } from './numbering.ts';
import { subagentList } from '../fold/subagents.ts';
import type { SessionState } from '../fold/state.ts';
import type { LivePart } from './live-fold.ts';
import { takesChildren } from './live-part.ts';
import type { Numbered } from './normalize.ts';

export const APART = {
  why: 'child sessions were live in its turn, and only one of the two clients takes child sessions',
  due: 'a restore by a client that takes child sessions as the client of the live session did',
} as const;

/** One session of a restore, as far as it decides which turns are apart. */
interface Side {
  readonly session: string;
  readonly part: LivePart | undefined;
  readonly live: readonly Numbered[];
  readonly replayed: readonly Numbered[];
  readonly replay: { readonly state: SessionState };
}

export class TurnsApart {
  readonly #turns = new Set<number>();
  /** True if the replay reports as child sessions what the live session reported as tool calls. */
  readonly #isSplit: boolean;

  constructor(
    sources: readonly IndexedTrace[],
    source: IndexedTrace,
    numbering: Numbering,
    root: Side,
    below: readonly Side[],
  ) {
    const taking = new Set(sources.filter(takesChildren).map(({ connection }) => connection));
    const takes = taking.has(source.connection);
    const isOther = (connection: ConnectionId) => taking.has(connection) !== takes;
    const starts = new Map<number, Numbered>();
    for (const item of root.live) if (!starts.has(item.turn)) starts.set(item.turn, item);
    for (const { connection, from, to } of stretchesOf(root, below, numbering)) {
      if (!isOther(connection)) continue;
      const until = turnAt(connection, to, starts);
      for (let turn = turnAt(connection, from, starts); turn <= until; turn++)
        this.#turns.add(turn);
    }
    const announced = takes ? subagentList(root.replay.state) : [];
    const plain = announced.flatMap(({ first }) => {
      const turn = turnOf(first, root);
      const start = starts.get(turn) ?? root.live[0];
      return start && isOther(start.first.connection) ? [turn] : [];
    });
    for (const turn of plain) this.#turns.add(turn);
    this.#isSplit = plain.length > 0;
  }

  get isEmpty(): boolean {
    return this.#turns.size === 0;
  }

  /** True if an item of this kind cannot be compared in one of these turns. */
  has(kind: NormalItemKind, from: number, to = from): boolean {
    if (this.#isSplit && kind === 'tool') return true;
    return [...this.#turns].some((turn) => turn >= from && turn <= to);
  }
}

/** The stretches in which children were live; a child that never became idle ends with its last frame. */
function stretchesOf(
  { part }: Side,
  below: readonly Side[],
  numbering: Numbering,
): readonly LiveSource[] {
  const items = below.flatMap(({ live }) => live);
  return [
    ...(part?.children ?? []).map(({ session, ...span }): LiveSource => {
      const [first, last] = [numbering.frame(span.from), numbering.frame(span.to ?? span.last)];
      const { connection } = first;
      if (span.to !== undefined) return { connection, from: first.seq, to: last.seq };
      const own = below.find((child) => child.session === session)?.live ?? [];
      const seqs = own.flatMap(({ last: { connection: on, seq } }) =>
        on === connection ? seq : [],
      );
      const to = seqs.reduce((most, seq) => (seq > most ? seq : most), last.seq);
      return { connection, from: first.seq, to };
    }),
    ...items.flatMap(({ first, last }) =>
      [first, last].map(({ connection, seq }) => ({ connection, from: seq, to: seq })),
    ),
  ];
}

/** Returns the turn that a frame of this connection lies in. */
function turnAt(connection: ConnectionId, at: Seq, starts: ReadonlyMap<number, Numbered>): number {
  const own = [...starts].filter(([, { first }]) => first.connection === connection);
  const [turn] = own.findLast(([, { first }]) => first.seq <= at) ?? [];
  return turn ?? (own[0]?.[0] ?? 0) - 1;
}

/** Returns the live turn in which the replay has the frame of this number. */
function turnOf(number: number, { replayed, live }: Side): number {
  const prompt = replayed.findLastIndex(({ kind, from }) => kind === 'user' && from < number);
  const pairing = pairItems(live, replayed).find(({ a, b }) => a.length > 0 && b.includes(prompt));
  return live[pairing?.a[0] ?? -1]?.turn ?? replayed[prompt]?.turn ?? 0;
}
