import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import {
  LOAD,
  START,
  IDLE,
  LIVED,
  loaded,
  USER,
  THOUGHT,
  TOOL,
  ANSWER,
  WHOLE,
  LIVED_V2,
  resumed,
  U1,
  A1,
  U2,
} from '../../test/traces/restored-turns.ts';
import { found, ruleCase, V1, V1_SESSION, V2 } from '../../test/traces/rule-case.ts';
import { checkTrace } from '../check-trace.ts';

const REMARK = 'agent update s1 agent_message_chunk "Warning: no metadata for this model."';
const DONE = 'agent update s1 tool_call {"toolCallId":"t1","status":"completed"}';
const COUNTS = 'agent update s1 agent_message_chunk "This is the answer that counts."';
/** Two messages without ids, a greeting before them, and a prompt that was refused. */
const SPOKEN = `${V1_SESSION}
  agent update s1 agent_message_chunk "Welcome to the agent"
  client →2 session/prompt s1 "Go"
  ${REMARK}
  ${DONE}
  ${COUNTS}
  agent ←2 result {"stopReason":"end_turn"}
  client →3 session/prompt s1 "Refused"
  agent ←3 error -32603 Busy`;

ruleCase('replay/missing-history', {
  breaks: [
    {
      trace: [LIVED, loaded(USER, THOUGHT, ANSWER)],
      at: [4, 8],
      severity: 'error',
      seen: 'missing: the tool call "look" (c1#8)',
    },
    { trace: [LIVED, loaded(TOOL, THOUGHT, ANSWER)], at: [4, 8], severity: 'error', seen: /Mend/ },
    { trace: [LIVED, loaded(USER, THOUGHT, TOOL)], at: [4, 8], severity: 'error', seen: /mended/ },
    { trace: [LIVED, loaded(USER, TOOL, ANSWER)], at: [4, 8], severity: 'warning', seen: /leak/ },
    {
      trace: [LIVED, loaded(USER, THOUGHT, TOOL, 'agent update s1 agent_message_chunk m1 "It i"')],
      at: [4, 8, 9],
      severity: 'warning',
      seen: /^the answer .* came in #8 without all of its text$/,
    },
    { trace: [LIVED, loaded(USER, 'gap 3 lost')], at: [7], verdict: 'undecidable' },
    // What an earlier replay told is known too.
    { trace: [loaded(...WHOLE), loaded(USER, ANSWER)], at: [4, 7], severity: 'warning' },
    // Of a cancelled turn less is due.
    {
      trace: [
        `${V1_SESSION}client →2 session/prompt s1 "Stop me"\nagent ←2 result {"stopReason":"cancelled"}`,
        loaded(),
      ],
      at: [4, 5],
      severity: 'warning',
    },
    // Without an id: a remark of the moment, or an answer; all of it, or most of it.
    {
      trace: [SPOKEN, loaded('agent update s1 user_message_chunk "Go"', DONE, COUNTS)],
      at: [4, 8],
      verdict: 'undecidable',
      seen: /missing: the answer "Warning: no metadata for this model\." .*remark of the moment/,
    },
    {
      trace: [
        SPOKEN,
        loaded(
          ...['agent update s1 user_message_chunk "Go"', REMARK, DONE],
          'agent update s1 agent_message_chunk "This is"',
        ),
      ],
      at: [4, 8, 9],
      severity: 'warning',
      seen: /^the answer "This is the answer that counts\." .* came in #8 without all of its text$/,
    },
    // A whole chunk may have been a remark.
    {
      trace: [
        SPOKEN.replace('"This is the', '"This is" " the'),
        loaded(
          ...['agent update s1 user_message_chunk "Go"', REMARK, DONE],
          'agent update s1 agent_message_chunk "This is"',
        ),
      ],
      at: [4, 8, 9],
      verdict: 'undecidable',
    },
  ],
  holds: [
    [LIVED, loaded(...WHOLE)],
    // Joined, split and spaced otherwise, with more around it.
    [
      LIVED,
      loaded(
        'agent update s1 user_message_chunk "<context/> Mend  the" " roof"',
        THOUGHT,
        TOOL,
        'agent update s1 agent_message_chunk "It is mended now. "',
      ),
    ],
    [SPOKEN, loaded('agent update s1 user_message_chunk "Go"', DONE, REMARK, COUNTS)],
    loaded(USER),
  ],
});

ruleCase('replay/missing-history-v2', {
  breaks: { trace: [LIVED_V2, resumed(U1, A1)], at: [4, 8], severity: 'hint', seen: /wall/ },
  holds: [
    [LIVED_V2, resumed(U1, A1, U2)],
    [
      LIVED_V2,
      `${V2}client →1 session/resume {"sessionId":"s1","cwd":"/w"}\n${IDLE}\nagent ←1 result {}`,
    ],
  ],
});

ruleCase('replay/empty', {
  breaks: [
    { trace: [LIVED, loaded()], at: [4, 5], severity: 'warning', seen: /Mend the roof/ },
    { trace: [LIVED_V2, resumed()], at: [4, 6], severity: 'hint' },
  ],
  holds: [[LIVED, loaded(USER)], loaded()],
});

ruleCase('replay/order', {
  breaks: {
    trace: [LIVED_V2, resumed(U2, U1, A1)],
    at: [5],
    severity: 'warning',
    seen: 'the prompt "And the wall" (c1#12) stands elsewhere among the prompts',
  },
  holds: [[LIVED_V2, resumed(U1, A1, U2)], resumed(U2, U1)],
});

const COUNT = 'agent update s1 user_message_chunk "Count"';
const says = (text: string) => `agent update s1 agent_message_chunk ${text}`;
/** Two messages with ids in one turn. */
const TWO = `${V1_SESSION}
  client →2 session/prompt s1 "Count"
  ${says('m1 "One."')}
  ${says('m2 "Two."')}
  agent ←2 result {"stopReason":"end_turn"}`;

ruleCase('replay/message-id-missing', {
  breaks: [
    {
      trace: resumed('agent update s1 user_message {"content":[{"type":"text","text":"x"}]}'),
      at: [5],
      severity: 'error',
    },
    {
      trace: [LIVED, loaded(USER, 'agent update s1 agent_message_chunk "It is mended now."')],
      at: [5, 6],
      severity: 'warning',
    },
    // Two messages under the id of the first.
    {
      trace: [TWO, loaded(COUNT, says('m1 "One."'), says('m1 "Two."'))],
      at: [6],
      severity: 'warning',
      seen: /^the answer "One\.Two\." \(c1#7\): 2 messages came as one: a client cannot tell them apart$/,
    },
    // Two prompts of an agent without ids.
    {
      trace: [
        `${V1_SESSION}
          client →2 session/prompt s1 "First"
          agent ←2 result {"stopReason":"end_turn"}
          client →3 session/prompt s1 "Second"
          agent ←3 result {"stopReason":"end_turn"}`,
        loaded(
          ...['"First"', '"Second"'].map((text) => `agent update s1 user_message_chunk ${text}`),
        ),
      ],
      at: [5, 6],
      severity: 'hint',
      seen: /^the prompt "First" .* a client shows 2 messages as one$/,
    },
  ],
  holds: [
    resumed(U1, A1),
    [TWO, loaded(COUNT, says('n1 "One."'), says('n2 "Two."'))],
    [LIVED, loaded(USER, ANSWER)],
    `${V1}client →1 session/load ${LOAD}\n${USER}\nagent ←1 result {}`,
  ],
});

ruleCase('replay/message-id-unstable', {
  breaks: [
    {
      trace: [LIVED_V2, resumed('agent update s1 user_message x9 "Mend the roof"', A1, U2)],
      at: [5],
      seen: /"x9" for the prompt "Mend the roof" \(c1#6\), which was "u1"/,
      pointer: '/params/update/messageId',
    },
    {
      trace: [LIVED_V2, resumed(U1, A1.replace('a1', 'x9'), U2)],
      at: [6],
      severity: 'warning',
      seen: /"x9" for the answer .*, which was "a1"/,
      pointer: '/params/update/messageId',
    },
  ],
  holds: [
    [LIVED_V2, resumed(U1, A1, U2)],
    // The same words said again later.
    [LIVED_V2, resumed(U1, 'agent update s1 user_message u7 "Mend the roof"')],
    [LIVED_V2, resumed(A1)],
  ],
});

ruleCase('replay/user-turns-missing', {
  breaks: { trace: loaded(TOOL, ANSWER), at: [4, 7], severity: 'warning' },
  holds: [
    loaded(USER, ANSWER),
    `${V2}client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"_m","id":"a1"}}\n${A1}\n${IDLE}\nagent ←1 result {}`,
  ],
});

ruleCase('replay/open-tool', {
  breaks: [
    {
      trace: loaded('agent update s1 tool_call {"toolCallId":"t1","title":"look"}'),
      at: [5],
      seen: 'the tool call "look" is left pending',
    },
    {
      trace: resumed('agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}'),
      at: [5],
    },
  ],
  holds: [
    loaded(TOOL),
    `${V2}
      client →1 session/resume ${START}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}
      agent update s1 state_update {"state":"idle","background":[{"type":"tool_call","toolCallId":"t1"}]}
      agent ←1 result {}`,
  ],
});

test('a fork replays under its own id, and breaks no rule of replays', () => {
  const trace = `${LIVED}
    client →3 session/fork s1
    agent update s2 user_message_chunk "Mend the roof"
    agent update s2 agent_message_chunk m7 "It is mended now."
    agent ←3 result {"sessionId":"s2"}
    client →4 session/close s2
    agent ←4 result {}
    client →5 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
    agent update s2 user_message_chunk "Mend the roof"
    agent ←5 result {}
  `;
  expect(found('setup/update-unknown-session', trace)).toEqual([]);
  // What the fork replayed is known of the session it made.
  expect(found('replay/missing-history', trace)).toMatchObject([{ severity: 'warning' }]);
});

test('a fork at a cursor may lack what its source said, and a whole fork may not', () => {
  const forked = (params: string) => `${LIVED}
    client →3 session/fork {"sessionId":"s1","cwd":"/w","mcpServers":[]${params}}
    agent ←3 result {"sessionId":"s2"}
    client →4 session/close s2
    agent ←4 result {}
    client →5 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
    agent update s2 user_message_chunk "Mend the roof"
    agent ←5 result {}`;
  expect(found('replay/missing-history', forked(''))).toMatchObject([{ severity: 'warning' }]);
  expect(found('replay/missing-history', forked(',"cursorId":"c1"'))).toEqual([]);
  for (const rule of ['replay/unfaithful', 'replay/user-turns-missing'])
    expect(found(rule, forked(',"cursorId":"c1"'))).toEqual([]);
});

test('the rules never throw, whatever stands in the frames', () => {
  const picture = `${LIVED_V2}${resumed(U1, A1, TOOL)}${LIVED}${loaded(...WHOLE)}
    client →8 session/list {"cwd":"/w","cursor":"x"}
    agent ←8 result {"sessions":[{"sessionId":"s1","cwd":"/w","updatedAt":"2026-01-01"}],"nextCursor":"y"}`;
  const lines = draw(picture).flatMap((event) =>
    event.type === 'frame' && 'text' in event.line ? [event] : [],
  );
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(null, 5, '', '__proto__', {}, [[]], { __proto__: 1 }, 'x'.repeat(30_000)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(60), odd), { maxLength: 30 }), (changes) => {
      const events = lines.map((event) => ({ ...event }));
      for (const [which, place, value] of changes) {
        const event = events[which % events.length];
        if (event === undefined || !('text' in event.line)) continue;
        let at = 0;
        const text = JSON.stringify(JSON.parse(event.line.text), (key, old: unknown) =>
          at++ === place && !['', 'jsonrpc', 'method'].includes(key) ? value : old,
        );
        events[which % events.length] = { ...event, line: { text } };
      }
      expect(() => checkTrace(events)).not.toThrow();
    }),
    { numRuns: 150 },
  );
});

test('texts are compared as far as they are kept, and no missing text is made of that', () => {
  const long = (letter: string) => `${letter} `.repeat(30_000);
  const lived = `${V1_SESSION}
    client →2 session/prompt s1 "Tell"
    agent update s1 agent_message_chunk "${long('a')}"
    agent update s1 tool_call {"toolCallId":"t1","status":"completed"}
    agent update s1 agent_message_chunk "${long('b')}" "${long('c')}"
    agent ←2 result {"stopReason":"end_turn"}`;
  const again = loaded(
    'agent update s1 user_message_chunk "Tell"',
    'agent update s1 tool_call {"toolCallId":"t1","status":"completed"}',
    `agent update s1 agent_message_chunk "${long('a')}" "${long('b')}" "${long('c')}"`,
  );
  expect(found('replay/missing-history', [lived, again])).toEqual([]);
});

test('over HTTP, where history and the answer have streams of their own, nothing is missing and nothing late', () => {
  const own = (frame: string) => frame.replace('agent ', 'agent@s1 ');
  const load = `${V1}
    client →1 session/load ${LOAD}
    agent@ ←1 result {}
    ${WHOLE.map(own).join('\n')}
  `;
  expect(found('replay/after-response', [LIVED, load])).toEqual([]);
  expect(found('replay/missing-history', [LIVED, load])).toEqual([]);
});
