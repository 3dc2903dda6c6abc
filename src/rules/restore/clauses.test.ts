// Where the checker and the restore form once disagreed: each clause that decides a rule is judged once, so a finding
// stands where the restore is not as expected, and nowhere else.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fidelityOf } from '../../model/fidelity/fidelity.ts';
import { CLAUSES } from '../../model/restore/clauses.ts';
import type { Clause } from '../../model/restore/clauses/clause.ts';
import { draw } from '../../test/traces/draw.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { found, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { checkTrace } from '../check-trace.ts';

const lines = (...all: readonly string[]) => all.join('\n');
const resume = (cursor?: string) =>
  `client →5 session/resume {"sessionId":"s1","cwd":"/w"${cursor === undefined ? '' : `,"replayFrom":${cursor}`}}`;
const START = '{"type":"start"}';
const NAMED = '{"type":"_message","messageId":"u2"}';
const LOAD = (cwd = '/w') =>
  `client →5 session/load {"sessionId":"s1","cwd":"${cwd}","mcpServers":[]}`;
const ANSWER = 'agent ←5 result {}';
const U1 = 'agent update s1 user_message u1 "First question"';
const A1 = 'agent update s1 agent_message a1 "The first answer"';
const U2 = 'agent update s1 user_message u2 "Second question"';
const PLAN =
  'agent update s1 plan_update {"plan":{"type":"items","planId":"p","entries":[{"content":"x","priority":"high","status":"pending"}]}}';
const TOOL = 'agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}';
const IDLE = 'agent update s1 state_update {"state":"idle"}';
const LISTED =
  'agent update s1 state_update {"state":"idle","background":[{"type":"tool_call","toolCallId":"t1"}]}';
const RUNNING = 'agent update s1 state_update {"state":"running"}';
const PROMPTED = lines(
  V1_SESSION,
  'client →2 session/prompt s1 "Hi"',
  'agent ←2 result {"stopReason":"end_turn"}',
);
const CLOSED = lines('client →3 session/close s1', 'agent ←3 result {}');
const LOADED = lines(LOAD(), ANSWER);
const RELOAD = LOAD().replace('→5', '→6');
const DELETION = lines('client →3 session/delete {"sessionId":"s1"}', 'agent ←3 result {}');
const DELETED = lines(V2_SESSION, DELETION);

/** What the form says of the last restore: true, false, or undefined if it cannot know. */
function dueOf(traces: readonly string[]): boolean | undefined {
  return fidelityOf(sourcesOf(traces)).windows.at(-1)?.due;
}

const STATE = 'resume/state-snapshot';
const OPEN = 'setup/open-session-denied';
const NONE = 'resume/no-replay-without-cursor';
const REPLY = 'resume/cursor-unknown-reply';
const INCLUSIVE = 'resume/cursor-inclusive';
const REFUSED = 'load/known-refused';
const UNKNOWN = 'setup/unknown-session-reply';

test.each<readonly [string, string, readonly string[], readonly string[], boolean | undefined]>([
  [
    'live work after `running` is no history after the snapshot',
    STATE,
    [lines(V2, resume(START), RUNNING, A1, ANSWER)],
    [],
    true,
  ],
  [
    'a plan after the snapshot is',
    STATE,
    [lines(V2, resume(START), U1, IDLE, PLAN, ANSWER)],
    ['fail warning 7'],
    false,
  ],
  [
    'background work that the snapshot lists reports after it',
    STATE,
    [lines(V2, resume(START), U1, TOOL, LISTED, TOOL, ANSWER)],
    [],
    true,
  ],
  [
    'other work does not',
    STATE,
    [lines(V2, resume(START), U1, TOOL, IDLE, TOOL, ANSWER)],
    ['fail warning 8'],
    false,
  ],
  [
    'a result for what is no cursor comes after a snapshot too',
    STATE,
    [lines(V2, resume('{}'), ANSWER)],
    ['fail error 4,5'],
    false,
  ],
  [
    'background work that the snapshot lists is no history',
    NONE,
    [lines(V2, resume(), TOOL, LISTED, ANSWER)],
    [],
    true,
  ],
  [
    'what a session says that runs may be live',
    NONE,
    [lines(V2, resume(), A1, RUNNING, ANSWER)],
    ['undecidable error 5'],
    undefined,
  ],
  [
    'a plan that nobody asked for is history',
    NONE,
    [lines(V2, resume(), PLAN, IDLE, ANSWER)],
    ['fail warning 5'],
    false,
  ],
  [
    'what comes while a prompt is open may be live',
    NONE,
    [
      lines(
        V1_SESSION,
        'client →2 session/prompt s1 "go"',
        'client →5 session/resume s1',
        'agent update s1 agent_message_chunk "live"',
        ANSWER,
      ),
    ],
    ['undecidable error 8'],
    undefined,
  ],
  [
    'an agent that may know its own cursor fails with any code',
    REPLY,
    [lines(V2, resume('{"type":"_mine"}'), 'agent ←5 error -32603 Oops')],
    [],
    undefined,
  ],
  [
    'a custom cursor that names nothing does not replay from the start',
    REPLY,
    [lines(V2, U1, A1, U2, IDLE), lines(V2, resume('{"type":"_no"}'), U1, A1, U2, IDLE, ANSWER)],
    ['fail warning 9'],
    false,
  ],
  [
    'a custom cursor may name a place that no frame names',
    REPLY,
    [lines(V2, U1, A1, U2, IDLE), lines(V2, resume('{"type":"_no"}'), A1, U2, IDLE, ANSWER)],
    [],
    undefined,
  ],
  [
    'what a cursor names may be among frames that are missing',
    INCLUSIVE,
    [lines(V2, U1, A1, U2, IDLE), lines(V2, resume(NAMED), 'gap 3 lost', IDLE, ANSWER)],
    ['undecidable error 7'],
    undefined,
  ],
  [
    'a named terminal may come alone',
    INCLUSIVE,
    [
      lines(V2, U1, 'agent update s1 terminal_update {"terminalId":"x"}', IDLE),
      lines(
        V2,
        resume('{"type":"_terminal","terminalId":"x"}'),
        'agent update s1 terminal_update {"terminalId":"x"}',
        IDLE,
        ANSWER,
      ),
    ],
    [],
    true,
  ],
  [
    'a session without a prompt may not be stored',
    REFUSED,
    [lines(V1_SESSION, CLOSED, LOAD(), 'agent ←5 error -32603 Internal error')],
    [],
    undefined,
  ],
  [
    'an agent may fail to load what is open',
    REFUSED,
    [lines(PROMPTED, LOAD(), 'agent ←5 error -32603 Internal error')],
    [],
    undefined,
  ],
  [
    'an internal error for a stored session is a fault',
    REFUSED,
    [lines(PROMPTED, CLOSED, LOAD(), 'agent ←5 error -32603 Internal error')],
    ['fail warning 11'],
    false,
  ],
  [
    'a denial of a stored session is a fault',
    REFUSED,
    [lines(PROMPTED, CLOSED, LOAD(), 'agent ←5 error -32002 Session not found')],
    ['fail error 5,10,11'],
    false,
  ],
  [
    'what is missing may have deleted the session',
    REFUSED,
    [lines(PROMPTED, 'gap 3 lost', CLOSED, LOAD(), 'agent ←5 error -32002 Session not found')],
    ['undecidable warning 12'],
    undefined,
  ],
  [
    'a request that has to be rejected may be denied',
    REFUSED,
    [lines(PROMPTED, CLOSED, LOAD('w'), 'agent ←5 error -32602 Session not found in w')],
    [],
    true,
  ],
  [
    'a denial of an open session is a fault',
    OPEN,
    [lines(PROMPTED, LOAD(), 'agent ←5 error -32002 Session not found')],
    ['fail error 5,8,9'],
    false,
  ],
  [
    'a denial of a session that was loaded here is a fault',
    OPEN,
    [lines(PROMPTED), lines(V1, LOADED, RELOAD, 'agent ←6 error -32002 Session not found')],
    ['fail error 5,6,7'],
    false,
  ],
  [
    'a session that nobody prompted may not be stored',
    OPEN,
    [lines(V1, LOADED, RELOAD, 'agent ←6 error -32002 Session not found')],
    [],
    undefined,
  ],
  [
    'a close that awaits its response may have ended the session',
    OPEN,
    [
      lines(
        PROMPTED,
        'client →3 session/close s1',
        LOAD(),
        'agent ←5 error -32002 Session not found',
        'agent ←3 result {}',
      ),
    ],
    [],
    undefined,
  ],
  [
    'a sign-in comes before the lookup',
    UNKNOWN,
    [lines(DELETED, resume(START), 'agent ←5 error -32000 Sign in first')],
    [],
    undefined,
  ],
  [
    'a deleted session has no history',
    UNKNOWN,
    [lines(DELETED, resume(START), U1, IDLE, ANSWER)],
    ['fail error 11'],
    false,
  ],
  [
    'v1 leaves to the agent what becomes of a deleted session',
    UNKNOWN,
    [lines(V1_SESSION, DELETION, LOAD(), ANSWER)],
    ['fail hint 9'],
    undefined,
  ],
  [
    'a session that is listed again exists again',
    UNKNOWN,
    [
      lines(
        DELETED,
        'client →4 session/list {}',
        'agent ←4 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}',
        resume(START),
        U1,
        IDLE,
        ANSWER,
      ),
    ],
    [],
    true,
  ],
  [
    'an agent that does not know a session fails with −32002',
    UNKNOWN,
    [lines(V1, LOAD(), 'agent ←5 error -32603 Session s1 not found')],
    ['fail warning 5'],
    false,
  ],
  [
    'of a session that exists the denial is the fault, not its code',
    UNKNOWN,
    [lines(PROMPTED, CLOSED, LOAD(), 'agent ←5 error -32602 Session not found')],
    [],
    false,
  ],
])('%s', (_, rule, traces, findings, due) => {
  const told = found(rule, traces).map(
    ({ verdict, severity, seqs }) => `${verdict} ${severity} ${seqs.join()}`,
  );
  expect(told).toEqual(findings);
  expect(dueOf(traces)).toBe(due);
});

const DECIDED: ReadonlySet<string> = new Set(
  Object.values<Clause>(CLAUSES).flatMap(({ decides }) => decides ?? []),
);

const line = fc.constantFrom(
  ...[U1, A1, U2, PLAN, TOOL, IDLE, LISTED, RUNNING, 'gap 2 lost'],
  'client →3 session/prompt s1 "go"',
  'agent update s1 terminal_update {"terminalId":"x"}',
);
const request = fc.constantFrom(
  ...[undefined, 'null', START, NAMED, '{"type":"_no"}', '{"type":"checkpoint"}', '{}'].map(resume),
);
const response = fc.constantFrom(
  ANSWER,
  ...[-32602, -32603, -32002, -32000].map((code) => `agent ←5 error ${code} Session not found`),
);

test('a restore that is as expected, or that nobody can judge, violates no rule that a clause decides', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 6 }),
      request,
      fc.array(line, { maxLength: 6 }),
      response,
      (before, asks, meanwhile, ends) => {
        const trace = lines(V2_SESSION, ...before, asks, ...meanwhile, ends);
        const [window] = fidelityOf(sourcesOf([trace])).windows;
        const { findings } = checkTrace(draw(trace));
        const broken = findings.filter(
          ({ rule, verdict }) => verdict === 'fail' && DECIDED.has(rule),
        );
        const faults = window?.faults.filter(
          ({ rule, verdict }) => verdict === 'fail' && DECIDED.has(rule),
        );
        expect(new Set(broken.map(({ rule }) => rule))).toEqual(
          new Set(faults?.map(({ rule }) => rule)),
        );
        if (broken.length > 0) expect(window?.due).toBe(false);
      },
    ),
    { numRuns: 100 },
  );
});
