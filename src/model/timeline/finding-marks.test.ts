import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed, type Indexed } from '../../test/traces/indexed.ts';
import { seq } from '../../trace/event.ts';
import { densityOf, nextFinding } from './density.ts';
import type { FindingMark } from './finding-marks.ts';
import { vocabularyOf } from '../query/vocabulary.ts';

const ERROR: FindingMark = { rule: 'replay/missing', counts: 'error' };
const WARNING: FindingMark = { rule: 'setup/cwd', counts: 'warning' };
const HINT: FindingMark = { rule: 'rpc/id', counts: 'hint' };
const SUPPRESSED: FindingMark = { rule: 'rpc/other', counts: 'suppressed' };
const UNDECIDABLE: FindingMark = { rule: 'rpc/third', counts: 'undecidable' };
const OFF: FindingMark = { rule: 'prompt/receipt', counts: 'off' };

/** Marks these seqs with these findings. */
function mark({ index, view }: Indexed, ...marks: readonly [FindingMark, ...number[]][]): void {
  for (const [number, [says, ...seqs]] of marks.entries()) {
    index.findings.define(number, says);
    for (const at of seqs) index.findings.add(index.indexOf(at), number);
  }
  view.found(index.findings.takeFresh());
}

function shown({ rows }: Indexed): number[] {
  return rows().flatMap((row) => (row.type === 'frame' ? [row.seq] : []));
}

const TURN = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/prompt s1 "go"
  agent  update s1 agent_message_chunk "a" "b" "c"
  agent  update s1 tool_call {"toolCallId":"t1","title":"T"}
  agent  ←1 result {"stopReason":"end_turn"}
`;

test('a row names the fault of its worst finding, one suppressed excepted', () => {
  const trace = indexed(TURN);
  const titled = (of: FindingMark, title: string) => ({ ...of, title });
  mark(
    trace,
    [titled(HINT, 'Odd'), 3],
    [titled(WARNING, 'After the response'), 3],
    [titled(WARNING, 'Another'), 3],
    [titled(SUPPRESSED, 'Worse'), 3],
  );
  expect(trace.frame(3).findings).toMatchObject({ count: 3, title: 'After the response' });
});

test('a row says its worst finding and how many count', () => {
  const trace = indexed(TURN);
  mark(trace, [HINT, 3, 7], [ERROR, 3], [WARNING, 7], [SUPPRESSED, 7, 8], [UNDECIDABLE, 8]);
  expect(trace.frame(3).findings).toEqual({ worst: 'error', count: 2 });
  expect(trace.frame(7).findings).toEqual({ worst: 'warning', count: 2 });
  expect(trace.frame(8).findings).toBeUndefined();
});

test('a collapsed run says what is found on any of its frames; opened, each frame its own', () => {
  const trace = indexed(TURN);
  mark(trace, [WARNING, 5, 6], [HINT, 6]);
  expect(trace.frame(4).findings).toEqual({ worst: 'warning', count: 2 });
  trace.view.toggle('f4');
  expect(trace.frame(4).findings).toBeUndefined();
  expect(trace.frame(5).findings).toEqual({ worst: 'warning', count: 1 });
});

test('a closed replay window says what is found in it', () => {
  const trace = indexed(`
    client →0 session/load s1
    agent  update s1 agent_message_chunk "a"
    agent  ←0 result {}
  `);
  mark(trace, [ERROR, 2]);
  expect(trace.rows()[0]?.findings).toBeUndefined();
  trace.view.toggle('w0');
  expect(trace.rows()[0]?.findings).toEqual({ worst: 'error', count: 1 });
});

test('a finding that comes later opens the fold over its frame', () => {
  const updates = Array.from(
    { length: 120 },
    (_, i) => `agent update s1 tool_call {"toolCallId":"t${i}"}`,
  );
  const trace = indexed(['client →0 session/load s1', ...updates, 'agent ←0 result {}'].join('\n'));
  expect(trace.rows().some((row) => row.type === 'fold')).toBe(true);
  expect(shown(trace)).not.toContain(60);
  mark(trace, [HINT, 60]);
  expect(shown(trace)).toContain(60);
  expect(trace.frame(60).findings).toEqual({ worst: 'hint', count: 1 });
});

test.each([
  ['finding:any', [3, 7]],
  ['finding:error', [3]],
  ['sev:warning,hint', [7]],
  ['finding:replay/missing', [3]],
  ['finding:rpc/*', [7, 8]],
  ['finding:suppressed', [8]],
  ['finding:undecidable', [8]],
  ['finding:prompt/receipt', []],
  ['-finding:any', [1, 2, 4, 8]],
])('%s shows the frames it is on', (query, seqs) => {
  const trace = indexed(TURN);
  mark(
    trace,
    ...[
      [ERROR, 3],
      [WARNING, 7],
      [HINT, 7],
      [SUPPRESSED, 8],
      [UNDECIDABLE, 8],
      [OFF, 1],
    ].map((one) => one as [FindingMark, ...number[]]),
  );
  trace.view.setQuery(query);
  expect(shown(trace)).toEqual(seqs);
});

test('a query for findings lets through what the checker finds after it was asked', () => {
  const trace = indexed(TURN);
  trace.view.setQuery('finding:any');
  expect(shown(trace)).toEqual([]);
  mark(trace, [ERROR, 3]);
  expect(shown(trace)).toEqual([3]);
  trace.index.findings.define(0, { ...ERROR, counts: 'suppressed' });
  trace.view.found(undefined);
  expect(shown(trace)).toEqual([]);
});

test('the next finding is the next that counts, and under a query the next that is shown', () => {
  const trace = indexed(TURN);
  mark(trace, [ERROR, 2, 7], [SUPPRESSED, 3]);
  const { view, index } = trace;
  expect(nextFinding(index, seq(1), 1)).toBe(2);
  expect(nextFinding(index, seq(2), 1)).toBe(7);
  expect(nextFinding(index, seq(7), 1)).toBeUndefined();
  expect(nextFinding(index, seq(7), -1)).toBe(2);
  expect(nextFinding(index, seq(999), -1)).toBe(7);
  view.setQuery('-method:initialize');
  expect(view.nextFinding(seq(1), 1)).toBe(7);
});

test('completion offers rules, families of words and severities with their frames', () => {
  const trace = indexed(TURN);
  mark(trace, [ERROR, 3, 7], [WARNING, 7], [UNDECIDABLE, 1]);
  const { finding, sev } = vocabularyOf(trace.index);
  expect(finding).toEqual([
    ['any', 2],
    ['error', 2],
    ['replay/missing', 2],
    ['setup/cwd', 1],
    ['undecidable', 1],
    ['warning', 1],
  ]);
  expect(sev).toEqual([
    ['error', 2],
    ['warning', 1],
  ]);
});

test('ruler and strip show the worst of what falls together', () => {
  const trace = indexed(TURN);
  mark(trace, [ERROR, 3], [HINT, 2, 7]);
  expect(trace.view.findingRows(1)).toEqual([{ row: 3, worst: 'error' }]);
  expect(trace.view.findingRows(100).map(({ worst }) => worst)).toEqual(['hint', 'error', 'hint']);
  expect(densityOf(trace, 1).findings).toEqual([{ bucket: 0, worst: 'error' }]);
});

test('marks say what was written, in whatever order it came', () => {
  const place = fc.nat(7);
  const writes = fc.array(fc.tuple(place, fc.nat(5)), { maxLength: 60 });
  const words = fc.constantFrom<FindingMark['counts']>(
    'error',
    'warning',
    'hint',
    'suppressed',
    'off',
  );
  fc.assert(
    fc.property(writes, fc.array(words, { minLength: 6, maxLength: 6 }), (written, counts) => {
      const { index } = indexed(TURN);
      counts.forEach((one, i) => index.findings.define(i, { rule: `r/${i}`, counts: one }));
      for (const [at, number] of written) index.findings.add(at, number);
      for (let at = 0; at < 8; at++) {
        const own = new Set(written.filter(([there]) => there === at).map(([, number]) => number));
        const severities = [...own].map((number) => counts[number]);
        const counted = severities.filter((one) => one !== 'suppressed' && one !== 'off');
        const worst = (['error', 'warning', 'hint'] as const).find((one) => counted.includes(one));
        expect(index.findings.at(at)).toEqual(worst && { worst, count: counted.length });
        const set = index.findings.marksOf(index.findings.setOf(at));
        expect(set.length).toBe(own.size);
      }
    }),
  );
});
