import { describe, expect, test } from 'vitest';
import { fold } from '../../test/traces/fold.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { connectionId } from '../../trace/event.ts';
import { driftOf, sessionEvents, settledAfter } from './session-history.ts';

function told(picture: string, sessionId = 's1'): string[] {
  const { index, eventAt } = indexed(picture);
  return sessionEvents(index, eventAt, sessionId).map(
    ({ seq, answer, kind, outcome, prompts, refusal, other }) =>
      [
        `#${seq}–${answer}`,
        kind,
        outcome,
        prompts && `${prompts.count}, ${prompts.refused} refused`,
        refusal,
        other?.sessionId,
      ]
        .filter((word) => word !== undefined)
        .join(' '),
  );
}

const LIFE = `
  client →0 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←0 result {"sessionId":"s1"}
  client →1 session/prompt s1 "One"
  agent  ←1 result {"stopReason":"end_turn"}
  client →2 session/prompt s1 "Two"
  agent  ←2 result {"stopReason":"end_turn"}
  client →3 session/fork {"sessionId":"s1","cwd":"/w"}
  agent  ←3 result {"sessionId":"s2"}
  client →4 session/list {}
  agent  ←4 result {"sessions":[{"sessionId":"s1","cwd":"/w"},{"sessionId":"s2","cwd":"/w"}]}
  client →5 session/list {}
  agent  ←5 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}
  client →6 session/close {"sessionId":"s1"}
  agent  ←6 result {}
  client →7 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent  ←7 error -32002 Resource not found
  client →8 session/delete {"sessionId":"s1"}
`;

describe('the history of a session', () => {
  test('tells its making, forks, lists, prompts, restores and ends, each with its frames', () => {
    expect(told(LIFE)).toEqual([
      '#1–2 new answered',
      '#3–4 prompts answered 2, 0 refused',
      '#7–8 fork answered s2',
      '#9–10 listed answered',
      '#13–14 close answered',
      '#15–16 load refused −32002 Resource not found',
      '#17–undefined delete open',
    ]);
  });

  test('counts the prompts that were refused', () => {
    const picture = `
      client →1 session/prompt s1 "One"
      agent  ←1 result {"stopReason":"end_turn"}
      client →2 session/prompt s1 "Two"
      agent  ←2 error -32603 Internal error
    `;
    expect(told(picture)).toEqual(['#1–2 prompts answered 2, 1 refused']);
  });

  test('of a fork begins with the session it came from', () => {
    expect(told(LIFE, 's2')).toEqual(['#7–8 forked answered s1', '#9–10 listed answered']);
    expect(told(LIFE, 's3')).toEqual([]);
  });
});

test('a restore is settled when the client asks the session for more, or at the end', () => {
  const { index } = indexed(`
    client →0 session/resume {"sessionId":"s1","cwd":"/w"}
    agent  ←0 result {}
    agent  update s1 available_commands_update {"availableCommands":[]}
    client →1 session/list {}
    client →2 session/prompt s1 "On"
  `);
  expect(settledAfter(index, 's1', 1)).toBe(4);
  expect(settledAfter(index, 's2', 1)).toBe(5);
});

test('drift is what a restore set otherwise, or did not tell, with both frames', () => {
  const session = (mode: string, model: string) => `
    client →0 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent  ←0 result {"modes":{"currentModeId":"${mode}","availableModes":[]},"configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"${model}","options":[]}]}
  `;
  const before = {
    connection: connectionId('c1'),
    state: fold(`${session('plan', 'a')}
      agent update s1 available_commands_update {"availableCommands":[{"name":"init","description":""}]}`),
  };
  const after = { connection: connectionId('c2'), state: fold(session('ask', 'a')) };
  expect(driftOf(before, after)).toEqual([
    {
      path: 'mode',
      name: 'v1 mode',
      before: { connection: 'c1', seq: 2, value: 'plan' },
      after: { connection: 'c2', seq: 2, value: 'ask' },
    },
    {
      path: 'commands',
      name: 'commands',
      before: { connection: 'c1', seq: 3, value: '/init' },
    },
  ]);
  expect(driftOf(after, after)).toEqual([]);
});
