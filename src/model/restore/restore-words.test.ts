import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { CLAUSES, type ClauseSeen } from './clauses.ts';
import type { Clause } from './clauses/clause.ts';
import { restoreResult } from './restore-results.ts';
import type { RestoreVerdict, Shortfall } from './restore-verdict.ts';
import { resultWords, wholeDue } from './restore-words.ts';
import { connectionId } from '../../trace/event.ts';

const of = (verdict: RestoreVerdict, due: boolean | undefined, ...seen: ClauseSeen[]) => ({
  ...{ verdict, due, seen },
});

test('a restore is as expected unless part of the history had to come and did not', () => {
  const short = (weight: Shortfall['weight']) => ({ weight, words: '3 items did not come back' });
  expect(wholeDue(true, undefined)).toBe(true);
  expect(wholeDue(true, short('hint'))).toBe(true);
  expect(wholeDue(true, short('error'))).toBe(false);
  expect(wholeDue(true, short('warning'))).toBe(false);
  expect(wholeDue(true, short('open'))).toBeUndefined();
  expect(wholeDue(false, undefined)).toBe(false);
});

test('a clause stands behind the words of its verdict, and says nothing twice', () => {
  const rest = (...all: Parameters<typeof of>) => resultWords(of(...all)).rest;
  expect(rest('rejected-as-due', true, { clause: 'cursor-refused', code: 'malformed' })).toBe(
    ': that is no cursor',
  );
  expect(rest('open', undefined)).toBe('');
  const late = { clause: 'in-time', code: 'late', facts: { updates: 2 } } as const;
  expect(rest('replayed-late', false, late)).toBe(': 2 updates of history after the answer');
});

test('other sentences change no verdict', () => {
  const { index, eventAt } = indexed(`
    client →0 initialize {"protocolVersion":2}
    agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}
    agent update s1 agent_message m1 "x"
    client →5 session/resume {"sessionId":"s1","cwd":"w"}
    agent update s1 agent_message m1 "x"
    agent ←5 result {}`);
  const source = { index, eventAt, connection: connectionId('c1') };
  const [window] = index.windowRecords;
  const judged = () => {
    if (window === undefined) throw new Error('No restore was drawn');
    const { faults, ...result } = restoreResult(source, window, []);
    return { ...result, faults: faults.map(({ seen: _, ...fault }) => fault) };
  };
  const before = judged();
  const tables = Object.values<Clause>(CLAUSES).map(
    ({ said = {} }) => [said, { ...said }] as const,
  );
  for (const [said, own] of tables)
    Object.assign(said, Object.fromEntries(Object.keys(own).map((code) => [code, '?'])));
  expect(judged()).toEqual(before);
  expect(before.seen.map(({ clause, code }) => `${clause} ${code}`)).toEqual([
    'none unasked',
    'params accepted',
    'state missing',
  ]);
  expect(resultWords(before).whole).toBe('?; ?; ?');
  for (const [said, own] of tables) Object.assign(said, own);
});
