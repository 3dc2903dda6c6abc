import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceSession, TraceSummary } from '../../engine/messages.ts';
import { connectionId, seq } from '../../trace/event.ts';
import {
  foldOfBatch,
  isBatch,
  matchingTree,
  railTree,
  ranksOf,
  runsIn,
  type RailTree,
} from './rail-tree.ts';

function trace(number: number, more: Partial<TraceSummary> = {}): TraceSummary {
  return {
    ...{ connection: connectionId(`c${number}`), name: 'agent', number, mode: 'drive' },
    ...{ state: 'ended', startedAt: '', events: 1, frames: 1, stored: 1, agent: 'Ant' },
    ...more,
  };
}
function session(sessionId: string, more: Partial<TraceSession> = {}): TraceSession {
  return { sessionId, chip: 'S1', items: 0, restores: [], ...more };
}
const live = (id: string, items = 4) => session(id, { items, isLive: true, isMade: true });
const restored = (id: string, name = 'start', request = 5) =>
  session(id, { restores: [{ request: seq(request), name, outcome: 'answered', late: 0 }] });
const batch = (label: string, more = {}) => ({
  group: { id: 'b', title: 'Restore variants', label, session: 's', ...more },
});

/** Drawn as a person reads it. */
function drawn({ agents, loose }: RailTree): unknown {
  const runs = (all: Parameters<typeof runsIn>[0]): unknown[] =>
    all.map((one) => (isBatch(one) ? runs(one.runs) : `${one.name} c${one.trace.number}`));
  return [
    ...agents.map(({ name, sessions, batches }) => ({
      [name]: [
        ...sessions.map(({ sessionId, runs: of }) => ({ [sessionId]: runs(of) })),
        ...runs(batches),
      ],
    })),
    ...runs(loose),
  ];
}

describe('the tree', () => {
  test('a session has its runs from all connections, the live part first, a batch as one', () => {
    const tree = railTree([
      trace(4, {
        sessions: [session('s', { isLive: true, items: 2, restores: restored('s').restores })],
      }),
      trace(1, { sessions: [live('s'), live('other')] }),
      trace(2, { ...batch('v2 start'), sessions: [restored('s')] }),
      trace(3, { ...batch('v2 null') }),
      trace(5, { state: 'running' }),
      trace(6),
    ]);
    expect(drawn(tree)).toEqual([
      {
        Ant: [
          { s: ['live c1', ['start c2', 'v2 null c3'], 'start c4', 'live, after c4'] },
          { other: ['live c1'] },
        ],
      },
      'agent c6',
      'agent c5',
    ]);
    expect(tree.agents[0]?.sessions[0]?.items).toBe(6);
  });

  test('it is the same once the agents have ended, and old and new runs of one agent are together', () => {
    const of = (state: 'running' | 'ended') =>
      railTree([
        trace(1, { sessions: [live('s')] }),
        trace(2, { agent: 'Bee', sessions: [live('b')], state }),
        trace(3, { sessions: [live('t')], state }),
      ]);
    expect(drawn(of('running'))).toEqual(drawn(of('ended')));
    expect(drawn(of('ended'))).toEqual([
      { Ant: [{ t: ['live c3'] }, { s: ['live c1'] }] },
      { Bee: [{ b: ['live c2'] }] },
    ]);
  });

  test('an id that the agent rejected is no session, unless another trace has it', () => {
    const asked = session('s', { askedOnly: true, restores: restored('s').restores });
    expect(drawn(railTree([trace(1, { sessions: [asked] })]))).toEqual(['agent c1']);
    const both = railTree([trace(1, { sessions: [asked] }), trace(2, { sessions: [live('s')] })]);
    expect(drawn(both)).toEqual([{ Ant: [{ s: ['start c1', 'live c2'] }] }]);
  });

  test('a run for an id that no agent confirmed is a run of the agent', () => {
    const asked = session('x', { askedOnly: true, restores: restored('x').restores });
    const run = trace(2, { ...batch('v2 start', { session: 'x' }), sessions: [asked] });
    const tree = railTree([trace(1, { sessions: [live('s')] }), run]);
    expect(tree.agents[0]?.sessions.map(({ sessionId }) => sessionId)).toEqual(['s']);
    expect(runsIn(tree.agents[0]?.batches ?? []).map(({ trace: of }) => of)).toEqual([run]);
  });

  test('a child is listed with the session that owns it', () => {
    const child = session('s.1', { parent: 's', title: 'Look', items: 1, isLive: true });
    const tree = railTree([trace(1, { sessions: [live('s'), child] })]);
    expect(drawn(tree)).toEqual([{ Ant: [{ s: ['live c1'] }] }]);
    expect(tree.agents[0]?.sessions[0]?.children).toEqual([{ session: child, depth: 1 }]);
  });

  test('while a person is at a line, lines keep their order, and new ones are on top', () => {
    const before = [trace(1, { sessions: [live('s')] }), trace(2, { sessions: [live('t')] })];
    const now = [
      ...before,
      trace(3, { sessions: [restored('s')] }),
      trace(4, { sessions: [live('u')] }),
    ];
    const ids = (tree: RailTree) => tree.agents[0]?.sessions.map(({ sessionId }) => sessionId);
    expect(ids(railTree(now))).toEqual(['u', 's', 't']);
    expect(ids(railTree(now, ranksOf(railTree(before))))).toEqual(['u', 't', 's']);
  });

  test('every trace is a run of each of its sessions once, or below without a session', () => {
    const someSession = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      isLive: fc.boolean(),
      restores: fc.integer({ min: 0, max: 3 }),
    });
    const someTrace = fc.record({
      sessions: fc.uniqueArray(someSession, { selector: ({ id }) => id, maxLength: 3 }),
      running: fc.boolean(),
      agent: fc.constantFrom('Ant', 'Bee', undefined),
      group: fc.constantFrom(undefined, 'g', 'h'),
      about: fc.constantFrom(undefined, 'a', 'x'),
    });
    fc.assert(
      fc.property(fc.array(someTrace, { maxLength: 12 }), (all) => {
        const traces = all.map(({ sessions, running, agent, group, about }, at) => {
          const { agent: _, ...rest } = trace(at + 1, { state: running ? 'running' : 'ended' });
          return {
            ...rest,
            ...(agent && { agent }),
            sessions: sessions.map(({ id, isLive, restores }) => ({
              ...(isLive ? live(id) : session(id)),
              restores: Array.from({ length: restores }, (_, i) => ({
                ...{ request: seq(i + 1), name: 'load', outcome: 'answered' as const, late: 0 },
              })),
            })),
            ...(group && {
              group: { id: group, title: group, label: `${at}`, ...(about && { session: about }) },
            }),
          };
        });
        const known = traces.flatMap(({ sessions }) => sessions.map((it) => it.sessionId));
        const tree = railTree(traces);
        const placed = tree.agents.flatMap(({ sessions, batches }) => [
          ...sessions.flatMap(({ sessionId, runs }) =>
            runsIn(runs).map((run) => ({ ...run, sessionId })),
          ),
          ...runsIn(batches),
        ]);
        const keys = [...placed, ...tree.loose].map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        for (const one of traces) {
          const of = [...placed, ...tree.loose].filter(({ trace }) => trace === one);
          const about = one.group
            ? [known.find((id) => id === one.group?.session)]
            : one.sessions.map((it) => it.sessionId);
          const expected = about.length > 0 ? about : [undefined];
          expect(new Set(of.map(({ sessionId }) => sessionId))).toEqual(new Set(expected));
          for (const { sessionId, restores, isLive } of one.group ? [] : one.sessions) {
            const mine = of.filter((run) => run.sessionId === sessionId);
            expect(mine.filter(({ restore }) => restore)).toHaveLength(restores.length);
            expect(mine).toHaveLength(restores.length + (isLive || restores.length === 0 ? 1 : 0));
          }
          if (one.group) expect(of).toHaveLength(1);
        }
      }),
    );
  });
});

describe('a batch', () => {
  const runs = Array.from({ length: 11 }, (_, i) =>
    trace(i + 1, { ...batch(`v2 ${i}`), sessions: [restored('s', `shape ${i}`)] }),
  );
  const entries = railTree(runs).agents[0]?.sessions[0]?.runs ?? [];
  const [all] = entries.filter(isBatch);
  const none = { key: '', title: '', runs: [] };

  test('shows three runs that are good, and folds the others', () => {
    const { shown, folded } = foldOfBatch(all ?? none, () => false);
    expect([shown.length, folded.length]).toEqual([3, 8]);
  });
  test('never folds a bad run, nor a single one', () => {
    const { shown, folded } = foldOfBatch(all ?? none, ({ name }) => name === 'shape 9');
    expect(shown.map(({ name }) => name)).toContain('shape 9');
    expect(folded).toHaveLength(7);
    expect(
      foldOfBatch({ ...none, runs: (all ?? none).runs.slice(0, 4) }, () => false).folded,
    ).toEqual([]);
  });
});

test('a filter finds sessions by title, runs by connection, and never hides what began after it', () => {
  const tree = railTree([
    trace(1, { sessions: [{ ...live('s'), title: 'Mend it' }] }),
    trace(2, { sessions: [restored('s')] }),
    trace(3, { sessions: [live('t')] }),
    trace(4, { state: 'running' }),
  ]);
  expect(drawn(matchingTree(tree, 'mend', 4))).toEqual([{ Ant: [{ s: ['live c1', 'start c2'] }] }]);
  expect(drawn(matchingTree(tree, 'c2', 4))).toEqual([{ Ant: [{ s: ['start c2'] }] }]);
  expect(drawn(matchingTree(tree, 'mend', 3))).toEqual([
    { Ant: [{ s: ['live c1', 'start c2'] }] },
    'agent c4',
  ]);
});

test('a filter that names children of a session keeps those, and all of them if it names none', () => {
  const child = (n: number) => session(`s.${n}`, { parent: 's', title: `Task ${n}` });
  const tree = railTree([trace(1, { sessions: [live('s'), child(1), child(2)] })]);
  const titles = (typed: string) =>
    matchingTree(tree, typed, 1).agents[0]?.sessions[0]?.children.map((one) => one.session.title);
  expect(titles('task 2')).toEqual(['Task 2']);
  expect(titles('c1')).toEqual(['Task 1', 'Task 2']);
});
