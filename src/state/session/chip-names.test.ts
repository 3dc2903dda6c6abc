import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionFacts, sessionFacts, traceSummary } from '../../test/programs/running-app.ts';
import { connectionId } from '../../trace/event.ts';
import { chipNames } from './chip-names.ts';

/** Its sessions: id to chip. */
function trace(
  number: number,
  chips: Readonly<Record<string, string>>,
  more: Partial<TraceSummary> = {},
): TraceSummary {
  const sessions = Object.entries(chips).map(([id, chip]) => sessionFacts(id, { chip }));
  const facts = connectionFacts({ connection: connectionId(`t${number}`), sessions });
  return { ...traceSummary(facts), number, mode: 'drive', ...more };
}
const file = (number: number, chips: Readonly<Record<string, string>>) =>
  trace(number, chips, { mode: 'file' });
const named = (...traces: readonly TraceSummary[]) =>
  Object.fromEntries([...chipNames(traces)].map(([id, names]) => [id, Object.fromEntries(names)]));

test('the S1 of a file beside another S1 of the page bears the number of the file', () => {
  expect(named(trace(1, { a: 'S1', b: 'S2' }), file(2, { x: 'S1', b: 'S2' }))).toEqual({
    t2: { S1: 'c2·S1' },
  });
});

test('one session has one name in all files, and two files that count their own have two', () => {
  expect(named(file(3, { x: 'S1' }), file(2, { x: 'S1' }), file(4, { y: 'S1' }))).toEqual({
    t2: { S1: 'c2·S1' },
    t3: { S1: 'c2·S1' },
    t4: { S1: 'c4·S1' },
  });
});

test('connections of a run count their own too; what is only listed has no chip to tell apart', () => {
  const group = { id: 'r', title: 'Lab', label: 'x' };
  expect(
    named(
      trace(1, { a: 'S1', l1: '' }),
      trace(5, { z: 'S1', l2: '' }, { group }),
      trace(6, { z: 'S1' }, { group }),
    ),
  ).toEqual({ t5: { S1: 'c5·S1' }, t6: { S1: 'c5·S1' } });
});

test('where every chip means one session, each is called by itself alone', () => {
  expect(named(trace(1, { a: 'S1' }), file(2, { a: 'S1', b: 'S2' }))).toEqual({});
});
