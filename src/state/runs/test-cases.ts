// What the table of tests says of each case: what is asked, what was seen, how it was in the run before,
// and which rows that makes.
import type { VerdictWord } from '../../drive/verdict.ts';
import type { Axes } from '../../drive/lab/axes.ts';
import type {
  LabAxisView,
  LabLine,
  LabPrice,
  LabReportView,
  ProbeEntry,
  ProbeReportView,
  RunKind,
  RunSummary,
} from '../../engine/runs/run-messages.ts';
import type { Seq } from '../../trace/event.ts';
import { grouped } from '../../lib/grouped.ts';
import { countWords, DIFFERS, VERDICTS } from './run-words.ts';

export type VerdictChange = 'worse' | 'better' | 'same';

export interface TestCase {
  readonly suite: RunKind;
  /** Within its suite. */
  readonly id: string;
  readonly name: string;
  /** Undefined: it was not asked yet. */
  readonly verdict: VerdictWord | undefined;
  /** What was seen; before that, what is asked. */
  readonly said: string;
  /** In the run it is compared with. */
  readonly was?: VerdictWord | undefined;
  /** Prompts it cost, or may cost. */
  readonly prompts: number | undefined;
  /** It costs none of its own: the run prompts one session for all of these. */
  readonly shares?: boolean;
  readonly evidence: readonly { readonly trace: string; readonly seqs: readonly Seq[] }[];
  /** Undefined: there is nothing to choose. */
  readonly chosen?: boolean | undefined;
  /** It is what is tried now. */
  readonly now?: boolean;
  /** Of the lab: the cell, and the one of the run it is compared with. */
  readonly cell?: LabLine;
  readonly cellBefore?:
    { readonly id: string; readonly run: string; readonly at: string } | undefined;
  /** The kept report that tells of it. */
  readonly run?: string;
  /** Milliseconds it took. */
  readonly took?: number | undefined;
  /** It was not asked in the run shown: all this is of the run that began then, ISO 8601. */
  readonly since?: string;
}

const RANK: Readonly<Record<VerdictWord, number>> = { pass: 0, info: 1, warn: 2, fail: 3, skip: 0 };

/** Undefined: one of the two was not asked. */
export function changeOf({ was, verdict: is }: Pick<TestCase, 'was' | 'verdict'>) {
  if (was === undefined || is === undefined || was === 'skip' || is === 'skip') return undefined;
  const by = RANK[is] - RANK[was];
  return by > 0 ? 'worse' : by < 0 ? 'better' : 'same';
}

/** Reports that are read to know how a case went before. */
export const LOOKS_BACK = 6;

/** Of all kept reports those that a report is compared with: of the same before it, the newest first. */
export function reportsBefore(
  kept: readonly RunSummary[],
  shown: Pick<RunSummary, 'id'> | undefined,
  until: string | undefined,
): readonly RunSummary[] {
  const own = kept.find(({ id }) => id === shown?.id);
  const earlier = kept.filter(
    ({ at }) => own !== undefined && at < own.at && (until === undefined || at <= until),
  );
  const same = earlier.filter((one) => own && subjectOf(one) === subjectOf(own));
  // Who picks a moment may mean another release under another path.
  return same.length === 0 && until !== undefined ? earlier.slice(0, 1) : same;
}

/** What two runs must share to be compared. */
function subjectOf({ kind, of, name, argv, version }: RunSummary): string {
  if (kind === 'scenario') return JSON.stringify([kind, name]);
  if (kind === 'rerun') return JSON.stringify([kind, of]);
  return JSON.stringify([kind, argv, version]);
}

/** The report shown, those before it from the newest, and what is tried now of a run under way. */
export interface ToldBy<R> {
  readonly report: R | undefined;
  readonly priors: readonly R[];
  /** Undefined: nothing is under way. */
  readonly now: string | undefined;
}

/** The newest report that tells of it. */
function newest<R extends Pick<RunSummary, 'id' | 'at'>, T>(
  reports: readonly R[],
  find: (report: R) => T | undefined,
): { readonly told: T; readonly run: string; readonly at: string } | undefined {
  for (const report of reports) {
    const told = find(report);
    if (told !== undefined) return { told, run: report.id, at: report.at };
  }
  return undefined;
}

/** `chosen` undefined: there is no agent to ask. */
export function probeCases(
  catalogue: readonly ProbeEntry[],
  chosen: ReadonlySet<string> | undefined,
  { report, priors, now }: ToldBy<ProbeReportView>,
): readonly TestCase[] {
  const resultIn = (one: ProbeReportView | undefined, id: string) =>
    one?.results.find((result) => result.id === id);
  const known = catalogue.map((probe): TestCase => {
    const { id, sentence, prompts, shares, optIn, shut } = probe;
    const asks = optIn === undefined ? sentence : `${sentence} It ${optIn}.`;
    const result = resultIn(report, id);
    const prior = newest(priors, (one) => resultIn(one, id));
    // What comes yet has no verdict; what is not asked this time keeps the one it has.
    const isToCome = now !== undefined && report?.waiting.includes(id) === true;
    const old = result || isToCome ? undefined : prior;
    return {
      ...{ suite: 'probes', id, name: id, chosen: chosen?.has(id) },
      // What is skipped sends none.
      prompts: shut === undefined ? prompts : 0,
      shares: shut === undefined && shares && prompts === 0,
      verdict: result?.verdict ?? old?.told.verdict,
      was: old ? undefined : prior?.told.verdict,
      said: (result ?? old?.told)?.why ?? (shut === undefined ? asks : `Skipped: ${shut}`),
      evidence: (result ?? old?.told)?.evidence ?? [],
      now: now === id,
      took: result && report?.took?.[id],
      ...(old && { since: old.at, run: old.run }),
    };
  });
  const listed = new Set(catalogue.map(({ id }) => id));
  const others = (report?.results ?? [])
    .filter(({ id }) => !listed.has(id))
    .map(({ id, verdict, why, evidence }): TestCase => {
      const was = newest(priors, (one) => resultIn(one, id))?.told.verdict;
      const more = { verdict, evidence, prompts: undefined, was };
      return { suite: 'probes', id, name: id, said: why, ...more };
    });
  return [...known, ...others];
}

/** The same cell, whatever the base of its plan calls it. */
export function cellKey({ axes }: Pick<LabLine, 'axes'>): string {
  return JSON.stringify(Object.entries(axes).toSorted(([a], [b]) => a.localeCompare(b)));
}

/** `replayFrom start × SIGKILL`: its restore, what ended the agent, and what else is not as in its base. */
export function cellTitle(
  { id, axes }: Pick<LabLine, 'id' | 'axes'>,
  views: readonly LabAxisView[],
): string {
  return views
    .filter(({ axis }) => axis === 'variant' || axis === 'stop' || id.includes(` ${axis}=`))
    .map(
      ({ axis, values }) => values.find(({ value }) => value === axes[axis])?.words ?? axes[axis],
    )
    .join(' × ');
}

/** The algebra of cursors among the cells. */
export const CURSORS = 'cursor algebra';

export function labCases(
  price: LabPrice | undefined,
  isChosen: (id: string) => boolean | undefined,
  { report, priors, now }: ToldBy<LabReportView>,
): readonly TestCase[] {
  const linesOf = (one: LabReportView | undefined) =>
    new Map(one?.groups.flatMap(({ cells }) => cells).map((line) => [cellKey(line), line]));
  const told = linesOf(report);
  const older = priors.map((one) => ({ id: one.id, at: one.at, lines: linesOf(one) }));
  const planned = new Map(price?.planned.map((line) => [cellKey(line), line]));
  const cases = [...new Map([...told, ...planned]).keys()].flatMap((place): TestCase[] => {
    const [plan, own] = [planned.get(place), told.get(place)];
    const prior = newest(older, ({ lines }) => {
      const line = lines.get(place);
      return line?.verdict === undefined ? undefined : line;
    });
    // Not asked this time: it keeps what it has.
    const old = own || plan?.verdict !== undefined ? undefined : prior;
    const cell = own ?? old?.told ?? plan;
    if (!cell) return [];
    const { id, name, verdict, why: said, prompts, took } = cell;
    const canBe = plan !== undefined && plan.verdict === undefined;
    const was = old ? undefined : prior;
    return [
      {
        ...{ suite: 'lab', id: place, name, verdict, said, prompts, evidence: [], cell, took },
        ...(was && {
          was: was.told.verdict,
          cellBefore: { id: was.told.id, run: was.run, at: was.at },
        }),
        chosen: canBe ? isChosen(plan.id) : undefined,
        now: now !== undefined && now === id,
        ...(old && { since: old.at, run: old.run }),
      },
    ];
  });
  const { cursors = undefined } = report ?? {};
  if (!cursors && !price?.cursors) return cases;
  const algebra: TestCase = {
    ...{ suite: 'lab', id: CURSORS, name: CURSORS, verdict: cursors?.verdict, prompts: undefined },
    said: cursors?.why ?? 'Compares the replays of all cursors.',
    was: newest(priors, (one) => one.cursors)?.told.verdict,
    evidence: [],
  };
  return [...cases, algebra];
}

/** Of scenarios and recordings: a case each, from the kept reports, the newest first. */
export function keptCases(
  kept: readonly RunSummary[],
  until: string | undefined,
): readonly TestCase[] {
  const newest = new Map<string, RunSummary>();
  for (const run of kept) if (!newest.has(subjectOf(run))) newest.set(subjectOf(run), run);
  return [...newest.values()].map((run): TestCase => {
    const { kind, id, name, of, agent, counts } = run;
    const [before] = reportsBefore(kept, run, until);
    const said = countWords(kind, counts);
    return {
      ...{ suite: kind, id: of ?? name ?? id, name: name ?? agent, run: id, evidence: [] },
      verdict: verdictOf(run),
      said: `${said[0]?.toUpperCase() ?? ''}${said.slice(1)}, on ${agent}`,
      was: before && verdictOf(before),
      prompts: undefined,
    };
  });
}

function verdictOf({ kind, counts }: RunSummary): VerdictWord {
  if (kind === 'scenario') return counts['passed'] === (counts['of'] ?? 1) ? 'pass' : 'fail';
  return DIFFERS.some((word) => (counts[word] ?? 0) > 0) ? 'fail' : 'pass';
}

export const FILTERS = ['all', 'worse', 'fail', 'warn', 'info', 'pass', 'none'] as const;
export type TestFilter = (typeof FILTERS)[number];

export function fitsFilter(filter: TestFilter, one: TestCase): boolean {
  if (filter === 'all') return true;
  if (filter === 'worse') return changeOf(one) === 'worse';
  if (filter === 'none') return one.verdict === undefined || one.verdict === 'skip';
  return one.verdict === filter;
}

/** `31 passed, 4 notes, 3 not run`. */
export function verdictsOf(cases: readonly TestCase[]): Readonly<Record<VerdictWord, number>> & {
  readonly none: number;
} {
  const counts = { pass: 0, fail: 0, warn: 0, info: 0, skip: 0, none: 0 };
  for (const { verdict } of cases) counts[verdict ?? 'none']++;
  return counts;
}

export interface TestSuite {
  readonly kind: RunKind;
  readonly cases: readonly TestCase[];
  readonly isOpen: boolean;
  /** What is no news is listed too. */
  readonly isWhole: boolean;
  /** Families that are open; they are rows before the first run. */
  readonly families: ReadonlySet<string>;
  /** It is under way: nothing changes its place. */
  readonly isRunning: boolean;
}

export type TestRow =
  | { readonly type: 'suite'; readonly suite: TestSuite }
  | { readonly type: 'case'; readonly it: TestCase; readonly isInFamily?: true }
  /** Before a run: the probes of one family. */
  | {
      readonly type: 'family';
      readonly family: string;
      readonly cases: readonly TestCase[];
      readonly isOpen: boolean;
    }
  /** A row of the lab's matrix: one restore, ended in each way. */
  | {
      readonly type: 'cells';
      readonly name: string;
      readonly stops: readonly string[];
      readonly cells: readonly (TestCase | undefined)[];
      /** The heads of the columns stand above it. */
      readonly isFirst: boolean;
    }
  | {
      readonly type: 'more';
      readonly suite: RunKind;
      readonly cases: readonly TestCase[];
      /** No other row of its suite is shown. */
      readonly isAll: boolean;
    };

/** More than so many that are no news fold into one row. */
const FOLDS = 6;
const CHANGES: readonly (VerdictChange | undefined)[] = ['worse', undefined, 'same', 'better'];

export function testRows(suites: readonly TestSuite[], filter: TestFilter): readonly TestRow[] {
  return suites.flatMap((suite): TestRow[] => {
    const head: TestRow = { type: 'suite', suite };
    if (filter !== 'all') {
      const cases = suite.cases.filter((one) => fitsFilter(filter, one));
      return cases.length === 0 ? [] : [head, ...cases.map(caseRow)];
    }
    if (!suite.isOpen) return [head];
    const matrix = suite.kind === 'lab' ? matrixOf(suite.cases) : { rows: [], rest: suite.cases };
    return [head, ...matrix.rows, ...listed(suite, matrix.rest)];
  });
}

const caseRow = (it: TestCase): TestRow => ({ type: 'case', it });

/** True if all are chosen, `mixed` if some are; undefined if nothing can be chosen. */
export function chosenOf(cases: readonly TestCase[]): boolean | 'mixed' | undefined {
  if (cases.every(({ chosen }) => chosen === undefined)) return undefined;
  if (cases.every(({ chosen }) => chosen === true)) return true;
  return cases.some(({ chosen }) => chosen === true) ? 'mixed' : false;
}

/** `load` of `load/roundtrip`. */
export const familyOf = ({ id }: Pick<TestCase, 'id'>): string => id.split('/')[0] ?? '';

function familyRows({ families, cases: all }: TestSuite): readonly TestRow[] {
  return [...grouped(all, familyOf)].flatMap(([family, cases]): TestRow[] => {
    const isOpen = families.has(family);
    const inside = cases.map((it) => ({ type: 'case', it, isInFamily: true }) as const);
    return [{ type: 'family', family, cases, isOpen }, ...(isOpen ? inside : [])];
  });
}

function listed(suite: TestSuite, cases: readonly TestCase[]): readonly TestRow[] {
  const { kind, isWhole, isRunning, cases: all } = suite;
  const isPlan = all.every(({ verdict }) => verdict === undefined) && chosenOf(all) !== undefined;
  if (kind === 'probes' && !isRunning && isPlan) return familyRows(suite);
  const isOver = !isRunning && all.some(({ verdict }) => verdict !== undefined);
  const rank = (one: TestCase) =>
    CHANGES.indexOf(changeOf(one)) * 10 + VERDICTS.indexOf(one.verdict ?? 'skip');
  const sorted = isOver ? cases.toSorted((a, b) => rank(a) - rank(b)) : cases;
  const isNews = (one: TestCase) => {
    if (!isOver) return one.now === true || (one.chosen ?? one.verdict !== undefined);
    const change = changeOf(one);
    if (change === 'worse' || change === 'better') return true;
    return one.verdict === 'fail' || one.verdict === 'warn';
  };
  const rest = sorted.filter((one) => !isNews(one));
  const told = rest.filter(({ verdict }) => verdict !== undefined);
  // A few that passed are told; what nobody asked is not.
  const folded = told.length <= FOLDS ? rest.filter((one) => !told.includes(one)) : rest;
  if (isWhole || folded.length <= FOLDS) return sorted.map(caseRow);
  const shown = sorted.filter((one) => !folded.includes(one));
  const isAll = shown.length === 0;
  return [...shown.map(caseRow), { type: 'more', suite: kind, cases: folded, isAll } as const];
}

/** Cells that vary restore and stop moment alone, as the first one has all else; and what is left. */
function matrixOf(cases: readonly TestCase[]) {
  const elseOf = ({ variant: _v, stop: _s, ...rest }: Axes) => JSON.stringify(rest);
  const [first] = cases.flatMap(({ cell }) => cell ?? []);
  const isIn = ({ cell }: TestCase) => cell && first && elseOf(cell.axes) === elseOf(first.axes);
  const inside = cases.filter(isIn);
  const axis = (name: 'variant' | 'stop') => [
    ...new Set(inside.flatMap(({ cell }) => cell?.axes[name] ?? [])),
  ];
  const stops = axis('stop');
  const rows = axis('variant').map((variant, at): TestRow => ({
    type: 'cells',
    name: variant,
    stops,
    cells: stops.map((stop) =>
      inside.find(({ cell }) => cell?.axes.variant === variant && cell.axes.stop === stop),
    ),
    isFirst: at === 0,
  }));
  return { rows, rest: cases.filter((one) => !isIn(one)) };
}
