import { describe, expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { indexedTrace, TurnEnds } from '../indexed-trace.ts';
import { messageOf } from '../timeline/digest.ts';
import { TurnReader } from './turns.ts';

/** Each end: its frame, the prompts that are done with, where the turn began, and why it ended. */
function ends(picture: string): string[] {
  const turns = new TurnReader();
  return draw(picture).flatMap((event) => {
    const end = event.type === 'frame' ? turns.take(event, messageOf(event)) : undefined;
    if (!end) return [];
    const prompts = end.prompts.map(({ seq }) => `#${seq}`).join(' ');
    const reason = end.error ? `error ${end.error.code}` : (end.reason ?? 'no reason');
    return [`#${end.seq} ends ${prompts || 'no prompt'}, begun at #${end.began}: ${reason}`];
  });
}

const V1 = `
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1}`;
const V2 = `
  client  →0 initialize {"protocolVersion":2}
  agent   ←0 result {"protocolVersion":2}`;
const RUNNING = 'agent update s state_update {"state":"running"}';
const idle = (reason?: string) =>
  `agent update s state_update ${JSON.stringify({ state: 'idle', ...(reason && { stopReason: reason }) })}`;

describe('v1: a turn lasts from a prompt to its answer', () => {
  test('with its stop reason, or the error it was refused with', () => {
    expect(
      ends(`${V1}
        client  →1 session/prompt s "one"
        agent   ←1 result {"stopReason":"end_turn"}
        client  →2 session/prompt s "two"
        agent   ←2 error -32603 Internal error`),
    ).toEqual(['#4 ends #3, begun at #3: end_turn', '#6 ends #5, begun at #5: error -32603']);
  });

  test('an answer without a stop reason, which is due, ends it all the same', () => {
    expect(
      ends(`${V1}
        client  →1 session/prompt s "one"
        agent   ←1 result {}`),
    ).toEqual(['#4 ends #3, begun at #3: no reason']);
  });
});

describe('v2: a turn lasts until foreground work is over', () => {
  test('the answer only says that the prompt is in', () => {
    expect(
      ends(`${V2}
        client  →1 session/prompt s "one"
        agent   ←1 result {"messageId":"u1"}
        ${RUNNING}
        agent   update s agent_message_chunk m1 "Hello"
        ${idle('end_turn')}`),
    ).toEqual(['#7 ends #3, begun at #5: end_turn']);
  });

  test('work may begin with requires_action, or with a state of the agent’s own', () => {
    for (const state of ['requires_action', '_compacting'])
      expect(
        ends(`${V2}
          client  →1 session/prompt s "one"
          agent   ←1 result {}
          agent   update s state_update {"state":"${state}"}
          ${idle()}`),
      ).toEqual(['#6 ends #3, begun at #5: no reason']);
  });

  test('idle that tells why work ended whose begin was not told is an end; plain idle is none', () => {
    expect(
      ends(`${V2}
        client  →1 session/new
        agent   ←1 result {"sessionId":"s"}
        ${idle()}
        client  →2 session/prompt s "one"
        ${idle()}
        agent   ←2 result {}
        ${idle('end_turn')}
        ${idle('end_turn')}`),
    ).toEqual(['#9 ends #6, begun at #6: end_turn']);
  });

  test('the answer may come behind the end', () => {
    expect(
      ends(`${V2}
        client  →1 session/prompt s "one"
        ${RUNNING}
        ${idle('end_turn')}
        agent   ←1 result {}`),
    ).toEqual(['#5 ends #3, begun at #4: end_turn']);
  });

  test('prompts that are in share a turn; one that waits for its end has a turn of its own', () => {
    expect(
      ends(`${V2}
        client  →1 session/prompt s "one"
        agent   ←1 result {}
        ${RUNNING}
        client  →2 session/prompt s "at once"
        agent   ←2 result {}
        client  →3 session/prompt s "later"
        ${idle('end_turn')}
        agent   ←3 result {}
        ${RUNNING}
        ${idle('end_turn')}`),
    ).toEqual(['#9 ends #3 #6, begun at #5: end_turn', '#12 ends #8, begun at #11: end_turn']);
  });

  test('the idle of cancelled work is not the end of a prompt that was sent after the cancel', () => {
    const after = ends(`${V2}
      client  →1 session/prompt s "one"
      agent   ←1 result {}
      ${RUNNING}
      client  session/cancel s
      client  →2 session/prompt s "two"
      agent   ←2 result {}
      ${idle('cancelled')}
      ${RUNNING}
      ${idle('end_turn')}`);
    expect(after).toEqual([
      '#9 ends #3, begun at #5: cancelled',
      '#11 ends #7, begun at #10: end_turn',
    ]);
  });

  test('the agent may begin a turn by itself; other sessions are at other things', () => {
    expect(
      ends(`${V2}
        client  →1 session/prompt other "one"
        agent   ←1 result {}
        ${RUNNING}
        ${idle('end_turn')}`),
    ).toEqual(['#6 ends no prompt, begun at #5: end_turn']);
  });

  test('what a restore tells of the state ends nothing', () => {
    expect(
      ends(`${V2}
        client  →1 session/resume s
        ${RUNNING}
        ${idle('end_turn')}
        agent   ←1 result {}
        client  →2 session/prompt s "one"
        agent   ←2 result {}
        ${RUNNING}
        ${idle('end_turn')}`),
    ).toEqual(['#10 ends #7, begun at #9: end_turn']);
  });

  test('a prompt that is refused is over at once', () => {
    expect(
      ends(`${V2}
        client  →1 session/prompt s "one"
        agent   ←1 error -32002 Resource not found`),
    ).toEqual(['#4 ends #3, begun at #3: error -32002']);
  });
});

describe('a frame lies in the turn that goes on in its session', () => {
  /** By session, the numbers that its frames bear, `-` where they bear none. */
  function numbers(picture: string): string[] {
    const { index } = indexedTrace(draw(picture), 'c1');
    const { columns } = index;
    const all = Array.from({ length: index.length }, (_, at) => ({
      chip: index.session(at)?.chip,
      turn: columns.turn.get(at) || '-',
    }));
    const chips = [...new Set(all.flatMap(({ chip }) => chip ?? []))];
    return chips.map(
      (of) => `${of}: ${all.flatMap(({ chip, turn }) => (chip === of ? [turn] : [])).join(' ')}`,
    );
  }

  test('v1: from the prompt to its answer, counted in the trace; between turns in none', () => {
    expect(
      numbers(`${V1}
        client →1 session/prompt a "one"
        client →2 session/prompt b "two"
        agent  update a agent_message_chunk "first"
        agent  ←1 result {"stopReason":"end_turn"}
        agent  update a session_info_update {"title":"between"}
        client →3 session/prompt a "three"
        agent  update b agent_message_chunk "second"
        agent  ←3 error -32603 Internal error
        agent  ←2 result {"stopReason":"end_turn"}
        agent  update a agent_message_chunk "behind"`),
    ).toEqual(['S1: 1 1 1 - 3 3 -', 'S2: 2 2 2']);
  });

  test('v2: until it is idle, whatever was answered; what the agent begins by itself is a turn', () => {
    expect(
      numbers(`${V2}
        client  →1 session/prompt s "one"
        agent   ←1 result {}
        ${RUNNING}
        client  →2 session/prompt s "with it"
        agent   ←2 result {}
        client  →3 session/prompt s "behind it"
        ${idle('end_turn')}
        agent   ←3 result {}
        ${RUNNING}
        ${idle('end_turn')}
        agent   update s usage_update {"used":1,"size":9}
        ${RUNNING}
        agent   update s agent_message_chunk m "by itself"
        ${idle('end_turn')}`),
    ).toEqual(['S1: 1 1 1 1 1 1 1 2 2 2 - 3 3 3']);
  });

  test('what a restore brings is in none; work that it says goes on is one from then', () => {
    expect(
      numbers(`${V2}
        client  →1 session/resume s
        agent   update s agent_message m {"content":[]}
        ${RUNNING}
        agent   ←1 result {}
        agent   update s agent_message_chunk m "still"
        ${idle('end_turn')}
        agent   update s usage_update {"used":1,"size":9}`),
    ).toEqual(['S1: - - - - 1 1 -']);
  });

  test('a close ends it, but a prompt without an answer still gets one', () => {
    expect(
      numbers(`${V1}
        client →1 session/prompt s "one"
        client →2 session/close s
        agent  ←2 result {}
        agent  ←1 result {"stopReason":"cancelled"}
        agent  update s session_info_update {"title":"behind"}`),
    ).toEqual(['S1: 1 1 1 1 -']);
  });

  test('a close while a restore is open does not count the restore as answered', () => {
    expect(
      numbers(`${V2}
        client  →1 session/resume s
        client  →2 session/close s
        agent   ←2 result {}
        agent   ←1 error -32002 Not found
        client  →3 session/resume s
        ${RUNNING}
        agent   ←3 result {}
        agent   update s session_info_update {"title":"on"}`),
    ).toEqual(['S1: - - - - - - - 1']);
  });

  test('a close of a session that the agent does not find ends it too', () => {
    const closed = (answer: string) =>
      numbers(`${V2}
        ${RUNNING}
        client  →2 session/close s
        agent   ←2 ${answer}
        agent   update s session_info_update {"title":"behind"}`);
    expect(closed('error -32002 Not found')).toEqual(['S1: 1 1 1 -']);
    expect(closed('error -32603 Busy')).toEqual(['S1: 1 1 1 1']);
  });

  const prompted = recordings().flatMap(({ name, events }) => {
    const trace = indexedTrace(events, 'c1');
    const ends = [...new TurnEnds(trace).all()];
    return ends.length > 0 ? [{ name, turn: trace.index.columns.turn, ends }] : [];
  });
  test.each(prompted)('$name: each end that is told bears the number of its turn', (recording) => {
    for (const [place, { number }] of recording.ends)
      expect(recording.turn.get(place)).toBe(number);
  });
});
