// What belongs to the finding about a silence, and what is no evidence of one.
import { expect, test } from 'vitest';
import { found, V1, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const ASK = `${V1_SESSION}
  client →2 session/prompt s1 "Hi"`;
const ANSWER = '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}';
const missing = (trace: string) =>
  found('rpc/response-missing', trace).map(({ verdict, seen, seqs }) => [verdict, seen, seqs]);

test('a response on stderr is named, if there is none on stdout a second later', () => {
  const trace = `${ASK}\n  stderr ${ANSWER}\n  +1500ms\n  stderr ready`;
  expect(missing(trace)).toEqual([
    ['fail', 'the answer to `session/prompt` was written to stderr (#7), not to stdout', [6, 7]],
  ]);
});

test.each([
  ['is sent to stdout, too', `stderr ${ANSWER}\n agent ←2 result {"stopReason":"end_turn"}`, []],
  ['may still come when the trace ends', `stderr ${ANSWER}`, ['undecidable']],
  ['was logged before the request', '', ['undecidable']],
])('a response on stderr is no fault if it %s', (_, rest, verdicts) => {
  const ask =
    rest === '' ? ASK.replace('client →2', `stderr ${ANSWER}\n  +1500ms\n  client →2`) : ASK;
  expect(missing(`${ask}\n  ${rest}`).map(([verdict]) => verdict)).toEqual(verdicts);
});

test('a request that the agent logs is no response', () => {
  const logged = '{"jsonrpc":"2.0","id":2,"method":"session/prompt"}';
  const trace = `${ASK}\n  stderr ${logged}\n  +1500ms\n  stderr ready`;
  expect(missing(trace).map(([verdict]) => verdict)).toEqual(['undecidable']);
});

const LONG = `client →2 session/prompt s1 "${'x'.repeat(70_000)}"`;

test('the first line over 64 KiB and the last lines of stderr belong to the silence after them', () => {
  const trace = `${V1_SESSION}
    ${LONG}
    stderr Scanner: token too long
    client →3 session/list {}
    +40000ms
    stderr idle`;
  expect(missing(trace)).toEqual([
    [
      'fail',
      'no answer to `session/prompt`: 40 s of silence; #6 before it has 70 kB, the first line over 64 KiB; stderr #7 #9: "Scanner: token too long"',
      [6, 7, 9],
    ],
    [
      'fail',
      'no answer to `session/list`: 40 s of silence; #6 before it has 70 kB, the first line over 64 KiB; stderr #9: "idle"',
      [8, 9],
    ],
  ]);
});

test('a long line that the agent took is not named', () => {
  const trace = `${V1_SESSION}
    ${LONG}
    agent update s1 agent_message_chunk "a"
    +40000ms
    stderr idle`;
  expect(missing(trace)).toEqual([
    ['fail', 'no answer to `session/prompt`: 40 s of silence; stderr #8: "idle"', [6, 8]],
  ]);
});

test('a silence without anything beside it is told as before', () => {
  const trace = `${V1}\n  client →5 session/list {}\n  +40000ms\n  mark 1 late`;
  expect(missing(trace)).toEqual([['fail', 'no answer to `session/list`: 40 s of silence', [4]]]);
});

test('work of v2 that stays running names the last lines of stderr', () => {
  const trace = `${V2_SESSION}
    client →2 session/prompt s1 "Hi"
    agent ←2 result {"messageId":"m"}
    agent update s1 state_update {"state":"running"}
    stderr panic: out of memory
    exit 2`;
  expect(found('state/idle-missing', trace)).toMatchObject([
    {
      seqs: [8, 9],
      seen: '"running" (#8) is the last that was reported; the agent exited with 2; stderr #9: "panic: out of memory"',
    },
  ]);
});
