// Messages of an array are judged, paired and folded like messages on lines of their own.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { membersIn, saidBy } from '../model/timeline/digest.ts';
import { draw, untimed } from '../test/traces/draw.ts';
import { indexed, seqsOf } from '../test/traces/indexed.ts';
import { V1, V1_SESSION } from '../test/traces/rule-case.ts';
import { lineText } from '../trace/line.ts';
import { seq, type Frame, type TraceEvent } from '../trace/event.ts';
import { checkTrace } from './check-trace.ts';
import { loadRemarks } from './steps.ts';

const remarksOf = await loadRemarks();
const TURN = `${V1_SESSION}
  client →2 session/prompt s1 "Hi"
  agent update s1 agent_message_chunk "a"
  agent update s1 tool_call {"toolCallId":"t1","title":3,"kind":"execute","status":"in_progress"}
  agent ←1 result {}
  agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent ←2 result {"stopReason":"done"}
`;

/** The same, with each run of frames of one side cut into arrays of up to this many messages. */
function inArrays(events: readonly TraceEvent[], size: number): readonly TraceEvent[] {
  const all: TraceEvent[] = [];
  let held: Frame[] = [];
  const flush = () => {
    const [first] = held;
    const text = `[${held.map(({ line }) => lineText(line)).join(', ')}]`;
    if (first) all.push({ ...first, line: { text } });
    held = [];
  };
  for (const event of events) {
    const isNext = event.type === 'frame' && held.at(-1)?.from === event.from;
    if (!isNext || held.length === size) flush();
    if (event.type === 'frame') held.push(event);
    else all.push(event);
  }
  flush();
  return all.map((event, at) => ({ ...event, seq: seq(at + 1) }));
}

const said = (events: readonly TraceEvent[]) =>
  checkTrace(events, { remarksOf })
    .findings.filter(({ rule }) => !rule.startsWith('frame/batch'))
    .map(({ rule, verdict, side, session, seen, seqs }) => ({
      ...{ rule, verdict, side, session, seen: seen.replace(/#\d+/g, '#') },
      frames: rule === 'schema/update' ? seqs.length : 0,
    }));

test('an array gets the findings of its messages', () => {
  const events = untimed(draw(TURN));
  expect(said(events).map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['schema/update', 'rpc/response-duplicate', 'schema/result']),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), (size) => {
      expect(said(inArrays(events, size))).toEqual(said(events));
    }),
  );
});

test('a finding points at the message inside the array', () => {
  const events = inArrays(untimed(draw(TURN)), 9);
  const { findings } = checkTrace(events, { remarksOf });
  const title = findings.find(({ seen }) => seen.includes('title'));
  expect(title).toMatchObject({ seqs: [7], pointer: '/1/params/update/title' });
  expect(findings.filter(({ rule }) => rule === 'frame/batch')).not.toEqual([]);
});

test('an index pairs and finds the messages of arrays, and the array stays one event', () => {
  const trace = indexed(inArrays(untimed(draw(TURN)), 9));
  const { index, eventAt } = trace;
  expect(index.facts()).toMatchObject({ frames: 6, open: [], handshake: { version: 1 } });
  expect(index.facts().sessions.map(({ sessionId }) => sessionId)).toEqual(['s1']);
  expect(seqsOf(trace, 'method:session/prompt')).toEqual([6, 7]);
  expect(seqsOf(trace, 'update:tool_call')).toEqual([7]);
  const rows = trace.rows().flatMap((row) => (row.type === 'frame' ? [row] : []));
  expect(rows.filter((row) => row.seq === 7).map(({ key, method }) => [key, method])).toEqual([
    ['f7', 'batch'],
    ['f7/0', 'agent_message_chunk'],
    ['f7/1', 'tool_call'],
    ['f7/2', 'session/new'],
    ['f7/3', 'tool_call_update'],
    ['f7/4', 'session/prompt'],
  ]);
  const last = eventAt(index.length - 1);
  expect(last).toMatchObject({ seq: 7, member: 4 });
  expect(saidBy(last)).toMatchObject({ kind: 'success' });
});

test('elements that are no messages have no place, and the others keep theirs', () => {
  const [event] = draw('agent raw [5,{"jsonrpc":"2.0","method":"_x"},{"a":1}, [] ]');
  if (!event) throw new Error('no event');
  const members = [...membersIn(event, saidBy(event))];
  expect(members.map(({ frame }) => frame.member)).toEqual([1]);
});

test('requests of a rejected array wait for nothing, and their ids are free again', () => {
  const ask =
    '[{"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Hi"}]}},{"jsonrpc":"2.0","id":6,"method":"session/list","params":{}}]';
  const trace = (answer: string) => `${V1_SESSION}
    client raw ${ask}
    ${answer}
    client →6 session/list {}
    agent ←6 result {"sessions":[]}`;
  const rules = (answer: string) =>
    checkTrace(untimed(draw(trace(answer)))).findings.map(({ rule }) => rule);
  const rejected = 'agent ←null error -32600 Invalid request';
  expect(rules(rejected)).toEqual(['frame/batch']);
  expect(indexed(trace(rejected)).index.facts().open).toEqual([]);
  expect(rules('agent ←null error -32603 Internal error')).toEqual(
    expect.arrayContaining(['rpc/id-reuse']),
  );
});

test('an array of responses to nothing is named message by message', () => {
  const ids = '[{"jsonrpc":"2.0","id":8,"result":{}},{"jsonrpc":"2.0","id":9,"result":{}}]';
  const { findings } = checkTrace(draw(`${V1}agent raw ${ids}`));
  const unknown = findings.find(({ rule }) => rule === 'rpc/response-unknown-id');
  expect(unknown?.places.map(({ pointer }) => pointer)).toEqual(['/0/id', '/1/id']);
});
