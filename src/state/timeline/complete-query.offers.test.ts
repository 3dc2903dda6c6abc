import { expect, test } from 'vitest';
import { parseQuery } from '../../model/query/parse.ts';
import { offersFor, type QueryContext } from './complete-query.ts';

const around: QueryContext = {
  vocabulary: {
    method: [['session/update', 40]],
    status: [
      ['failed', 2],
      ['a,b c', 1],
      ['say "x", y', 1],
      ['a|b)', 1],
    ],
    session: [
      ['S1', 9],
      ['S1.1', 2],
      ['S10', 1],
    ],
  },
  sessions: ['S1', 'S1.1', 'S10'],
  message: { params: { 'a b': { 'x"y': 'v' }, empty: '', list: [1] } },
  selected: 33,
};
/** What may be taken as it stands. */
const whole = (typed: string) =>
  offersFor(typed, around, true).flatMap(({ offers }) =>
    offers.filter(({ goesOn }) => !goesOn).map(({ text }) => text),
  );

test.each([
  ['behind a comma', 'status:failed,', ''],
  ['behind a comma and a begun quote', 'status:failed,"a', ''],
  ['in a begun quote that holds a comma', 'status:"a,b', ''],
  ['behind a value in quotes that holds a comma', 'status:"a,b c",', ''],
  ['behind a bar', 'is:late | status:', ''],
  ['behind a bar without spaces', 'is:late|status:', ''],
  ['in brackets', '(is:late status:', ')'],
  ['in brackets that are denied', '-(is:late | -status:', ')'],
  ['in a path', '$.params.', ''],
  ['in a path with a key in quotes', '$.params["a b"].', ''],
])('%s, every value offered can be read as it stands', (_, typed, rest) => {
  const offers = whole(typed);
  expect(offers.length).toBeGreaterThan(0);
  for (const text of offers) {
    const parsed = parseQuery(text + rest);
    expect([text, parsed.ok ? 'read' : parsed.problem.message]).toEqual([text, 'read']);
  }
});

test('fields are offered with how often the trace has their example, the most frequent first', () => {
  const [group] = offersFor('', around);
  const told = group?.offers.map(({ label, example, count }) => [label, example, count]) ?? [];
  expect(told.slice(0, 4)).toEqual([
    ['method:', 'method:session/update', 40],
    ['session:', 'session:S1', 9],
    ['status:', 'status:failed', 2],
    ['is:', 'is:replay', undefined],
  ]);
  expect(told.at(-1)?.[0]).toBe('more…');
});

test('a session is offered with its children only where it has some', () => {
  const offers = whole('session:');
  expect(offers.filter((text) => text.endsWith('+'))).toEqual(['session:S1+']);
});
