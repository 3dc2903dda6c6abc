// A restore that Fidelity and the checker both judge: what the one calls late, lost, cut off or not to be
// told, the other does too. Each pair of traces was judged in two ways once.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { found, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { fidelityOf } from './fidelity.ts';

const update = (kind: string, more: object) => `agent update s1 ${kind} ${JSON.stringify(more)}`;
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const lines = (...all: readonly string[]) => all.join('\n');

const ASKED = 'client →2 session/prompt s1 "Do it"';
const ENDED = 'agent ←2 result {"stopReason":"end_turn"}';
const CALL = { toolCallId: 't1', title: 'npm test', kind: 'execute', status: 'in_progress' };
const RAN = update('tool_call', CALL);
const WHOLE = {
  ...CALL,
  status: 'completed',
  rawInput: { command: 'npm test' },
  content: [{ type: 'content', content: { type: 'text', text: 'All 12 tests passed' } }],
};

function loaded(history: string, after = ''): string {
  const asked = 'client →9 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
  const prompt = 'agent update s1 user_message_chunk "Do it"';
  return lines(V1, asked, prompt, history, 'agent ←9 result {}', after);
}

const IDLE = update('state_update', { state: 'idle' });
const USER = update('user_message', { messageId: 'u1', ...text('Do it') });
const BEGUN = update('agent_message', { messageId: 'm1', ...text('I begin') });
const MORE = update('agent_message', { messageId: 'm1', ...text('I begin, and I end') });
const BETWEEN = update('session_message', { messageId: 'p1', ...text('Count the lines of it') });
const MARKER = 'agent update s1 replay_complete';

function lived2(...work: readonly string[]): string {
  return lines(V2_SESSION, ASKED, 'agent ←2 result {"messageId":"u1"}', USER, ...work);
}
function resumed(...history: readonly string[]): string {
  const asked =
    'client →9 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}';
  return lines(V2, asked, ...history, IDLE, 'agent ←9 result {}');
}
const RUNNING = update('state_update', { state: 'running' });

/** The verdict of Fidelity, what it says of the item, and of the rule. */
function judged(rule: string, traces: readonly string[]): readonly string[] {
  const { verdict = '', differences = [] } = fidelityOf(sourcesOf(traces)).windows.at(-1) ?? {};
  const [first] = found(rule, traces);
  return [verdict, differences[0]?.why ?? '', first?.verdict ?? 'none', first?.seen ?? ''];
}

const said = (id: string, words: string) => `agent update s1 agent_message_chunk ${id}"${words}"`;
const answered = (id: string) => [
  lines(V1_SESSION, ASKED, said(id, 'It is mended now, and it was hard work'), ENDED),
  loaded(said(id, 'It is mended now, and it was work')),
];

const MAY_GO_ON = 'it may be history that came late, or work that goes on';
const CUT = 'goes on behind where the live turn was cut';
const ADDED = 'says more than was said live';

test.each<[string, string, readonly string[], readonly (string | RegExp)[]]>([
  [
    'a call that still ran, told again behind the answer, may go on',
    'replay/after-response',
    [lines(V1_SESSION, ASKED, RAN), loaded('', RAN)],
    ['undecidable', MAY_GO_ON, 'undecidable', new RegExp(MAY_GO_ON)],
  ],
  [
    'a call that was over, told again behind the answer, is late',
    'replay/after-response',
    [
      lines(V1_SESSION, ASKED, RAN, RAN.replace('in_progress', 'completed'), ENDED),
      loaded('', RAN),
    ],
    ['lossy', /^came after the answer/, 'fail', /"npm test" .* after #4 was answered/],
  ],
  [
    'a message that stands in the replay twice was said, and only once',
    'replay/unfaithful',
    [
      lines(
        V1_SESSION,
        ASKED,
        said('m1 ', 'It is mended now'),
        RAN,
        said('m2 ', 'So I say'),
        ENDED,
      ),
      loaded(
        lines(
          ...[said('m1 ', 'It is mended now'), RAN, said('m2 ', 'So I say')],
          said('m1 ', 'It is mended now'),
        ),
      ),
    ],
    [
      'corrupt',
      /./,
      'fail',
      /^the answer "It is mended now": stands in this replay more often than it was said live$/,
    ],
  ],
  [
    'a call told behind the answer as it never was is late and untrue',
    'replay/after-response',
    [
      lines(V1_SESSION, ASKED, RAN, RAN.replace('in_progress', 'completed'), ENDED),
      loaded('', RAN.replace('in_progress', 'failed')),
    ],
    ['corrupt', /^came after the answer/, 'fail', /was answered; its status was never so live/],
  ],
  [
    'a message between sessions is history, and may be late',
    'replay/after-response',
    [lived2(RUNNING, BETWEEN, IDLE), lines(resumed(USER), BETWEEN)],
    ['lossy', /^came after the answer/, 'fail', /the message between sessions .* was answered$/],
  ],
  [
    'a call without what it showed lacks a part',
    'replay/missing-history',
    [
      lines(V1_SESSION, ASKED, update('tool_call', WHOLE), ENDED),
      loaded(update('tool_call', { ...WHOLE, content: [] })),
    ],
    [
      'lossy',
      'is empty',
      'fail',
      /^the tool call "npm test" .* came in #6 without all of its content$/,
    ],
  ],
  [
    'a call with all that it showed lacks nothing',
    'replay/missing-history',
    [
      lines(V1_SESSION, ASKED, update('tool_call', WHOLE), ENDED),
      loaded(update('tool_call', WHOLE)),
    ],
    ['equal', '', 'none', ''],
  ],
  [
    'a message that lost a word of its midst lacks a part',
    'replay/missing-history',
    answered('m1 '),
    [
      'lossy',
      'lacks part of the text',
      'fail',
      /^the answer "It is mended now.* came in #\d+ without all of its text$/,
    ],
  ],
  [
    'also without an id, where a chunk came in part',
    'replay/missing-history',
    answered(''),
    ['lossy', 'lacks part of the text', 'fail', / came in #\d+ without all of its text$/],
  ],
  [
    'without an id a whole chunk may have been a remark',
    'replay/missing-history',
    [
      lines(V1_SESSION, ASKED, said('', 'It is mended now'), said('', ', saved to disk'), ENDED),
      loaded(said('', 'It is mended now')),
    ],
    [
      'lossy',
      'lacks part of the text',
      'undecidable',
      / came in #\d+ without all of its text: without ids/,
    ],
  ],
  [
    'idle ends a turn of v2 without saying why',
    'replay/unfaithful',
    [lived2(RUNNING, BEGUN, IDLE), resumed(USER, MORE)],
    ['corrupt', ADDED, 'fail', new RegExp(ADDED)],
  ],
  [
    'work that was not told to be over was cut',
    'replay/unfaithful',
    [lived2(RUNNING, BEGUN), resumed(USER, MORE)],
    ['undecidable', CUT, 'undecidable', new RegExp(CUT)],
  ],
  [
    'work of which nothing was told was cut',
    'replay/unfaithful',
    [lived2(BEGUN), resumed(USER, MORE)],
    ['undecidable', CUT, 'undecidable', new RegExp(CUT)],
  ],
  [
    'work that the agent began by itself behind a turn was cut',
    'replay/unfaithful',
    [lived2(RUNNING, IDLE, RUNNING, BEGUN), resumed(USER, MORE)],
    ['undecidable', CUT, 'undecidable', new RegExp(CUT)],
  ],
  [
    'a turn that ended as cancelled may have said more, whoever cancelled it',
    'replay/unfaithful',
    [
      lines(V1_SESSION, ASKED, 'agent update s1 agent_message_chunk "Begun"').concat(
        '\nagent ←2 result {"stopReason":"cancelled"}',
      ),
      loaded('agent update s1 agent_message_chunk "Begun and done"'),
    ],
    ['undecidable', CUT, 'undecidable', new RegExp(CUT)],
  ],
  [
    'so may one that the client cancelled, however it ended',
    'replay/unfaithful',
    [
      lines(V1_SESSION, ASKED, 'agent update s1 agent_message_chunk "Begun"').concat(
        `\nclient session/cancel s1\n${ENDED}`,
      ),
      loaded('agent update s1 agent_message_chunk "Begun and done"'),
    ],
    ['undecidable', CUT, 'undecidable', new RegExp(CUT)],
  ],
  [
    'what comes behind the marker is late, not missing',
    'replay/empty',
    [lived2(RUNNING, BEGUN, IDLE), resumed(MARKER, USER, BEGUN)],
    ['lossy', /^came after its history was said to be complete/, 'none', ''],
  ],
  [
    'and is told as that',
    'replay/complete-order',
    [lived2(RUNNING, BEGUN, IDLE), resumed(MARKER, USER, BEGUN)],
    ['lossy', /^came after its history was said to be complete/, 'fail', /after the marker/],
  ],
])('%s', (_, rule, traces, expected) => {
  const told = judged(rule, traces);
  for (const [at, words] of expected.entries())
    if (words instanceof RegExp) expect(told[at]).toMatch(words);
    else expect(told[at]).toBe(words);
});

test('of what comes behind the answer the restore form, Fidelity and the rule know the same', () => {
  const live = lines(V1_SESSION, ASKED, said('', 'It is mended now'), ENDED);
  const told = (late: string) => {
    const traces = [live, loaded(said('', 'It is mended now'), late)];
    const { verdict, due } = fidelityOf(sourcesOf(traces)).windows.at(-1) ?? {};
    return [verdict, due, found('replay/after-response', traces)[0]?.verdict];
  };
  expect(told(said('', 'Welcome back'))).toEqual(['undecidable', undefined, 'undecidable']);
  expect(told('agent update s1 user_message_chunk "Do it"')).toEqual(['lossy', false, 'fail']);
  // What was said before, on this connection or another, is said again.
  expect(told(said('', 'It is mended now'))).toEqual(['lossy', false, 'fail']);
  expect(told('')).toEqual(['equal', true, undefined]);
});

test.each([
  ['other words', 'It was never mended', 'the text differs from the earlier replay'],
  ['half of its words', 'It is mended', 'without all of its text'],
])(
  'a second replay with %s violates the protocol by the rule and by the answer',
  (_, other, seen) => {
    const load = (id: number, words: string) =>
      lines(
        `client →${id} session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`,
        'agent update s1 user_message_chunk u1 "Do it"',
        said('m1 ', words),
        `agent ←${id} result {}`,
      );
    const close = 'client →8 session/close s1\nagent ←8 result {}';
    const trace = lines(V1, load(7, 'It is mended now, and it was hard'), close, load(9, other));
    const answer = fidelityOf(sourcesOf([trace])).windows.at(-1)?.answer;
    expect(answer).toMatchObject({ protocol: 'violated', history: 'inconclusive' });
    expect(answer?.headline).toContain(seen);
    expect([
      ...found('replay/unfaithful', trace),
      ...found('replay/missing-history', trace),
    ]).toMatchObject([{ verdict: 'fail' }]);
  },
);

test.each([
  ['had ended', RAN.replace('in_progress', 'completed'), ['lossy', false, 'fail']],
  ['still ran', RAN, ['undecidable', undefined, 'undecidable']],
])(
  'a call of another connection that %s, told behind the answer: all three say the same',
  (_, call, verdicts) => {
    const traces = [lines(V1_SESSION, ASKED, call), loaded('', call)];
    const { verdict, due } = fidelityOf(sourcesOf(traces)).windows.at(-1) ?? {};
    expect([verdict, due, found('replay/after-response', traces)[0]?.verdict]).toEqual(verdicts);
  },
);

test('what is lost or invented of a child is told of the child, and weighs less', () => {
  const child = 'agent update s1 subagent_update {"sessionId":"k","title":"helper"}';
  const works = (id: string, words: string) =>
    `agent update k agent_message ${JSON.stringify({ messageId: id, ...text(words) })}`;
  const [looked, found1] = [works('k1', 'I look'), works('k2', 'I found it in the attic')];
  const live = lived2(RUNNING, child, looked, found1, IDLE);
  const told = (...history: readonly string[]) => {
    const traces = [live, resumed(USER, ...history)];
    const window = fidelityOf(sourcesOf(traces)).windows.at(-1);
    const finding = (rule: string) =>
      found(rule, traces).map(({ session, severity, verdict }) => [session, severity, verdict]);
    return {
      root: window?.verdict,
      child: window?.children.map(({ verdict }) => verdict),
      missing: finding('replay/missing-history-v2'),
      unfaithful: finding('replay/unfaithful'),
    };
  };
  const whole = { root: 'equal', child: ['equal'], missing: [], unfaithful: [] };
  expect(told(child, looked, found1)).toEqual(whole);
  expect(told(child, looked)).toEqual({
    ...whole,
    child: ['lossy'],
    missing: [['k', 'hint', 'fail']],
  });
  expect(told(child)).toEqual({ ...whole, child: ['not kept'] });
  expect(told(child, looked, works('k2', 'I found nothing at all'))).toMatchObject({
    root: 'equal',
    child: ['corrupt'],
    unfaithful: [['k', 'warning', 'fail']],
  });
});

test('a child’s words are due of a replay that was asked for after them, and of no other', () => {
  const child = 'agent update s1 subagent_update {"sessionId":"k","state":{"state":"running"}}';
  const works = (id: string) =>
    `agent update k agent_message ${JSON.stringify({ messageId: id, ...text(`I found the ${id}`) })}`;
  const asked = (id: number) =>
    `client →${id} session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}`;
  const over = (id: number) => lines(IDLE, `agent ←${id} result {}`);
  const told = (...rest: readonly string[]) => {
    const trace = lines(lived2(RUNNING, child, works('k1'), IDLE), ...rest);
    const lost = found('replay/missing-history-v2', trace).map(({ session, severity, verdict }) => [
      ...[session, severity, verdict],
    ]);
    const { children = [] } = fidelityOf(sourcesOf([trace])).windows.at(-1) ?? {};
    return { lost, verdicts: children.map(({ verdict }) => verdict) };
  };
  // It goes on while the restore is open, and behind it.
  const first = [asked(8), USER, child, works('k1'), works('k2'), over(8), child, works('k3')];
  expect(told(...first).lost).toEqual([]);
  const rests = child.replace('running', 'idle');
  const again = [rests, asked(9), USER, child, works('k1')];
  expect(told(...first, ...again, works('k2'), works('k3'), over(9)).lost).toEqual([]);
  const short = told(...first, ...again, over(9));
  expect(short).toEqual({ lost: [['k', 'hint', 'fail']], verdicts: ['lossy'] });
});
