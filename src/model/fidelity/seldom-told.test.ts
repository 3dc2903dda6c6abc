// Small traces of what agents seldom tell in a replay, and each of the three judged its own way once: a
// gap told by a child or behind the answer, a message between sessions, work that goes on in pieces.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { found, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { fidelityOf } from './fidelity.ts';

const lines = (...all: readonly string[]) => all.join('\n');
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const update = (session: string, kind: string, id: string, words: string) =>
  `agent update ${session} ${kind} ${JSON.stringify({ messageId: id, ...text(words) })}`;
const IDLE = 'agent update s1 state_update {"state":"idle"}';
const GAP = 'Some recorded child history is unavailable or incomplete.';

const USER = update('s1', 'user_message', 'u1', 'Do it');
const CHILD = 'agent update s1 subagent_update {"sessionId":"k","title":"helper"}';
const WORK = update('k', 'agent_message', 'k1', 'I found it in the attic');

function lived(...work: readonly string[]): string {
  const asked = 'client →2 session/prompt s1 "Do it"\nagent ←2 result {"messageId":"u1"}';
  const running = 'agent update s1 state_update {"state":"running"}';
  return lines(V2_SESSION, asked, USER, running, ...work, IDLE);
}
function resumed(...history: readonly string[]): string {
  const asked =
    'client →9 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}';
  return lines(V2, asked, ...history, IDLE, 'agent ←9 result {}');
}

function told(rule: string, ...traces: readonly string[]) {
  const { verdict, due } = fidelityOf(sourcesOf(traces)).windows.at(-1) ?? {};
  return [verdict, due, ...found(rule, traces).map((one) => `${one.verdict} ${one.severity}`)];
}

test('a child that tells of a gap in its own children ends the judgement of no trace', () => {
  const gap = update('k', 'agent_thought', 'g', GAP);
  const traces = [lived(CHILD, WORK), resumed(USER, CHILD, gap, WORK)];
  const { children = [] } = fidelityOf(sourcesOf(traces)).windows.at(-1) ?? {};
  expect(children.map(({ verdict }) => verdict)).toEqual(['undecidable']);
  expect(found('replay/unfaithful', traces).map(({ verdict }) => verdict)).toEqual(['undecidable']);
});

test('a gap told behind the answer is late, and untrue where there is none', () => {
  const traces = [
    lived(CHILD, WORK),
    lines(resumed(USER, CHILD, WORK), update('s1', 'agent_thought', 'g', GAP)),
  ];
  expect(told('replay/after-response', ...traces)).toEqual(['corrupt', false, 'fail error']);
  expect(found('replay/after-response', traces)[0]?.seen).toMatch(
    /no message or tool call of its child/,
  );
});

const BETWEEN = update('s1', 'session_message', 'p1', 'Count the lines of the file');

test.each([
  ['came back', BETWEEN, ['equal', true], []],
  ['did not', '', ['lossy', true], ['fail hint']],
  [
    'came back shortened',
    update('s1', 'session_message', 'p1', 'Count'),
    ['lossy', true],
    ['fail hint'],
  ],
])('a message between sessions that %s', (_, again, fidelity, missing) => {
  const traces = [lived(BETWEEN), resumed(USER, ...(again === '' ? [] : [again]))];
  expect(told('replay/missing-history-v2', ...traces)).toEqual([...fidelity, ...missing]);
});

test('a message between sessions in other words is untrue', () => {
  const other = update('s1', 'session_message', 'p1', 'Delete all of it');
  expect(told('replay/unfaithful', lived(BETWEEN), resumed(USER, other))).toEqual([
    ...['corrupt', true],
    'fail warning',
  ]);
});

test('what is told in two pieces behind the answer is no older for it: it may be work that goes on', () => {
  const begun = 'agent update s1 agent_message {"messageId":"m9","content":[]}';
  const more = 'agent update s1 agent_message_chunk m9 "Something else by now"';
  expect(told('replay/after-response', lived(), lines(resumed(USER), begun, more))).toEqual([
    ...['undecidable', undefined],
    'undecidable error',
  ]);
});

test('a further piece under the id of a prompt was said by nobody', () => {
  const prompt = 'client →2 session/prompt s1 "Do it"';
  const ended = 'agent ←2 result {"stopReason":"end_turn"}';
  const answer = 'agent update s1 agent_message_chunk m1 "It is done"';
  const asked = 'client →9 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
  const piece = (words: string) => `agent update s1 user_message_chunk u1 "${words}"`;
  const load = (...history: readonly string[]) =>
    lines(V1, asked, ...history, 'agent ←9 result {}');
  const live = lines(V1_SESSION, prompt, answer, ended);
  const fine = load(piece('Do it'), answer);
  expect(told('replay/unfaithful', live, fine)).toEqual(['equal', true]);
  const more = load(piece('Do it'), answer, piece(' and undo it'));
  expect(told('replay/unfaithful', live, more)).toEqual(['corrupt', true, 'fail warning']);
});

test('user messages that come late are not said to be left out too', () => {
  const words = update('s1', 'agent_message', 'm1', 'It is done');
  const traces = [lived(words), lines(resumed(words), USER)];
  expect(told('replay/user-turns-missing', ...traces)).toEqual(['lossy', false]);
  expect(told('replay/user-turns-missing', lived(words), resumed(words))).toEqual([
    ...['lossy', true],
    'fail warning',
  ]);
});
