// The verdicts of one agent over all its sessions: one row per version, one column per request shape.
import { grouped } from '../../lib/grouped.ts';
import { SHAPES } from '../../model/restore/restore-shapes.ts';
import { runsIn, type RailAgent, type RailRun } from '../../state/connections/rail-tree.ts';
import { compareWords, runWord, type RunWord } from '../rail/run-word.ts';

export interface OverviewCell {
  /** The worst verdict of the restores. */
  readonly word: RunWord;
  /** How many restores have each verdict, worst first. */
  readonly counts: readonly { readonly word: RunWord; readonly times: number }[];
  /** The newest run with the worst verdict. */
  readonly run: RailRun;
  /** The verdict of the version before, if that verdict was another one. */
  readonly was?: RunWord;
}

interface OverviewRow {
  /** Empty: the agent did not send its version. */
  readonly version: string;
  /** ISO date of the newest connection. */
  readonly newest: string;
  readonly sessions: number;
  readonly restores: number;
  /** By request shape. */
  readonly cells: ReadonlyMap<string, OverviewCell>;
}

export interface Overview {
  /** Request shapes that were sent, in the order of the form. */
  readonly shapes: readonly string[];
  /** Newest version first. */
  readonly rows: readonly OverviewRow[];
}

/** Returns the restores of an agent as a table. */
export function agentOverview({ sessions }: Pick<RailAgent, 'sessions'>): Overview {
  const runs = sessions.flatMap((session) => runsIn(session.runs));
  const versions = [...grouped(runs, ({ trace }) => trace.agentVersion ?? '')].toSorted(
    ([, a], [, b]) => newestOf(b) - newestOf(a),
  );
  const sent = new Set(runs.flatMap(({ restore }) => restore?.name ?? []));
  const known = SHAPES.map(({ name }) => name).filter((name) => sent.has(name));
  const shapes = [...new Set([...known, ...sent])];
  const rows: OverviewRow[] = [];
  // From the oldest version on: each is compared with the version before.
  for (const [version, all] of versions.toReversed()) {
    const before = rows[0];
    const byShape = grouped(
      all.filter(({ restore }) => restore),
      ({ restore }) => restore?.name ?? '',
    );
    const cells = new Map(
      [...byShape].flatMap(([shape, of]) => {
        const cell = cellOf(of, before?.cells.get(shape));
        return cell ? [[shape, cell] as const] : [];
      }),
    );
    rows.unshift({
      ...{ version, cells },
      newest: all.find(({ trace }) => trace.number === newestOf(all))?.trace.startedAt ?? '',
      sessions: new Set(all.map(({ sessionId }) => sessionId)).size,
      restores: all.filter(({ restore }) => restore).length,
    });
  }
  return { shapes, rows };
}

const newestOf = (runs: readonly RailRun[]) =>
  Math.max(0, ...runs.map(({ trace }) => trace.number));

function cellOf(runs: readonly RailRun[], before?: OverviewCell): OverviewCell | undefined {
  const words = runs.flatMap((run) => (run.restore ? [{ run, word: runWord(run.restore) }] : []));
  const counts = [...grouped(words, (one) => one.word.word).values()]
    .flatMap((of) => (of[0] ? [{ word: of[0].word, times: of.length }] : []))
    .toSorted((a, b) => compareWords(a.word, b.word));
  const word = counts[0]?.word;
  const run = words.findLast((one) => one.word.word === word?.word)?.run;
  if (!word || !run) return undefined;
  const isOther = before !== undefined && before.word.word !== word.word;
  return { word, run, counts, ...(isOther && { was: before.word }) };
}
