// What Fidelity calls corrupt of an item is a finding of the checker, and nothing else is: both read the
// same comparison, on the same frames.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { found, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { fidelityOf } from './fidelity.ts';

const LOAD = '{"sessionId":"s1","cwd":"/w","mcpServers":[]}';
const START = '{"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}';
const lines = (...all: readonly string[]) => all.join('\n');
const tool = (more: string) =>
  `agent update s1 tool_call {"toolCallId":"t1","title":"rm","kind":"execute","status":"completed",${more}}`;
const shell = (title: string, out: string) =>
  `agent update s1 tool_call {"toolCallId":"t1000","title":"${title}","kind":"execute","status":"failed","content":[{"type":"content","content":{"type":"text","text":"${out}"}}]}`;
const ASKED = `agent →9 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1000","title":"touch a"},"options":[{"optionId":"no","name":"No","kind":"reject_once"}]}\nclient ←9 result {"outcome":{"outcome":"selected","optionId":"no"}}`;
const diff = (text: string) =>
  tool(`"content":[{"type":"diff","path":"/w/a","oldText":"one","newText":"${text}"}]`);
const said = (kind: string, text: string) => `agent update s1 ${kind}_chunk "${text}"`;
const user = (text: string) => said('user_message', text);
const agent = (text: string) => said('agent_message', text);
const GAP = said('agent_thought', 'Some recorded child history is unavailable or incomplete.');

/** Lived in one connection, loaded in the same, so that all that was said before is known. */
function traceOf(live: string, replay: string): string {
  return lines(
    V1_SESSION,
    'client →2 session/prompt s1 "Mend the roof of the house"',
    live,
    'agent ←2 result {"stopReason":"end_turn"}',
    `client →3 session/load ${LOAD}`,
    user('Mend the roof of the house'),
    replay,
    'agent ←3 result {}',
  );
}

function corrupt(...traces: readonly string[]): boolean {
  return fidelityOf(sourcesOf(traces)).windows.at(-1)?.verdict === 'corrupt';
}

function isFound(...traces: readonly string[]): boolean {
  return found('replay/unfaithful', traces).some(({ verdict }) => verdict === 'fail');
}

test.each([
  ['the same', tool('"rawOutput":{"out":"done"}'), tool('"rawOutput":{"out":"done"}'), false],
  ['another output', tool('"rawOutput":{"out":"done"}'), tool('"rawOutput":{"out":"no"}'), true],
  ['another exit code', tool('"rawOutput":{"exit":0}'), tool('"rawOutput":{"exit":1}'), true],
  ['less output', tool('"rawOutput":{"out":"d","n":1}'), tool('"rawOutput":{"out":"d"}'), false],
  [
    'output said elsewhere',
    lines(tool('"rawOutput":{"out":"a"}'), tool('"rawOutput":{"out":"b"}')),
    tool('"rawOutput":{"out":"a"}'),
    false,
  ],
  [
    'a title with what was asked for',
    lines(shell('Shell', 'no'), ASKED),
    shell('Shell: touch a', 'no'),
    false,
  ],
  [
    'a title with what nobody said',
    lines(shell('Shell', 'no'), ASKED),
    shell('Shell: touch b', 'no'),
    true,
  ],
  [
    'a call that was refused, as completed',
    ASKED,
    shell('touch a', '').replace('failed', 'completed'),
    true,
  ],
  ['a call that was refused, as failed', ASKED, shell('touch a', ''), false],
  [
    'a call that live left open and was refused, as completed',
    lines(shell('touch a', '').replace('failed', 'pending'), ASKED),
    shell('touch a', '').replace('failed', 'completed'),
    true,
  ],
  [
    'a call that was allowed, and of which nothing else was told',
    ASKED.replaceAll('reject', 'allow'),
    shell('touch a', '').replace('failed', 'completed'),
    false,
  ],
  ['more of a number', shell('Shell', 'exit 1'), shell('Shell', 'exit 10'), true],
  ['the same change', diff('two'), diff('two'), false],
  ['another change', diff('two'), diff('three'), true],
  ['another kind', tool('"rawInput":{}'), tool('"rawInput":{}').replace('execute', 'read'), true],
  ['a message without an id', agent('It is mended now.'), agent('It is mended now.'), false],
  ['more in it', agent('It is mended now.'), agent('It is mended now. And painted blue.'), true],
  ['its begin', agent('It is mended now.'), agent('It is'), false],
  ['two in one', lines(agent('It is '), agent('mended now.')), agent('It is mended now.'), false],
  [
    'an answer nobody gave',
    agent('It is mended now.'),
    lines(agent('It is mended now.'), user('And paint it'), agent('Painted as you wished.')),
    true,
  ],
  [
    'that the user interrupted, who had refused a permission',
    ASKED,
    lines(shell('touch a', ''), user('[Request interrupted by user for tool use]')),
    false,
  ],
  [
    'that the user interrupted, who had not',
    lines(shell('touch a', ''), ASKED.replaceAll('reject', 'allow')),
    lines(shell('touch a', ''), user('[Request interrupted by user for tool use]')),
    true,
  ],
  ['a thought of a gap', agent('It is mended now.'), lines(GAP, agent('It is mended now.')), true],
  [
    'a filler',
    agent('It is mended now.'),
    lines(agent('It is mended now.'), user('x'), agent('No response requested.')).replace(
      /\n.*"x"/,
      '',
    ),
    false,
  ],
])('%s', (_, live, replay, isCorrupt) => {
  const trace = traceOf(live, replay);
  expect(corrupt(trace), 'fidelity').toBe(isCorrupt);
  expect(isFound(trace), 'the checker').toBe(isCorrupt);
});

test('a live part that is only partly known proves no invention', () => {
  const live = lines(V1, 'client →2 session/prompt s1 "Mend it"', agent('It is mended now.'));
  const load = lines(
    V1,
    `client →1 session/load ${LOAD}`,
    user('An older prompt of another day'),
    agent('And the answer to that one'),
    user('Mend it'),
    agent('It is mended now.'),
    'agent ←1 result {}',
  );
  expect([corrupt(live, load), isFound(live, load)]).toEqual([false, false]);
});

test('a child whose history came back whole leaves no gap to tell of', () => {
  const child = 'agent update s1 subagent_update {"sessionId":"k","title":"helper"}';
  const works =
    'agent update k agent_message {"messageId":"k1","content":[{"type":"text","text":"Looked"}]}';
  const lived = lines(
    V2_SESSION,
    'client →2 session/prompt s1 "Look"',
    'agent ←2 result {"messageId":"u1"}',
    'agent update s1 state_update {"state":"running"}',
    child,
    works,
    'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}',
  );
  const prompt =
    'agent update s1 user_message {"messageId":"u1","content":[{"type":"text","text":"Look"}]}';
  const gap =
    'agent update s1 agent_thought {"messageId":"g","content":[{"type":"text","text":"Some recorded child history is unavailable or incomplete."}]}';
  const resumed = (...told: readonly string[]) =>
    lines(
      V2,
      `client →1 session/resume ${START}`,
      prompt,
      ...told,
      'agent update s1 state_update {"state":"idle"}',
      'agent ←1 result {}',
    );
  const both = (trace: string) => [corrupt(lived, trace), isFound(lived, trace)];
  expect(both(resumed(child, works, gap))).toEqual([true, true]);
  expect(both(resumed(child, gap))).toEqual([false, false]);
  expect(both(resumed(child, works))).toEqual([false, false]);
  // A child that was cut at its work may well have said more than came.
  const running = 'agent update s1 subagent_update {"sessionId":"k","state":{"state":"running"}}';
  const cut = lived.replace(works, `${running}\n${works}`);
  const again = resumed(child, works, gap);
  expect([corrupt(cut, again), isFound(cut, again)]).toEqual([false, false]);
});

test('every corrupt field of a tool call is named, at the update that says it', () => {
  const update = (more: string) => `agent update s1 tool_call_update {"toolCallId":"t1",${more}}`;
  const trace = traceOf(
    lines(tool('"rawOutput":{"out":"done"}').replace('completed', 'failed')),
    lines(
      'agent update s1 tool_call {"toolCallId":"t1","title":"exec","kind":"execute"}',
      update('"status":"completed"'),
      update('"rawOutput":{"out":"no"}'),
    ),
  );
  const [finding] = found('replay/unfaithful', [trace]);
  const places = finding?.places.map(({ seq, pointer }) => `${seq} ${pointer}`);
  const first = Math.min(...(finding?.seqs ?? []));
  expect(places?.sort()).toEqual([
    `${first} /params/update/title`,
    `${first + 1} /params/update/status`,
    `${first + 2} /params/update/rawOutput`,
  ]);
});

test('v1: what comes without an id goes on with the message before it', () => {
  const known = 'agent update s1 agent_message_chunk m1 "It is mended now."';
  const warned = lines(known, agent(' Config warning: no sandbox.'));
  const both = (trace: string) => [corrupt(trace), isFound(trace)];
  expect(both(traceOf(known, warned))).toEqual([true, true]);
  expect(both(traceOf(warned, warned))).toEqual([false, false]);
});

const INTERRUPTED = user('[Request interrupted by user]');

test('that nobody interrupted is said only where it is known what was said', () => {
  const loaded = lines(V1, `client →1 session/load ${LOAD}`, INTERRUPTED, 'agent ←1 result {}');
  const open = fidelityOf(sourcesOf([loaded])).windows[0];
  expect(open?.differences).toMatchObject([{ kind: 'unknown', verdict: 'undecidable' }]);
  expect(isFound(loaded)).toBe(false);
  const whole = traceOf(agent('It is mended now.'), lines(agent('It is mended now.'), INTERRUPTED));
  expect(corrupt(whole)).toBe(true);
  expect(isFound(whole)).toBe(true);
});

const update = (kind: string, id: string, text: string) =>
  `agent update s1 ${kind} {"messageId":"${id}","content":[{"type":"text","text":"${text}"}]}`;
const state = (word: string, more = '') =>
  `agent update s1 state_update {"state":"${word}"${more && ','}${more}}`;
const OVER = state('idle', '"stopReason":"end_turn"');
const LIVED = lines(
  V2_SESSION,
  'client →2 session/prompt s1 "hi"',
  'agent ←2 result {"messageId":"u1"}',
  update('user_message', 'u1', 'hi'),
  state('running'),
  update('agent_message', 'a1', 'hello'),
);
const AGAIN = lines(update('user_message', 'u1', 'hi'), update('agent_message', 'a1', 'hello'));

/** Of the last restore: what Fidelity says, how many updates are late, and what is no pass. */
function told(...traces: readonly string[]) {
  const sources = sourcesOf(traces);
  const verdictsOf = (rule: string) =>
    found(rule, traces).flatMap(({ verdict }) => (verdict === 'pass' ? [] : verdict));
  return {
    fidelity: fidelityOf(sources).windows.at(-1)?.verdict,
    late: sources.at(-1)?.index.windows().at(-1)?.late,
    after: verdictsOf('replay/after-response'),
    unfaithful: verdictsOf('replay/unfaithful'),
  };
}

const FINE = { fidelity: 'equal', late: 0, after: [], unfaithful: [] };
const OPEN = { ...FINE, fidelity: 'undecidable', unfaithful: ['undecidable'] };
const WORK = update('agent_message', 'a2', 'now working by myself');
/** Of a session that had come to rest. */
const resumed = (...then: readonly string[]) =>
  lines(LIVED, OVER, `client →3 session/resume ${START}`, AGAIN, ...then);
const DONE = 'agent ←3 result {}';

test.each(['running', 'requires_action', '_compacting', 'unknown'])(
  'v2: what comes while the state is %s may be live, before a resume, in it and after it',
  (word) => {
    expect(told(resumed(state('idle'), DONE, state(word), WORK, OVER))).toEqual(FINE);
    expect(told(resumed(state(word), WORK, DONE, OVER))).toEqual(OPEN);
    const asked = `client →3 session/resume ${START}`;
    const busy = lines(LIVED, state(word), asked, AGAIN, WORK, state(word), DONE, OVER);
    expect(told(busy)).toEqual(OPEN);
    // Before it told of work, all was history.
    const invented = told(resumed(WORK, state(word), DONE, OVER));
    expect(invented).toEqual({ ...FINE, fidelity: 'corrupt', unfaithful: ['fail'] });
  },
);

test('what comes new behind the answer may be work that goes on; what was said, or nobody sent, is late', () => {
  const late = { ...FINE, late: 1, after: ['undecidable'] };
  expect(told(resumed(state('idle'), DONE, WORK))).toEqual({ ...late, fidelity: 'undecidable' });
  const v1 = traceOf(agent('It is mended now.'), agent('It is mended now.'));
  const painted = told(lines(v1, agent('And painted blue.')));
  expect(painted).toEqual({ ...late, fidelity: 'undecidable' });
  const again = told(lines(v1, agent('It is mended now.')));
  expect(again).toEqual({ ...late, after: ['fail'], fidelity: 'corrupt' });
  const foreign = told(lines(v1, user('Nobody sent this')));
  expect(foreign).toEqual({ ...late, after: ['fail'], fidelity: 'corrupt' });
});

test.each(['v1', 'v2'])(
  '%s: a prompt is replayed as the agent echoed it; one it never echoed may be in other words',
  (version) => {
    const words = 'Mend the roof of the house';
    const shown = `<context/> ${words}`;
    const isV1 = version === 'v1';
    const echo = (text: string) => (isV1 ? user(text) : update('user_message', 'u1', text));
    const mended = isV1 ? agent('Mended.') : update('agent_message', 'a1', 'Mended.');
    const turn = (echoed: readonly string[]) =>
      isV1
        ? [V1_SESSION, ...echoed, mended, 'agent ←2 result {"stopReason":"end_turn"}']
        : [
            V2_SESSION,
            'agent ←2 result {"messageId":"u1"}',
            ...echoed,
            state('running'),
            mended,
            OVER,
          ];
    const trace = (echoed: readonly string[], again: string) => {
      const [session = '', ...work] = turn(echoed);
      return lines(
        ...[session, `client →2 session/prompt s1 "${words}"`, ...work],
        isV1 ? `client →3 session/load ${LOAD}` : `client →3 session/resume ${START}`,
        ...[echo(again), mended, ...(isV1 ? [] : [state('idle')]), DONE],
      );
    };
    const corrupted = { ...FINE, fidelity: 'corrupt', unfaithful: ['fail'] };
    expect(told(trace([echo(words)], words))).toEqual(FINE);
    expect(told(trace([echo(words)], shown))).toEqual(corrupted);
    expect(told(trace([], shown))).toEqual(OPEN);
    if (!isV1) expect(told(trace([echo(shown)], shown))).toEqual(FINE);
    const pieces = ['Mend the roof', ' of the house'].map(
      (piece) => `agent update s1 user_message_chunk u1 "${piece}"`,
    );
    if (!isV1) expect(told(trace(pieces, words))).toEqual(FINE);
  },
);
