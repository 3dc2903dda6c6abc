// Turns that had not ended when the trace did.
import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';
import { textReport } from '../../report/text.ts';
import { statsDocument } from './document.ts';
import { StatsFold } from './stats.ts';

function statsOf(picture: string) {
  const fold = new StatsFold();
  for (const event of draw(picture)) fold.append(event);
  return fold.stats();
}
const open = (picture: string) => statsOf(picture).openTurns;

const PROMPT = 'client →2 session/prompt s1 "Hi"';
const TOOL =
  'agent update s1 tool_call {"toolCallId":"t1","title":"build","kind":"execute","status":"in_progress"}';

test('a turn without an end has its last sign of life, its open tools and who is waited for', () => {
  const stats = statsOf(`${V1_SESSION}
    ${PROMPT}
    ${TOOL}
    client →3 session/new {"cwd":"/w","mcpServers":[]}
    agent ←3 result {"sessionId":"s2"}
    +60000ms
    stderr idle`);
  expect(stats.openTurns).toMatchObject([
    {
      ...{ turn: 1, begin: 6, sessionId: 's1', waitsFor: 'agent' },
      last: { seq: 7, name: 'tool_call' },
      tools: [{ toolCallId: 't1', title: 'build', status: 'in_progress', seq: 7 }],
    },
  ]);
  expect(stats.openTurns[0]?.silent).toBeGreaterThan(60_000);
  expect(textReport(statsDocument(stats))).toMatch(
    /Open turns\n.*\n +1 +#6 +S1 +#7 tool_call +1:00 +build \(in_progress\) +agent/,
  );
});

test('a turn that ended is not open, and one that was answered with an error neither', () => {
  expect(open(`${V1_SESSION}\n${PROMPT}\nagent ←2 result {"stopReason":"end_turn"}`)).toEqual([]);
  expect(open(`${V1_SESSION}\n${PROMPT}\nagent ←2 error -32603 Internal error`)).toEqual([]);
  const idle = 'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}';
  const running = 'agent update s1 state_update {"state":"running"}';
  const v2 = `${V2_SESSION}\n${PROMPT}\nagent ←2 result {"messageId":"m"}\n${running}`;
  expect(open(`${v2}\n${idle}`)).toEqual([]);
  expect(open(v2)).toMatchObject([{ begin: 6, last: { seq: 8 }, waitsFor: 'agent' }]);
});

test('an earlier prompt that nobody answered stays open beside a later one that ended', () => {
  const turns = open(`${V1_SESSION}
    ${PROMPT}
    client →3 session/prompt s1 "And"
    agent ←3 result {"stopReason":"end_turn"}`);
  expect(turns).toMatchObject([{ turn: 1, begin: 6, last: { seq: 8 } }]);
});

test('the open request of the agent says who is waited for, until it is answered or the agent exits', () => {
  const asks = (rest: string) => `${V1_SESSION}\n${PROMPT}\n${rest}`;
  const permission = 'agent →1 session/request_permission {"sessionId":"s1","options":[]}';
  expect(open(asks(permission))).toMatchObject([{ waitsFor: 'person', request: 7 }]);
  const read = 'agent →1 fs/read_text_file {"sessionId":"s1","path":"/a"}';
  expect(open(asks(read))).toMatchObject([{ waitsFor: 'client', request: 7 }]);
  expect(open(asks(`${read}\nclient ←1 result {"content":""}`))).toMatchObject([
    { waitsFor: 'agent', last: { seq: 7 } },
  ]);
  const exited = open(asks(`${read}\nexit 1`))[0];
  expect(exited).toMatchObject({ waitsFor: 'nobody', last: { seq: 7 } });
  expect(exited).not.toHaveProperty('request');
});

test('a tool call that only its permission request reported is open, until an update ends it', () => {
  const ask = `${V1_SESSION}\n${PROMPT}
    agent →1 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"rm x"},"options":[]}`;
  const tools = [{ toolCallId: 't1', title: 'rm x', seq: 7 }];
  expect(open(`${ask}\nexit SIGKILL`)).toMatchObject([{ waitsFor: 'nobody', tools }]);
  const end = 'agent update s1 tool_call_update {"toolCallId":"t1","status":"failed"}';
  expect(open(`${ask}\n${end}`)).toMatchObject([{ tools: [] }]);
  // A later request says nothing of the status: the call is as the update before left it.
  const again = ask.slice(V1_SESSION.length + PROMPT.length + 2).trim();
  expect(open(`${V1_SESSION}\n${PROMPT}\n${TOOL}\n${again}`)).toMatchObject([
    { tools: [{ toolCallId: 't1', status: 'in_progress', seq: 7 }] },
  ]);
});

test('history replay is no sign of life of a turn, and no turn', () => {
  const load = (rest: string) => `${V1_SESSION}
    client →2 session/load {"sessionId":"s9","cwd":"/w","mcpServers":[]}
    agent update s9 user_message_chunk "old"
    agent update s9 tool_call {"toolCallId":"t1","title":"old","status":"in_progress"}
    ${rest}`;
  expect(open(load('agent ←2 result {}'))).toEqual([]);
  expect(open(load('agent ←2 result {}\nclient →3 session/prompt s9 "new"'))).toMatchObject([
    { begin: 10, tools: [] },
  ]);
});
