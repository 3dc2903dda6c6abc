// A replay is folded as a client folds it, and words that were added or changed are never cosmetic.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { fidelityOf } from './fidelity.ts';

const V1 = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}`;
const CANCELLED = 'agent ←2 result {"stopReason":"cancelled"}';
const live = (body: string, end = 'agent ←2 result {"stopReason":"end_turn"}') => `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Mend the roof"
  ${body}
  ${end}`;
const load = (...came: readonly string[]) => `${V1}
  client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  ${came.join('\n')}
  agent ←1 result {}`;
const user = (text = 'Mend the roof') => `agent update s1 user_message_chunk "${text}"`;
const said = (text: string, id = '') => `agent update s1 agent_message_chunk ${id} "${text}"`;
const thought = (text: string, id = '') => `agent update s1 agent_thought_chunk ${id} "${text}"`;
const verdictOf = (...traces: readonly string[]) =>
  fidelityOf(sourcesOf(traces)).windows.at(-1)?.verdict;

const TWO = live(`${said('One.', 'a1')}\n${said('Two.', 'a2')}`);

test.each([
  ['two messages without ids', TWO, [said('One.'), said('Two.')], 'lossy'],
  ['two messages in one chunk', TWO, [said('One.Two.')], 'lossy'],
  ['two messages under one id', TWO, [said('One.', 'a1'), said('Two.', 'a1')], 'lossy'],
  [
    'two thoughts',
    live(`${thought('One.', 'a1')}\n${thought('Two.', 'a2')}`),
    [thought('One.'), thought('Two.')],
    'lossy',
  ],
  ['one message in two chunks', live(said('One two')), [said('One '), said('two')], 'cosmetic'],
  [
    'one message of two chunks',
    live(`${said('One ')}\n${said('two')}`),
    [said('One two')],
    'cosmetic',
  ],
  ['two messages under their ids', TWO, [said('One.', 'a1'), said('Two.', 'a2')], 'equal'],
])('a client that folds %s', (_, before, came, verdict) => {
  expect(verdictOf(before, load(user(), ...came))).toBe(verdict);
});

test.each([
  ['other words inside', [said('The roof is blue, and more')], 'corrupt'],
  ['words before it', [said('Well, the roof is red')], 'corrupt'],
  ['another message', [said('I ate a pear')], 'lossy'],
  ['less of it', [said('The roof')], 'lossy'],
  ['more of it', [said('The roof is red, and old')], 'undecidable'],
  ['the same', [said('The roof is red')], 'equal'],
])('the text of a cancelled turn, replayed with %s', (_, came, verdict) => {
  const before = live(said('The roof is red'), CANCELLED);
  expect(verdictOf(before, load(user(), ...came))).toBe(verdict);
});

test.each([
  ['words after it', [user('Mend the roof now')], 'undecidable'],
  ['words before it', [user('Please mend the roof')], 'undecidable'],
  ['a context after it', [user('Mend the roof <context>x</context>')], 'undecidable'],
  ['words in a chunk of their own', [user(), user(' and the door')], 'undecidable'],
  ['another word', [user('Mend the floor')], 'undecidable'],
  ['less of it', [user('Mend')], 'lossy'],
  ['a space more', [user('Mend the roof ')], 'cosmetic'],
])('a prompt that the agent did not echo, replayed with %s', (_, prompt, verdict) => {
  expect(verdictOf(live(said('Ok')), load(...prompt, said('Ok')))).toBe(verdict);
});

test('a loss in a turn that ended is named although a later turn was cut', () => {
  const tool =
    'agent update s1 tool_call {"toolCallId":"t1","title":"x","kind":"read","status":"completed","content":[{"type":"content","content":{"type":"text","text":"hello"}}]}';
  const before = `${live(`${said('One')}\n${tool}`)}
    client →3 session/prompt s1 "And the door"
    ${said('Be')}
    exit SIGKILL`;
  const gone = load(user(), said('One'), user('And the door'), said('Be'));
  const [window] = fidelityOf(sourcesOf([before, gone])).windows;
  expect(window).toMatchObject({ verdict: 'lossy', shortfall: { weight: 'error' } });
  // A terminal that nobody created shows nothing, whatever `_meta` says of it.
  const empty = tool
    .replace(/"content":\[.*\]/, '"content":[{"type":"terminal","terminalId":"x1"}]')
    .replace(/}$/, ',"_meta":{"terminal_info":{"terminal_id":"x1"}}}');
  expect(
    verdictOf(before, load(user(), said('One'), empty, user('And the door'), said('Be'))),
  ).toBe('lossy');
});
