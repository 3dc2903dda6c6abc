import { describe, expect, test } from 'vitest';
import { append, drawn, fold, itemsOf, story } from '../../test/traces/fold.ts';

describe('v1 messages', () => {
  test('chunks append to the message that stands last, and the turn ends with the answer', () => {
    const conversation = fold(`
      client →1 session/prompt s1 "Fix it"
      agent  update s1 agent_thought_chunk "Let me " "see"
      agent  update s1 agent_message_chunk "Do" "ne."
      agent  ←1 result {"stopReason":"end_turn"}
    `);
    expect(story(conversation)).toEqual([
      'user: Fix it',
      'thought: Let me see',
      'agent: Done.',
      'quiet: Turn ended',
    ]);
    expect(itemsOf(conversation)[2]).toMatchObject({ first: 4, last: 5, frames: 2 });
  });

  test('a changed messageId starts a new message, one left out does not', () => {
    const conversation = fold(`
      agent update s1 agent_message_chunk m1 "one"
      agent update s1 agent_message_chunk "+"
      agent update s1 agent_message_chunk m2 "two"
    `);
    expect(story(conversation)).toEqual(['agent: one+', 'agent: two']);
  });

  test('a tool call in between starts a new message, even under the same id', () => {
    const conversation = fold(`
      agent update s1 agent_message_chunk m1 "before"
      agent update s1 tool_call {"toolCallId":"t1","title":"ls"}
      agent update s1 agent_message_chunk m1 "after"
    `);
    expect(story(conversation)).toEqual([
      'agent: before',
      'tool: ls (other, pending)',
      'agent: after',
    ]);
    const keys = itemsOf(conversation).map((item) => item.key);
    expect(new Set(keys).size).toBe(3);
  });

  test('state that is no item of the conversation does not break a message', () => {
    const conversation = fold(`
      agent update s1 agent_message_chunk "one "
      agent update s1 usage_update {"used":1,"size":2}
      agent update s1 session_info_update {"title":"x"}
      agent update s1 available_commands_update {"availableCommands":[]}
      agent update s1 agent_message_chunk "message"
    `);
    expect(story(conversation)).toEqual(['agent: one message']);
  });

  test('another session is passed over', () => {
    const conversation = fold(`
      client →1 session/prompt s2 "Not ours"
      agent update s2 agent_message_chunk "theirs"
      agent ←1 result {"stopReason":"end_turn"}
    `);
    expect(story(conversation)).toEqual([]);
  });
});

describe('a v1 prompt that the agent echoes', () => {
  test('stands once, with the frames and the id of the echo', () => {
    const conversation = fold(`
      client →1 session/prompt s1 "Hello there"
      agent  update s1 user_message_chunk u1 "Hello" " there"
      agent  update s1 agent_message_chunk "Hi"
    `);
    expect(story(conversation)).toEqual(['user: Hello there', 'agent: Hi']);
    expect(itemsOf(conversation)[0]).toMatchObject({
      key: '#1',
      messageId: 'u1',
      last: 3,
      frames: 3,
    });
  });

  test('is told from a user message that only begins alike', () => {
    const conversation = fold(`
      client →1 session/prompt s1 "Hello there"
      agent  update s1 user_message_chunk "Hello" " from elsewhere"
    `);
    expect(story(conversation)).toEqual(['user: Hello there', 'user: Hello from elsewhere']);
    expect(itemsOf(conversation).map((item) => [item.first, item.last, item.frames])).toEqual([
      [1, 1, 1],
      [2, 3, 2],
    ]);
  });

  test('is complete before another user message begins', () => {
    const conversation = fold(`
      client →1 session/prompt s1 "Hello"
      agent  update s1 user_message_chunk u1 "Hello"
      agent  update s1 user_message_chunk u2 "Hello"
    `);
    expect(story(conversation)).toEqual(['user: Hello', 'user: Hello']);
  });
});

describe('v1 session/load', () => {
  const LOADED = `
    client →1 session/prompt s1 "Hi"
    agent  update s1 agent_message_chunk "Hello"
    agent  ←1 result {"stopReason":"end_turn"}
    client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  `;

  test('rebuilds the conversation from empty: nothing is doubled', () => {
    const conversation = fold(
      `${LOADED}
      agent  update s1 user_message_chunk "Hi"
      agent  update s1 agent_message_chunk "Hello"
      agent  ←2 result {}
      client →3 session/prompt s1 "And?"
      agent  update s1 agent_message_chunk "More"`,
      1,
      [5, 6],
    );
    expect(story(conversation)).toEqual(['user: Hi', 'agent: Hello', 'user: And?', 'agent: More']);
    expect(itemsOf(conversation).map((item) => item.replay)).toEqual([true, true, false, false]);
  });

  test('that is refused leaves everything as it was', () => {
    const conversation = fold(`${LOADED}
      agent  ←2 error -32602 Invalid params`);
    expect(story(conversation)).toEqual([
      'user: Hi',
      'agent: Hello',
      'quiet: Turn ended',
      'error: session/load failed: −32602 Invalid params',
    ]);
  });

  test('whose history comes after the answer doubles nothing either', () => {
    const conversation = fold(`${LOADED}
      agent  ←2 result {}
      agent  update s1 user_message_chunk "Hi"
      agent  update s1 agent_message_chunk "Hello"`);
    expect(story(conversation)).toEqual([
      'quiet: Restored by session/load, without history',
      'user: Hi',
      'agent: Hello',
    ]);
  });

  test('leaves an older state as it was', () => {
    const before = fold(LOADED);
    const after = append(before, drawn('agent update s1 agent_message_chunk "Anew"', 9));
    expect(story(after)).toEqual(['agent: Anew']);
    expect(story(before)).toEqual(['user: Hi', 'agent: Hello', 'quiet: Turn ended']);
  });

  test('forbidden history of a v1 resume is added, as a trusting client would', () => {
    const conversation = fold(
      `
      agent  update s1 agent_message_chunk "Hello"
      client →2 session/resume {"sessionId":"s1","cwd":"/w"}
      agent  update s1 agent_message_chunk "Hello"
      agent  ←2 result {}
    `,
      1,
      [3],
    );
    expect(story(conversation)).toEqual(['agent: Hello', 'agent: Hello']);
  });
});

describe('v2 messages', () => {
  test('are upserts: omitted content leaves, null and [] clear, an array replaces', () => {
    const conversation = fold(
      `
      agent update s1 agent_message_chunk m1 "kept"
      agent update s1 agent_message m1
      agent update s1 agent_message_chunk m2 "gone"
      agent update s1 agent_message m2 {"content":null}
      agent update s1 agent_message_chunk m3 "old"
      agent update s1 agent_message m3 {"content":[]}
      agent update s1 agent_message_chunk m3 "new"
      agent update s1 agent_message m4 "whole"
    `,
      2,
    );
    expect(story(conversation)).toEqual(['agent: kept', 'agent: ', 'agent: new', 'agent: whole']);
  });

  test('chunks of different messages may interleave, and ids are apart for each role', () => {
    const conversation = fold(
      `
      agent update s1 agent_thought_chunk m1 "th"
      agent update s1 agent_message_chunk m1 "me"
      agent update s1 tool_call_update {"toolCallId":"t1","title":"ls"}
      agent update s1 agent_thought_chunk m1 "ink"
      agent update s1 agent_message_chunk m1 "ssage"
    `,
      2,
    );
    expect(story(conversation)).toEqual([
      'thought: think',
      'agent: message',
      'tool: ls (other, pending)',
    ]);
  });

  test.each([
    [
      'before the answer',
      ['agent update s1 user_message u1 "Hello"', 'agent ←1 result {"messageId":"u1"}'],
    ],
    [
      'after the answer',
      ['agent ←1 result {"messageId":"u1"}', 'agent update s1 user_message u1 "Hello"'],
    ],
    [
      'in chunks',
      ['agent update s1 user_message_chunk u1 "Hel" "lo"', 'agent ←1 result {"messageId":"u1"}'],
    ],
    [
      'with a reset first',
      [
        'agent update s1 user_message u1 {"content":[]}',
        'agent update s1 user_message_chunk u1 "Hello"',
        'agent ←1 result {"messageId":"u1"}',
      ],
    ],
    [
      'in other words',
      [
        'agent update s1 user_message u1 "Hello"',
        'agent update s1 user_message u1 "Hello"',
        'agent ←1 result {"messageId":"u1"}',
      ],
    ],
  ])('a prompt stands once, its echo %s', (_, lines) => {
    const conversation = fold(['client →1 session/prompt s1 "Hello"', ...lines].join('\n'), 2);
    expect(story(conversation)).toEqual(['user: Hello']);
    expect(itemsOf(conversation)[0]).toMatchObject({ messageId: 'u1' });
  });

  test('an echo that says something else replaces the prompt once the answer names it', () => {
    const conversation = fold(
      `
      client →1 session/prompt s1 "Hello"
      agent  update s1 user_message u1 "HELLO"
      agent  ←1 result {"messageId":"u1"}
    `,
      2,
    );
    expect(story(conversation)).toEqual(['user: HELLO']);
  });

  test('an echo that comes in chunks, once the answer named the prompt, is not the prompt twice', () => {
    const conversation = fold(
      `
      client →1 session/prompt s1 "Fix the roof"
      agent ←1 result {"messageId":"u1"}
      agent update s1 user_message_chunk u1 "Fix the" " roof"
    `,
      2,
    );
    expect(story(conversation)).toEqual(['user: Fix the roof']);
  });

  test('a held prompt takes its place when it is inserted', () => {
    const conversation = fold(
      `
      client →1 session/prompt s1 "First"
      agent  update s1 user_message u1 "First"
      client →2 session/prompt s1 "Second"
      agent  update s1 agent_message_chunk m1 "About the first"
      agent  update s1 user_message u2 "Second"
      agent  update s1 agent_message_chunk m2 "About the second"
    `,
      2,
    );
    expect(story(conversation)).toEqual([
      'user: First',
      'agent: About the first',
      'user: Second',
      'agent: About the second',
    ]);
  });

  test('a replay onto a known conversation doubles nothing and keeps places', () => {
    const conversation = fold(
      `
      client →1 session/prompt s1 "Hi"
      agent  update s1 user_message u1 "Hi"
      agent  ←1 result {"messageId":"u1"}
      agent  update s1 state_update {"state":"running"}
      agent  update s1 agent_message_chunk m1 "Hel" "lo"
      agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}
      client →2 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
      agent  update s1 user_message u1 "Hi"
      agent  update s1 agent_message m1 {"content":[]}
      agent  update s1 agent_message_chunk m1 "Hello"
      agent  update s1 agent_message m0 "Forgotten"
      agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}
      agent  ←2 result {}
    `,
      2,
      [9, 10, 11, 12],
    );
    expect(story(conversation)).toEqual([
      'user: Hi',
      'agent: Hello',
      'quiet: Turn ended',
      'agent: Forgotten',
    ]);
    expect(itemsOf(conversation).map((item) => item.replay)).toEqual([false, false, false, true]);
  });

  test('v2 shows itself also where the handshake is not in the trace', () => {
    const conversation = fold(`
      agent update s1 state_update {"state":"running"}
      agent update s1 agent_message_chunk m1 "a"
      agent update s1 agent_message_chunk m2 "b"
      agent update s1 agent_message_chunk m1 "a"
    `);
    expect(story(conversation)).toEqual(['agent: aa', 'agent: b']);
  });
});
