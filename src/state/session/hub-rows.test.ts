import { describe, expect, test } from 'vitest';
import type { WindowStrip } from '../../engine/fidelity/fidelities.ts';
import type { HubRestore, SessionHub, TraceSummary } from '../../engine/messages.ts';
import type { SessionEvent } from '../../model/sessions/session-history.ts';
import { connectionId, seq, type ConnectionId } from '../../trace/event.ts';
import { connectionFacts, traceSummary } from '../../test/programs/running-app.ts';
import { changesOf, hubRows, type HubRow, type RestoreRow } from './hub-rows.ts';

const [LIVED, AGAIN, RUN] = ['a', 'b', 'c'].map(connectionId) as [
  ConnectionId,
  ConnectionId,
  ConnectionId,
];
const START = Date.parse('2026-11-21T08:00:00Z');
const MINUTE = 60_000;

function traceAt(connection: ConnectionId, minute: number, more: Partial<TraceSummary> = {}) {
  const startedAt = new Date(START + minute * MINUTE).toISOString();
  return { ...traceSummary(connectionFacts({ connection })), startedAt, ...more };
}

function restoreOn(connection: ConnectionId, minute: number, more: Partial<HubRestore> = {}) {
  return {
    ...{ connection, at: START + minute * MINUTE },
    window: { id: 0, request: seq(3) },
    ...more,
  } as HubRestore;
}

/** Four items in two turns, lived on one connection. */
const HUB: SessionHub = {
  connections: [
    {
      ...{ connection: LIVED, began: START, first: seq(4), last: seq(20), prompts: [] },
      stretches: [
        {
          items: [seq(5), seq(7), seq(10), seq(15)],
          kinds: ['user', 'agent', 'user', 'tool'],
          ...{ turns: [seq(5), seq(10)], last: seq(20), at: START + 1 },
        },
      ],
      ended: START + MINUTE,
    },
  ],
  events: [],
  restores: [restoreOn(AGAIN, 3)],
  notRead: 0,
};

const LATE: WindowStrip['answer'] = {
  ...{ protocol: 'violated', why: 'updates after the response', history: 'late', more: '' },
  ...{ headline: '2 old messages would be shown as new', figures: '2 late' },
};

function stripOf(parts: WindowStrip['parts'], connection = AGAIN): WindowStrip {
  return {
    ...{ connection, request: seq(3), variant: 'v1 load', answer: LATE },
    ...{ unjudged: undefined, leftOpen: [], parts, cells: [], children: [] },
    ...{ harms: [], harmCount: 0 },
  };
}

const kinds = (rows: readonly HubRow[]) => rows.map(({ kind }) => kind);

describe('the rows of a session', () => {
  const exit = { seq: seq(21), signal: 'SIGKILL' };
  const traces = [
    traceAt(AGAIN, 2),
    traceAt(LIVED, 0, { state: 'ended', facts: { ...connectionFacts(), exit } }),
  ];

  test('stand in the order of the clock: lived, stopped, started again, restored', () => {
    const hub = {
      ...HUB,
      connections: [
        ...HUB.connections,
        {
          ...{ connection: AGAIN, began: START + 2 * MINUTE, first: seq(3), last: seq(4) },
          ...{ prompts: [], stretches: [] },
        },
      ],
    };
    const { rows, scale } = hubRows({ hub, strips: [], traces, opened: [] });
    expect(kinds(rows)).toEqual(['start', 'lived', 'stop', 'start', 'restore']);
    expect(rows[1]).toMatchObject({ items: 4, turns: [1, 2] });
    expect(scale).toEqual({ items: 4, turns: [0, 2], room: 4 });
  });

  test('what was lived says how many prompts it took, also where something else stood between them', () => {
    const prompted = (first: number, refused: number) =>
      ({
        ...{ connection: LIVED, seq: seq(first), kind: 'prompts' },
        prompts: { count: 1, refused },
      }) as SessionEvent;
    const hub = { ...HUB, events: [prompted(5, 0), prompted(12, 1)] };
    const { rows } = hubRows({ hub, strips: [], traces, opened: [] });
    expect(rows.find(({ kind }) => kind === 'lived')).toMatchObject({
      words: '2 prompts · 1 refused',
    });
  });

  test('a strip lies where its items were lived', () => {
    const at = (value: number) => ({ connection: LIVED, seq: seq(value) });
    const strips = [
      stripOf([
        { is: 'replayed', items: 2, from: at(5), to: at(7) },
        { is: 'missing', items: 1, from: at(10), to: at(10) },
        { is: 'late', items: 1, from: at(15), to: at(15) },
      ]),
    ];
    const { rows } = hubRows({ hub: HUB, strips, traces, opened: [] });
    expect(rows.find(({ kind }) => kind === 'restore')).toMatchObject({
      known: 4,
      pieces: [
        { is: 'replayed', from: 0, to: 2 },
        { is: 'missing', from: 2, to: 3 },
        { is: 'late', from: 3, to: 4 },
      ],
    });
  });

  test('where no live part is known, the replay stands in its own order', () => {
    const hub = { ...HUB, connections: [] };
    const strips = [stripOf([{ is: 'extra', items: 3 }])];
    const { rows, scale } = hubRows({ hub, strips, traces, opened: [] });
    expect(scale).toMatchObject({ items: 0, room: 3 });
    expect(rows.find(({ kind }) => kind === 'restore')).toMatchObject({
      known: 0,
      pieces: [{ is: 'extra', from: 0, to: 3 }],
    });
  });

  test('what could not be held against what was lived is drawn by its number', () => {
    const window = { ...HUB.restores[0]?.window, messages: 2, tools: 1 } as HubRestore['window'];
    const hub = { ...HUB, restores: [restoreOn(AGAIN, 3, { window })] };
    const strips = [{ ...stripOf([]), unjudged: 'other children' as const }];
    const { rows } = hubRows({ hub, strips, traces, opened: [] });
    expect(rows.find(({ kind }) => kind === 'restore')).toMatchObject({
      pieces: [{ is: 'replayed', from: 0, to: 3 }],
    });
  });

  test('a run is one row, below which its restores stand while it is open', () => {
    const group = { id: 'r1', title: 'Restore variants', label: 'v1 load', session: 's1' };
    const run = (id: number) =>
      restoreOn(RUN, 5 + id, {
        run: group,
        window: { ...HUB.restores[0]?.window, id } as HubRestore['window'],
      });
    const hub = { ...HUB, restores: [...HUB.restores, run(1), run(2)] };
    const all = [...traces, traceAt(RUN, 5, { group })];
    const closed = hubRows({ hub, strips: [], traces: all, opened: [] });
    expect(kinds(closed.rows)).toEqual(['start', 'lived', 'stop', 'restore', 'run']);
    const open = hubRows({ hub, strips: [], traces: all, opened: ['r1'] });
    expect(kinds(open.rows).slice(-3)).toEqual(['run', 'restore', 'restore']);
    expect(open.rows.at(-1)).toMatchObject({ inRun: true });
  });

  test('a run is held against the one before it, each restore against the one of its label', () => {
    const runAt = (minute: number, id: string, labels: readonly string[]) =>
      labels.map((label, at) =>
        restoreOn(RUN, minute, {
          run: { id, title: 'Restore variants', label, session: 's1' },
          window: { ...HUB.restores[0]?.window, id: 10 * minute + at } as HubRestore['window'],
        }),
      );
    const restores = [
      ...runAt(5, 'r1', ['load', 'null', 'start']),
      ...runAt(9, 'r2', ['load', 'start', 'null']),
    ];
    const { rows } = hubRows({ hub: { ...HUB, restores }, strips: [], traces, opened: [] });
    const [first, second] = rows.filter((row) => row.kind === 'run');
    // Of the first run 3, 0 and 3, of the second 0, 3 and none that can be told.
    const ranks = new Map([
      [50, 3],
      [51, 0],
      [52, 3],
      [90, 0],
      [91, 3],
    ]);
    const rank = ({ restore }: RestoreRow) => ranks.get(restore.window.id);
    expect(second && changesOf(second, rows, rank)).toEqual({ better: 1, worse: 0 });
    ranks.set(92, 2);
    expect(second && changesOf(second, rows, rank)).toEqual({ better: 1, worse: 1 });
    expect(first && changesOf(first, rows, rank)).toEqual({ better: 0, worse: 0 });
    // A prompt was sent between the two runs: the second run restored more.
    const grown = second?.restores.map((one) => ({ ...one, known: one.known + 2 })) ?? [];
    expect(second && changesOf({ ...second, restores: grown }, rows, rank)).toEqual({
      better: 0,
      worse: 0,
    });
  });

  test('a start says that the agent is another than before', () => {
    const spoken = (version: string) => ({
      facts: connectionFacts({ handshake: { agent: { name: 'a', version } } as never }),
    });
    const two = [traceAt(LIVED, 0, spoken('1.0.0')), traceAt(AGAIN, 2, spoken('1.0.1'))];
    const [lived] = HUB.connections;
    const again = { ...lived, connection: AGAIN, began: START + 2 * MINUTE } as typeof lived;
    const connections = [lived, again].flatMap((one) => one ?? []);
    const { rows } = hubRows({ hub: { ...HUB, connections }, strips: [], traces: two, opened: [] });
    const starts = rows.filter((row) => row.kind === 'start');
    expect(starts.map(({ was }) => was)).toEqual([undefined, '1.0.0']);
  });
});
