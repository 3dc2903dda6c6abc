import { describe, expect, test } from 'vitest';
import { fold, itemsOf, story } from '../../test/traces/fold.ts';
import { sessionFacts } from './session-facts.ts';

describe('tool calls', () => {
  test('v1: fields left out, and null, are unchanged; arrays replace', () => {
    const conversation = fold(`
      agent update s1 tool_call {"toolCallId":"t1","title":"ls","kind":"execute","content":[{"type":"content","content":{"type":"text","text":"a"}}]}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"completed","title":null,"kind":null}
    `);
    expect(story(conversation)).toEqual(['tool: ls (execute, completed)']);
    expect(itemsOf(conversation)[0]).toMatchObject({
      parts: [{ type: 'content', part: { type: 'text', text: 'a' } }],
    });
  });

  test('v2: null resets to the default, chunks append content', () => {
    const conversation = fold(
      `
      agent update s1 tool_call_update {"toolCallId":"t1","title":"ls","kind":"read","status":"failed","content":[{"type":"terminal","terminalId":"x"}]}
      agent update s1 tool_call_update {"toolCallId":"t1","kind":null,"status":null,"title":null,"name":"Bash","content":null}
      agent update s1 tool_call_content_chunk {"toolCallId":"t1","content":{"type":"content","content":{"type":"text","text":"o"}}}
      agent update s1 tool_call_content_chunk {"toolCallId":"t1","content":{"type":"content","content":{"type":"text","text":"k"}}}
    `,
      2,
    );
    expect(story(conversation)).toEqual(['tool: Bash (other, pending)']);
    expect(itemsOf(conversation)[0]).toMatchObject({
      parts: [{ type: 'content', part: { type: 'text', text: 'ok' } }],
    });
  });

  test('an update of an unknown call creates it, in both versions', () => {
    const line = 'agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}';
    expect(story(fold(line, 1))).toEqual(['tool: t1 (other, in_progress)']);
    expect(story(fold(line, 2))).toEqual(['tool: t1 (other, in_progress)']);
  });

  test('diffs of v1, patches of v2 and unknown content are told apart', () => {
    const conversation = fold(`
      agent update s1 tool_call {"toolCallId":"t1","title":"e","content":[{"type":"diff","path":"/a","newText":"n","oldText":null},{"type":"diff","changes":[{"operation":"move","oldPath":"/a","path":"/b"}],"patch":{"format":"git_patch","text":"diff"}},{"type":"diff"},{"type":"_x"}]}
    `);
    expect(itemsOf(conversation)[0]).toMatchObject({
      parts: [
        { type: 'diff', path: '/a', newText: 'n' },
        { type: 'patch', paths: ['/a → /b'], text: 'diff' },
        { type: 'other', value: { type: 'diff' } },
        { type: 'other', value: { type: '_x' } },
      ],
    });
  });

  test('a call without content shows its raw output', () => {
    const conversation = fold(
      'agent update s1 tool_call {"toolCallId":"t1","title":"x","rawOutput":"out"}',
    );
    expect(itemsOf(conversation)[0]).toMatchObject({
      parts: [{ type: 'content', part: { type: 'text', text: 'out' } }],
    });
  });
});

describe('plans', () => {
  test('v1: a plan replaces the plan of its turn; the next turn has its own', () => {
    const conversation = fold(`
      client →1 session/prompt s1 "Go"
      agent  update s1 plan {"entries":[{"content":"a","status":"pending","priority":"high"}]}
      agent  update s1 plan {"entries":[{"content":"a","status":"completed","priority":"high"}]}
      client →2 session/prompt s1 "On"
      agent  update s1 plan {"entries":[{"content":"b","status":"pending","priority":"low"}]}
    `);
    expect(story(conversation)).toEqual([
      'user: Go',
      'plan: a completed',
      'user: On',
      'plan: b pending',
    ]);
  });

  test('v2: by planId, until it is removed', () => {
    const plans = `
      agent update s1 plan_update {"plan":{"type":"items","planId":"p","entries":[{"content":"a","status":"pending","priority":"low"}]}}
      agent update s1 plan_update {"plan":{"type":"markdown","planId":"q","content":"# Q"}}
      agent update s1 plan_update {"plan":{"type":"items","planId":"p","entries":[{"content":"b","status":"cancelled","priority":"low"}]}}
    `;
    expect(story(fold(plans, 2))).toEqual(['plan: b cancelled', 'plan: # Q ']);
    const removed = fold(`${plans}\nagent update s1 plan_removed {"planId":"p"}`, 2);
    expect(story(removed)).toEqual(['plan: # Q ']);
  });
});

describe('asks', () => {
  const PERMISSION = `"options":[{"optionId":"a","name":"Yes","kind":"allow_once"},{"optionId":"r","name":"Reject once","kind":"reject_once"}]`;

  test('v1: the tool call of a permission is applied, and the answer stands in words', () => {
    const ask = `agent →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"rm -r /"},${PERMISSION}}`;
    const answered = (answer: string) => story(fold(`${ask}\n${answer}`));
    expect(answered('')).toEqual(['tool: rm -r / (other, pending)', 'ask: rm -r / → waits']);
    expect(answered('client ←0 result {"outcome":{"outcome":"selected","optionId":"a"}}')[1]).toBe(
      'ask: rm -r / → Yes · allow once',
    );
    expect(answered('client ←0 result {"outcome":{"outcome":"selected","optionId":"r"}}')[1]).toBe(
      'ask: rm -r / → Reject once',
    );
    expect(answered('client ←0 result {"outcome":{"outcome":"selected","optionId":"z"}}')[1]).toBe(
      'ask: rm -r / → Selected “z”, which was not offered',
    );
    expect(answered('client ←0 result {"outcome":{"outcome":"cancelled"}}')[1]).toBe(
      'ask: rm -r / → Cancelled',
    );
    expect(answered('client ←0 error -32601 Method not found')[1]).toBe(
      'ask: rm -r / → −32601 Method not found',
    );
    expect(answered('exit SIGKILL').slice(1)).toEqual([
      'ask: rm -r / → Never answered: the agent had ended',
      'error: The agent was ended by SIGKILL',
    ]);
    // It has no answer, and where it is shown nothing may say that it has.
    const [, left] = itemsOf(fold(`${ask}\nexit SIGKILL`));
    expect(left).toMatchObject({ type: 'ask', answer: { never: true } });
  });

  test('v2: the title is the ask’s own, the subject’s tool call is an update', () => {
    const conversation = fold(
      `
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Bash"}
      agent →0 session/request_permission {"sessionId":"s1","title":"May I?","subject":{"type":"tool_call","toolCall":{"toolCallId":"t1","kind":"execute"}},${PERMISSION}}
    `,
      2,
    );
    expect(story(conversation)).toEqual(['tool: Bash (execute, pending)', 'ask: May I? → waits']);
  });

  test('both sides count from 0: an answer goes to the request of the other side', () => {
    const conversation = fold(`
      client →0 session/prompt s1 "Go"
      agent  →0 elicitation/create {"sessionId":"s1","mode":"form","message":"Your name?","requestedSchema":{"type":"object"}}
      client ←0 result {"action":"accept","content":{"name":"Mika"}}
      agent  ←0 result {"stopReason":"refusal"}
    `);
    expect(story(conversation)).toEqual([
      'user: Go',
      'ask: Your name? → Accepted, with name',
      'warn: Turn ended: the agent refuses to go on',
    ]);
  });
});

describe('notes', () => {
  test('tell cancels, failures, closes and exits in one line each', () => {
    const conversation = fold(`
      client →1 session/prompt s1 "Go"
      client session/cancel s1
      agent  ←1 result {"stopReason":"cancelled"}
      client →2 session/prompt s1 "Again"
      agent  ←2 error -32603 Internal error
      client →3 session/close s1
      agent  ←3 result {}
      gap 1 the disk was full
      exit 137
    `);
    expect(story(conversation)).toEqual([
      'user: Go',
      'quiet: Cancel requested',
      'quiet: Turn cancelled',
      'user: Again',
      'error: session/prompt failed: −32603 Internal error',
      'quiet: Session closed',
      'warn: 1 event is missing here: the disk was full',
      'error: The agent exited with 137',
    ]);
  });

  test('a close that finds no session leaves it closed, and is told as the failure it was', () => {
    const conversation = fold(`
      client →1 session/close s1
      agent  ←1 error -32002 Resource not found
    `);
    expect(conversation.life?.value).toBe('closed');
    expect(story(conversation)).toEqual(['error: session/close failed: −32002 Resource not found']);
    const refused = fold(`client →1 session/close s1 \n agent ←1 error -32603 Internal error`);
    expect(refused.life?.value).not.toBe('closed');
  });

  test('tell a change of mode or option by its name, once, and not the first value', () => {
    const options = (value: string) =>
      `{"configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"${value}","options":[{"value":"a","name":"Ant"},{"value":"b","name":"Bee"}]}]}`;
    const conversation = fold(`
      client →1 session/new {"cwd":"/w","mcpServers":[]}
      agent  ←1 result {"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"plan","name":"Plan"}]},"configOptions":${options('a').slice(17, -1)}}
      client →2 session/set_mode {"sessionId":"s1","modeId":"plan"}
      agent  update s1 current_mode_update {"currentModeId":"plan"}
      agent  ←2 result {}
      agent  update s1 config_option_update ${options('a')}
      agent  update s1 config_option_update ${options('b')}
    `);
    expect(story(conversation)).toEqual(['quiet: Mode: Plan', 'quiet: Model: Bee']);
  });

  test('a cwd that was only tried in a restore does not become the session’s', () => {
    const tried = (cwd: string) => `
      client →2 session/load {"sessionId":"s1","cwd":"${cwd}","mcpServers":[]}
      agent  ←2 result {}`;
    const made = `
      client →1 session/new {"cwd":"/w","mcpServers":[]}
      agent  ←1 result {"sessionId":"s1"}`;
    expect(fold(made + tried('w')).cwd?.value).toBe('/w');
    expect(fold(tried('w')).cwd).toBeUndefined();
    expect(fold(tried('/a') + tried('/b')).cwd?.value).toBe('/a');
  });

  test('v2: the step to idle ends a turn; a repeated snapshot does not', () => {
    const conversation = fold(
      `
      agent update s1 state_update {"state":"idle"}
      agent update s1 state_update {"state":"running"}
      agent update s1 state_update {"state":"idle","stopReason":"error","error":{"code":-32603,"message":"no quota"}}
      agent update s1 state_update {"state":"idle","stopReason":"error","error":{"code":-32603,"message":"no quota"}}
    `,
      2,
    );
    expect(story(conversation)).toEqual(['error: Turn ended by an error: no quota']);
  });

  test('v2: idle that says why work ended whose begin was not told ends the turn of a prompt, and no other', () => {
    const idle = 'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}';
    expect(story(fold(idle, 2))).toEqual([]);
    const conversation = fold(
      `
      agent  update s1 state_update {"state":"idle"}
      client →1 session/prompt s1 "Hi"
      agent  ←1 result {}
      ${idle}
      ${idle}
    `,
      2,
    );
    expect(story(conversation)).toHaveLength(2);
  });

  test('a compaction keeps its place while it goes on', () => {
    const conversation = fold(
      `
      agent update s1 compaction_update {"compactionId":"c","status":"in_progress"}
      agent update s1 agent_message_chunk m1 "Meanwhile"
      agent update s1 compaction_summary_chunk {"compactionId":"c","content":{"type":"text","text":"All "}}
      agent update s1 compaction_summary_chunk {"compactionId":"c","content":{"type":"text","text":"well"}}
      agent update s1 compaction_update {"compactionId":"c","status":"completed"}
      agent update s1 notice {"severity":"warning","title":"Low","description":"Nearly out"}
    `,
      2,
    );
    expect(story(conversation)).toEqual([
      'quiet: Context compacted: All well',
      'agent: Meanwhile',
      'warn: Low · Nearly out',
    ]);
  });
});

test('tool calls are counted by status as they change, and anew where a load begins', () => {
  const before = fold(`
    agent update s1 tool_call {"toolCallId":"t1","title":"a"}
    agent update s1 tool_call {"toolCallId":"t2","title":"b","status":"in_progress"}
    agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
    agent update s1 tool_call_content_chunk {"toolCallId":"t3","content":{"type":"terminal","terminalId":"x"}}
    agent update s1 tool_call_update {"toolCallId":"t2","status":"completed"}
  `);
  expect(before.toolCounts).toEqual([
    ['completed', 2],
    ['pending', 1],
  ]);
  const loaded = fold(`
    agent update s1 tool_call {"toolCallId":"t1","title":"a"}
    client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent update s1 tool_call {"toolCallId":"t2","title":"b","status":"failed"}
  `);
  expect(loaded.toolCounts).toEqual([['failed', 1]]);
});

test('the background, usage with its cost, and what a session is set to keep the frame that said so', () => {
  const state = fold(
    `
    agent update s1 state_update {"state":"running","background":[{"type":"terminal","terminalId":"x"}]}
    agent update s1 usage_update {"used":5,"size":10,"cost":{"amount":0.5,"currency":"USD"}}
    agent update s1 usage_update {"used":6,"size":10}
    agent update s1 session_info_update {"title":"A"}
    agent update s1 session_info_update {"title":"A"}
    agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
    agent update s1 usage_update {"used":7,"size":10,"cost":null}
  `,
    2,
  );
  const facts = sessionFacts(state).map(({ path, value, seq }) => `${path} ${value} #${seq}`);
  expect(facts).toEqual([
    'state idle · end_turn #6',
    'background terminal x #1',
    'title A #4',
    'usage 7 of 10 · 70 % #7',
  ]);
});
