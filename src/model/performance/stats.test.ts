import { describe, expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { textReport } from '../../report/text.ts';
import { statsDocument } from './document.ts';
import { StatsFold, type TraceStats } from './stats.ts';

const renderStats = (stats: TraceStats) => textReport(statsDocument(stats));

function statsOf(picture: string) {
  const fold = new StatsFold();
  for (const event of draw(picture)) fold.append(event);
  return fold.stats();
}

describe('the figures of a trace', () => {
  test('latency is by nearest rank, and what failed or waits is counted', () => {
    const ping = (id: number, ms: number) =>
      `client →${id} _ping {}\n+${ms}ms\nagent ←${id} result {}`;
    const { methods } = statsOf(`
      ${Array.from({ length: 20 }, (_, i) => ping(i, i + 1)).join('\n')}
      client →30 _ping {}
      agent  ←30 error -32601 Method not found
      client →31 _ping {}
    `);
    expect(methods).toMatchObject([
      {
        method: '_ping',
        side: 'client',
        live: 22,
        failed: 1,
        unanswered: 1,
        latency: { n: 21, p50: 10, p95: 19, p99: 20, max: 20 },
      },
    ]);
  });

  test('R-30: a sleep is told beside the figures, none of which counts it', () => {
    const stats = statsOf('client →1 _ping {}\n+10ms\nsleep 60000 0\nagent ←1 result {}');
    expect(renderStats(stats)).toMatch(/^Once nothing ran, for 1:00: .* do not count it\.$/m);
    expect(renderStats(statsOf('client →1 _ping {}'))).not.toContain('nothing ran');
  });

  test('history replay is counted apart from what is live', () => {
    const { methods, restores } = statsOf(`
      client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent  update s1 agent_message_chunk "old" ×3
      agent  ←1 result {}
      client →2 session/prompt s1 "Hi"
      agent  update s1 agent_message_chunk "new"
      agent  ←2 result {"stopReason":"end_turn"}
    `);
    const chunks = methods.find(({ method }) => method === 'agent_message_chunk');
    expect(chunks).toMatchObject({ update: true, live: 1, replayed: 3 });
    expect(chunks).not.toHaveProperty('latency');
    expect(restores).toMatchObject([{ method: 'session/load', outcome: 'answered', updates: 3 }]);
  });

  test('the window of a fork stands with the restores, and one that nothing answered is incomplete', () => {
    const stats = statsOf(`
      client →1 session/fork {"sessionId":"s1","cwd":"/w"}
      agent  update s2 agent_message_chunk "old"
      agent  ←1 result {"sessionId":"s2"}
      client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent  update s1 agent_message_chunk "old"
    `);
    expect(stats.restores).toMatchObject([
      { method: 'session/fork', request: 1, outcome: 'answered', updates: 1 },
      { method: 'session/load', request: 4, outcome: 'incomplete', problem: 'the recording ends' },
    ]);
    expect(renderStats(stats)).toMatch(/incomplete · the recording ends/);
  });

  test('v1 turns end with the answer of their prompt, also with its error', () => {
    const { turns } = statsOf(`
      client →1 session/prompt s1 "Hi"
      +10ms
      agent  ←1 result {"stopReason":"max_tokens"}
      client →2 session/prompt s1 "Hi"
      agent  ←2 error -32603 Internal error
      client →3 session/prompt s1 "Hi"
    `);
    expect(turns.map(({ begin, end, took, stopReason }) => [begin, end, took, stopReason])).toEqual(
      [
        [1, 2, 10, 'max_tokens'],
        [3, 4, 1, '−32603 Internal error'],
      ],
    );
  });

  test('v2 turns go from running to idle, whoever began them; a snapshot is no end', () => {
    const { turns } = statsOf(`
      client →0 initialize {"protocolVersion":2}
      agent  ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}
      client →1 session/prompt s1 "Hi"
      agent  update s1 user_message u1 "Hi"
      agent  ←1 result {"messageId":"u1"}
      agent  update s1 state_update {"state":"running"}
      agent  update s1 state_update {"state":"requires_action"}
      agent  update s1 state_update {"state":"running"}
      agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}
      agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}
      agent  update s1 state_update {"state":"running"}
      agent  update s1 state_update {"state":"idle"}
    `);
    expect(turns.map(({ begin, end, stopReason }) => [begin, end, stopReason])).toEqual([
      [6, 9, 'end_turn'],
      [11, 12, 'none given'],
    ]);
  });

  test('a turn that begins with a question to the user is one, and so is one without a stop reason', () => {
    const begun = statsOf(`
      client →0 initialize {"protocolVersion":2}
      agent  ←0 result {"protocolVersion":2}
      client →1 session/prompt s1 "Hi"
      agent  ←1 result {"messageId":"u1"}
      agent  update s1 state_update {"state":"requires_action"}
      agent  update s1 state_update {"state":"idle","stopReason":"cancelled"}
    `);
    expect(begun.turns).toMatchObject([{ begin: 5, end: 6, stopReason: 'cancelled' }]);
    const ended = statsOf(`
      client →0 initialize {"protocolVersion":1}
      agent  ←0 result {"protocolVersion":1}
      client →1 session/prompt s1 "Hi"
      agent  ←1 result {}
    `);
    expect(ended.turns).toMatchObject([{ begin: 3, end: 4, stopReason: 'none given' }]);
  });

  test('bytes, bad lines, stderr, gaps and the duration are those of the trace', () => {
    const stats = statsOf(`
      start agent
      client raw {"jsonrpc":"2.0","method":"é"}
      agent  raw not json
      agent  bytes ff fe
      stderr oh
      gap 3 the disk was full
      +1000ms
      exit 0
    `);
    expect(stats).toMatchObject({
      duration: 1005,
      events: 7,
      frames: { client: 1, agent: 2 },
      bytes: { client: 31, agent: 10, stderr: 2 },
      stderrLines: 1,
      badLines: 2,
      missing: 3,
    });
  });

  test('an empty trace has figures too', () => {
    expect(renderStats(statsOf(''))).toMatch(/^0 frames in 0\.0 ms/);
  });
});

test('the text is aligned columns, safe for a terminal', () => {
  const text = renderStats(
    statsOf(`
      client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent  update s1 agent_message_chunk "old"
      agent  ←1 error -32603 \u001b[31mboom
      client →2 session/prompt s1 "Hi"
      +2000ms
      agent  ←2 result {"stopReason":"end_turn"}
    `),
  );
  expect(text).toBe(
    `5 frames in 2.0 s · 2 from the client, 220 B · 3 from the agent, 293 B
0 lines of stderr, 0 B · 0 lines that no JSON-RPC message is in
not whole: starts in the middle of a connection
2.0 ms restoring · 2.0 s agent working · 1.0 ms idle

Methods
  method                      side    live  replayed  bytes  failed  unanswered  p50  p95  p99     max
  session/load                client     1         0  103 B       1           0                 2.0 ms
  update agent_message_chunk  agent      0         1  159 B
  session/prompt              client     1         0  117 B       0           0                  2.0 s

Turns
  turn  frames  session   took  first  question  agent  stalled  ended
     1  #4–5    S1       2.0 s                   2.0 s           end_turn

Restores
  frame  session  request       updates  bytes  overhead    took  a second  what came
  #1     S1       session/load        1  159 B      ×1.0  2.0 ms            rejected · −32603 boom · 1 agent message · first after 1.0 ms, last after 1.0 ms, answer after 2.0 ms`,
  );
});
