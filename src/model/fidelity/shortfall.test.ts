import { describe, expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { connectionId } from '../../trace/event.ts';
import { fidelityOf } from './fidelity.ts';
import { fidelityJson } from './report/report-json.ts';

const ONE = connectionId('c1');

/** The last restore of a trace. */
function last(picture: string) {
  const { index, eventAt } = indexed(picture);
  const report = fidelityOf([{ index, eventAt, connection: ONE, began: 0 }]);
  const { windows } = JSON.parse(fidelityJson(report)) as { windows: { asDue: boolean | null }[] };
  const window = report.windows.at(-1);
  return {
    ...{ restored: window?.restored, due: window?.due, asDue: windows.at(-1)?.asDue },
    ...window?.shortfall,
  };
}

const TOOL =
  'agent update s1 tool_call {"toolCallId":"t1","title":"Read","kind":"read","status":"completed"}';
const V1 = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Mend the fault in the roof"
  agent  update s1 agent_thought_chunk "There may be a leak"
  ${TOOL}
  agent  update s1 agent_message_chunk "It is mended, and no water comes in."
  agent  ←2 result {"stopReason":"end_turn"}
  client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`;
const USER = 'agent update s1 user_message_chunk "Mend the fault in the roof"';
const THOUGHT = 'agent update s1 agent_thought_chunk "There may be a leak"';
const SAID = 'agent update s1 agent_message_chunk "It is mended, and no water comes in."';
const ANSWER = 'agent ←5 result {}';
const load = (...came: string[]) => last([V1, ...came, ANSWER].join('\n'));

describe('v1 load', () => {
  test('what comes whole falls short of nothing', () => {
    expect(load(USER, THOUGHT, TOOL, SAID)).toEqual({
      ...{ restored: 'replayed-from-start', due: true, asDue: true },
    });
  });

  test('a tool call that does not come is an error, and the restore is not as due', () => {
    expect(load(USER, THOUGHT, SAID)).toEqual({
      ...{ restored: 'replayed-from-start', due: true, asDue: false, weight: 'error' },
      words: '1 item did not come back; v1 makes the entire conversation due',
    });
  });

  test('a thought that does not come weighs less', () => {
    expect(load(USER, TOOL, SAID)).toMatchObject({ asDue: false, weight: 'warning' });
  });

  test('where nothing is known of the live part, nothing falls short', () => {
    const unknown = `
      client →0 initialize {"protocolVersion":1}
      agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
      client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`;
    expect(last([unknown, USER, SAID, ANSWER].join('\n'))).toEqual({
      ...{ restored: 'replayed-from-start', due: true, asDue: true },
    });
    // Faults that the replay alone proves are judged without a live session.
    expect(last([unknown, SAID, ANSWER].join('\n'))).toMatchObject({
      ...{ asDue: false, weight: 'warning' },
      words: '1 of the agent’s messages and none of the user’s',
    });
  });
});

describe('v2 start', () => {
  const V2 = `
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}
    client →1 session/new {"cwd":"/w"}
    agent  ←1 result {"sessionId":"s1"}
    agent  update s1 agent_message m1 "one"
    agent  update s1 agent_message m2 "two"
    agent  update s1 state_update {"state":"idle"}
    client →5 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}`;
  const IDLE = 'agent update s1 state_update {"state":"idle"}';
  const start = (...came: string[]) => last([V2, ...came, IDLE, ANSWER].join('\n'));

  test('an agent need not keep everything: as due, and what is missing is counted', () => {
    expect(start('agent update s1 agent_message m1 "one"')).toEqual({
      ...{ restored: 'replayed-from-start', due: true, asDue: true, weight: 'hint' },
      words: '1 item did not come back',
    });
  });

  test('what it replays must have been so', () => {
    expect(
      start('agent update s1 agent_message m1 "one"', 'agent update s1 agent_message m2 "six"'),
    ).toMatchObject({ asDue: false, weight: 'warning', words: '1 item came back otherwise' });
  });
});
