// Rows of the table of tests: what is news comes first, what is none folds, cells of the lab lie in a matrix.
import { expect, test } from 'vitest';
import type { LabLine, RunSummary } from '../../engine/runs/run-messages.ts';
import {
  cellTitle,
  changeOf,
  chosenOf,
  keptCases,
  labCases,
  probeCases,
  reportsBefore,
  testRows,
  type TestSuite,
  type TestCase,
} from './test-cases.ts';

const probe = (id: string, more: Partial<TestCase> = {}): TestCase => ({
  ...{ suite: 'probes', id, name: id, verdict: undefined, said: '', prompts: 0, evidence: [] },
  ...more,
});
const suite = (cases: readonly TestCase[], more: Partial<TestSuite> = {}): TestSuite => ({
  ...{ kind: 'probes', cases, isOpen: true, isWhole: false, isRunning: false },
  families: new Set(),
  ...more,
});
const words = (one: TestSuite) =>
  testRows([one], 'all').map((row) => {
    if (row.type === 'suite') return row.suite.kind;
    if (row.type === 'case') return row.it.id;
    if (row.type === 'family') return row.family;
    return row.type === 'more' ? `${row.cases.length} more` : row.cells.map((it) => it?.cell?.id);
  });
const passed = Array.from({ length: 9 }, (_, at) => probe(`p${at}`, { verdict: 'pass' }));

test('what got worse comes first, then what failed; what passed folds into one row, or is listed', () => {
  const cases = [
    ...passed,
    probe('warned', { verdict: 'warn', was: 'warn' }),
    probe('failed', { verdict: 'fail', was: 'fail' }),
    probe('worse', { verdict: 'warn', was: 'pass' }),
  ];
  expect(words(suite(cases))).toEqual(['probes', 'worse', 'failed', 'warned', '9 more']);
  expect(words(suite(cases, { isWhole: true }))).toHaveLength(13);
  expect(words(suite(cases, { isOpen: false }))).toEqual(['probes']);
});

test('while it runs no row changes its place, and before a run probes are rows by family', () => {
  const running = [...passed, probe('failed', { verdict: 'fail' })];
  expect(words(suite(running, { isRunning: true })).at(-1)).toBe('failed');
  const plan = Array.from({ length: 9 }, (_, at) =>
    probe(`${at < 4 ? 'load' : 'new'}/q${at}`, { chosen: at < 2 }),
  );
  const rows = testRows([suite(plan, { families: new Set(['load']) })], 'all');
  expect(rows.map((row) => (row.type === 'family' ? row.family : row.type))).toEqual([
    ...['suite', 'load', 'case', 'case', 'case', 'case', 'new'],
  ]);
  expect([plan.slice(0, 2), plan.slice(0, 4), plan.slice(4)].map(chosenOf)).toEqual([
    ...[true, 'mixed', false],
  ]);
});

test('a few that passed are told beside many that were not asked', () => {
  const cases = [probe('one', { verdict: 'pass' }), ...passed.map(({ id }) => probe(id))];
  expect(words(suite(cases))).toEqual(['probes', 'one', '9 more']);
});

test('a filter lists its cases flat, and leaves out suites without one', () => {
  const cases = [...passed, probe('failed', { verdict: 'fail' })];
  const rows = testRows([suite(cases), suite(passed, { kind: 'scenario' })], 'fail');
  expect(rows.map(({ type }) => type)).toEqual(['suite', 'case']);
});

test('what was skipped then or now is neither worse nor better', () => {
  expect(changeOf({ was: 'pass', verdict: 'fail' })).toBe('worse');
  expect(changeOf({ was: 'warn', verdict: 'info' })).toBe('better');
  expect(changeOf({ was: 'pass', verdict: 'pass' })).toBe('same');
  for (const one of [{ was: 'skip', verdict: 'fail' }, { was: 'pass' }] as const)
    expect(changeOf({ verdict: undefined, ...one })).toBeUndefined();
});

const NOTHING = { report: undefined, priors: [], now: undefined };
const FIELDS = { restored: '', fidelity: '', remembers: '', tools: '', open: '', rate: '' };
function line(id: string, axes: Partial<LabLine['axes']>, verdict?: LabLine['verdict']): LabLine {
  const plain: LabLine['axes'] = {
    ...{ variant: 'load', stop: 'stdin', cwd: 'exact', id: 'good', capabilities: 'none' },
    ...{ subagents: 'none', mcp: 'same' },
  };
  const runs = verdict === undefined ? 0 : 1;
  const more = { name: id, verdict, why: '', fields: FIELDS, runs, prompts: 3 };
  return { id, axes: { ...plain, ...axes }, ...more };
}

test('cells of the lab are restores by stop moments, others stand below; a planned cell keeps its result', () => {
  const planned = [
    line('load', {}),
    line('load stop=kill', { stop: 'kill' }),
    line('resume', { variant: 'resume' }, 'skip'),
    line('load cwd=slash', { cwd: 'slash' }),
  ];
  const price = { planned, cells: 3, cursors: false, cost: { expected: 9, most: 9 } };
  const told = [line('the same by another base', { stop: 'kill' }, 'fail')];
  const report = {
    ...{ id: 'r', agent: 'a', version: 1 as const, at: '', base: '', repeat: 1, prompts: 3 },
    ...{ cost: price.cost, groups: [{ title: 'restore', cells: told }] },
    ...{ cursors: undefined, ended: undefined },
    counts: { pass: 0, fail: 1, warn: 0, info: 0, skip: 0 },
  };
  const before = labCases(price, (id) => id !== 'load', NOTHING);
  expect(before.map(({ chosen }) => chosen)).toEqual([false, true, undefined, true]);
  expect(words(suite(before, { kind: 'lab' }))).toEqual([
    'lab',
    ['load', 'load stop=kill'],
    ['resume', undefined],
    before[3]?.id,
  ]);
  const after = labCases(price, () => true, { ...NOTHING, report });
  expect(after).toHaveLength(4);
  expect(after.find(({ verdict }) => verdict === 'fail')?.chosen).toBe(true);
});

test('a cell is named by the words of the matrix, not by what names it in commands', () => {
  const axes = [
    { axis: 'variant', words: 'restore', values: [{ value: 'start', words: 'replayFrom start' }] },
    { axis: 'stop', words: 'stop moment', values: [{ value: 'kill', words: 'SIGKILL' }] },
    { axis: 'cwd', words: 'cwd', values: [{ value: 'slash', words: 'trailing slash' }] },
    { axis: 'mcp', words: 'MCP servers', values: [{ value: 'same', words: 'the same' }] },
  ] as const;
  const title = (id: string, cwd: 'exact' | 'slash') =>
    cellTitle(line(id, { variant: 'start', stop: 'kill', cwd }), axes);
  expect(title('start stop=kill', 'exact')).toBe('replayFrom start × SIGKILL');
  expect(title('start cwd=slash', 'slash')).toBe('replayFrom start × SIGKILL × trailing slash');
});

test('a cell that this run left out keeps what the run before told of it', () => {
  const planned = [line('load', {}), line('load stop=kill', { stop: 'kill' })];
  const price = { planned, cells: 2, cursors: false, cost: { expected: 6, most: 6 } };
  const report = (id: string, at: string, cells: readonly LabLine[]) => ({
    ...{ id, at, agent: 'a', version: 1 as const, base: '', repeat: 1, prompts: 3 },
    ...{ cost: price.cost, groups: [{ title: 'restore', cells }] },
    ...{ cursors: undefined, ended: undefined },
    counts: { pass: 0, fail: 0, warn: 0, info: 0, skip: 0 },
  });
  const cases = labCases(price, () => true, {
    report: report('b', '2', [line('load', {}, 'pass')]),
    priors: [
      report('a', '1', [line('load', {}, 'fail'), line('x', { stop: 'kill' }, 'warn')]),
      report('0', '0', [line('x', { stop: 'kill' }, 'pass')]),
    ],
    now: undefined,
  });
  expect(cases.map(({ verdict, was, since }) => [verdict, was, since])).toEqual([
    ['pass', 'fail', undefined],
    ['warn', undefined, '1'],
  ]);
});

const entry = (id: string) => ({
  ...{ id, family: 'list', sentence: `${id}?`, prompts: 0, connections: 1, shares: false },
  ...{ needs: [], shut: undefined, optIn: undefined },
});

test('where there is no agent to ask nothing can be chosen, and what could be asked is one row', () => {
  const catalogue = Array.from({ length: 9 }, (_, at) => entry(`q${at}`));
  const cases = probeCases(catalogue, undefined, NOTHING);
  expect(cases.every(({ chosen }) => chosen === undefined)).toBe(true);
  expect(words(suite(cases))).toEqual(['probes', '9 more']);
});

test('a probe that asks about the session of the run says so, where another has its own price or none', () => {
  const cases = probeCases(
    [
      entry('none'),
      { ...entry('both'), prompts: 1, shares: true },
      { ...entry('shares'), shares: true },
      { ...entry('shut'), shares: true, shut: 'Not offered.' },
    ],
    new Set(),
    NOTHING,
  );
  expect(cases.filter(({ shares }) => shares).map(({ id }) => id)).toEqual(['shares']);
});

test('a probe that waits for its turn has no verdict, one that is not asked has its last', () => {
  const report = (at: string, waiting: readonly string[], ids: readonly string[]) => ({
    ...{ id: at, at, agent: 'a', version: 2 as const, prompts: 0, connections: 1, stopped: false },
    results: ids.map((id) => ({ id, verdict: 'fail' as const, why: `at ${at}`, evidence: [] })),
    ...{ waiting, leftOut: [], card: { versions: [], works: [], resume: [] } },
    counts: { pass: 0, fail: 0, warn: 0, info: 0, skip: 0 },
  });
  const catalogue = ['came', 'waits', 'left'].map(entry);
  const cases = probeCases(catalogue, new Set(['came', 'waits']), {
    report: report('2', ['waits'], ['came']),
    priors: [report('1', [], ['came', 'waits', 'left'])],
    now: 'waits',
  });
  expect(cases.map(({ verdict, was, said, since }) => [verdict, was, said, since])).toEqual([
    ['fail', 'fail', 'at 2', undefined],
    [undefined, 'fail', 'waits?', undefined],
    ['fail', undefined, 'at 1', '1'],
  ]);
});

const run = (id: string, at: string, more: Partial<RunSummary> = {}): RunSummary => ({
  ...{ id, at, kind: 'probes', agent: 'Ant', version: 2, argv: ['ant'], counts: {} },
  ...{ of: undefined, name: undefined },
  ...more,
});

test('a report is compared with the newest before it of the same agent, or with a moment that was picked', () => {
  const kept = [run('c', '3'), run('x', '2.5', { argv: ['bee'] }), run('b', '2'), run('a', '1')];
  expect(reportsBefore(kept, { id: 'c' }, undefined).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(reportsBefore(kept, { id: 'c' }, '1').map(({ id }) => id)).toEqual(['a']);
  expect(reportsBefore(kept, { id: 'a' }, undefined)).toEqual([]);
  expect(reportsBefore(kept, undefined, undefined)).toEqual([]);
  const others = [run('new', '9', { argv: ['ant-2'] }), run('x', '2.5', { argv: ['bee'] })];
  expect(reportsBefore(others, { id: 'new' }, undefined)).toEqual([]);
  expect(reportsBefore(others, { id: 'new' }, '2.5').map(({ id }) => id)).toEqual(['x']);
});

test('each scenario that was run is one case: how its last run went, and the one before', () => {
  const scenario = (id: string, at: string, name: string, passed: number) =>
    run(id, at, { kind: 'scenario', name, counts: { passed, of: 1 } });
  const kept = [scenario('c', '3', 'crash', 0), scenario('b', '2', 'x', 1)];
  const cases = keptCases([...kept, scenario('a', '1', 'crash', 1)], undefined);
  expect(cases.map(({ id, verdict, was }) => [id, verdict, was])).toEqual([
    ['crash', 'fail', 'pass'],
    ['x', 'pass', undefined],
  ]);
});
