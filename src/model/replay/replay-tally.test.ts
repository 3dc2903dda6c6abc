import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { historyItems, overhead } from './replay-tally.ts';
import { itemsWords, overheadWords, timesWords, windowTitle } from '../timeline/replay-words.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';

const LOAD = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`;

function windowOf(picture: string): ReplayWindowView {
  const window = indexed(picture).index.windows()[0];
  if (window === undefined) throw new Error('No restore was drawn');
  return window;
}

test('a window counts things once, by kind, and says what it took to tell them', () => {
  const window = windowOf(`${LOAD}
    +40ms
    agent update s1 user_message_chunk u1 "Hel" "lo"
    agent update s1 agent_thought_chunk a1 "hm"
    agent update s1 agent_message_chunk a1 "one" "two" "three"
    agent update s1 tool_call {"toolCallId":"t1","title":"x"}
    agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
    agent update s1 available_commands_update {"availableCommands":[]}
    agent update s1 plan {"entries":[]}
    +60ms
    agent ←1 result {}`);
  expect(window.figures).toEqual({
    items: { user: 1, thought: 1, agent: 1, tool: 1 },
    others: { available_commands_update: 1, plan: 1 },
    chunks: 8,
    toFirst: 40,
    toLast: 49,
  });
  expect(overhead(window.figures)).toBe(2);
  expect(itemsWords(window.figures)).toEqual([
    '1 user message',
    '1 agent message',
    '1 thought',
    '1 tool call',
  ]);
  expect(timesWords(window)).toEqual([
    'first after 40 ms',
    'last after 49 ms',
    'answer after 109 ms',
  ]);
  expect(windowTitle(window).split('\n')[3]).toBe('×2.0 updates for each message and tool call');
});

test('what child sessions replayed is counted apart from their parent', () => {
  const window = windowOf(`${LOAD}
    agent update s1 user_message_chunk u1 "Hello"
    agent update s1 subagent_update {"sessionId":"k1","title":"Counter"}
    agent update k1 agent_message_chunk a1 "one" "two"
    agent update k1 tool_call {"toolCallId":"t1","title":"x","status":"completed"}
    agent ←1 result {}`);
  expect(window).toMatchObject({ messages: 1, tools: 0 });
  expect(window.figures).toMatchObject({ items: { user: 1 }, children: { agent: 1, tool: 1 } });
  expect(itemsWords(window.figures)).toEqual([
    '1 user message',
    '1 agent message of child sessions',
    '1 tool call of child sessions',
  ]);
  expect(overhead(window.figures)).toBe(4 / 3);
});

test('a window that brings nothing has no times but its answer’s, and no overhead', () => {
  const window = windowOf(`${LOAD}\n+5ms\nagent ←1 result {}`);
  expect(overheadWords(window.figures)).toBeUndefined();
  expect(timesWords(window)).toEqual(['answer after 5.0 ms']);
});

test('windows that overlap, of two sessions, count each its own', () => {
  const { index } = indexed(`${LOAD}
    client →2 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
    agent update s1 agent_message_chunk a "x" "y"
    agent update s2 agent_message_chunk a "x"
    agent ←2 result {}
    agent update s1 agent_message_chunk b "z"
    exit 137`);
  expect(
    index.windows().map(({ outcome, figures }) => [outcome, figures.chunks, figures.items]),
  ).toEqual([
    ['incomplete', 3, { agent: 2 }],
    ['answered', 1, { agent: 1 }],
  ]);
});

/** What must hold of the figures of any window. */
function holds({ figures, updates, messages, tools, took }: ReplayWindowView): void {
  const { items, others, chunks, toFirst, toLast } = figures;
  expect(historyItems(items)).toBe(messages + tools);
  expect(chunks).toBeGreaterThanOrEqual(messages + tools);
  const rest = Object.values(others).reduce((sum, found) => sum + found, 0);
  expect(chunks + rest).toBeLessThanOrEqual(updates);
  expect(toFirst === undefined).toBe(updates === 0);
  if (toFirst === undefined || toLast === undefined) return;
  expect(toFirst).toBeLessThanOrEqual(toLast);
  // Times of foreign recordings are fractions.
  expect(toLast - took).toBeLessThan(1e-6);
}

describe('figures add up', () => {
  const update = fc.constantFrom(
    'agent update s1 agent_message_chunk a "x"',
    'agent update s1 agent_message_chunk "no id"',
    'agent update s1 user_message_chunk u "x"',
    'agent update s1 agent_thought_chunk a "x"',
    'agent update s1 tool_call {"toolCallId":"t","title":"x"}',
    'agent update s1 tool_call_update {"toolCallId":"t2","status":"completed"}',
    'agent update s1 usage_update {"used":1,"size":2}',
    'agent update s2 agent_message_chunk a "live elsewhere"',
    'stderr words',
    '+7ms',
  );
  const end = fc.constantFrom('agent ←1 result {}', 'agent ←1 error -32603 No', 'exit 1', '');

  test('for any course of a load', () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 30 }), end, (updates, how) => {
        holds(windowOf([LOAD, ...updates, how].join('\n')));
      }),
    );
  });

  const restored = recordings().flatMap(({ name, events }) => {
    const windows = indexed(events).index.windows();
    return windows.length > 0 ? [{ name, windows }] : [];
  });
  test.each(restored)('in $name', ({ windows }) => {
    for (const window of windows) holds(window);
  });
});
