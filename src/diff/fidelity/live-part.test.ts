// The stretches a live part is told to come from: no frame that an agent replayed is in them.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { fidelityOf } from './fidelity.ts';

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
