import { expect, test } from 'vitest';
import { indexed, type Indexed } from '../../test/traces/indexed.ts';
import { seq } from '../../trace/event.ts';
import type { RowView } from './row-view.ts';
import { TimelineView } from './timeline-view.ts';

/** Each row as a word: seq, ×count of a run, `w1` a window, `37–50` a fold. */
function shape(rows: readonly RowView[]): string {
  return rows
    .map((row) => {
      if (row.type === 'window') return row.open ? `w${row.seq}` : `w${row.seq}+`;
      if (row.type === 'turn') return row.open ? `t${row.turn.number}` : `t${row.turn.number}+`;
      if (row.type === 'fold') return `${row.seq}–${row.last}`;
      const run = row.run ? `×${row.run.count}` : '';
      return `${row.inRun ? '|' : ''}${row.seq}${run}`;
    })
    .join(' ');
}

function toggle({ view }: Indexed, key: string): void {
  view.toggle(key);
}

const LOAD = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/load s1
`;

test('neighbouring chunks of one message are one row, with the joined text', () => {
  const { frame, rows } = indexed(`
    client →1 session/prompt s1 "go"
    agent  update s1 agent_message_chunk m1 "Read" "ing " "the config"
    agent  update s1 agent_message_chunk m2 "Next"
    agent  ←1 result {"stopReason":"end_turn"}
  `);
  expect(shape(rows())).toBe('t1 1 2×3 5 6');
  expect(frame(2)).toMatchObject({
    summary: '“Reading the config”',
    run: { count: 3, last: 4, open: false },
    size: frame(5).size * 3 + 'Reading the config'.length - 3 * 'Next'.length,
  });
});

test('a run goes on past frames of other sessions, and ends at any other frame of its own', () => {
  const { rows } = indexed(`
    agent  update s1 agent_message_chunk "a"
    agent  update s2 agent_message_chunk "b"
    stderr noise
    agent  update s1 agent_message_chunk "c"
    agent  update s2 agent_message_chunk "d"
    agent  update s1 usage_update {"used":1,"size":9}
    agent  update s1 usage_update {"used":2,"size":9}
    agent  update s1 agent_message_chunk "e"
    client →1 session/set_mode {"sessionId":"s1","modeId":"x"}
    agent  update s1 agent_message_chunk "f"
    agent  update s1 agent_thought_chunk "g"
  `);
  expect(shape(rows())).toBe('1×2 2×2 3 6×2 8 9 10 11');
  expect(rows()[3]).toMatchObject({ summary: '2 of 9 tokens' });
});

test('an opened run shows plain rows, each in its place', () => {
  const trace = indexed(`
    agent  update s1 agent_message_chunk "a"
    stderr noise
    agent  update s1 agent_message_chunk "b" "c"
  `);
  toggle(trace, 'f1');
  expect(shape(trace.rows())).toBe('|1×3 2 |3 |4');
  expect(trace.frame(1)).toMatchObject({ summary: '“a”', run: { open: true } });
  toggle(trace, 'f4');
  expect(shape(trace.rows())).toBe('1×3 2');
});

test('a window has a head above its request; closed, it hides its own frames alone', () => {
  const trace = indexed(`${LOAD}
    agent  update s1 agent_message_chunk "a"
    agent  update s2 agent_message_chunk "elsewhere"
    stderr noise
    agent  ←1 result {}
    agent  update s1 agent_message_chunk "late"
  `);
  expect(shape(trace.rows())).toBe('1 2 w3 3 4 5 6 7 8');
  expect(trace.view.state().tall).toEqual([2]);
  const { key } = trace.rows()[2] ?? { key: '' };
  toggle(trace, key);
  expect(shape(trace.rows())).toBe('1 2 w3+ 5 6 8');
  toggle(trace, key);
  expect(shape(trace.rows())).toBe('1 2 w3 3 4 5 6 7 8');
});

test('a tape joins request and answer, and is open while there is none', () => {
  const open = indexed(`${LOAD}
    agent  update s1 agent_message_chunk "a"
    stderr noise
  `);
  const parts = ({ rows }: Indexed) =>
    rows().map((row) => row.tapes.map(({ part }) => part).join());
  expect(parts(open)).toEqual(['', '', '', 'begin', 'middle', 'open']);
  const done = indexed(`${LOAD}
    agent  update s1 agent_message_chunk "a"
    agent  ←1 result {}
    agent  update s1 agent_message_chunk "late"
  `);
  expect(parts(done)).toEqual(['', '', '', 'begin', 'middle', 'end', '']);
  expect(done.frame(6)).toMatchObject({ late: true, replay: false });
});

/** A load that replays `count` distinct messages. */
function longLoad(count: number, inside = ''): string {
  const updates = Array.from(
    { length: count },
    (_, i) =>
      `agent update s1 agent_message_chunk m${i} "text ${i}"${i === 40 ? `\n${inside}` : ''}`,
  );
  return `client →1 session/load s1\n${updates.join('\n')}\nagent ←1 result {}`;
}

test('the quiet middle of a long window folds, but for its ends', () => {
  const trace = indexed(longLoad(100));
  expect(shape(trace.rows().slice(19, 24))).toBe('19 20 21–82 83 84');
  expect(trace.rows()[21]).toMatchObject({
    type: 'fold',
    frames: 62,
    messages: 62,
    tools: 0,
    tapes: [{ part: 'folded' }],
  });
  expect(trace.view.state().rows).toBe(1 + 20 + 1 + 20);
  expect(indexed(longLoad(58)).rows()).toHaveLength(61);
});

test('a fold opens, and closes again with its window', () => {
  const trace = indexed(longLoad(100));
  toggle(trace, 'd21');
  expect(trace.rows()).toHaveLength(103);
  toggle(trace, 'w0');
  expect(shape(trace.rows())).toBe('w1+');
  toggle(trace, 'w0');
  expect(trace.rows()).toHaveLength(42);
});

test.each([
  ['a line that is no message', 'agent raw npm warn', 43],
  ['an error', 'agent ←9 error -32603 Internal error', 43],
  ['a request', 'agent →9 session/request_permission s1', 43],
  ['a live frame of another session', 'agent update s2 tool_call {"toolCallId":"t"}', 43],
])('a fold never hides %s', (_, line, at) => {
  const trace = indexed(longLoad(100, line));
  expect(trace.frame(at).tapes).toMatchObject([{ part: 'middle' }]);
  expect(shape(trace.rows().slice(21, 24))).toMatch(/^21–42 43 44–/);
});

test('a fold hides stderr, and never a frame that is marked, pinned or looked for', () => {
  const marked = indexed(`${longLoad(100, 'stderr noise')}\nmark 50 here`);
  expect(shape(marked.rows().slice(21, 24))).toBe('21–49 50 51–83');

  const pinned = indexed(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    ${longLoad(100)}
    client →2 session/resume {"sessionId":"s1","replayFrom":{"type":"_m","messageId":"m47"}}
  `);
  expect(pinned.frame(51).pins).toMatchObject([{ letter: 'A' }]);

  const looked = indexed(longLoad(100));
  const { version } = looked.view;
  expect(looked.view.locate(seq(50))).toEqual({ row: 22, hiddenBy: [] });
  expect(looked.view.version).not.toBe(version);
  expect(shape(looked.rows().slice(21, 24))).toBe('21–49 50 51–82');
});

test('locate finds the row of a run for each of its frames, and opens a closed window', () => {
  const trace = indexed(`${LOAD}
    agent  update s1 agent_message_chunk "a" "b"
    agent  ←1 result {}
  `);
  expect(trace.view.locate(seq(5)).row).toBe(4);
  toggle(trace, 'w0');
  expect(trace.view.locate(seq(3)).row).toBe(2);
  expect(shape(trace.rows())).toBe('1 2 w3+');
  expect(trace.view.locate(seq(5)).row).toBe(4);
  expect(shape(trace.rows())).toBe('1 2 w3 3 4×2 6');
  expect(trace.view.locate(seq(99))).toEqual({ row: -1, hiddenBy: [] });
});

test('what a query hides is counted by the term that hides it, and named by locate', () => {
  const trace = indexed(`${LOAD}
    agent  update s1 agent_message_chunk "a"
    agent  ←1 result {}
    stderr noise
    agent  update s1 usage_update {"used":1,"size":2}
  `);
  trace.view.setQuery('-update:usage_update session:S1');
  expect(shape(trace.rows())).toBe('w3 3 4 5');
  expect(trace.view.state()).toMatchObject({
    counts: { shown: 3, all: 6, replay: 1, late: 0, live: 2, stderr: 0, events: 0 },
    parts: [
      { source: '-update:usage_update', matches: 6, hides: 1, stderr: 0 },
      { source: 'session:S1', matches: 4, hides: 2, stderr: 1 },
    ],
    sessionless: 3,
  });
  expect(trace.view.locate(seq(6))).toEqual({ row: -1, hiddenBy: ['session:S1'] });
});

test('lines of stderr are no frames: they are counted apart, shown and hidden', () => {
  const { view } = indexed('stderr one\nclient →0 initialize {}\nstderr two\nagent ←0 result {}');
  expect(view.state().counts).toMatchObject({ shown: 2, all: 2, live: 2, stderr: 2 });
  view.setQuery('type:req');
  expect(view.state().counts).toMatchObject({ shown: 1, all: 2, stderr: 0 });
  expect(view.state().parts).toEqual([{ source: 'type:req', matches: 1, hides: 1, stderr: 2 }]);
  view.setQuery('type:std');
  expect(view.state()).toMatchObject({ rows: 2, counts: { shown: 0, stderr: 2 } });
});

test('a window whose request is hidden keeps its head, and the pin with it', () => {
  const trace = indexed(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    client →1 session/resume {"sessionId":"s1","replayFrom":{"type":"start"}}
    agent  update s1 agent_message m1 "a"
    agent  ←1 result {}
  `);
  trace.view.setQuery('is:replay');
  expect(trace.rows()).toMatchObject([
    { type: 'window', seq: 3, pins: [{ letter: 'A' }] },
    { type: 'frame', seq: 4 },
  ]);
  expect(trace.view.locate(seq(3)).row).toBe(0);
});

test('a broken query keeps the last good rows; a term without a match says what is near', () => {
  const trace = indexed(`
    client →1 session/prompt s1 "a"
    client →2 session/prompt s1 "b"
    stderr noise
  `);
  trace.view.setQuery('type:req');
  trace.view.setQuery('type:wrong');
  expect(shape(trace.rows())).toBe('t1 1 2');
  expect(trace.view.state().queryProblem).toMatchObject({ from: 5, to: 10 });
  trace.view.setQuery('method:session/promt');
  expect(trace.view.state()).toMatchObject({
    rows: 0,
    nothing: {
      term: 'method:session/promt',
      near: { term: 'method:session/prompt', count: 2 },
    },
  });
});

test('the next window is the next head in the list', () => {
  const { view } = indexed(`
    client →1 session/load s1
    agent  ←1 result {}
    client →2 session/load s2
    agent  ←2 result {}
    client →3 session/load s1
  `);
  expect([1, 2, 4, 5].map((at) => view.heads.nextWindow(seq(at), 1))).toEqual([3, 3, 5, undefined]);
  expect([1, 2, 5].map((at) => view.heads.nextWindow(seq(at), -1))).toEqual([undefined, 1, 3]);
  view.setQuery('session:S2');
  expect(view.heads.nextWindow(seq(1), 1)).toBe(3);
  expect(view.heads.nextWindow(seq(3), 1)).toBeUndefined();
});

test('R-30: a restore took no time that a machine slept, answered or not', () => {
  const sleep = '+60000ms\nsleep 60000 60000\n+250ms';
  const open = indexed(`${LOAD}\n${sleep}\nstderr late`);
  expect(open.rows()[2]).toMatchObject({ type: 'window', window: { took: 250 } });
  const answered = indexed(`${LOAD}\n${sleep}\nagent ←1 result {}\n+1000ms\nsleep 900 900`);
  expect(answered.rows()[2]).toMatchObject({ type: 'window', window: { took: 250 } });
});

test('delta counts from the row above, over a fold from its last frame', () => {
  const { frame, rows } = indexed(`${LOAD}
    +250ms
    agent  ←1 result {}
  `);
  expect(frame(1).delta).toBeUndefined();
  expect(frame(3).delta).toBe(1);
  expect(frame(4)).toMatchObject({ delta: 250, latency: 250 });
  expect(rows()[2]).toMatchObject({ type: 'window', window: { took: 250 } });
});

test('delta is never negative: below a fold it counts from the last frame before, though a run goes on', () => {
  const { rows } = indexed(
    longLoad(
      100,
      'agent update s2 agent_message_chunk n "beside"\nagent update s1 agent_message_chunk m40 "more"',
    ),
  );
  const fold = rows().findIndex(({ type }) => type === 'fold');
  expect(rows()[fold]).toMatchObject({ last: 44 });
  expect(rows()[fold + 1]).toMatchObject({ seq: 43, delta: 1 });
});

test('a huge frame is summed up once, as it comes, and never parsed again', () => {
  const text = 'x'.repeat(300_000);
  const trace = indexed(`agent update s1 agent_message_chunk "${text}"`);
  const view = new TimelineView(trace.index, () => {
    throw new Error('looked at the frame again');
  });
  const [row] = view.rows(0, 1);
  expect(row).toMatchObject({ type: 'frame', session: 'S1' });
  expect(row?.type === 'frame' && row.summary.length).toBeLessThan(400);
});

test('start, exit, gaps and marks are rows, and not counted as frames', () => {
  const { rows, view } = indexed(`
    start my-agent --acp
    gap 3 the disk was full
    mark 1 look here
    exit 1
  `);
  expect(rows().map((row) => row.type === 'frame' && [row.method, row.summary])).toEqual([
    ['start', 'my-agent --acp · /w'],
    ['gap', '3 events are missing: the disk was full'],
    ['mark', '#1 · look here'],
    ['exit', 'Agent crashed (exit code 1)'],
  ]);
  expect(view.state().counts.all).toBe(0);
});
