import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { indexed, seqsOf } from '../../test/traces/indexed.ts';
import { eventsAt, indexedTrace } from '../indexed-trace.ts';
import { TimelineView } from '../timeline/timeline-view.ts';
import { sessionsBelow, sessionTree, treeQuery } from './session-tree.ts';

const START = `
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{"subagents":{}}}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"root"}
  agent  update root subagent_update {"sessionId":"a","capabilities":{"cancel":{}},"state":{"state":"running"}}
  client →2 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←2 result {"sessionId":"other"}
  agent  update a subagent_update {"sessionId":"b","state":{"state":"idle"}}
  agent  update root subagent_update {"sessionId":"c"}`;
const sessionsOf = (picture: string) => indexed(picture).index.facts().sessions;

test('children stand under their session, and are named after it', () => {
  const lines = sessionTree(sessionsOf(START)).map(({ session: { chip, sessionId }, depth }) => [
    chip,
    sessionId,
    depth,
  ]);
  expect(lines).toEqual([
    ['S1', 'root', 0],
    ['S1.1', 'a', 1],
    ['S1.1.1', 'b', 2],
    ['S1.2', 'c', 1],
    ['S2', 'other', 0],
  ]);
});

test('all that stand under a session are told with it, and of a child nothing', () => {
  const sessions = sessionsOf(START);
  const below = sessions.map((one) =>
    sessionsBelow(sessions, one).map(({ session }) => session.sessionId),
  );
  expect(below).toEqual([['a', 'b', 'c'], [], [], [], []]);
});

test('the frames of a session and its children have a query', () => {
  const sessions = sessionsOf(START);
  const queries = sessions.map((session) => treeQuery(sessions, session));
  expect(queries).toEqual(['session:S1+', 'session:S1.1+', undefined, undefined, undefined]);
  const trace = indexed(START);
  expect(seqsOf(trace, 'session:S1+')).toEqual([4, 5, 8, 9]);
  expect(seqsOf(trace, 'session:S1.1+')).toEqual([8]);
  expect(seqsOf(trace, 'session:root+,S2')).toEqual([4, 5, 7, 8, 9]);
  expect(seqsOf(trace, 'session:S2+')).toEqual([7]);
});

test('a session asked for with its children has those too that are announced while it is watched', () => {
  const events = draw(START);
  const { index } = indexedTrace([], 'c1');
  const view = new TimelineView(index, eventsAt(events));
  void view.setQuery('session:S1+');
  for (const event of [
    ...events,
    ...draw(`${START}\n  agent update c agent_message_chunk "x"`).slice(-1),
  ]) {
    index.append(event);
    view.grow();
  }
  expect(view.state().counts.shown).toBe(5);
});

test('a child lives and may be cancelled as was told since the last restore', () => {
  const of = (picture: string) => sessionsOf(picture).find(({ sessionId }) => sessionId === 'a');
  expect(of(START)).toMatchObject({
    parent: 'root',
    active: true,
    cancels: true,
    turn: 'running',
  });
  const restored = `${START}
    client →5 session/load {"sessionId":"root","cwd":"/w","mcpServers":[]}
    agent  update root subagent_update {"sessionId":"a","capabilities":{"cancel":{}},"state":{"state":"running"}}
    agent  ←5 result {}`;
  expect(of(restored)).toMatchObject({ active: false, turn: 'unknown' });
  expect(of(restored)).not.toHaveProperty('cancels');
  const again = `${restored}
    agent  update root subagent_update {"sessionId":"a","capabilities":{"cancel":{}}}`;
  expect(of(again)).toMatchObject({ active: true, cancels: true, turn: 'unknown' });
});
