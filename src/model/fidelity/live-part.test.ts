// The stretches a live part is told to come from: no frame that an agent replayed is in them.
import { expect, test } from 'vitest';
import type { IndexedTrace } from '../indexed-trace.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { SETS } from '../../test/traces/reviewed.ts';
import { fidelityOf } from './fidelity.ts';
import { takesChildren } from './live-part.ts';
import { livedIn } from './lived-in.ts';

const HELLO = `
  client →0 initialize {"protocolVersion":2}
  agent ←0 result {"protocolVersion":2,"info":{"name":"toy","version":"1"},"capabilities":{"session":{}}}`;
const PROMPT = `
  client →7 session/prompt s1 "Hello"
  agent update s1 state_update {"state":"running"}
  agent update s1 agent_message_chunk m1 "Hi there"
  agent update s1 state_update {"state":"idle"}`;
const LIVE = `${HELLO}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}${PROMPT}`;
const RESTORE = `
  client →2 session/resume {"sessionId":"s1","cwd":"/w","mcpServers":[],"replayFrom":{"type":"start"}}
  agent update s1 agent_message_chunk m1 "Hi there"
  agent update s1 available_commands_update {"availableCommands":[]}
  agent update s1 state_update {"state":"idle"}
  agent ←2 result {}`;

/** What the newest window is held against, a word each: `c1#4–8`. */
function stretches(...traces: readonly string[]): string[] {
  const { windows } = fidelityOf(sourcesOf(traces));
  return (windows.at(-1)?.live ?? []).map(
    ({ connection, from, to }) => `${connection}#${from}–${to}`,
  );
}

test('a connection that only restored holds no live part', () => {
  expect(stretches(LIVE, HELLO + RESTORE, HELLO + RESTORE)).toEqual(['c1#4–8']);
});

test('a connection that went on after its restore holds what came after it', () => {
  expect(stretches(LIVE, HELLO + RESTORE + PROMPT, HELLO + RESTORE)).toEqual(['c1#4–8', 'c2#8–11']);
});

test('a restore on the connection itself parts what was before it from what came after', () => {
  expect(stretches(LIVE + RESTORE + PROMPT + RESTORE)).toEqual(['c1#4–8', 'c1#14–17']);
});

/** By window: the trace that lived it by its report, and as it is found without one. */
function lived(sources: readonly IndexedTrace[]) {
  const { windows } = fidelityOf(sources);
  const unread = sources.map((source): IndexedTrace => ({
    ...source,
    eventAt: () => {
      throw new Error('a frame was read');
    },
  }));
  const found = unread.flatMap((source) =>
    source.index.windowRecords.map((window) => livedIn(unread, source, window)),
  );
  return { reported: windows.map(({ live }) => live[0]?.connection), found };
}

const FORK = `${HELLO}
  client →1 session/fork {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s2"}`;
const OF_FORK = RESTORE.replaceAll('s1', 's2');

test.each([
  ['a connection of its own', [LIVE, HELLO + RESTORE], ['c1']],
  ['no trace', [HELLO + RESTORE], [undefined]],
  ['itself', [LIVE + RESTORE], ['c1']],
  ['itself, and another after it', [LIVE + RESTORE, LIVE], ['c1']],
  ['one that only came later', [HELLO + RESTORE, HELLO + RESTORE + PROMPT], [undefined, undefined]],
  ['the source of its fork', [LIVE, FORK, HELLO + OF_FORK], ['c1', 'c1']],
] as const)('what lived a replay is found without reading: %s', (_, traces, expected) => {
  const { reported, found } = lived(sourcesOf(traces));
  expect(found).toEqual(expected);
  expect(reported).toEqual(expected);
});

const EVENTS = new Map(recordings().map(({ name, events }) => [name, events]));

test.each(Object.entries(SETS))(
  'what lived a replay is found as its report tells it, without reading: %s',
  (_, names) => {
    const sources = sourcesOf(names.map((name) => EVENTS.get(name) ?? []));
    const untimed = sources.map(({ began: _, ...source }): IndexedTrace => source);
    for (const one of [sources, sources.toReversed(), [...sources, ...sourcesOf([LIVE])]]) {
      const { reported, found } = lived(one);
      expect(found).toEqual(reported);
    }
    const { windows } = fidelityOf(untimed);
    const found = untimed.flatMap((source) =>
      source.index.windowRecords.map((window) => livedIn(untimed, source, window)),
    );
    expect(found).toEqual(windows.map(({ live }) => live[0]?.connection));
  },
);

test('a client takes child sessions if it says so, and one that says no does not', () => {
  const takes = (subagents: string) =>
    sourcesOf([
      `client →0 initialize {"protocolVersion":1,"clientCapabilities":{"subagents":${subagents}}}
       agent  ←0 result {"protocolVersion":1}`,
    ]).some(takesChildren);
  expect(['{}', 'true', 'false', 'null'].map(takes)).toEqual([true, true, false, false]);
});
