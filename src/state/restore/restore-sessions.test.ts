import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import type { SessionFacts } from '../../model/facts/facts-view.ts';
import type { Millis } from '../../lib/time.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { sessionChoices } from './restore-sessions.ts';

const session = (
  sessionId: string,
  frames: number,
  more: Partial<SessionFacts> = {},
): SessionFacts => ({
  sessionId,
  chip: sessionId.toUpperCase(),
  frames,
  first: seq(1),
  last: seq(9),
  active: false,
  listedOnly: frames === 0,
  turn: 'idle',
  prompts: [],
  config: [],
  commands: [],
  ...more,
});

const trace = (id: string, number: number, sessions: readonly SessionFacts[]): TraceSummary => ({
  connection: connectionId(id),
  name: id,
  number,
  mode: 'drive',
  state: 'running',
  startedAt: '2026-11-21T08:00:00Z',
  events: 1,
  frames: 1,
  stored: 0,
  facts: {
    connection: connectionId(id),
    sessions,
    open: [],
    lastWords: [],
    missing: 0,
    frames: 1,
    lastEventAt: 0 as Millis,
  },
});

test('after a restart, a listed session keeps the frames of the trace that knew it', () => {
  const traces = [
    trace('old', 1, [session('s1', 40, { title: 'Fix it' }), session('s2', 3)]),
    trace('new', 2, [session('s1', 0, { cwd: '/w' })]),
  ];
  expect(sessionChoices(traces, connectionId('new'))).toMatchObject([
    {
      sessionId: 's1',
      cwd: '/w',
      listed: true,
      here: true,
      connection: 'old',
      number: 1,
      frames: 40,
    },
    { sessionId: 's2', listed: false, here: false, connection: 'old' },
  ]);
});

test('the cwd a session was made with comes before one that a restore tried', () => {
  const tried = { cwd: '/w/', cwdTried: true } as const;
  const traces = [
    trace('old', 1, [session('s1', 40, { cwd: '/w' }), session('s2', 3)]),
    trace('new', 2, [session('s1', 2, tried), session('s2', 2, tried)]),
  ];
  const found = sessionChoices(traces, connectionId('new'));
  expect(found.map(({ cwd, cwdTried }) => [cwd, cwdTried])).toEqual([
    ['/w', undefined],
    ['/w/', true],
  ]);
});

test('S-06: session ids named after object members are ids like any other', () => {
  const traces = [trace('a', 1, [session('__proto__', 1), session('constructor', 1)])];
  expect(sessionChoices(traces, undefined).map((choice) => choice.sessionId)).toEqual([
    '__proto__',
    'constructor',
  ]);
});

test('sessions of another agent are no choice', () => {
  const other = { ...trace('other', 1, [session('s9', 4)]), agent: 'Other' };
  const silent = trace('silent', 2, [session('s2', 4)]);
  const now = { ...trace('now', 3, [session('s1', 1)]), agent: 'Mine' };
  const ids = sessionChoices([other, silent, now], connectionId('now')).map((s) => s.sessionId);
  expect(ids).toEqual(['s1', 's2']);
});

test('an id that we tried and the agent refused is no choice; one an editor asked for is', () => {
  const tried = session('s1', 2, { askedOnly: true });
  const ours = trace('now', 1, [tried]);
  expect(sessionChoices([ours], connectionId('now'))).toEqual([]);
  expect(sessionChoices([{ ...ours, mode: 'tap' }], connectionId('now'))).toHaveLength(1);
});
