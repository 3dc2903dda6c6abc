// One turn in v1, two in v2, as they came live, and what a restore of them tells.
import { V1, V1_SESSION, V2, V2_SESSION } from './rule-case.ts';

export const LOAD = '{"sessionId":"s1","cwd":"/w","mcpServers":[]}';
export const START = '{"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}';
export const IDLE = 'agent update s1 state_update {"state":"idle"}';

export const LIVED = `${V1_SESSION}
  client →2 session/prompt s1 "Mend the roof"
  agent update s1 agent_thought_chunk "Where does it leak?"
  agent update s1 tool_call {"toolCallId":"t1","title":"look","status":"pending"}
  agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent update s1 agent_message_chunk m1 "It is " "mended now."
  agent ←2 result {"stopReason":"end_turn"}
`;
export const loaded = (...frames: string[]) => `${V1}
  client →1 session/load ${LOAD}
  ${frames.join('\n')}
  agent ←1 result {}
`;
export const USER = 'agent update s1 user_message_chunk "Mend the roof"';
export const THOUGHT = 'agent update s1 agent_thought_chunk "Where does it leak?"';
export const TOOL =
  'agent update s1 tool_call {"toolCallId":"t1","title":"look","status":"completed"}';
export const ANSWER = 'agent update s1 agent_message_chunk m1 "It is mended now."';
export const WHOLE = [USER, THOUGHT, TOOL, ANSWER];

export const LIVED_V2 = `${V2_SESSION}
  client →2 session/prompt s1 "Mend the roof"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "Mend the roof"
  agent update s1 agent_message_chunk a1 "It is " "mended."
  agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
  client →3 session/prompt s1 "And the wall"
  agent update s1 user_message u2 "And the wall"
  agent ←3 result {"messageId":"u2"}
  agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
`;
export const resumed = (...frames: string[]) => `${V2}
  client →1 session/resume ${START}
  ${frames.join('\n')}
  ${IDLE}
  agent ←1 result {}
`;
export const U1 = 'agent update s1 user_message u1 "Mend the roof"';
export const A1 = 'agent update s1 agent_message a1 "It is mended."';
export const U2 = 'agent update s1 user_message u2 "And the wall"';
