import { expect, test } from 'vitest';
import { seq, type Seq } from '../trace/event.ts';
import type { Against } from './against.ts';
import { FindingBook, type JudgedFrame, type FindingPart } from './book.ts';
import { fail, undecidable, type Rule } from './rule.ts';

const V1: Against = { edition: 'v1-2.4.0', raised: [], asked: [] };
const RULE: Rule = {
  id: 'setup/cwd-absolute',
  versions: [1],
  side: 'agent',
  severity: 'warning',
  clause: 'what is due',
  on: [],
};

function judged(at: number, session?: string): JudgedFrame {
  const method = 'session/update';
  return { seq: seq(at), from: 'agent', session, method, member: undefined };
}

test('a listener hears each frame of each part once', () => {
  const heard: [FindingPart, Seq][] = [];
  const book = new FindingBook(false, (part, at) => heard.push([part, at]));
  book.said(RULE, fail('this'), judged(4, 's1'));
  book.said(RULE, fail('that', { seqs: [seq(4), seq(7)] }), judged(7, 's1'));
  book.said(RULE, undecidable('too little', 'more'), judged(9, 's1'));
  expect(heard.map(([{ verdict }, at]) => [verdict, at])).toEqual([
    ['fail', 4],
    ['fail', 7],
    ['undecidable', 9],
  ]);
});

test('what counts differently is one finding, led by the worst of it', () => {
  const book = new FindingBook(false);
  book.said(RULE, fail('a race, perhaps', { severity: 'hint' }), judged(4, 's1'));
  book.said(RULE, fail('for certain', { severity: 'error' }), judged(7, 's1'));
  book.said(RULE, fail('elsewhere'), judged(8, 's2'));
  const groups = book.groups(V1);
  expect(groups.map(({ severity, parts }) => [severity, parts.length])).toEqual([
    ['error', 2],
    ['warning', 1],
  ]);
  expect(book.findings(V1)[0]).toMatchObject({ seen: 'for certain', seqs: [7, 4] });
});

test('a group keeps its key while others come', () => {
  const book = new FindingBook(false);
  book.said(RULE, fail('seen'), judged(4, 's1'));
  const [before] = book.groups(V1);
  book.said({ ...RULE, id: 'frame/utf8' }, fail('worse', { severity: 'error' }), judged(5, 's1'));
  expect(book.groups(V1).map(({ key }) => key)).toContain(before?.key);
});
