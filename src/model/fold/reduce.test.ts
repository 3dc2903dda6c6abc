import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { append, drawn, fold, itemsOf, story } from '../../test/traces/fold.ts';
import { lineText } from '../../trace/line.ts';
import type { ConversationItem } from '../sessions/conversation-view.ts';
import { waitingRequests } from './reduce.ts';
import { freshState, type SessionState } from './state.ts';

describe('properties', () => {
  const picture = (version: 1 | 2) => `
    client →1 session/prompt s1 "Hello"
    agent  update s1 user_message_chunk u1 "Hel" "lo"
    agent  update s1 agent_thought_chunk t1 "hm"
    agent  update s1 tool_call_update {"toolCallId":"t1","title":"ls","content":[{"type":"content","content":{"type":"text","text":"x"}}]}
    agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"ls"},"options":[{"optionId":"a","name":"Yes","kind":"allow_once"}]}
    client ←0 result {"outcome":{"outcome":"selected","optionId":"a"}}
    agent  update s1 plan {"entries":[{"content":"a","status":"pending","priority":"high"}]}
    agent  update s1 plan_update {"plan":{"type":"items","planId":"p","entries":[]}}
    agent  update s1 agent_message_chunk m1 "one " "two"
    agent  update s1 compaction_update {"compactionId":"c","status":"completed","summary":[{"type":"text","text":"s"}]}
    agent  update s1 plan_removed {"planId":"p"}
    agent  ←1 result ${version === 1 ? '{"stopReason":"end_turn"}' : '{"messageId":"u1"}'}
    client →2 ${version === 1 ? 'session/load' : 'session/resume'} {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    agent  update s1 user_message_chunk u1 "Hello"
    agent  update s1 agent_message_chunk m1 "one two"
    agent  ←2 result {}
    exit 0
  `;

  test('a state stays what it was, whatever comes after it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1 as const, 2 as const),
        fc.array(fc.boolean()),
        (v, replayed) => {
          let state = freshState('s1', v);
          const before: [SessionState, ConversationItem[]][] = [];
          draw(picture(v)).forEach((event, i) => {
            state = append(state, event, replayed[i]);
            before.push([state, structuredClone(itemsOf(state))]);
          });
          for (const [then, items] of before) expect(itemsOf(then)).toEqual(items);
        },
      ),
    );
  });

  test('splitting chunks anywhere gives the same text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat(40)), fc.constantFrom(1, 2), (text, cuts, v) => {
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((end, i) => text.slice(places[i], end));
        const chunks = pieces.map(
          (piece) => `agent update s1 agent_message_chunk m1 ${JSON.stringify(piece)}`,
        );
        expect(story(fold(chunks.join('\n'), v))).toEqual([`agent: ${text}`]);
      }),
    );
  });

  test('a block nested deeper than JSON can be written is no reason to stop', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const block = `{"type":"_x","deep":${deep}}`;
    const conversation = fold(`
      client →1 session/prompt {"sessionId":"s1","prompt":[${block}]}
      agent  session/update {"sessionId":"s1","update":{"sessionUpdate":"user_message_chunk","content":{"type":"_y","deep":${deep}}}}
    `);
    expect(story(conversation)).toEqual(['user: <other>', 'user: <other>']);
    expect(() => structuredClone(itemsOf(conversation))).not.toThrow();
  });

  test('the fold never throws, whatever stands in the frames', () => {
    const lines = [1 as const, 2 as const].flatMap((v) =>
      draw(picture(v)).flatMap((event) => (event.type === 'frame' ? [lineText(event.line)] : [])),
    );
    const junk = fc.oneof(fc.jsonValue(), fc.constantFrom('s1', 't1', 'm1', 'text', null, [], {}));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(lines.length - 1), fc.nat(30), junk, fc.boolean()), {
          maxLength: 60,
        }),
        fc.constantFrom(1, 2, undefined),
        (mutations, version) => {
          let conversation = freshState('s1', version);
          mutations.forEach(([line, place, value, agent], i) => {
            let at = 0;
            const text = JSON.stringify(
              JSON.parse(lines[line] ?? '{}', (key, old: unknown) =>
                at++ === place && !['jsonrpc', 'method'].includes(key) ? value : old,
              ),
            );
            const event = drawn(`${agent ? 'agent' : 'client'} raw ${text}`, i + 1);
            conversation = append(conversation, event);
          });
          const items = itemsOf(conversation);
          expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('what a transport could not hand over is not waited for: the turn has failed, and no restore goes on', () => {
  const refused = (of: number) =>
    `transport {"step":"failed","stream":"post","method":"POST","of":${of},"problem":"x broke."}`;
  const state = fold(
    `
    client →1 session/prompt s1 "Hello"
    ${refused(1)}
    client →2 session/load s1
    ${refused(3)}
    agent update s1 agent_message_chunk "Hi"
  `,
    1,
  );
  expect(story(state)).toEqual([
    'user: Hello',
    'error: session/prompt failed: x broke.',
    'error: session/load failed: x broke.',
    'agent: Hi',
  ]);
  expect(waitingRequests(state)).toEqual([]);
  expect(state).toMatchObject({ restoring: [], prompts: 0, prompted: false });
  expect(state.activity?.value).toEqual({ state: 'idle', error: 'x broke.' });
});

test('the version is that of the newest handshake that succeeded, also if that is the older one', () => {
  const first = `
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    client →1 initialize {"protocolVersion":1}
  `;
  expect(fold(`${first} \n agent ←1 result {"protocolVersion":1}`).version).toBe(1);
  expect(fold(`${first} \n agent ←1 error -32600 Initialized already`).version).toBe(2);
});

test('a close ends the work of a session, so that a restore does not find it running', () => {
  const closed = `
    agent update s1 state_update {"state":"running","background":[{"type":"terminal","terminalId":"x"}]}
    client →1 session/close s1
    agent ←1 result {}
  `;
  expect(fold(closed, 2)).toMatchObject({ activity: undefined, background: undefined });
  const restored = fold(`${closed} \n client →2 session/resume s1 \n agent ←2 result {}`, 2);
  expect(restored.activity?.value).toEqual({ state: 'idle' });
});
