import { expect, test } from 'vitest';
import { parseQuery } from '../../model/query/parse.ts';
import { offersFor, type QueryContext } from './complete-query.ts';

const around: QueryContext = {
  vocabulary: {
    method: [
      ['session/update', 40],
      ['session/prompt', 3],
    ],
    status: [['failed', 2]],
    session: [
      ['S1', 9],
      ['My "own" id', 2],
    ],
  },
  sessions: ['S1', 'S1.1'],
  message: { params: { update: { title: 'two words', used: 12, locations: [{ path: '/a' }] } } },
  selected: 33,
};
const texts = (typed: string) =>
  offersFor(typed, around).flatMap(({ offers }) => offers.map(({ text }) => text));

test('an empty bar tells fields with what they mean, and an example from the trace', () => {
  const [group] = offersFor('', around);
  expect(group?.offers.find(({ text }) => text === 'status:')).toMatchObject({
    says: expect.stringContaining('tool call') as unknown,
    example: 'status:failed',
  });
  expect(group?.offers.length).toBeLessThan(13);
  const all = offersFor('', around, true).flatMap(({ offers }) => offers);
  expect(all.map(({ label }) => label)).toContain('gap>');
});

test('fields are offered as typed, then what the trace holds of it', () => {
  expect(texts('me')).toEqual(['method:', 'time:']);
  expect(texts('fail')).toEqual(['status:failed']);
  expect(texts('-method:pro')).toEqual(['-method:session/prompt']);
  expect(texts('method:session/prompt,upd')).toEqual(['method:session/prompt,session/update']);
  expect(texts('session:')).toEqual(['session:S1', 'session:S1+', 'session:/^My "own" id$/']);
  expect(texts('nokey:x')).toEqual([]);
});

test('a number is compared: operators, then measures', () => {
  expect(texts('latency')).toEqual(['latency>', 'latency<', 'latency>=', 'latency<=']);
  expect(texts('latency>')).toEqual(['latency>100', 'latency>1s', 'latency>10s']);
  expect(texts('near:')).toEqual(['near:#33', 'near:#33±5', 'near:#33±50']);
});

test('behind a bar and in brackets the next term is completed', () => {
  expect(texts('status:failed | meth')).toEqual(['status:failed | method:']);
  expect(texts('-(is:late | status:')).toEqual(['-(is:late | status:failed']);
});

test('a path is offered key by key, from the message, and ends in a term that can be read', () => {
  expect(texts('$')).toEqual(['$.params']);
  expect(texts('$.params.up')).toEqual(['$.params.update']);
  expect(texts('$.params.update.')).toEqual([
    '$.params.update.title="two words"',
    '$.params.update.title exists',
    '$.params.update.used=12',
    '$.params.update.used exists',
    '$.params.update.locations',
  ]);
  expect(texts('$.params.update.locations[')).toEqual(['$.params.update.locations[0]']);
});

test('what is offered whole can be read as it stands', () => {
  for (const typed of ['', 'st', 'status:', 'session:', 'latency>', 'near:', '$.params.update.'])
    for (const { offers } of offersFor(typed, around, true))
      for (const { text, goesOn } of offers)
        if (!goesOn)
          expect([text, parseQuery(text)]).toEqual([text, expect.objectContaining({ ok: true })]);
});
