import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { diffTraces } from './diff.ts';
import { textReport } from '../../report/text.ts';
import { diffDocument } from './report/document.ts';
import type { DiffOptions, TraceDiffReport } from './report/report.ts';

const START = (session: string) => `
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1,"agentInfo":{"name":"a","version":"1.0.0"}}
  client →1 session/new {"cwd":"/home/mika/w","mcpServers":[]}
  agent ←1 result {"sessionId":"${session}"}`;
const TURN = (session: string, id: number, tool: string, words: string) => `
  client →${id} session/prompt ${session} "Read the file"
  agent update ${session} agent_message_chunk ${words}
  agent update ${session} tool_call {"toolCallId":"${tool}","title":"Read","kind":"read","status":"pending"}
  agent update ${session} tool_call_update {"toolCallId":"${tool}","status":"completed"}
  agent update ${session} usage_update {"used":${id},"size":100}
  agent ←${id} result {"stopReason":"end_turn"}`;

function compare(a: string, b: string, options: DiffOptions = {}): Promise<TraceDiffReport> {
  const [left, right] = sourcesOf([a, b]);
  if (!left || !right) throw new Error('two drawings give two traces');
  return diffTraces(left, right, options);
}
const told = ({ differences }: TraceDiffReport) =>
  differences.map(({ kind, of, path, before, after, a, b }) =>
    [kind, of, path, a?.seq ?? '-', b?.seq ?? '-', before ?? '', after ?? ''].join(' '),
  );

test('what differs in any two runs is no difference, and has one name on both sides', async () => {
  const a = START('ses_aaaaaaaa') + TURN('ses_aaaaaaaa', 2, 'call_1', '"I will " "read it"');
  const b = START('ses_bbbbbbbb') + TURN('ses_bbbbbbbb', 7, 'call_2', '"I " "will" " read it"');
  const report = await compare(a, b);
  expect(told(report)).toEqual([]);
  expect(report.equal).toBe(true);
  expect(report.aliases).toContainEqual({
    name: 'S1',
    kind: 'session',
    a: 'ses_aaaaaaaa',
    b: 'ses_bbbbbbbb',
    uses: { a: 5, b: 5 },
  });
  expect(report.aliases.map(({ name }) => name)).toEqual(['S1', 'T1', 'cwd', 'V1']);
  const ofRows = report.rowsWith('T1').map((row) => report.rows.row(row).of);
  expect(ofRows).toEqual(['tool']);
  expect(report.rowsWith('T2')).toEqual([]);
  expect(report.leftOut).toContainEqual({ rule: 'usage_update', differences: 1, a: 1, b: 1 });
});

test('a changed value is told by its path, with the real values', async () => {
  const a = START('s1') + TURN('s1', 2, 't1', '"The limit is 5 retries, set in config.json."');
  const b = START('s2') + TURN('s2', 2, 't2', '"The limit is five retries, set in config.json."');
  const report = await compare(a, b.replace('"completed"', '"failed"'));
  expect(told(report)).toEqual([
    'changed agent $.text 6 6 The limit is 5 retries, set in config.json. The limit is five retries, set in config.json.',
    'changed tool $.status 7 7 completed failed',
  ]);
  const rows = Array.from({ length: report.rows.length }, (_, row) => report.rows.row(row));
  expect(rows.find(({ of }) => of === 'agent')?.fields[0]?.merge?.()).toEqual([
    { how: 'same', text: 'The limit is ' },
    { how: 'gone', text: '5' },
    { how: 'new', text: 'five' },
    { how: 'same', text: ' retries, set in config.json.' },
  ]);
  expect(rows.map(({ section }) => report.sections[section]?.name)).toEqual([
    ...['Start', 'Start'],
    ...['Turn 1', 'Turn 1', 'Turn 1', 'Turn 1'],
  ]);
});

test('tool calls of one kind and title are one thing, whatever two agents put into them', async () => {
  /** `own`: a word that stands in every word of its input. */
  const call = (title: string, own: string) => {
    const input = Array.from({ length: 20 }, (_, at) => `${own}${at}`).join(' ');
    return `
  client →2 session/prompt s1 "Read it"
  agent update s1 tool_call {"toolCallId":"t1","title":"${title}","kind":"read","rawInput":{"${own}":"${input}"}}
  agent ←2 result {"stopReason":"end_turn"}`;
  };
  const a = START('s1') + call('Read /home/mika/w/hello.txt', 'parsed_cmd');
  const kinds = async (title: string) =>
    (await compare(a, START('s1') + call(title, 'absolute_path'))).differences.map(
      ({ kind, path }) => `${kind} ${path}`,
    );
  expect(await kinds('hello.txt')).toContain('changed $.title');
  expect(await kinds('A list of plans')).toEqual(['missing $', 'extra $']);
});

test('a tool call that is missing shifts no names', async () => {
  const more = TURN('s1', 3, 't7', '"Again"').replace('"title":"Read"', '"title":"Write"');
  const a = START('s1') + TURN('s1', 2, 't1', '"One"') + more;
  const b = START('s1') + TURN('s1', 2, 't1', '"One"').replace(/.*tool_call.*\n/g, '') + more;
  expect(told(await compare(a, b))).toEqual(['missing tool $ 7 - T1 read Read · completed ']);
});

test('an id that names another thing than before is told', async () => {
  const turns = TURN('s1', 2, 't1', '"One"') + TURN('s1', 3, 't2', '"Two"');
  const wrong = turns.replace(
    /("toolCallId":"t2","status":"completed")/,
    '"toolCallId":"t1","status":"completed"',
  );
  const report = await compare(START('s1') + turns, START('s1') + wrong, { view: 'frames' });
  expect(told(report)).toEqual(['changed tool_call_update $.params.update.toolCallId 14 14 t2 t1']);
});

test('what is said at another place is moved, and told once', async () => {
  const mode = '\nagent update s1 current_mode_update {"currentModeId":"plan"}';
  const turn = TURN('s1', 2, 't1', '"One"');
  const report = await compare(START('s1') + mode + turn, START('s1') + turn + mode);
  expect(told(report)).toEqual([
    'moved current_mode_update $ 5 11 current_mode_update · currentModeId plan current_mode_update · currentModeId plan',
  ]);
});

test('paths and names that are ignored make no difference, and are counted', async () => {
  const a = START('s1') + TURN('s1', 2, 't1', '"One"');
  const b = a.replace('"title":"Read"', '"title":"Look"').replace('end_turn', 'refusal');
  const ignore = ['tool*:$..title', '$..stopReason'];
  const report = await compare(a, b, { ignore });
  expect(told(report)).toEqual([]);
  expect(report.leftOut).toEqual([
    { rule: 'tool*:$..title', differences: 1, a: 1, b: 1 },
    { rule: '$..stopReason', differences: 1, a: 1, b: 1 },
  ]);
  await expect(compare(a, b, { ignore: ['$.a..'] })).rejects.toThrow(/cannot be read at \.\./);
});

test('what rules leave out is counted in differences: what is alike, or an alias, is none', async () => {
  const left = START('ses_one1') + TURN('ses_one1', 2, 'run_one', '"One"');
  const a = left + TURN('ses_one1', 3, 'run_two', '"Two"');
  const b = a.replaceAll('ses_one1', 'ses_two2').replaceAll('run_', 'made_');
  const ignore = ['usage_update', '$..toolCallId', 'agent_message_chunk'];
  const none = { differences: 0, a: 2, b: 2 };
  for (const view of ['story', 'frames'] as const) {
    const same = await compare(a, b, { view, ignore });
    expect(same.leftOut).toMatchObject([none, { differences: 0 }, none]);
    const other = b.replace('{"used":3,', '{"used":9,').replace('"Two"', '"Two" "three"');
    const { leftOut, equal } = await compare(a, other, { view, ignore });
    expect([equal, leftOut.map(({ differences }) => differences)]).toEqual([true, [1, 0, 1]]);
    const text = textReport(
      diffDocument(await compare(a, other, { view, ignore }), { left: 'a', right: 'b' }),
    );
    expect(text).toContain('2 differences by 2 rules: usage_update 1, agent_message_chunk 1');
  }
});

test('keys that are ids or paths are aliases, and so is the request that is cancelled', async () => {
  const trace = (home: string, id: number) => `${START('s1').replaceAll('/home/mika', home)}
    client $/cancel_request {"requestId":${id}}
    agent update s1 tool_call {"toolCallId":"call_${id}","title":"Edit","rawInput":{"changes":{"${home}/w/a.txt":{"type":"add"}},"call_${id}":1}}`;
  const [a, b] = [trace('/home/mika', 2), trace('/Users/otto', 33)];
  for (const view of ['story', 'frames'] as const)
    expect(told(await compare(a, b, { view }))).toEqual([]);
  const other = b.replace('"add"', '"delete"');
  expect(told(await compare(a, other, { view: 'frames' }))).toEqual([
    "changed tool_call $.params.update.rawInput.changes['/home/mika/w/a.txt'].type 6 6 add delete",
  ]);
});

test('of named items of a list that changed places and themselves, one is told as another', async () => {
  const plan = (entries: string) => `${START('s1')}
    agent update s1 available_commands_update {"availableCommands":[${entries}]}`;
  const item = (name: string, words: string) => `{"name":"${name}","description":"${words}"}`;
  const a = plan([item('go', 'run it'), item('stop', 'end it')].join());
  const b = plan([item('stop', 'halt it'), item('go', 'start it')].join());
  const kinds = (await compare(a, b)).differences.map(
    ({ path, ...one }) => `${'before' in one} ${'after' in one} ${path.slice(-16)}`,
  );
  expect(kinds).toHaveLength(3);
});

test('a kind of alias can be switched off, and so can a single value', async () => {
  const a = START('ses_aaaaaaaa');
  const b = START('ses_bbbbbbbb');
  const raw = ['changed session/new $.result.sessionId 3 3 ses_aaaaaaaa ses_bbbbbbbb'];
  expect(told(await compare(a, b, { raw: ['session'] }))).toEqual(raw);
  expect(told(await compare(a, b, { rawValues: ['ses_aaaaaaaa'] }))).toEqual(raw);
});

test('what is said in another session is told', async () => {
  const two = `${START('ses_one')}
    client →2 session/new {"cwd":"/home/mika/x","mcpServers":[]}
    agent ←2 result {"sessionId":"ses_two"}`;
  const said = (session: string) => `
    agent update ses_one agent_message_chunk "Here"
    agent update ses_two agent_message_chunk "There"
    agent update ${session} current_mode_update {"currentModeId":"plan"}`;
  const report = await compare(two + said('ses_one'), two + said('ses_two'));
  expect(told(report)).toEqual(['changed current_mode_update $.sessionId 9 9 ses_one ses_two']);
});

test('one turn is compared with another of the same trace', async () => {
  const a = START('s1') + TURN('s1', 2, 't1', '"One"') + TURN('s1', 3, 't2', '"Two"');
  const report = await compare(a, a, { a: { turn: 1 }, b: { turn: 2 } });
  expect(report.compared).toEqual({ a: 4, b: 4 });
  expect(told(report)).toEqual(['changed agent $.text 6 12 One Two']);
  await expect(compare(a, a, { a: { turn: 3 } })).rejects.toThrow(
    'no turn 3: its turns are 1 to 2',
  );
});

test('a turn that the agent begins is a section of its own; a prompt into a turn begins none', async () => {
  const running = 'agent update s1 state_update {"state":"running"}';
  const idle = 'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}';
  const a = `
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    client →1 session/prompt s1 "One"
    agent  ←1 result {}
    ${running}
    client →2 session/prompt s1 "Into it"
    agent  ←2 result {}
    ${idle}
    ${running}
    agent  update s1 agent_message m {"content":[{"type":"text","text":"By itself"}]}
    ${idle}`;
  const { sections } = await compare(a, a);
  expect(sections.map(({ name, words }) => [name, words])).toEqual([
    ['Start', ''],
    ['Turn 1', '“One”'],
    ['Turn 2', ''],
  ]);
  await expect(compare(a, a, { a: { turn: 2 }, b: { turn: 2 } })).resolves.toMatchObject({
    compared: { a: 2, b: 2 },
  });
});

test('what pause throws ends the comparison', async () => {
  const stop = () => Promise.reject(new Error('cancelled'));
  await expect(compare(START('s1'), START('s1'), { pause: stop })).rejects.toThrow('cancelled');
});

test('the same words from another kind of thing are another step', async () => {
  const said = (kind: string) =>
    `${START('s1')}\n  client →2 session/prompt s1 "Go"\n  agent update s1 ${kind} "I will read it"`;
  const report = await compare(said('agent_thought_chunk'), said('agent_message_chunk'));
  expect(report.counts).toMatchObject({ missing: 1, extra: 1, moved: 0 });
  const { rows } = await compare(START('s1'), START('s1'), { view: 'state' });
  expect(rows.row(0).a?.words).not.toContain('value');
});

test('a session that says it is idle before anything was asked ends no turn', async () => {
  const begin = `
    client →0 initialize {"protocolVersion":2}
    agent ←0 result {"protocolVersion":2}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent ←1 result {"sessionId":"s1"}`;
  const turn = `
    client →2 session/prompt s1 "Hi"
    agent ←2 result {"messageId":"u1"}
    agent update s1 state_update {"state":"running"}
    agent update s1 state_update {"state":"idle","stopReason":"end_turn"}`;
  const idle = '\n    agent update s1 state_update {"state":"idle"}';
  expect(told(await compare(begin + turn, begin + idle + turn))).toEqual([]);
});

test('a turn of a child session is no turn of the conversation with its parent', async () => {
  const prompt = (id: number, words: string) => `
  client →${id} session/prompt s1 "${words}"
  agent update s1 state_update {"state":"running"}
  agent update s1 agent_message_chunk m${id} "Done"
  agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
  agent ←${id} result {"messageId":"u${id}"}`;
  const child = `
  agent update s1 subagent_update {"sessionId":"k1","state":{"state":"running"}}
  agent update k1 state_update {"state":"running"}
  agent update k1 agent_message_chunk c1 "Counting"
  agent update k1 state_update {"state":"idle","stopReason":"end_turn"}
  agent update s1 subagent_update {"sessionId":"k1","state":{"state":"idle"}}`;
  const trace = (words: string) => `
  client →0 initialize {"protocolVersion":2}
  agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}${prompt(2, 'One')}${child}${prompt(3, words)}`;
  const { sections } = await compare(trace('Two'), trace('Three'));
  expect(sections.map(({ name }) => name)).toEqual(['Start', 'Turn 1', 'Child turn 1', 'Turn 2']);
});
