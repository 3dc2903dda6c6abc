import { expect, test } from 'vitest';
import { intercepted } from '../../test/traces/intercepted.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { interceptMarks } from './intercept-marks.ts';

const LIVE = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{}}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Look at the roof"
  agent  update s1 agent_message_chunk a1 "There is "
  agent  update s1 agent_message_chunk a1 "a leak"
  agent  update s1 tool_call {"toolCallId":"t1","title":"Look","kind":"read","status":"pending"}
  agent  ←2 result {"stopReason":"end_turn"}
  exit 0`;

function marksOf(events: readonly TraceEvent[], session = 's1'): readonly object[] {
  const [source] = sourcesOf([events]);
  return source ? interceptMarks(source, session).map(({ connection: _, ...rest }) => rest) : [];
}

const under = (...rules: object[]) => intercepted(LIVE, rules);
/** The frame of the trace whose bytes are the intercept's. */
const ours = (events: readonly TraceEvent[]) =>
  events.find((event) => event.type === 'frame' && event.origin === 'intercept')?.seq;
const deed = (events: readonly TraceEvent[], did: string) =>
  events.find((event) => event.type === 'intercept' && event.did === did)?.seq;

test('a message that was dropped is named by its event, with its words as they were written', () => {
  const events = under({ on: 'update:agent_message_chunk', skip: 1, drop: true });
  expect(marksOf(events)).toEqual([
    {
      ...{ seq: deed(events, 'drop'), did: 'dropped', item: 'a1' },
      words: 'agent_message_chunk · “a leak”',
    },
  ]);
  expect(marksOf(events, 's2')).toEqual([]);
});

test('a response that was dropped belongs to the session of its request', () => {
  const events = under({ on: 'side:agent method:session/prompt type:res', drop: true });
  expect(marksOf(events)).toMatchObject([{ seq: deed(events, 'drop'), did: 'dropped' }]);
});

test('a message that was changed is named by the frame that was sent', () => {
  const edit = { set: { '$.params.update.title': 'Edited' } };
  const events = under({ on: 'update:tool_call', edit });
  const mark = { seq: ours(events), did: 'changed', item: 't1' };
  expect(marksOf(events)).toMatchObject([mark]);
  expect(JSON.stringify(marksOf(events))).toContain('Look');
  const cut = under({ on: 'update:tool_call', truncate: 30 });
  expect(marksOf(cut)).toMatchObject([{ ...mark, seq: ours(cut) }]);
});

test('a message of the intercept and a message that it repeats are told apart', () => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'New' } };
  const inject = { notify: 'session/update', params: { sessionId: 's1', update } };
  const added = under({ on: 'update:tool_call', to: 'client', inject });
  expect(marksOf(added)).toEqual([
    { seq: ours(added), did: 'added', words: 'agent_message_chunk · “New”' },
  ]);
  const twice = under({ on: 'update:tool_call', duplicate: 1 });
  expect(marksOf(twice)).toMatchObject([{ seq: ours(twice), did: 'sent again' }]);
});

test('a held message that a person edits is changed, and one that a person drops is dropped', () => {
  const held = under({ on: 'update:tool_call', hold: true });
  const hold = deed(held, 'hold') ?? seq(0);
  const title = (event: TraceEvent): TraceEvent =>
    event.type === 'frame' && event.of === hold && 'text' in event.line
      ? {
          ...{ ...event, origin: 'intercept' },
          line: { text: event.line.text.replace('Look', 'Edited') },
        }
      : event;
  expect(marksOf(held)).toEqual([]);
  const edited = held.map(title);
  expect(marksOf(edited)).toMatchObject([{ seq: ours(edited), did: 'changed', item: 't1' }]);
  const dropped = held.map((event): TraceEvent => {
    if (event.type !== 'frame' || event.of !== hold) return event;
    return { type: 'intercept', seq: event.seq, did: 'drop', from: 'agent', of: hold };
  });
  expect(marksOf(dropped)).toMatchObject([{ seq: hold, did: 'dropped', item: 't1' }]);
});

test('a message that only came later, or of a trace without an intercept, has no mark', () => {
  expect(marksOf(under({ on: 'update:tool_call', delay: 5 }))).toEqual([]);
  expect(marksOf(under())).toEqual([]);
});
