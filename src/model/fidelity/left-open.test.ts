// What became of the work that was open when the connection before a restore ended.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { fidelityOf } from './fidelity.ts';
import { fidelityJson } from './report/report-json.ts';

const hello = (version: 1 | 2) => `
  client →0 initialize {"protocolVersion":${version}}
  agent  ←0 result {"protocolVersion":${version},"agentCapabilities":{"loadSession":true},"capabilities":{"session":{}}}`;
const CUT = `${hello(1)}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Mend the roof"
  agent  update s1 tool_call {"toolCallId":"t1","title":"rm x","kind":"execute","status":"pending"}
  agent  →7 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"rm x"},"options":[{"optionId":"o","name":"Yes","kind":"allow_once"}]}
  exit SIGKILL`;
const ENDED = CUT.replace(
  'exit SIGKILL',
  `client ←7 result {"outcome":{"outcome":"selected","optionId":"o"}}
  agent  update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent  ←2 result {"stopReason":"end_turn"}
  exit SIGKILL`,
);
const USER = 'agent update s1 user_message_chunk "Mend the roof"';
const TOOL = (status: string) =>
  `agent update s1 tool_call {"toolCallId":"t1","title":"rm x","kind":"execute","status":"${status}"}`;
const ASKED =
  'agent →8 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"rm x"},"options":[]}';
const load = (...came: string[]) => `${hello(1)}
  client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  ${came.join('\n')}
  agent  ←1 result {}`;

function sources(...traces: readonly string[]) {
  return sourcesOf(traces).map((source) => {
    source.index.isOver = () => true;
    return source;
  });
}
const fates = (...traces: readonly string[]) =>
  fidelityOf(sources(...traces)).windows.map(({ leftOpen }) =>
    leftOpen.map(({ kind, fate }) => `${kind} ${fate}`),
  );

test.each([
  [
    'is not in the replay',
    [],
    ['turn cannot be known', 'permission cannot be known', 'tool cannot be known'],
  ],
  [
    'is gone but for its prompt',
    [USER],
    ['turn cannot be known', 'permission silently gone', 'tool silently gone'],
  ],
  [
    'is settled',
    [USER, TOOL('failed')],
    ['turn cannot be known', 'permission settled', 'tool settled'],
  ],
  [
    'is asked again',
    [USER, TOOL('pending'), ASKED],
    ['turn cannot be known', 'permission seen again', 'tool seen again'],
  ],
  [
    'hangs',
    [USER, TOOL('pending')],
    ['turn cannot be known', 'permission silently gone', 'tool seen again'],
  ],
  [
    'is gone with its prompt',
    ['agent update s1 user_message_chunk "Other"'],
    ['turn silently gone', 'permission silently gone', 'tool silently gone'],
  ],
])('work that %s', (_, came, expected) => {
  expect(fates(CUT, load(...came))).toEqual([expected]);
});

test('of a session at rest nothing was left open', () => {
  expect(fates(ENDED, load(USER, TOOL('completed')))).toEqual([[]]);
});

test('only the first restore after the cut shows what became of the work', () => {
  const again = load(USER).replace(hello(1), '').replaceAll('→1', '→3').replaceAll('←1', '←3');
  expect(fates(CUT, load(USER) + again)).toMatchObject([{ length: 3 }, []]);
  // A restore on another connection did no work: it leaves nothing open.
  expect(fates(CUT, load(USER), load(USER))).toMatchObject([{ length: 3 }, { length: 3 }]);
});

test('a connection that goes on left nothing', () => {
  const [live, loaded] = sources(CUT.replace('exit SIGKILL', ''), load(USER));
  if (live) live.index.isOver = () => false;
  expect(fidelityOf([live, loaded].flatMap((one) => one ?? [])).windows[0]?.leftOpen).toEqual([]);
});

test('in v2, a turn without its prompt in the replay is gone although the agent is idle', () => {
  const live = `${hello(2)}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent  ←1 result {"sessionId":"s1"}
    client →2 session/prompt s1 "Mend the roof"
    agent  update s1 user_message u1 {"content":[{"type":"text","text":"Mend the roof"}]}
    agent  ←2 result {"messageId":"u1"}
    agent  update s1 state_update {"state":"running"}
    exit SIGKILL`;
  const resume = (user: string) => `${hello(2)}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","mcpServers":[],"replayFrom":{"type":"start"}}
    agent  update s1 user_message u1 {"content":[{"type":"text","text":"${user}"}]}
    agent  update s1 state_update {"state":"idle"}
    agent  ←1 result {}`;
  expect(fates(live, resume('Mend the roof'))).toEqual([['turn settled']]);
  expect(fates(live, resume('Other'))).toEqual([['turn silently gone']]);
});

test('the JSON report names each with its frames', () => {
  const report = fidelityOf(sources(CUT, load(USER, TOOL('failed'))));
  const { windows } = JSON.parse(fidelityJson(report));
  expect(windows[0].leftOpen[2]).toEqual({
    ...{ kind: 'tool', words: 'the tool call “rm x”, pending', fate: 'settled' },
    ...{ why: 'it is failed', before: [{ seq: 6 }, { seq: 7 }], after: [{ seq: 5 }] },
  });
});
