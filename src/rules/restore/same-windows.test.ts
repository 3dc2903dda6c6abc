// One class, Windows, has two feeders. A rule needs a restore as it is at a frame, and `check` streams a file
// without an index; the index stores what became of each restore. Both must give each frame the same place.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLAG } from '../../model/columns.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import { connectionId, type TraceEvent } from '../../trace/event.ts';
import { eventSize } from '../../trace/line.ts';
import { draw } from '../../test/traces/draw.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { Checker } from '../checker.ts';
import { onUpdate } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import { World } from '../connection.ts';

/** `seq replay|late` of each such frame. */
function checkerSays(events: readonly TraceEvent[]): string[] {
  const said: string[] = [];
  const say = ({ seq, replay, late, window }: UpdateStep) => {
    if (replay || late) said.push(`${seq} ${late ? 'late' : 'replay'} of ${window?.seq}`);
  };
  const checker = new Checker({
    connection: connectionId('c1'),
    world: new World(),
    rules: [],
    folds: [[onUpdate('all', say)]],
  });
  for (const event of events) {
    const message = event.type === 'frame' ? messageOf(event) : undefined;
    checker.append(event, message, eventSize(event));
  }
  return said;
}

function indexSays(events: readonly TraceEvent[]): string[] {
  const { index } = indexed(events);
  return events.flatMap(({ seq }, place) => {
    const late = index.columns.has(place, FLAG.late);
    if (!late && !index.columns.has(place, FLAG.replay)) return [];
    return [`${seq} ${late ? 'late' : 'replay'} of ${index.window(place)?.seq}`];
  });
}

test.each(recordings().map(({ name, events }) => [name, events] as const))('%s', (_, events) => {
  expect(checkerSays(events)).toEqual(indexSays(events));
});

const line = fc.constantFrom(
  'client →1 session/load s1',
  'client →2 session/resume s1',
  'client →3 session/resume s2 {"replayFrom":{"type":"start"}}',
  'client →4 session/fork s1',
  'client →5 session/prompt s1 "go"',
  'client →6 session/close s1',
  'agent ←1 result {}',
  'agent ←2 result {}',
  'agent ←3 result {}',
  'agent ←4 result {"sessionId":"s3"}',
  'agent ←5 result {"stopReason":"end_turn"}',
  'agent ←1 error -32603 no',
  'agent update s1 user_message_chunk "go"',
  'agent update s1 user_message_chunk "other"',
  'agent update s2 agent_message_chunk "a"',
  'agent update s3 agent_message_chunk "b"',
  'agent update s1 tool_call {"toolCallId":"t"}',
  'agent update s1 state_update {"state":"running"}',
  'agent update s1 state_update {"state":"idle","background":[]}',
  'agent update s2 state_update {"state":"idle","background":[{"type":"tool_call","toolCallId":"t"}]}',
  'agent update s1 subagent_update {"sessionId":"k1"}',
  'agent update s1 subagent_update {"sessionId":"k1","state":{"state":"running"}}',
  'agent update k1 subagent_update {"sessionId":"k2","state":{"state":"idle"}}',
  'agent update k1 agent_message_chunk "c"',
  'agent update k2 agent_message_chunk "d"',
  'agent update s1 replay_complete',
  'agent update k1 replay_complete',
  'agent update s2 replay_complete',
);

test('of any course of restores', () => {
  fc.assert(
    fc.property(fc.constantFrom(1, 2), fc.array(line, { maxLength: 30 }), (version, lines) => {
      const events = draw(`
        client →0 initialize {"protocolVersion":${version}}
        agent ←0 result {"protocolVersion":${version}}
        ${lines.join('\n')}
      `);
      expect(checkerSays(events)).toEqual(indexSays(events));
    }),
    { numRuns: 1000 },
  );
});
