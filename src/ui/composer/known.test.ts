import { expect, test } from 'vitest';
import type { Millis } from '../../lib/time.ts';
import type { ConnectionFacts, SessionFacts } from '../../model/facts/facts-view.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { knownValues, sentLabel } from './known.ts';

const session = (sessionId: string, chip: string): SessionFacts => ({
  sessionId,
  chip,
  cwd: '/w',
  frames: 1,
  first: seq(1),
  last: seq(1),
  active: true,
  listedOnly: false,
  turn: 'idle',
  prompts: [],
  modes: { current: 'a', available: [{ id: 'a', name: 'Ask' }] },
  config: [],
  commands: [],
});
const [one, two] = [session('s1', 'S1'), session('s2', 'S2')];
const facts: ConnectionFacts = {
  connection: connectionId('c'),
  sessions: [one, two],
  open: [
    {
      seq: seq(4),
      from: 'client',
      id: '→2',
      method: 'session/prompt',
      since: 0 as Millis,
      summary: '',
    },
    {
      seq: seq(5),
      from: 'agent',
      id: '←"x"',
      method: 'session/request_permission',
      since: 0 as Millis,
      summary: '',
      options: [{ optionId: 'o1', name: 'Yes', kind: 'allow_once' }],
    },
  ],
  started: { argv: ['a'], cwd: '/started' },
  lastWords: [],
  missing: 0,
  frames: 1,
  lastEventAt: 0 as Millis,
};

test('values that only the connection knows are offered, the session looked at first', () => {
  const tokens = (name: string) => knownValues(name, facts, two).map(({ token }) => token);
  expect(tokens('sessionId')).toEqual(['"s2"', '"s1"', '"$sessionId"']);
  expect(tokens('cwd')).toEqual(['"/w"', '"/started"', '"$cwd"']);
  expect(tokens('messageId')).toEqual(['"$lastMessageId"']);
  expect(tokens('modeId')).toEqual(['"a"']);
  expect(tokens('optionId')).toEqual(['"o1"']);
  expect(tokens('requestId')).toEqual(['2']);
  expect(tokens('other')).toEqual([]);
  expect(knownValues('cwd', undefined, undefined).map(({ token }) => token)).toEqual(['"$cwd"']);
});

test('what was sent is told by its method, or by how it begins', () => {
  const label = (text: string) =>
    sentLabel({ at: 0, connection: connectionId('c'), text }).slice(11);
  expect(label('{"id":1,"method":"session/new"}')).toBe('session/new · 31 chars');
  expect(label('not json')).toBe('not json');
  expect(label('x'.repeat(100))).toBe(`${'x'.repeat(64)}…`);
});
