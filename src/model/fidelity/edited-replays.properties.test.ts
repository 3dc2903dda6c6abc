// Whatever an agent gets wrong in a replay is a fault of a rule: recordings of real agents, with one item of the replay
// edited. Each loss and untruth among the differences has its fault, and each fault has its difference.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { edited, EDIT_NAMES, withGap } from '../../test/traces/replay-edits.ts';
import { SETS } from '../../test/traces/reviewed.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { FLAG } from '../columns.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import type { ReplayFault, ReplayRule } from '../replay/faults.ts';
import { fidelityOf } from './fidelity.ts';
import type { FidelityWindow, ItemDifference } from './report/report.ts';

const EVENTS = new Map(recordings().map(({ name, events }) => [name, events]));

type Fault = 'untrue' | 'lost' | 'elsewhere' | 'late';

const RULES: Readonly<Partial<Record<ReplayRule, Fault>>> = {
  'replay/unfaithful': 'untrue',
  'replay/missing-history': 'lost',
  'replay/missing-history-v2': 'lost',
  'replay/empty': 'lost',
  'replay/user-turns-missing': 'lost',
  'replay/order': 'elsewhere',
  'replay/after-response': 'late',
};

/** No rule is about plans, terminals and settings. */
const KINDS: ReadonlySet<string> = new Set(['user', 'agent', 'thought', 'peer', 'tool']);

type Compared = Pick<FidelityWindow, 'session' | 'historyComplete' | 'differences'>;

/** Undefined: nothing that one of these rules fails. */
function faultOf(one: ItemDifference, { historyComplete }: Compared, { index }: IndexedTrace) {
  const { of, kind, verdict, replayed } = one;
  if (!KINDS.has(of) || (verdict !== 'lossy' && verdict !== 'corrupt')) return undefined;
  // The marker ends a history too: rule replay/complete-order.
  if (kind === 'late') return historyComplete ? undefined : 'late';
  // Late and untrue at one frame is one fault.
  const isLate = replayed && index.columns.has(index.indexOf(replayed.seq), FLAG.late);
  if (isLate === true && verdict === 'corrupt') return undefined;
  if (kind === 'lost id' || kind === 'no baseline') return undefined;
  if (kind === 'moved') return 'elsewhere';
  return verdict === 'corrupt' ? 'untrue' : 'lost';
}

/** A message without an id that did not come may have been a remark of the moment: then its rule is inconclusive. */
function namesMessages(events: readonly TraceEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'frame' && 'text' in event.line && event.line.text.includes('"messageId"'),
  );
}

/** Returns the comparison of the restore in the last of these traces. */
function judged(traces: readonly (readonly TraceEvent[])[]) {
  const sources = sourcesOf(traces);
  const here = sources.at(-1);
  if (!here) throw new Error('no trace to judge');
  const windows = fidelityOf(sources).windows.filter((one) => one.connection === here.connection);
  const sessions: Compared[] = windows.flatMap((window) => [
    window,
    ...window.children.filter(({ verdict }) => verdict !== 'not kept' && verdict !== 'nothing due'),
  ]);
  const differences = sessions.flatMap((one) =>
    one.differences.flatMap((difference) => faultOf(difference, one, here) ?? []),
  );
  const isMarked = ({ session }: ReplayFault) =>
    sessions.some((one) => one.session === session && one.historyComplete);
  const all = windows.flatMap((window) => window.faults);
  const faults = all.flatMap((one): Fault[] => {
    const fault = RULES[one.rule];
    if (one.verdict !== 'fail' || fault === undefined) return [];
    if (fault === 'late' && isMarked(one)) return [];
    return one.pointer === '/params/update/toolCallId' ? [] : [fault];
  });
  const isLeftOpen =
    !traces.slice(0, -1).some(namesMessages) &&
    all.some(({ rule, verdict }) => RULES[rule] === 'lost' && verdict === 'undecidable');
  if (isLeftOpen && differences.includes('lost')) faults.push('lost');
  return { differences: [...new Set(differences)].sort(), faults: [...new Set(faults)].sort() };
}

/** Each replay, with the recordings from before it. */
const CASES = Object.entries(SETS).flatMap(([set, names]) =>
  names.flatMap((name, at) => {
    const before = names.slice(0, at).map((one) => EVENTS.get(one) ?? []);
    const replay = EVENTS.get(name) ?? [];
    if (edited(replay, 'dropped', 0, 0) === undefined || at === 0) return [];
    return [{ name: `${set}: ${name}`, before, replay }];
  }),
);

test.each(CASES)('$name, as it was recorded', ({ before, replay }) => {
  const { differences, faults } = judged([...before, replay]);
  expect(faults).toEqual(differences);
});

/** Enough for each edit to meet most replays, in a few seconds for all. */
const RUNS = 12;
const SEED = 22112026;

const HOW = EDIT_NAMES.flatMap((edit) => [
  { edit, how: 'of a whole record', keep: (events: readonly TraceEvent[]) => events },
  { edit, how: 'of a record with a gap', keep: withGap },
]);

test.each(HOW)('an item that is $edit, $how', ({ edit, keep }) => {
  fc.assert(
    fc.property(fc.nat(CASES.length - 1), fc.nat(), fc.nat(), (at, which, where) => {
      const { name, before = [], replay = [] } = CASES[at] ?? {};
      const made = edited(replay, edit, which, where);
      if (made === undefined) return;
      const { differences, faults } = judged([...before, keep(made.events)]);
      expect(faults, `${name}, ${made.what}`).toEqual(differences);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
