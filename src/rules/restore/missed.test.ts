// What the checker once missed in a replay, and what it once took for a fault: pairs of drawn traces,
// of real recordings that were altered.
import { expect, onTestFinished, test, vi } from 'vitest';
import { found, ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { Children } from '../../model/facts/children.ts';

const LOAD = '{"sessionId":"s1","cwd":"/w","mcpServers":[]}';
const START = '{"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}';
const user = (text: string) => `agent update s1 user_message_chunk "${text}"`;
const agent = (text: string) => `agent update s1 agent_message_chunk "${text}"`;
const tool = (id: string) =>
  `agent update s1 tool_call {"toolCallId":"${id}","title":"${id}","status":"completed"}`;
const lines = (...all: readonly string[]) => all.join('\n');
const load = (...told: readonly string[]) =>
  lines(`client →1 session/load ${LOAD}`, ...told, 'agent ←1 result {}');
const loaded = (...told: readonly string[]) => lines(V1, load(...told));
const loadedAgain = (...told: readonly string[]) =>
  lines(`client →2 session/load ${LOAD}`, ...told, 'agent ←2 result {}');

const fails = (rule: string, ...traces: readonly string[]) =>
  found(rule, traces).flatMap(({ verdict, severity, seen }) =>
    verdict === 'fail' ? [`${severity}: ${seen}`] : [],
  );

const FIRST = [user('Mend the roof, please'), tool('t1'), agent('The roof is mended now.')];
const SECOND = [user('And now the door of it'), tool('t2'), agent('The door closes again.')];

test('a turn that an earlier load told, in messages without ids, is missing from a later one', () => {
  const whole = loaded(...FIRST, ...SECOND);
  expect(fails('replay/missing-history', whole, loaded(...FIRST))).toEqual([
    expect.stringMatching(/^warning: missing: the prompt "And now the door of it"/),
  ]);
  expect(fails('replay/missing-history', whole, whole)).toEqual([]);
  // What an agent adds by itself may be another each time.
  const said = (time: string) => user(`<environment_context>${time}</environment_context>`);
  const a = loaded(said('10:00'), ...FIRST);
  expect(fails('replay/missing-history', a, loaded(said('11:00'), ...FIRST))).toEqual([]);
});

test('a finding about missing history names the live frames, also of another trace', () => {
  const whole = loaded(...FIRST, ...SECOND);
  const [finding] = found('replay/missing-history', [whole, loaded(...FIRST)]);
  expect(finding?.places[0]?.missing?.map(({ connection }) => connection)).toEqual([
    ...['c1', 'c1', 'c1'],
  ]);
  expect(finding?.seen).toContain(`c1#${finding?.places[0]?.missing?.[0]?.seq}`);
});

test('words said in two turns and told once are missing once: the other does not stand in for them', () => {
  const turn = (id: number, text: string, ...work: readonly string[]) =>
    lines(
      `client →${id} session/prompt s1 "${text}"`,
      ...work,
      `agent ←${id} result {"stopReason":"end_turn"}`,
    );
  const says = (id: string) => `agent update s1 agent_message_chunk ${id} "I will use the tool."`;
  const [one, two] = ['Mend the roof, please', 'And now the door of it'];
  const both = lines(
    V1_SESSION,
    ...[turn(2, one, says('m1'), tool('t1')), turn(3, two, says('m2'), tool('t2'))],
  );
  const again = (...second: readonly string[]) =>
    loaded(user(one), says('n1'), tool('t1'), user(two), ...second, tool('t2'));
  expect(fails('replay/missing-history', both, again(says('n2')))).toEqual([]);
  expect(fails('replay/missing-history', both, again())).toEqual([
    expect.stringMatching(/^error: missing: the answer "I will use the tool\."/),
  ]);
});

test('turns that a second load tells in another order than the first are out of order', () => {
  const whole = loaded(...FIRST, ...SECOND);
  expect(fails('replay/order', whole, loaded(...SECOND, ...FIRST))).toHaveLength(1);
  expect(fails('replay/order', whole, whole)).toEqual([]);
});

test.each([
  ['turns', [...SECOND, ...FIRST], 'warning'],
  [
    'the answers of two turns',
    [...FIRST.slice(0, 2), ...SECOND.slice(2), ...SECOND.slice(0, 2), ...FIRST.slice(2)],
    'warning',
  ],
  [
    'the answer and the tool call of a turn',
    [user('Mend the roof, please'), agent('The roof is mended now.'), tool('t1'), ...SECOND],
    'hint',
  ],
] as const)(
  '32.C6 two loads of one trace that replay %s in another order',
  (_, again, severity) => {
    const trace = lines(loaded(...FIRST, ...SECOND), loadedAgain(...again));
    expect(fails('replay/order', trace)).toEqual([
      expect.stringMatching(
        new RegExp(`^${severity}: .* stands elsewhere|^${severity}: .* stands in turn`),
      ),
    ]);
  },
);

const COMMANDS = 'agent update s1 available_commands_update {"availableCommands":[]}';
const USAGE = 'agent update s1 usage_update {"used":10,"size":100}';
const MODE = 'agent update s1 current_mode_update {"currentModeId":"ask"}';
const PLAN =
  'agent update s1 plan {"entries":[{"content":"Look","priority":"high","status":"pending"}]}';

test.each([
  ['the same order', [...FIRST, ...SECOND]],
  ['commands, usage, mode and plan elsewhere', [COMMANDS, USAGE, ...FIRST, PLAN, ...SECOND, MODE]],
  [
    'parallel tool calls the other way round',
    [...FIRST.slice(0, 1), tool('p2'), tool('p1'), ...FIRST.slice(1), ...SECOND],
  ],
  [
    'a message in other chunks',
    [user('Mend the'), user(' roof, please'), ...FIRST.slice(1), ...SECOND],
  ],
  ['a turn less', SECOND],
] as const)('32.C6 two loads of one trace are in order: %s', (_, again) => {
  const first = [FIRST[0] ?? '', tool('p1'), tool('p2'), ...FIRST.slice(1), PLAN, ...SECOND];
  const trace = lines(loaded(COMMANDS, MODE, ...first, USAGE), loadedAgain(...again));
  expect(fails('replay/order', trace)).toEqual([]);
});

const reading = (id: string, title: string) =>
  `agent update s1 tool_call_update {"toolCallId":"${id}","title":"${title}","kind":"read","status":"completed"}`;
const PROMPT = 'Read the two files';
const LIVE = {
  1: lines(
    V1_SESSION,
    `client →2 session/prompt s1 "${PROMPT}"`,
    reading('call-1', 'Read a.txt').replace('_update', ''),
    reading('call-2', 'Read b.txt').replace('_update', ''),
    'agent ←2 result {"stopReason":"end_turn"}',
  ),
  2: lines(
    V2_SESSION,
    `client →2 session/prompt s1 "${PROMPT}"`,
    'agent ←2 result {"messageId":"u1"}',
    `agent update s1 user_message u1 "${PROMPT}"`,
    reading('call-1', 'Read a.txt'),
    reading('call-2', 'Read b.txt'),
    'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}',
  ),
} as const;
const again = {
  1: (...told: readonly string[]) =>
    loaded(user(PROMPT), ...told.map((one) => one.replace('tool_call_update', 'tool_call'))),
  2: (...told: readonly string[]) =>
    lines(
      V2,
      `client →1 session/resume ${START}`,
      `agent update s1 user_message u1 "${PROMPT}"`,
      ...told,
      'agent update s1 state_update {"state":"idle"}',
      'agent ←1 result {}',
    ),
} as const;

test.each([1, 2] as const)(
  '32.D4 tool calls that a replay of v%i gives other ids are named with their frames',
  (version) => {
    const told = [reading('call-8', 'Read a.txt'), reading('call-9', 'Read b.txt')];
    expect(found('replay/unfaithful', [LIVE[version], again[version](...told)])).toMatchObject([
      {
        ...{ verdict: 'fail', severity: 'warning', pointer: '/params/update/toolCallId' },
        ...{ side: 'agent', seqs: [6, 7] },
        seen: expect.stringMatching(
          /^"call-8" for the tool call "Read a.txt" \(c1#\d+\), which was "call-1"; and 1 more$/,
        ),
      },
    ]);
  },
);

test.each([
  ['the same ids', [reading('call-1', 'Read a.txt'), reading('call-2', 'Read b.txt')]],
  [
    'the same ids the other way round',
    [reading('call-2', 'Read b.txt'), reading('call-1', 'Read a.txt')],
  ],
  ['a call less', [reading('call-2', 'Read b.txt')]],
  ['no call', []],
  [
    'a call more',
    ['1', '2', '3'].map((id) => reading(`call-${id}`, `Read ${id === '1' ? 'a' : 'b'}.txt`)),
  ],
] as const)('32.D4 no tool call is said to have another id: %s', (_, told) => {
  for (const version of [1, 2] as const) {
    const faults = found('replay/unfaithful', [LIVE[version], again[version](...told)]);
    expect(faults.filter(({ pointer }) => pointer?.endsWith('toolCallId'))).toEqual([]);
  }
});

test('a text of the replay that comes once more behind its answer is late, also without an id', () => {
  const trace = lines(loaded(...FIRST), agent('The roof is mended now.'));
  expect(fails('replay/after-response', trace)).toEqual([
    expect.stringMatching(/^error: the answer "The roof is mended now."/),
  ]);
  expect(fails('replay/after-response', lines(loaded(...FIRST), agent('Hello')))).toEqual([]);
});

test('frames of late items that are interleaved are listed in the order of the trace', () => {
  const late = [
    tool('t1'),
    agent('The roof '),
    tool('t2'),
    tool('t1'),
    user('Mend the roof, please'),
  ];
  const [finding] = found('replay/after-response', [lines(loaded(...FIRST, ...SECOND), ...late)]);
  expect(finding?.seqs.length).toBeGreaterThan(3);
  expect(finding?.seqs).toEqual(finding?.seqs.toSorted((a, b) => a - b));
});

test('an ended tool call of the replay that is sent again after the response is late', () => {
  const trace = lines(loaded(...FIRST), tool('t1'));
  expect(fails('replay/after-response', trace)).toEqual([
    expect.stringMatching(/^error: the tool call "t1" after #\d+ was answered$/),
  ]);
  const running = trace.replace('completed', 'in_progress');
  expect(fails('replay/after-response', running)).toEqual([]);
});

test('history that comes late is not missing, where a prompt was sent with the load and answered', () => {
  const turn = `client →5 session/prompt s1 "Mend the roof, please"
    ${tool('t1')}
    ${agent('The roof is mended now.')}
    agent ←5 result {"stopReason":"end_turn"}`;
  const live = lines(V1_SESSION, turn);
  const asked = lines(
    V1,
    `client →1 session/load ${LOAD}`,
    'client →2 session/prompt s1 "And the door?"',
    'agent ←1 result {}',
    'agent ←2 result {"stopReason":"end_turn"}',
  );
  const late = lines(asked, ...FIRST, 'client →3 session/prompt s1 "And now?"');
  expect(fails('replay/missing-history', live, late)).toEqual([]);
  expect(fails('replay/after-response', live, late)).toEqual([
    expect.stringMatching(/^error: the prompt "Mend the roof, please"/),
  ]);
  expect(fails('prompt/update-after-turn', live, late)).toEqual([]);
  // Where it never comes, it is missing.
  const never = lines(asked, 'client →3 session/prompt s1 "And now?"', 'agent ←3 result {}');
  expect(fails('replay/missing-history', live, never)).toEqual([
    expect.stringMatching(/^error: missing: the prompt "Mend the roof, please"/),
  ]);
});

test('one id for messages of two turns is told, where each is emptied before its chunks', () => {
  const message = (id: string, text: string) =>
    lines(
      `agent update s1 agent_message {"messageId":"${id}","content":[]}`,
      `agent update s1 agent_message_chunk ${id} "${text}"`,
    );
  const prompt = (id: string) =>
    `agent update s1 user_message {"messageId":"${id}","content":[{"type":"text","text":"${id}"}]}`;
  const resumed = (second: string, text: string) =>
    lines(
      V2,
      `client →1 session/resume ${START}`,
      ...[prompt('u1'), message('m1', 'The roof is mended now.')],
      ...[prompt('u2'), message(second, text)],
      'agent update s1 state_update {"state":"idle"}',
      'agent ←1 result {}',
    );
  expect(fails('replay/message-id-collision', resumed('m1', 'The door closes.'))).toHaveLength(1);
  expect(fails('replay/message-id-collision', resumed('m2', 'The door closes.'))).toEqual([]);
  expect(fails('replay/message-id-collision', resumed('m1', 'The roof is mended now.'))).toEqual(
    [],
  );
});

test('a prompt sent after the load was asked for is no history that the load should have', () => {
  const lived = lines(
    V1_SESSION,
    'client →2 session/prompt s1 "Mend the roof, please"',
    agent('The roof is mended now.'),
    'agent ←2 result {"stopReason":"end_turn"}',
  );
  const trace = lines(
    V1,
    `client →1 session/load ${LOAD}`,
    'client →2 session/prompt s1 "And now the door of it"',
    ...[user('Mend the roof, please'), agent('The roof is mended now.')],
    'agent ←1 result {}',
    'agent ←2 result {"stopReason":"end_turn"}',
  );
  expect(fails('replay/missing-history', lived, trace)).toEqual([]);
});

test('an echo in other words, with the id that its answer names, is what was sent', () => {
  const restored = (id: string) =>
    lines(
      V2_SESSION,
      `client →2 session/resume ${START}`,
      'agent update s1 state_update {"state":"idle"}',
      'agent ←2 result {}',
      'client →3 session/prompt s1 "Mend the roof, please"',
      'agent update s1 user_message {"messageId":"u1","content":[{"type":"text","text":"/mend it"}]}',
      `agent ←3 result {"messageId":"${id}"}`,
      'agent update s1 state_update {"state":"running"}',
      'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}',
    );
  expect(fails('replay/after-response', restored('u1'))).toEqual([]);
  expect(fails('prompt/echo-missing', restored('u1'))).toEqual([]);
  expect(fails('prompt/echo-content', restored('u1'))).toHaveLength(1);
  expect(fails('replay/after-response', restored('u9'))).toHaveLength(1);
});

test('what came late is not missing as well: one cause, one finding', () => {
  const lived = lines(
    V1_SESSION,
    'client →2 session/prompt s1 "Mend the roof, please"',
    agent('The roof is mended now.'),
    'agent ←2 result {"stopReason":"end_turn"}',
  );
  const late =
    loaded() + '\n' + lines(user('Mend the roof, please'), agent('The roof is mended now.'));
  expect(fails('replay/after-response', lived, late).length).toBeGreaterThan(0);
  expect(fails('replay/missing-history', lived, late)).toEqual([]);
  expect(fails('replay/missing-history', lived, loaded())).toHaveLength(1);
});

const call = (status: string, title = 'rm') =>
  `agent update s1 tool_call {"toolCallId":"t1","title":"${title}","status":"${status}"}`;
const said = (text: string) => `agent update s1 agent_message_chunk m1 "${text}"`;
const lived = (...work: readonly string[]) =>
  lines(V1_SESSION, 'client →2 session/prompt s1 "Mend it"', ...work);
const END = 'agent ←2 result {"stopReason":"end_turn"}';
const ASK =
  'agent →5 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}';
const MADE = '<system-reminder>Be brief.</system-reminder>';

// What Fidelity proves corrupt of a status, a title, a text or in the name of the user.
ruleCase('replay/unfaithful', {
  breaks: [
    {
      trace: [lived(call('failed'), END), loaded(user('Mend it'), call('completed'))],
      at: [6],
      severity: 'error',
      seen: /"rm" \(c1#7\): the status, failed live and now completed, was never so live/,
    },
    {
      trace: [lived(call('pending'), ASK), loaded(call('completed'))],
      at: [5],
      seen: /pending live and now completed, asked for a permission that nobody gave/,
    },
    {
      trace: [lived(call('completed'), END), loaded(call('completed', 'exec_command'))],
      at: [5],
      seen: /the title, "rm" live and now "exec_command", was never so live/,
    },
    {
      trace: [lived(said('It is mended.'), END), loaded(said('Nothing was done.'))],
      at: [5],
      seen: /the text was never so live/,
    },
    // One that begins empty is shown where it says something.
    {
      trace: [
        lived(said('It is mended.'), END),
        loaded(said(''), said(''), said('Nothing'), said(' was done.')),
      ],
      at: [7],
      seen: /the text was never so live/,
    },
    {
      trace: [lived(said('It is mended.'), END), loaded(user(MADE), said('It is mended.'))],
      at: [5],
      severity: 'warning',
      seen: /the prompt "<system-reminder>.*": the agent added it for its model/,
    },
    {
      trace: [lived(call('in_progress')), loaded(call('completed'))],
      at: [5],
      verdict: 'undecidable',
      seen: /live never said how it ended/,
    },
  ],
  holds: [
    [lived(call('completed'), END), loaded(user('Mend it'), call('completed'))],
    // Settled by the cut; other spaces; a prompt that says so itself.
    [lived(call('pending'), ASK), loaded(call('failed'))],
    [lived(said('It is  mended.'), END), loaded(said('It is mended.'))],
    [
      lines(V1_SESSION, `client →2 session/prompt s1 "${MADE}"`, said('Yes'), END),
      loaded(user(MADE), said('Yes')),
    ],
  ],
});

// What is told of a child in the restore of its parent is replay like its parent's: recordings of
// codex-acp 2.6.0 and claude-agent-acp 0.100.0 with one frame changed.
const CHILD_CLIENT = V1.replace('"fs":', '"subagents":{},"fs":');
const CHILD = 'agent update s1 subagent_update {"sessionId":"k1","title":"Counter"}';
const childTool = (status: string, variant = 'tool_call') =>
  `agent update k1 ${variant} {"toolCallId":"t1","title":"ls","status":"${status}"}`;
const childLoad = (...told: readonly string[]) =>
  lines(CHILD_CLIENT, load(user('Count them'), CHILD, ...told));
const childResume = (...told: readonly string[]) =>
  lines(
    V2,
    `client →1 session/resume ${START}`,
    CHILD,
    ...told,
    'agent update s1 state_update {"state":"idle"}',
    'agent ←1 result {}',
  );
const EMPTY = 'agent update k1 agent_message {"messageId":"m1","content":[]}';
const chunk = (id: string, text: string) => `agent update k1 agent_message_chunk ${id} "${text}"`;

test('a child is left with no open tool call, and told nothing twice', () => {
  expect(fails('replay/open-tool', childLoad(childTool('in_progress')))).toEqual([
    'hint: the tool call "ls" is left in_progress',
  ]);
  expect(fails('replay/open-tool', childLoad(childTool('completed')))).toEqual([]);
  const twice = childLoad(childTool('completed'), childTool('completed'));
  expect(fails('replay/duplicate', twice)).toEqual(['warning: #7 is told again']);
});

test('a second load tells a child again, which is no second life of it', () => {
  const told = [CHILD, childTool('completed'), chunk('m1', 'Reading it'), chunk('m2', 'Two lines')];
  const rules = ['message/id-reopened', 'tool/duplicate-create', 'tool/status-regress'];
  const first = load(...told);
  const again = load(
    ...told.with(1, childTool('in_progress')),
    childTool('failed', 'tool_call_update'),
  );
  const both = lines(CHILD_CLIENT, first, again.replaceAll('→1', '→2').replaceAll('←1', '←2'));
  expect(rules.flatMap((rule) => fails(rule, both))).toEqual([]);
  const alive = lines(
    CHILD_CLIENT,
    'client →1 session/new {"cwd":"/w","mcpServers":[]}',
    'agent ←1 result {"sessionId":"s1"}',
    ...told,
    chunk('m1', ' again'),
    childTool('completed'),
    childTool('in_progress', 'tool_call_update'),
  );
  expect(rules.map((rule) => fails(rule, alive).length)).toEqual([1, 1, 1]);
});

test('messages of a child have ids, begin empty, and share no id', () => {
  const nameless = 'agent update k1 agent_message_chunk "Reading the file"';
  expect(fails('replay/message-id-missing', childResume(nameless))).toHaveLength(1);
  expect(fails('replay/chunks-without-reset', childResume(chunk('m1', 'Hi')))).toHaveLength(1);
  const whole = childResume(EMPTY, chunk('m1', 'Reading the file'));
  expect(fails('replay/message-id-missing', whole)).toEqual([]);
  expect(fails('replay/chunks-without-reset', whole)).toEqual([]);
  const other = [EMPTY.replace('m1', 'm2'), chunk('m2', 'Counting its lines')];
  const shared = childResume(EMPTY, chunk('m1', 'Reading it'), ...other, EMPTY, chunk('m1', 'Two'));
  expect(fails('replay/message-id-collision', shared)).toHaveLength(1);
});

test('an id is shared also where a tool call stands between a message and the next', () => {
  const told = (second: string) =>
    childResume(
      ...[EMPTY, chunk('m1', 'Reading the file')],
      'agent update k1 tool_call_update {"toolCallId":"t1","title":"ls","status":"completed"}',
      ...[EMPTY.replace('m1', 'm2'), chunk('m2', 'Counting its lines')],
      ...[EMPTY.replace('m1', second), chunk(second, 'There are two')],
    );
  expect(fails('replay/message-id-collision', told('m1'))).toHaveLength(1);
  expect(fails('replay/message-id-collision', told('m3'))).toEqual([]);
});

test('an id is shared also where only a tool call or a child stands between', () => {
  const call =
    'agent update s1 tool_call_update {"toolCallId":"t1","title":"ls","status":"completed"}';
  const child = 'agent update s1 subagent_update {"sessionId":"k1","state":{"state":"idle"}}';
  const empty = 'agent update s1 agent_message {"messageId":"m1","content":[]}';
  const says = (text: string) => `agent update s1 agent_message_chunk m1 "${text}"`;
  const told = (between: string, text: string) =>
    lines(
      V2,
      `client →1 session/resume ${START}`,
      'agent update s1 user_message {"messageId":"u1","content":[{"type":"text","text":"Count"}]}',
      ...[empty, says('Reading the file'), between, empty, says(text)],
      'agent update s1 state_update {"state":"idle"}',
      'agent ←1 result {}',
    );
  const rule = 'replay/message-id-collision';
  expect(fails(rule, told(call, 'There are two lines'))).toHaveLength(1);
  expect(fails(rule, told(child, 'There are two lines'))).toHaveLength(1);
  // One that is told again, longer.
  expect(fails(rule, told(call, 'Reading the file again'))).toEqual([]);
});

test('what a child that worked before says in a restore may be live', () => {
  const works = `${CHILD.slice(0, -1)},"state":{"state":"running"}}`;
  const busy = lines(
    CHILD_CLIENT,
    'client →0 session/new {"cwd":"/w","mcpServers":[]}',
    'agent ←0 result {"sessionId":"s1"}',
    works,
    load(user('Count them'), childTool('in_progress')),
  );
  expect(fails('replay/open-tool', busy)).toEqual([]);
});

test('of a restore it is asked as often which children it has, however many these are', () => {
  const asked = vi.spyOn(Children.prototype, 'below');
  onTestFinished(() => asked.mockRestore());
  const askedFor = (count: number): number => {
    const children = Array.from({ length: count }, (_, n) => [
      `agent update s1 subagent_update {"sessionId":"k${n}","state":{"state":"idle"}}`,
      `agent update k${n} agent_message_chunk m${n} "The roof is mended by ${n}."`,
    ]).flat();
    asked.mockClear();
    const resume = [`client →4 session/resume ${START}`, ...children, 'agent ←4 result {}'];
    expect(fails('replay/missing-history', lines(V2_SESSION, ...children, ...resume))).toEqual([]);
    return asked.mock.calls.length;
  };
  expect(askedFor(20)).toBe(askedFor(10));
});
