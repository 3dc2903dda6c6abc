// Whatever an agent gets wrong in a replay, Fidelity, the checker, the restore form, a cell of the lab and a probe
// say the same of it: recordings of real agents, with one item of the replay edited.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLAG } from '../model/columns.ts';
import type { IndexedTrace } from '../model/indexed-trace.ts';
import { CLAUSES } from '../model/restore/clauses.ts';
import { ruleOfClause } from '../model/restore/clauses/clause.ts';
import { checkTrace } from '../rules/check-trace.ts';
import { World } from '../rules/connection.ts';
import { loadRemarks } from '../rules/steps.ts';
import { sourcesOf } from '../test/traces/fidelity-sources.ts';
import { recordings } from '../test/traces/recordings.ts';
import { edited, EDIT_NAMES, withGap } from '../test/traces/replay-edits.ts';
import { SETS } from '../test/traces/reviewed.ts';
import type { FrameRef, TraceEvent } from '../trace/event.ts';
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import type { FidelityWindow, ItemDifference } from '../model/fidelity/report/report.ts';
import type { LabVariant } from './lab/axes.ts';
import { judgeCell } from './lab/judge.ts';
import { faithful } from './probes/restore/faithful.ts';
import type { RecordedConnection } from './probes/restore/restored.ts';
import type { VerdictWord } from './verdict.ts';

const remarksOf = await loadRemarks();
const EVENTS = new Map(recordings().map(({ name, events }) => [name, events]));

type Fault = 'untrue' | 'lost' | 'elsewhere' | 'late' | 'baseless';

/** Which rules tell what Fidelity calls a difference of a message or a tool call. */
const RULES: Readonly<Record<string, Fault>> = {
  'replay/unfaithful': 'untrue',
  'replay/missing-history': 'lost',
  'replay/missing-history-v2': 'lost',
  'replay/empty': 'lost',
  'replay/user-turns-missing': 'lost',
  'replay/order': 'elsewhere',
  'replay/after-response': 'late',
  'replay/complete-order': 'late',
  'replay/chunks-without-reset': 'baseless',
};

/** What the form judges by its clauses: that all came in time. */
const OF_FORM: readonly (string | undefined)[] = [
  ruleOfClause(CLAUSES['in-time']),
  ruleOfClause(CLAUSES.state),
];

/** Plans, terminals and settings are told by Fidelity alone. */
const KINDS: ReadonlySet<string> = new Set(['user', 'agent', 'thought', 'peer', 'tool']);

/** Undefined: nothing that a rule fails. No clause makes ids stable, but of prompts in v2. */
function faultOf({ of, kind, verdict }: ItemDifference): Fault | undefined {
  if (!KINDS.has(of) || (verdict !== 'lossy' && verdict !== 'corrupt')) return undefined;
  switch (kind) {
    case 'lost id':
      return undefined;
    case 'late':
      return 'late';
    case 'moved':
      return 'elsewhere';
    case 'no baseline':
      return 'baseless';
    default:
      return verdict === 'corrupt' ? 'untrue' : 'lost';
  }
}

/** Behind the end of the replay that a frame tells is one fault with what it tells there. */
function isTold({ kind, verdict, replayed }: ItemDifference, { index }: IndexedTrace): boolean {
  const isLate = (ref: FrameRef) => index.columns.has(index.indexOf(ref.seq), FLAG.late);
  return kind !== 'late' && verdict === 'corrupt' && replayed !== undefined && isLate(replayed);
}

/** As of a cell that only restored: of its axes what the window tells, and nothing asked or given. */
function labWord(window: FidelityWindow): VerdictWord {
  const [version, variant] = window.variant.split(' ') as ['v1' | 'v2', LabVariant];
  return judgeCell({
    version: version === 'v1' ? 1 : 2,
    axes: {
      ...{ variant, stop: 'kill', cwd: 'exact', id: 'good' },
      ...{ capabilities: 'none', subagents: 'none', mcp: 'none' },
    },
    restored: {
      ...{ verdict: window.restored, due: window.due, seen: [], code: undefined },
      ...{ requestSeq: window.requestSeq, answerSeq: window.answerSeq },
    },
    fidelity: window,
    ...{ memory: undefined, tools: undefined, reconnect: undefined, cut: undefined },
  }).verdict;
}

/** As the probe of a restore that asks for all, of this window and the one connection that was live before. */
function probeWord(
  window: FidelityWindow,
  traces: readonly (readonly TraceEvent[])[],
): VerdictWord {
  const [live, connection] = traces.map((events, at) => ({
    ...({ version: window.variant.startsWith('v1') ? 1 : 2, trace: `c${at + 1}` } as const),
    events: () => events,
  })) as [RecordedConnection, RecordedConnection];
  const { requestSeq, answerSeq, session } = window;
  const nothing = { answer: undefined, result: undefined, error: undefined, window: [], after: 0 };
  const at = { requestSeq, answerSeq, answerFrame: undefined };
  const answered = { trace: connection.trace, method: '', ...at, ...nothing };
  return faithful(live, { connection, answered }, session).verdict;
}

/** What the lab has to say of a window that lacks something, has something else, or is not as due. */
function isBad(window: FidelityWindow): boolean {
  return (
    window.due === false ||
    // Nothing is due of ids in v1, and clients stumble over others.
    (window.variant.startsWith('v1') &&
      window.differences.some(({ kind }) => kind === 'lost id')) ||
    [window, ...window.children].some(({ verdict }) => verdict === 'lossy' || verdict === 'corrupt')
  );
}

const BAD: ReadonlySet<VerdictWord> = new Set(['fail', 'warn']);
const LACKING: ReadonlySet<FidelityWindow['verdict']> = new Set(['lossy', 'corrupt']);

/**
 * Where messages have no ids, what did not come may have been a remark of the moment, which no replay need tell:
 * Fidelity tells that a client lacks it, and the checker that nobody can tell whether it was due.
 */
function namesMessages(events: readonly TraceEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'frame' && 'text' in event.line && event.line.text.includes('"messageId"'),
  );
}

/** Of the last of these traces. */
function judged(traces: readonly (readonly TraceEvent[])[]) {
  const sources = sourcesOf(traces);
  const here = sources.at(-1);
  const windows = fidelityOf(sources).windows.filter(
    ({ connection }) => connection === here?.connection,
  );
  const sessions = windows.flatMap((window) => [
    window,
    ...window.children.filter(({ verdict }) => verdict !== 'not kept' && verdict !== 'nothing due'),
  ]);
  const differences = sessions.flatMap((one) => one.differences);
  const fidelity = differences.flatMap((one) =>
    here === undefined || isTold(one, here) ? [] : (faultOf(one) ?? []),
  );
  const world = new World();
  const findings = traces.flatMap((events, at) => {
    const checked = checkTrace(events, { remarksOf, world, name: `c${at + 1}` });
    return at === traces.length - 1 ? checked.findings : [];
  });
  // Faults of ids are counted on neither side.
  const isOfIds = (pointer: string | undefined) => pointer === '/params/update/toolCallId';
  const broken = findings.flatMap(({ rule, verdict, places }) =>
    verdict === 'fail' && !places.every(({ pointer }) => isOfIds(pointer)) ? rule : [],
  );
  const checker = broken.flatMap((rule) => RULES[rule] ?? []);
  const isLeftOpen =
    !traces.slice(0, -1).some(namesMessages) &&
    findings.some(({ rule, verdict }) => RULES[rule] === 'lost' && verdict === 'undecidable');
  if (isLeftOpen && fidelity.includes('lost')) checker.push('lost');
  return {
    fidelity: [...new Set(fidelity)].sort(),
    checker: [...new Set(checker)].sort(),
    form: windows.some(({ due }) => due === false),
    lab: windows
      .filter(({ restored }) => restored !== 'open' && restored !== 'incomplete')
      .map((window) => ({
        ...{ request: window.requestSeq, bad: isBad(window) },
        told: BAD.has(labWord(window)),
      })),
    probe: windows.flatMap((window) =>
      traces.length === 2
        ? {
            request: window.requestSeq,
            bad: LACKING.has(window.verdict),
            told: BAD.has(probeWord(window, traces)),
          }
        : [],
    ),
    untimely: broken.some((rule) => OF_FORM.includes(rule)),
  };
}

/** Each replay, with the recordings from before it. */
const CASES = Object.entries(SETS).flatMap(([set, names]) =>
  names.flatMap((name, at) => {
    const before = names.slice(0, at).map((one) => EVENTS.get(one) ?? []);
    const replay = EVENTS.get(name) ?? [];
    return edited(replay, 'dropped', 0, 0) === undefined || at === 0
      ? []
      : [{ name: `${set}: ${name}`, before, replay, unedited: judged([...before, replay]) }];
  }),
);

test.each(CASES)('$name, as it was recorded', ({ unedited }) => {
  expect(unedited.checker).toEqual(unedited.fidelity);
  expect(unedited.form).toBe(unedited.untimely);
  for (const { bad, told } of [...unedited.lab, ...unedited.probe]) expect(told).toBe(bad);
});

/** Enough for each edit to meet most replays, in a few seconds for all. */
const RUNS = 12;
const SEED = 22112026;

const HOW = EDIT_NAMES.flatMap((edit) => [
  { edit, kept: 'all say the same', keep: (events: readonly TraceEvent[]) => events },
  { edit, kept: 'and of what is missing in the record too', keep: withGap },
]);

test.each(HOW)('an item that is $edit: $kept', ({ edit, keep }) => {
  fc.assert(
    fc.property(fc.nat(CASES.length - 1), fc.nat(), fc.nat(), (at, which, where) => {
      const { name, before = [], replay = [] } = CASES[at] ?? {};
      const made = edited(replay, edit, which, where);
      if (made === undefined) return;
      const { fidelity, checker, form, lab, probe, untimely } = judged([
        ...before,
        keep(made.events),
      ]);
      expect(checker, `${name}, ${made.what}`).toEqual(fidelity);
      // Where history begins elsewhere the form knows that too, before anything is compared.
      const may = untimely || checker.includes('lost') || checker.includes('elsewhere');
      expect(form ? may : !untimely, `${name}, ${made.what}: the form`).toBe(true);
      for (const { request, bad, told } of lab)
        expect(told, `${name}, ${made.what}: the lab, of #${request}`).toBe(bad);
      for (const { request, bad, told } of probe)
        expect(told, `${name}, ${made.what}: the probe, of #${request}`).toBe(bad);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
