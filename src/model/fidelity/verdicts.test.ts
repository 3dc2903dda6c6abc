// Verdicts that were wrong once, each on the frames that showed it.
import { describe, expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { fidelityOf } from './fidelity.ts';
import { fidelityDocument, nothingJudged } from './report/document.ts';
import { textReport } from '../../report/text.ts';

const V1 = `
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true},"agentInfo":{"name":"a","version":"1"}}`;
const V2 = `
  client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
  agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}`;
const NEW = `
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}`;
const LOAD = 'client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';

function judged(live: string, replayed: string, answer = 'agent ←1 result {}') {
  const { windows } = fidelityOf(sourcesOf([live, `${V1}\n${LOAD}\n${replayed}\n${answer}`]));
  const [window] = windows;
  if (window === undefined) throw new Error('no restore');
  const { verdict, sentence, differences, groups } = window;
  const told = differences.map(
    ({ of, kind, verdict: is, field, why }) => `${is} ${kind} ${of} ${field ?? ''}: ${why}`,
  );
  const marks = groups.flatMap(({ rows }) =>
    rows.flatMap((row) => ('mark' in row ? row.mark : [])),
  );
  return { verdict, sentence, told, marks };
}

const LIVED = `${V1}${NEW}
  client →2 session/prompt s1 "one"
  agent update s1 agent_message_chunk "one!"
  agent ←2 result {"stopReason":"end_turn"}`;
const BROKEN = { step: 'failed', stream: 'session', session: 's1', problem: 'It broke.' };

test('of a restore that was refused the likely causes are told, the likeliest first, with their frames', () => {
  const elsewhere = LOAD.replace('"/w"', '"/w2"');
  const sources = sourcesOf([LIVED, `${V1}\n${elsewhere}\nagent ←1 error -32603 Internal error`]);
  const report = fidelityOf(sources);
  expect(report.windows[0]?.causes.map(({ id }) => id)).toEqual(['own-cwd', 'same-minute']);
  const named = sources.map(({ connection }) => ({
    connection,
    name: connection,
    file: connection,
  }));
  const text = textReport(fidelityDocument(report, named, false));
  expect(text).toMatch(
    /NO REPLAY +Rejected.*\n(?:.*\n)+? +likely +The session’s cwd is \/w: .* c1#3\n +or +The agent failed/,
  );
  expect(
    fidelityOf(sourcesOf([LIVED, `${V1}\n${LOAD}\nagent ←1 result {}`])).windows[0]?.causes,
  ).toEqual([]);
});

test('a resume that asks for no history, and brings none, expects none, and is not called identical', () => {
  const resume = LOAD.replace('session/load', 'session/resume');
  const named = (came: string) => {
    const [window] = fidelityOf(
      sourcesOf([LIVED, `${V1}\n${resume}\n${came}\nagent ←1 result {}`]),
    ).windows;
    return [window?.verdict, window?.answer.history];
  };
  expect(named('')).toEqual(['equal', 'no replay']);
  expect(named('agent update s1 agent_message_chunk "one!"')).toEqual(['corrupt', 'wrong']);
});

test.each([
  ['gap 3 the disk was full', 'undecidable'],
  [`transport ${JSON.stringify(BROKEN)}`, 'undecidable'],
  [`transport ${JSON.stringify({ ...BROKEN, step: 'closed' })}`, 'undecidable'],
  [`transport ${JSON.stringify({ ...BROKEN, id: 'e7' })}`, 'lossy'],
  [`transport ${JSON.stringify({ step: 'answered', stream: 'session', session: 's1' })}`, 'lossy'],
])('what was lost on the way is no fault of the agent: %s is %s', (event, verdict) => {
  const { verdict: is, sentence } = judged(
    LIVED,
    `agent update s1 user_message_chunk "one"\n${event}`,
  );
  expect(is).toBe(verdict);
  if (verdict === 'undecidable') expect(sentence).toContain('frames are missing before the answer');
  // Live, what came back and was not seen may have been said.
  const whole = `agent update s1 user_message_chunk "one"\nagent update s1 agent_message_chunk "one! two"`;
  const lived = LIVED.replace('client →2', `${event}\nclient →2`);
  expect(judged(lived, whole).verdict).toBe(verdict === 'lossy' ? 'corrupt' : 'undecidable');
});

test('what an excerpt leaves out while a replay came is not missing', () => {
  const replayed = draw(
    `${V1}\n${LOAD}\nagent update s1 user_message_chunk "one"\ngap 3 beside it\nagent ←1 result {}`,
  );
  const cut = replayed.map((one) =>
    one.type === 'gap' ? { ...one, omitted: true as const } : one,
  );
  const [window] = fidelityOf(sourcesOf([LIVED, cut])).windows;
  expect(window).toMatchObject({ verdict: 'lossy', due: true });
});

/** Lived and restored on one connection of v2. */
const MARKED = `${V2}${NEW}
  client →2 session/prompt s1 "one"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 {"content":[{"type":"text","text":"one"}]}
  agent update s1 state_update {"state":"running"}
  agent update s1 agent_message a1 {"content":[{"type":"text","text":"one!"}]}
  agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
  client →3 session/close s1
  agent ←3 result {}
  client →4 session/resume {"sessionId":"s1","cwd":"/w","mcpServers":[],"replayFrom":{"type":"start"}}
  agent update s1 user_message u1 {"content":[{"type":"text","text":"one"}]}`;
const ONE = 'agent update s1 agent_message a1 {"content":[{"type":"text","text":"one!"}]}';
const WHOLE = 'agent update s1 replay_complete';
const IDLE = 'agent update s1 state_update {"state":"idle"}';

test('history behind the marker came after it was said to be complete, not after the answer', () => {
  const { windows } = fidelityOf(
    sourcesOf([[MARKED, WHOLE, ONE, IDLE, 'agent ←4 result {}'].join('\n')]),
  );
  expect(windows[0]).toMatchObject({
    verdict: 'lossy',
    differences: [
      {
        kind: 'late',
        why: 'came after its history was said to be complete: a client takes it for new',
      },
    ],
  });
});

test.each([
  ['whole, as its marker says, is judged though the request fails', [ONE, WHOLE, IDLE], 'equal', 0],
  ['that its marker calls whole and is not, is lossy', [WHOLE, IDLE], 'lossy', 1],
  ['without a marker is asked for, and nothing more of it is due', [IDLE], 'undecidable', 0],
])('of a restore that is refused, history %s', (_, came, verdict, faults) => {
  const { windows } = fidelityOf(
    sourcesOf([[MARKED, ...came, 'agent ←4 error -32603 x'].join('\n')]),
  );
  expect(windows[0]).toMatchObject({ verdict, restored: 'rejected' });
  expect(windows[0]?.sentence).not.toContain('nothing was to be replayed');
  expect(windows[0]?.differences).toHaveLength(faults);
});

const HI = 'agent update s1 user_message_chunk "Mend it"';

describe('a tool call that was killed while it asked', () => {
  const live = (answer: string) => `${V1}${NEW}
    client →2 session/prompt s1 "Mend it"
    agent update s1 tool_call {"toolCallId":"t1","title":"rm","kind":"execute","status":"pending"}
    agent →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}
    ${answer}`;
  const back = (status: string) =>
    `${HI}\nagent update s1 tool_call {"toolCallId":"t1","title":"rm","kind":"execute","status":"${status}"}`;

  test('did not complete: a replay that says so is corrupt', () => {
    const { verdict, told, sentence } = judged(live(''), back('completed'));
    expect(told).toEqual(['corrupt changed tool status: asked for a permission that nobody gave']);
    expect(verdict).toBe('corrupt');
    expect(sentence).toContain('takes 1 pending tool call for completed');
  });

  test('did not complete where live told of it in that question alone', () => {
    const asked = live('').replace(/\n *agent update s1 tool_call .*/, '');
    const { told, sentence } = judged(asked, back('completed'));
    expect(told).toEqual(['corrupt changed tool status: asked for a permission that nobody gave']);
    expect(sentence).toContain('takes 1 unapproved tool call for completed');
    expect(judged(asked, back('failed')).told).toEqual([
      'cosmetic cosmetic tool : was told live in the permission it asked for alone',
    ]);
  });

  test('may have completed where it was allowed, and may well have failed', () => {
    const allowed = 'client ←0 result {"outcome":{"outcome":"selected","optionId":"a"}}';
    expect(judged(live(allowed), back('completed')).verdict).toBe('undecidable');
    expect(judged(live(''), back('failed')).verdict).toBe('cosmetic');
  });
});

test('what was said in a permission request only is known, also of a turn that was cancelled', () => {
  const call = (title: string) =>
    `agent update s1 tool_call {"toolCallId":"t1","title":"${title}","kind":"execute","status":"failed"}`;
  const live = `${V1}${NEW}
    client →2 session/prompt s1 "Mend it"
    ${call('Shell')}
    agent →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"touch a"},"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}
    client session/cancel s1
    client ←0 result {"outcome":{"outcome":"cancelled"}}
    agent ←2 result {"stopReason":"cancelled"}`;
  const { verdict, told } = judged(live, `${HI}\n${call('Shell: touch a')}`);
  expect(told).toEqual(['cosmetic cosmetic tool title: adds what was said elsewhere live']);
  expect(verdict).toBe('cosmetic');
});

test('the bytes of a terminal, and the same text in a fence, say the same', () => {
  const live = `${V2}${NEW}
    client →2 session/prompt s1 "Mend it"
    agent ←2 result {"messageId":"u1"}
    agent update s1 user_message u1 "Mend it"
    agent update s1 state_update {"state":"running"}
    agent update s1 terminal_update {"terminalId":"x","output":{"data":"${btoa('ok 1\nok 2\n')}"},"exitStatus":{"exitCode":0}}
    agent update s1 tool_call_update {"toolCallId":"t1","title":"npm test","kind":"execute","status":"completed","content":[{"type":"terminal","terminalId":"x"}],"rawOutput":"ok 1\\nok 2\\n"}
    agent update s1 state_update {"state":"idle","stopReason":"end_turn"}`;
  const back = `${HI}
    agent update s1 tool_call {"toolCallId":"t1","title":"npm test","kind":"execute","status":"completed","content":[{"type":"content","content":{"type":"text","text":"\`\`\`console\\nok 1\\nok 2\\n\`\`\`"}}],"rawOutput":"ok 1\\nok 2\\n"}`;
  const { verdict, told } = judged(live, back);
  expect(told).toContain('cosmetic cosmetic tool content: stands in a fence, or no more');
  expect(verdict).toBe('cosmetic');
});

describe('words before and after a permission request that was denied', () => {
  const DENIED = `${V1}${NEW}
    client →2 session/prompt s1 "Run it"
    agent update s1 agent_message_chunk "I use the tool."
    agent →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"Run","status":"pending"},"options":[{"optionId":"no","name":"No","kind":"reject_once"}]}
    client ←0 result {"outcome":{"outcome":"selected","optionId":"no"}}
    agent update s1 agent_message_chunk "You said no."
    agent ←2 result {"stopReason":"end_turn"}`;
  const user = (text: string) => `agent update s1 user_message_chunk "${text}"\n`;
  const agent = (text: string) => `agent update s1 agent_message_chunk "${text}"\n`;

  test('are two messages: nothing is lost or added where the replay parts them too', () => {
    const note = '[Function Response: run]';
    const parted = judged(
      DENIED,
      user('Run it') + agent('I use the tool.') + user(note) + agent('You said no.'),
    );
    expect(parted.told).toEqual([
      'corrupt synthetic user : the agent added it for its model; nobody said it',
    ]);
  });

  test('may come as one message, because a permission request is not part of history', () => {
    const next = user('Run it') + agent('I use the tool.') + agent('You said no.');
    const joined = user('Run it') + agent('I use the tool.You said no.');
    expect(judged(DENIED, next).verdict).toBe('equal');
    expect(judged(DENIED, joined).verdict).toBe('cosmetic');
  });

  test('do not hide that a replay lost one of them', () => {
    expect(judged(DENIED, user('Run it') + agent('I use the tool.')).told).toEqual([
      'lossy missing agent : did not come',
    ]);
  });
});

test('what has one id is one message, whatever came between its chunks', () => {
  const live = `${V1}${NEW}
    client →2 session/prompt s1 "Mend it"
    agent update s1 agent_message_chunk m1 "One, "
    client session/cancel s1
    agent update s1 agent_message_chunk m1 "two."
    agent ←2 result {"stopReason":"cancelled"}`;
  const { told } = judged(live, `${HI}\nagent update s1 agent_message_chunk m1 "One, two."`);
  expect(told.join()).not.toContain('merged');
});

test('a file named by its path from the folder is not missing', () => {
  const call = (path: string) =>
    `agent update s1 tool_call {"toolCallId":"t1","title":"Read","kind":"read","status":"completed","locations":[{"path":"${path}"}]}`;
  const live = `${V1}${NEW}
    client →2 session/prompt s1 "Mend it"
    ${call('/w/src/a.ts')}
    agent ←2 result {"stopReason":"end_turn"}`;
  expect(judged(live, `${HI}\n${call('src/a.ts')}`).verdict).toBe('cosmetic');
  expect(judged(live, `${HI}\n${call('src/b.ts')}`).verdict).toBe('corrupt');
});

test('the headline counts what nobody said as the figures do, and not as late too', () => {
  const live = `${V1}${NEW}
    client →2 session/prompt s1 "Mend it"
    agent update s1 agent_message_chunk "Done."
    agent ←2 result {"stopReason":"end_turn"}`;
  const user = (words: string) => `agent update s1 user_message_chunk "${words}"`;
  const context = user('<session_context> This is the agent');
  const late = [
    HI,
    'agent update s1 agent_message_chunk "Done."',
    user('[Function Response: read]'),
  ];
  const { sentence, told, marks } = judged(live, context, `agent ←1 result {}\n${late.join('\n')}`);
  expect(sentence).toContain('mistakes 1 user message and 1 agent message of the past for new');
  expect(sentence).toContain('shows 2 user messages that nobody said');
  expect(marks).toEqual(['synthetic', 'late', 'late', 'synthetic']);
  expect(told.filter((one) => one.startsWith('lossy late'))).toHaveLength(3);
});

test('a greeting before the first prompt is no lost message', () => {
  const live = `${V1}${NEW}
    agent update s1 agent_message_chunk "Welcome to a 1.0"
    client →2 session/prompt s1 "Mend it"
    agent update s1 agent_message_chunk "Done."
    agent ←2 result {"stopReason":"end_turn"}`;
  const { verdict, told } = judged(live, `${HI}\nagent update s1 agent_message_chunk "Done."`);
  expect(told).toEqual(['cosmetic cosmetic agent : was said before the first prompt']);
  expect(verdict).toBe('cosmetic');
  expect(judged(live, HI).verdict).toBe('lossy');
});

test('of a load without an answer, what was said is known, and what would have come is not', () => {
  const live = `${V1}${NEW}
    client →2 session/prompt s1 "Mend it"
    agent update s1 tool_call {"toolCallId":"t1","title":"Read","status":"completed"}
    agent ←2 result {"stopReason":"end_turn"}`;
  const { sentence } = judged(live, HI, '');
  expect(sentence).toContain('the traces do not tell whether 1 tool call would have come');
  const nothing = judged(live, '', '');
  expect(nothing.sentence).toMatch(/^No history came, and the traces do not tell whether/);
});

test('where nothing is known of the live part, a report says that, and nothing twice', () => {
  const report = fidelityOf(sourcesOf([`${V1}\n${LOAD}\n${HI}\nagent ←1 result {}`]));
  expect(nothingJudged(report)).toBe(
    'No replay could be judged: no live part of this session is in these traces. A trace in which it was prompted would decide it.',
  );
});

test('a banner that did not come counts neither as preserved nor as lost', () => {
  const live = `
    client →0 initialize {"protocolVersion":1}
    agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent  ←1 result {"sessionId":"s1"}
    agent  update s1 agent_message_chunk "Welcome to agent 1.0"
    client →2 session/prompt s1 "Hello"
    agent  update s1 agent_message_chunk "Hi"
    agent  ←2 result {"stopReason":"end_turn"}`;
  const load = `
    client →0 initialize {"protocolVersion":1}
    agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent  update s1 user_message_chunk "Hello"
    agent  update s1 agent_message_chunk "Hi"
    agent  ←1 result {}`;
  const [window] = fidelityOf(sourcesOf([live, load])).windows;
  expect(window?.verdict).toBe('cosmetic');
  expect(window?.kinds.agent).toMatchObject({ live: 1, replayed: 1, equal: 1, cosmetic: 0 });
});

test('commands that live had before its last list are called so, and others more than live', () => {
  const list = (...names: string[]) =>
    `agent update s1 available_commands_update {"availableCommands":[${names
      .map((name) => `{"name":"${name}","description":""}`)
      .join()}]}`;
  const live = `${LIVED}\n${list('a', 'b')}\n${list('a')}`;
  const replay =
    'agent update s1 user_message_chunk "one"\nagent update s1 agent_message_chunk "one!"';
  const told = (commands: string) => judged(live, `${replay}\n${commands}`).told;
  expect(told(list('a', 'b'))).toEqual([
    'cosmetic cosmetic commands : has an earlier value of the live session',
  ]);
  expect(told(list('a', 'b', 'c'))).toEqual(['cosmetic cosmetic commands : has more than live']);
  expect(told(list('b'))).toEqual(['lossy changed commands : lacks a']);
});

test('commands that come with the next turn of the restored session are not missing', () => {
  const list =
    'agent update s1 available_commands_update {"availableCommands":[{"name":"a","description":""}]}';
  const replay =
    'agent update s1 user_message_chunk "one"\nagent update s1 agent_message_chunk "one!"';
  const told = (after: string) =>
    judged(
      `${LIVED}\n${list}`,
      replay,
      `agent ←1 result {}\nclient →2 session/prompt s1 "two"\n${after}`,
    ).told;
  expect(told(list)).toEqual([]);
  expect(told('agent ←2 result {"stopReason":"end_turn"}')).toEqual([
    'lossy missing commands : was not told',
  ]);
  expect(told('')).toEqual([]);
  const closed =
    'agent ←1 result {}\nclient →2 session/close {"sessionId":"s1"}\nagent ←2 result {}';
  expect(judged(`${LIVED}\n${list}`, replay, closed).told).toEqual([]);
});
