import { describe, expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { millis } from '../../lib/time.ts';
import { seq, type Transport } from '../../trace/event.ts';
import { frameDetail } from './frame-detail.ts';

const BEGIN = '2026-11-21T08:00:00.000Z';

function details(picture: string, startedAt = BEGIN) {
  const { index, events } = indexed(picture);
  return events.map((event) => frameDetail(index, event, startedAt));
}

describe('the detail of a frame', () => {
  test('pairs a request with its answer, and both with the same latency and id', () => {
    const [request, answer] = details(`
      client →"a" session/list {}
      +20ms
      agent  ←"a" error -32601 Method not found
    `);
    const exchange = { request: 1, answer: 2, latency: 20, method: 'session/list', id: '→"a"' };
    expect(request).toMatchObject({ title: 'session/list', exchange, from: 'client' });
    expect(answer).toMatchObject({
      title: 'session/list · −32601 Method not found',
      exchange,
      sincePrevious: 20,
      wallClock: '2026-11-21T08:00:00.020Z',
    });
    expect(request).not.toHaveProperty('sincePrevious');
  });

  test('R-30: what comes after a sleep that no time counts has the clock of the wall all the same', () => {
    const [, slept, after] = details(`
      client →1 session/list {}
      +10ms
      sleep 3600000 1000
      agent  ←1 result {}
    `);
    expect(slept).toMatchObject({
      title:
        'Nothing ran here for 1:00:00: the machine slept, or the recorder was stopped · times here stood still',
    });
    expect(after).toMatchObject({ at: 11, wallClock: '2026-11-21T08:59:59.011Z' });
  });

  test('a request that waits has an exchange without an answer; an answer to nothing has none', () => {
    const [request, stray] = details(`
      agent  →0 fs/read_text_file {"sessionId":"s1","path":"/x"}
      client ←7 result {}
    `);
    expect(request?.exchange).toEqual({ request: 1, method: 'fs/read_text_file', id: '←0' });
    expect(stray).not.toHaveProperty('exchange');
  });

  test('of an agent reached by URL, the frame says where it crossed and the transport what it did', () => {
    const { index, events } = indexed('client →"a" session/list {}');
    const [frame] = events;
    if (frame?.type !== 'frame') throw new Error('The picture has no frame.');
    const via = { stream: 'session', session: 's1', read: 2 } as const;
    expect(frameDetail(index, { ...frame, via }, BEGIN)).toMatchObject({ via });
    const fact: Transport = {
      ...{ type: 'transport', seq: seq(2), at: millis(3), step: 'answered', method: 'POST' },
      ...{ of: seq(1), status: 202, ms: millis(1.2) },
    };
    index.append(fact);
    expect(frameDetail(index, fact, BEGIN)).toMatchObject({
      type: 'transport',
      transport: fact,
      title: 'POST 202 for #1 · 1.2 ms',
    });
  });

  test('history names the restore it belongs to, and late history its window too', () => {
    const [, replayed, , late] = details(`
      client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent  update s1 agent_message_chunk "old"
      agent  ←1 result {}
      agent  update s1 agent_message_chunk "older"
    `);
    expect(replayed).toMatchObject({
      title: 'agent_message_chunk',
      session: 'S1',
      sessionId: 's1',
      replayOf: 1,
      inWindow: { method: 'session/load', request: 1, answer: 3 },
    });
    expect(late).toMatchObject({ late: true, inWindow: { late: 1 } });
    expect(late).not.toHaveProperty('replayOf');
  });

  test('v1 turns are counted from prompt to answer', () => {
    const turns = details(`
      client →1 session/prompt s1 "one"
      agent  update s1 agent_message_chunk "first"
      agent  ←1 result {"stopReason":"end_turn"}
      agent  update s1 session_info_update {"title":"between"}
      client →2 session/prompt s1 "two"
      agent  update s2 agent_message_chunk "elsewhere"
      agent  update s1 agent_message_chunk "second"
    `).map((detail) => detail?.turn);
    expect(turns).toEqual([1, 1, 1, undefined, 2, undefined, 2]);
  });

  test('what is no message says why, with its JSON where it is any', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    const [broken, batch, foreign, nested] = details(`
      agent raw {oops
      agent raw [1]
      agent bytes ff
      agent raw {"jsonrpc":"2.0","method":"x","params":${deep}}
    `);
    expect(broken?.why).toMatch(/^not JSON/);
    expect(broken).not.toHaveProperty('value');
    expect(batch).toMatchObject({ value: [1], why: 'a batch of 1; ACP sends one message a line' });
    expect(foreign).toMatchObject({ why: 'not UTF-8, which every ACP message must be', size: 1 });
    expect(nested?.why).toBe('nested too deep to show as a tree');
    expect(() => structuredClone(nested)).not.toThrow();
  });

  test('a long line is given once: where its long parts stand, and no value beside it', () => {
    const text = 'x'.repeat(2 << 20);
    const picture = `agent update s1 agent_message_chunk "${text}"`;
    const [long] = details(picture);
    expect(long).not.toHaveProperty('value');
    expect(long?.line && 'text' in long.line && long.line.text).toContain(text);
    const [said, ...around] = long?.long ?? [];
    expect(said).toMatchObject({ kind: 'string', size: 0 });
    expect((said?.end ?? 0) - (said?.start ?? 0)).toBe(text.length + 2);
    expect(around.map(({ kind }) => kind)).toEqual(['object', 'object', 'object', 'object']);

    const { index, events } = indexed(picture);
    const brief = events[0] && frameDetail(index, events[0], BEGIN, true);
    expect(brief).toMatchObject({ title: 'agent_message_chunk', method: 'session/update' });
    expect(brief).not.toHaveProperty('line');
    expect(brief).not.toHaveProperty('long');
  });

  test('events that are no frames say their sentence', () => {
    const titles = details(`
      start agent --acp
      stderr some words
      exit 1
    `).map((detail) => detail?.title);
    expect(titles).toEqual(['agent --acp · /w', 'some words', expect.stringContaining('1')]);
  });

  test('an event that is not in the trace has no detail, a trace without a clock no time', () => {
    const { index, eventAt } = indexed('client →1 initialize {}');
    expect(frameDetail(index, { ...eventAt(0), seq: seq(9) }, BEGIN)).toBeUndefined();
    expect(frameDetail(index, eventAt(0), 'imported')?.wallClock).toBe('imported');
  });
});
