import { describe, expect, test } from 'vitest';
import { indexed, type Indexed } from '../../test/traces/indexed.ts';
import { connectionId } from '../../trace/event.ts';
import { fidelityOf } from '../fidelity/fidelity.ts';
import { resultWords } from './restore-words.ts';

function restoresOf({ index, eventAt }: Pick<Indexed, 'index' | 'eventAt'>, sessionId = 's1') {
  return fidelityOf([{ index, eventAt, connection: connectionId('c1') }], { session: sessionId })
    .windows.map(({ result }) => result)
    .filter(({ window }) => window.method !== 'session/fork');
}

function results(picture: string, sessionId = 's1') {
  return restoresOf(indexed(picture), sessionId).map((result) => [
    resultWords(result).whole,
    result.due,
    result.stateBeforeAnswer,
  ]);
}

const V1 = (capabilities = '{"loadSession":true,"sessionCapabilities":{"resume":{}}}') => `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":${capabilities}}`;
const V2 = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}`;
/** Two messages live, then idle. */
const LIVE = `
  agent update s1 agent_message m1 "one"
  agent update s1 agent_message m2 "two"
  agent update s1 agent_message m3 "three"
  agent update s1 state_update {"state":"idle"}`;
const resume = (replayFrom: string) =>
  `client →5 session/resume {"sessionId":"s1","cwd":"/w"${replayFrom === '' ? '' : `,"replayFrom":${replayFrom}`}}`;
const IDLE = 'agent update s1 state_update {"state":"idle"}';
const ANSWER = 'agent ←5 result {}';
const USER = 'agent update s1 user_message_chunk "Hi"';

/** A v2 restore with this cursor, and what came of it. */
const v2 = (replayFrom: string, ...came: string[]) =>
  results([V2, LIVE, resume(replayFrom), ...came].join('\n'))[0];
const replay = (...ids: string[]) => ids.map((id) => `agent update s1 agent_message ${id} "x"`);
const CURSOR = '{"type":"_message","messageId":"m2"}';

describe('v1', () => {
  const LOAD = 'client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
  const PROMPT = `client →1 session/prompt s1 "Hi"\nagent ←1 result {"stopReason":"end_turn"}`;
  const v1 = (...lines: string[]) => results([V1(), ...lines].join('\n'))[0];

  test('load: history before the answer is due', () => {
    expect(v1(LOAD, 'agent update s1 agent_message_chunk "x"', ANSWER)).toEqual([
      'as due: history, then the answer',
      true,
      undefined,
    ]);
  });

  test('load: where frames are missing before the answer, nobody can say what came', () => {
    const lost = 'frames are missing before the answer';
    expect(v1(PROMPT, LOAD, 'gap 3 the disk was full', ANSWER)).toEqual([
      lost,
      undefined,
      undefined,
    ]);
    expect(v1(PROMPT, 'gap 3 the disk was full', LOAD, ANSWER)?.[1]).toBe(false);
  });

  test('load: no history is a fault where the trace knows of some, else nobody can say', () => {
    expect(v1(PROMPT, LOAD, ANSWER)?.[1]).toBe(false);
    expect(v1(LOAD, ANSWER)).toEqual([
      'nothing replayed; the trace does not say whether there was history',
      undefined,
      undefined,
    ]);
  });

  test('load: history after the answer is a fault', () => {
    const chunk = 'agent update s1 agent_message_chunk "x"';
    expect(v1(LOAD, chunk, ANSWER, USER)).toEqual([
      '1 update of history after the answer',
      false,
      undefined,
    ]);
  });

  test('load: what came only after the answer is said alone', () => {
    expect(v1(LOAD, ANSWER, USER)?.slice(0, 2)).toEqual([
      '1 update of history after the answer',
      false,
    ]);
  });

  test('load: what nobody said before, and no user, may be work that goes on', () => {
    const hello = 'agent update s1 agent_message_chunk "Welcome back"';
    expect(v1(LOAD, USER, ANSWER, hello)?.slice(0, 2)).toEqual([
      'history, then the answer; 1 update after the answer: history that came late, or work that goes on',
      undefined,
    ]);
    const call = (status: string) =>
      `agent update s1 tool_call {"toolCallId":"t1","title":"ls","status":"${status}"}`;
    const told = (status: string) =>
      v1(LOAD, USER, call(status), ANSWER, call('completed'))?.slice(0, 2);
    expect(told('in_progress')).toEqual([expect.stringMatching(/; 1 update after/), undefined]);
    expect(told('completed')).toEqual(['1 update of history after the answer', false]);
  });

  test('load: a replay that begins later lacks what was said before, unless that said nothing', () => {
    const said = (id: string, text: string) =>
      `agent update s1 agent_message_chunk ${id} "${text}"`;
    const loaded = (first: string, ...replay: readonly string[]) =>
      v1(said('m1', first), said('m2', 'x'), LOAD, ...replay, ANSWER)?.slice(0, 2);
    const later = 'begins after the first item the trace knows';
    expect(loaded('one', said('m2', 'x'))).toEqual([`${later}; expected all history`, false]);
    expect(loaded('one', said('m2', 'x'), said('m1', 'one'))?.[1]).toBe(false);
    expect(loaded('', said('m2', 'x'))).toEqual([
      `${later}, and no history is known to be missing`,
      undefined,
    ]);
  });

  test('resume: no history is due', () => {
    expect(v1(resume(''), ANSWER)).toEqual(['as due: nothing replayed', true, undefined]);
    expect(v1(resume(''), 'agent update s1 agent_message_chunk "x"', ANSWER)).toEqual([
      '1 update of history, none is allowed',
      false,
      undefined,
    ]);
  });

  test('resume: what came while a turn was running may be live', () => {
    const running = 'client →1 session/prompt s1 "Hi"';
    expect(v1(running, resume(''), 'agent update s1 agent_message_chunk "x"', ANSWER)).toEqual([
      '1 update while a turn was running, perhaps live',
      undefined,
      undefined,
    ]);
  });

  test('a method that is not advertised is rejected as due, an advertised one is not', () => {
    const refused = `${LOAD}\nagent ←5 error -32601 Method not found`;
    expect(results(V1('{}') + '\n' + refused)[0]).toEqual([
      'rejected, as expected: loadSession is not advertised',
      true,
      undefined,
    ]);
    expect(v1(refused)).toEqual(['rejected, though loadSession is advertised', false, undefined]);
    expect(v1(LOAD, 'agent ←5 error -32002 Not found')?.[1]).toBeUndefined();
  });

  test('a session that was made and prompted here is not unknown; one without a prompt may be', () => {
    const denied = `${LOAD}\nagent ←5 error -32002 Session not found`;
    const made =
      'client →8 session/new {"cwd":"/w","mcpServers":[]}\nagent ←8 result {"sessionId":"s1"}';
    const prompted = 'client →9 session/prompt s1 "Hi"\nagent ←9 result {"stopReason":"end_turn"}';
    expect(v1(made, prompted, denied)?.[1]).toBe(false);
    expect(v1(made, denied)?.[1]).toBeUndefined();
    expect(v1(prompted, denied)?.[1]).toBeUndefined();
  });
});

describe('v2 without a cursor', () => {
  test.each(['', 'null'])(
    '%j: nothing replayed, and a state before the answer, are due',
    (cursor) => {
      expect(v2(cursor, IDLE, ANSWER)).toEqual(['as due: nothing replayed', true, 'idle']);
      expect(v2(cursor, ...replay('m1', 'm2'), IDLE, ANSWER)).toEqual([
        '2 updates of history, none is allowed',
        false,
        'idle',
      ]);
    },
  );

  test('an answer without a state_update is a fault', () => {
    expect(v2('', ANSWER)).toEqual([
      'no state_update before the response; expected one',
      false,
      undefined,
    ]);
  });
});

describe('v2 from start', () => {
  const START = '{"type":"start"}';

  test('history, then the state, then the answer, are due', () => {
    expect(v2(START, ...replay('m1', 'm2', 'm3'), IDLE, ANSWER)).toEqual([
      'as due: history, then the answer',
      true,
      'idle',
    ]);
  });

  test('what an agent did not keep is told and not judged', () => {
    expect(v2(START, ...replay('m2', 'm3'), IDLE, ANSWER)?.slice(0, 2)).toEqual([
      'begins after the first item the trace knows; an agent need not keep it',
      undefined,
    ]);
    expect(v2(START, IDLE, ANSWER)?.slice(0, 2)).toEqual([
      'nothing replayed, though the trace knows history; an agent need not keep it',
      undefined,
    ]);
  });

  test('history after the state, or after the answer, is a fault', () => {
    expect(v2(START, IDLE, ...replay('m1'), ANSWER)?.slice(0, 2)).toEqual([
      'history after the state_update, which must come last',
      false,
    ]);
    expect(v2(START, ...replay('m1'), IDLE, ANSWER, ...replay('m2', 'm3'))?.slice(0, 2)).toEqual([
      '2 updates of history after the answer',
      false,
    ]);
  });
});

test('what comes after the marker is late before the response; after it, it may be new work', () => {
  const start = '{"type":"start"}';
  const marker = 'agent update s1 replay_complete';
  const all = replay('m1', 'm2', 'm3');
  expect(v2(start, ...all, marker, ...replay('n1'), IDLE, ANSWER)?.[1]).toBe(false);
  expect(v2(start, ...all, marker, IDLE, ANSWER, ...replay('m3'))?.[1]).toBe(false);
  expect(
    v2(start, ...all, marker, IDLE, ANSWER, 'agent update s1 agent_message n1 "Hello"')?.[1],
  ).toBe(undefined);
});

describe('v2 with a custom cursor', () => {
  test('the named item comes first: cursors are inclusive', () => {
    expect(v2(CURSOR, ...replay('m2', 'm3'), IDLE, ANSWER)).toEqual([
      'as due: from the cursor, inclusive',
      true,
      'idle',
    ]);
  });

  test('a replay that begins after it, before it, from start, or not at all is a fault', () => {
    const verdict = (...ids: string[]) => v2(CURSOR, ...replay(...ids), IDLE, ANSWER)?.slice(0, 2);
    expect(verdict('m3')).toEqual(['begins after the cursor: the named item is missing', false]);
    expect(verdict('m0', 'm2')).toEqual([
      'begins before the cursor; expected the named item first',
      false,
    ]);
    expect(verdict('m1', 'm2', 'm3')).toEqual([
      'ignored: replayed from start; expected −32602',
      false,
    ]);
    expect(verdict()).toEqual(['nothing replayed; expected the named item, or −32602', false]);
  });

  test('under ids that nothing in the trace knows, the named item is not called missing', () => {
    expect(v2(CURSOR, ...replay('m8', 'm9'), IDLE, ANSWER)?.slice(0, 2)).toEqual([
      'the named id did not come; the first item has an id that nothing in the trace knows',
      false,
    ]);
  });

  test('on a connection that knew nothing of the session the replayed ids decide', () => {
    const fresh = (...ids: string[]) =>
      results([V2, resume(CURSOR), ...replay(...ids), IDLE, ANSWER].join('\n'))[0]?.[1];
    expect(fresh('m2', 'm3')).toBe(true);
    expect(fresh('m1', 'm2')).toBe(false);
    expect(fresh('m8', 'm9')).toBeUndefined();
  });

  test('the other value of a cursor than an id is not guessed at', () => {
    expect(v2('{"type":"_seq","seq":31}', ...replay('m2'), IDLE, ANSWER)?.slice(0, 2)).toEqual([
      'history came; nothing in the trace says what the cursor names',
      undefined,
    ]);
  });

  test('a terminal counts where the cursor names it, and only there', () => {
    const terminal = 'agent update s1 terminal_update {"terminalId":"x"}';
    const cursor = '{"type":"_terminal","terminalId":"x"}';
    expect(v2(cursor, terminal, ...replay('m2'), IDLE, ANSWER)?.[1]).toBe(true);
    expect(v2(CURSOR, terminal, ...replay('m2'), IDLE, ANSWER)?.[1]).toBe(true);
  });

  test('−32602 is as due as a replay; other codes say nothing of the cursor', () => {
    const refused = (code: number) => v2(CURSOR, `agent ←5 error ${code} No`)?.slice(0, 2);
    expect(refused(-32602)).toEqual([
      'rejected, as expected for a cursor the agent does not know',
      true,
    ]);
    expect(refused(-32603)).toEqual([
      'rejected: −32603 No; the trace does not say whether it had to be',
      undefined,
    ]);
    expect(refused(-32002)?.[1]).toBeUndefined();
  });
});

describe('v2 with what is no cursor', () => {
  test.each([-32600, -32601, -32800])('a refusal with %s says nothing of the cursor', (code) => {
    const found = v2('{"type":"checkpoint"}', `agent ←5 error ${code} No`);
    expect(found?.[0]).not.toContain('-32602');
    expect(found?.[0]).not.toContain('−32602');
  });

  test.each(['{"type":"checkpoint"}', '{}', '"start"', '{"type":5}'])(
    '%s: expected −32602',
    (cursor) => {
      const refused = v2(cursor, 'agent ←5 error -32602 Invalid params');
      expect(refused?.[0]).toMatch(/^rejected, as expected/);
      expect(refused?.[1]).toBe(true);
      expect(v2(cursor, 'agent ←5 error -32603 Internal error')?.[1]).toBe(false);
      expect(v2(cursor, IDLE, ANSWER)?.[1]).toBe(false);
      expect(v2(cursor, ...replay('m1'), IDLE, ANSWER)?.[0]).toMatch(
        /^ignored: .*; expected −32602$/,
      );
    },
  );
});

describe('history that came only after the answer', () => {
  const late = (replayFrom: string, ...before: string[]) =>
    v2(replayFrom, ...before, IDLE, ANSWER, ...replay('m2', 'm3'))?.slice(0, 2);

  test.each(['{"type":"start"}', CURSOR])('%s: is not called nothing', (cursor) => {
    expect(late(cursor)).toEqual(['2 updates of history after the answer', false]);
  });

  test('v1 load: neither', () => {
    const all = [
      V1(),
      'client →1 session/prompt s1 "Hi"',
      'agent ←1 result {"stopReason":"end_turn"}',
    ];
    const load = 'client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
    expect(results([...all, load, ANSWER, USER].join('\n'))[0]?.slice(0, 2)).toEqual([
      '1 update of history after the answer',
      false,
    ]);
  });

  test('what is no cursor had to be rejected all the same', () => {
    expect(late('{"type":"checkpoint"}')).toEqual([
      '"checkpoint" is no cursor type of ACP 2.4.0, yet resumed; expected −32602; 2 updates of history after the answer',
      false,
    ]);
  });

  test('an item that came late is not called missing', () => {
    expect(late(CURSOR, ...replay('m3'))?.[0]).toBe(
      'begins after the cursor; expected the named item first; 2 updates of history after the answer',
    );
  });
});

test('a restore that the end of the agent cut short has that end as evidence, and no answer', () => {
  const { index, eventAt } = indexed([V2, resume('{"type":"start"}'), 'exit 137'].join('\n'));
  const [cut] = restoresOf({ index, eventAt });
  expect(cut?.evidence.map(({ what }) => what)).toEqual(['request', 'end']);
});

test('a restore without an answer is open, or incomplete once the agent is gone', () => {
  expect(v2('')).toEqual(['awaiting a response', undefined, undefined]);
  expect(v2('', 'exit 137')?.slice(0, 2)).toEqual(['incomplete: agent exited with 137', undefined]);
  const broke = v2('', 'exit problem The connection broke.')?.[0];
  expect(broke).toBe('incomplete: The connection broke.');
});

test('a restore without an answer is incomplete once the recording is over', () => {
  const { index, eventAt } = indexed([V2, resume('{"type":"start"}')].join('\n'));
  expect(restoresOf({ index, eventAt })[0]?.verdict).toBe('open');
  index.isOver = () => true;
  const [cut] = restoresOf({ index, eventAt });
  expect(cut?.verdict).toBe('incomplete');
  expect(cut && resultWords(cut).whole).toBe('incomplete: the recording ends');
  expect(cut?.evidence.map(({ what }) => what)).toEqual(['request']);
});

test('only the restores of the session count, in their order', () => {
  const other = 'client →9 session/resume {"sessionId":"s2","cwd":"/w"}';
  const all = [V2, resume(''), IDLE, ANSWER, other, 'client →6 session/resume s1'].join('\n');
  expect(results(all).map(([words]) => words)).toEqual([
    'as due: nothing replayed',
    'awaiting a response',
  ]);
});
