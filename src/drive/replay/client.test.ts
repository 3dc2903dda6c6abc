import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../acp/message.ts';
import { clock } from '../../test/programs/clock.ts';
import { ArrayAgent } from '../../test/programs/driven-agent.ts';
import { draw, inArrays } from '../../test/traces/draw.ts';
import type { Frame, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { REAL_TIMERS } from '../timers.ts';
import { runReplayClient, type ReplayClientOptions } from './client.ts';
import { readRecorded } from './recorded.ts';

const START = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/home/mika/p","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}`;

/** What a live agent says when it gets the nth line of the client: at once, and what more 40 ms after that. */
type Says = Readonly<Record<number, string | readonly [string, string]>>;

function linesOf(picture: string): string[] {
  return (draw(picture) as Frame[]).map(({ line }) => lineText(line));
}

/** The recorded client, sent to an agent that a test writes; what it sent, and what came of it. */
async function sentTo(
  picture: string | readonly TraceEvent[],
  says: Says,
  options: Partial<ReplayClientOptions> = {},
) {
  const peer = new ArrayAgent();
  const sent: string[] = [];
  peer.write = (line) => {
    // An agent answers later than it is asked.
    [says[sent.push(line)] ?? []].flat().forEach((answer, nth) => {
      setTimeout(() => linesOf(answer).forEach((one) => peer.say(one)), nth * 40);
    });
  };
  peer.inputEnded = () => peer.exit({ code: 0 });
  const run = await runReplayClient({
    recorded: readRecorded(typeof picture === 'string' ? draw(picture) : picture),
    agent: peer,
    ...{ speed: 'max', timers: REAL_TIMERS, patience: 60_000, quiet: 10 },
    note: () => undefined,
    ...options,
  });
  const origins = peer.frames.flatMap((frame: TraceEvent) =>
    frame.type === 'frame' && frame.from === 'client' ? [frame.origin] : [],
  );
  const crossed = peer.frames.map((frame) => (frame.type === 'frame' ? lineText(frame.line) : ''));
  return { sent, run, origins, crossed };
}

const OPENED = {
  1: 'agent ←0 result {"protocolVersion":1}',
  2: 'agent ←1 result {"sessionId":"live"}',
};

describe('a recorded client', () => {
  test('R-10: goes on where the agent answers in arrays, and answers what it asks there', async () => {
    const batched = (...lines: string[]) => `[${lines.join(',')}]`;
    const peer = new ArrayAgent();
    const sent: string[] = [];
    const ask =
      '{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"live","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"y","kind":"allow_once"}]}}';
    const says = [
      batched('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}'),
      batched('{"jsonrpc":"2.0","id":1,"result":{"sessionId":"live"}}'),
      batched(ask),
      batched('{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}'),
    ];
    peer.write = (line) => {
      const said = says[sent.push(line) - 1];
      if (said !== undefined) setTimeout(() => peer.say(said));
    };
    peer.inputEnded = () => peer.exit({ code: 0 });
    const run = await runReplayClient({
      ...{ recorded: readRecorded(draw(asked)), agent: peer, note: () => undefined },
      ...{ speed: 'max', timers: REAL_TIMERS, patience: 60_000, quiet: 10 },
    });
    expect(run).toMatchObject({ sent: 4, unsent: 0, ended: { code: 0 } });
    expect(sent[3]).toContain('"optionId":"y"');
  });

  test('R-10: sends the messages of its arrays one by one, each when it is its turn', async () => {
    const picture = `${START}
    client →2 session/list {}
    client →3 session/list {"cwd":"/x"}
    agent  ←3 result {"sessions":[]}
    agent  ←2 result {"sessions":[]}`;
    const says = {
      ...OPENED,
      3: 'agent ←2 result {"sessions":[]}',
      4: 'agent ←3 result {"sessions":[]}',
    };
    const apart = await sentTo(picture, says);
    const together = await sentTo(inArrays(draw(picture), 5), says);
    expect(together.sent).toEqual(apart.sent);
    expect(together.run).toEqual(apart.run);
    expect(together.run).toMatchObject({ sent: 4, unsent: 0, notes: [] });
  });

  const asked = `${START}
    client →2 session/prompt s1 "Read /home/mika/p/a.txt"
    agent  →7 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"y","kind":"allow_once"}]}
    client ←7 result {"outcome":{"outcome":"selected","optionId":"y"}}
    agent  ←2 result {"stopReason":"end_turn"}`;

  test('names the session, the folder and the request of now, and marks each line', async () => {
    const { sent, run, origins } = await sentTo(
      asked,
      {
        ...OPENED,
        3: 'agent →"x" session/request_permission {"sessionId":"live","toolCall":{"toolCallId":"u9"},"options":[{"optionId":"y","kind":"allow_once"}]}',
        4: 'agent ←2 result {"stopReason":"end_turn"}',
      },
      { cwd: '/tmp/now' },
    );
    expect(sent[1]).toContain('"cwd":"/tmp/now"');
    expect(sent[2]).toContain('"sessionId":"live"');
    expect(sent[2]).toContain('Read /tmp/now/a.txt');
    expect(sent[3]).toBe(
      '{"jsonrpc":"2.0","id":"x","result":{"outcome":{"outcome":"selected","optionId":"y"}}}',
    );
    expect(run).toMatchObject({ unsent: 0, notes: [] });
    expect(new Set(origins)).toEqual(new Set(['rerun']));
  });

  test('chooses the option of the same kind where its id is another', async () => {
    const { sent } = await sentTo(asked, {
      ...OPENED,
      3: 'agent →1 session/request_permission {"sessionId":"live","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"no","kind":"reject_once"},{"optionId":"go","kind":"allow_once"}]}',
      4: 'agent ←2 result {"stopReason":"end_turn"}',
    });
    expect(sent[3]).toContain('"optionId":"go"');
  });

  test('answers what is not in the recording with cancelled or an error, and says so', async () => {
    const { sent, run } = await sentTo(
      `${START}\nclient →2 session/prompt s1 "Hi"\nagent ←2 result {"stopReason":"end_turn"}`,
      {
        ...OPENED,
        3: 'agent →1 session/request_permission {"sessionId":"live","options":[]}\nagent →2 fs/read_text_file {"sessionId":"live","path":"/a"}',
        5: 'agent ←2 result {"stopReason":"end_turn"}',
      },
    );
    expect(sent[3]).toContain('"result":{"outcome":{"outcome":"cancelled"}}');
    expect(sent[4]).toContain('"error":{"code":-32603');
    expect(run.notes.map(({ kind }) => kind)).toEqual(['mismatch', 'mismatch']);
  });

  test('gives a file its recorded content, by its path and as often as it is asked', async () => {
    const picture = `${START}
      client →2 session/prompt s1 "Hi"
      agent  →0 fs/read_text_file {"sessionId":"s1","path":"/w/a"}
      client ←0 result {"content":"a"}
      agent  →1 fs/read_text_file {"sessionId":"s1","path":"/w/b"}
      client ←1 result {"content":"b"}
      agent  ←2 result {"stopReason":"end_turn"}`;
    const read = (id: number, path: string) =>
      `agent →${id} fs/read_text_file {"sessionId":"live","path":"${path}"}\n`;
    const { sent, run } = await sentTo(picture, {
      ...OPENED,
      3: read(0, '/w/b') + read(1, '/w/a') + read(2, '/w/b'),
      6: 'agent ←2 result {"stopReason":"end_turn"}',
    });
    expect(sent.slice(3).map((line) => JSON.stringify(parseMessage(line)))).toEqual([
      expect.stringContaining('"content":"b"'),
      expect.stringContaining('"content":"a"'),
      expect.stringContaining('"content":"b"'),
    ]);
    expect(run.notes).toEqual([]);
  });

  test('cancels in the middle of the turn, where as much has come', async () => {
    const picture = `${START}
      client →2 session/prompt s1 "Slowly"
      agent  update s1 agent_message_chunk "One" "Two"
      client session/cancel s1
      agent  ←2 result {"stopReason":"cancelled"}`;
    const { sent, run } = await sentTo(picture, {
      ...OPENED,
      3: 'agent update live agent_message_chunk "Uno" "Due"',
      4: 'agent ←2 result {"stopReason":"cancelled"}',
    });
    expect(sent[3]).toContain('"method":"session/cancel"');
    expect(run.notes).toEqual([]);
  });

  test('names the tool call of now', async () => {
    const picture = `
      client →0 initialize {"protocolVersion":2}
      agent  ←0 result {"protocolVersion":2}
      client →1 session/new {"cwd":"/w"}
      agent  ←1 result {"sessionId":"s1"}
      client →2 session/prompt s1 "Go"
      agent  update s1 state_update {"state":"running"}
      agent  update s1 tool_call_update {"toolCallId":"t1"}
      agent  update s1 tool_call_update {"toolCallId":"t2"}
      client →3 tool_call/cancel {"sessionId":"s1","toolCallId":"t2"}
      agent  ←3 result {}`;
    const { sent } = await sentTo(picture, {
      1: 'agent ←0 result {"protocolVersion":2}',
      2: 'agent ←1 result {"sessionId":"live"}',
      3: 'agent update live state_update {"state":"running"}\nagent update live tool_call_update {"toolCallId":"a"}\nagent update live tool_call_update {"toolCallId":"b"}',
      4: 'agent ←3 result {}',
    });
    expect(sent[3]).toContain('"sessionId":"live","toolCallId":"b"');
  });

  test('v2: an idle that ends no turn is not taken for the end of the one just asked for', async () => {
    const turn = `
      agent  update s1 state_update {"state":"running"}
      agent  update s1 agent_message_chunk "Hello."
      agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}`;
    const { crossed, run } = await sentTo(
      `${START.replaceAll('"protocolVersion":1', '"protocolVersion":2')}
      client →2 session/prompt s1 "One."
      agent  ←2 result {} ${turn}
      client →3 session/prompt s1 "Two."
      agent  ←3 result {} ${turn}`,
      {
        1: 'agent ←0 result {"protocolVersion":2}',
        2: OPENED[2],
        // Work in the background had ended, say, or a command had changed nothing.
        3: [
          'agent ←2 result {}\nagent update live state_update {"state":"idle"}',
          turn.replaceAll('s1', 'live'),
        ],
        4: ['agent ←3 result {}', turn.replaceAll('s1', 'live')],
      },
    );
    const ended = crossed.findIndex((line) => line.includes('end_turn'));
    expect(crossed.findIndex((line) => line.includes('Two.'))).toBeGreaterThan(ended);
    expect(run).toMatchObject({ unsent: 0, notes: [] });
  });

  test('v2: of a prompt that is refused no end is waited for', async () => {
    const turn = `
      agent  update s1 state_update {"state":"running"}
      agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}`;
    const { run } = await sentTo(
      `${START.replaceAll('"protocolVersion":1', '"protocolVersion":2')}
      client →2 session/prompt s1 "One."
      agent  ←2 result {} ${turn}
      client →3 session/prompt s1 "Two."
      agent  ←3 result {} ${turn}`,
      {
        1: 'agent ←0 result {"protocolVersion":2}',
        2: OPENED[2],
        3: 'agent ←2 error -32002 Resource not found',
        4: ['agent ←3 result {}', turn.replaceAll('s1', 'live')],
      },
      { patience: 2000 },
    );
    // Each wait that lasts as long as its patience is a note.
    expect(run).toMatchObject({ unsent: 0, notes: [] });
  });

  test('waits for an answer as long as its patience lasts, and goes on', async () => {
    const picture = `${START}\nclient →2 session/list {}\nagent ←2 result {"sessions":[]}\nclient →3 session/close {"sessionId":"s1"}`;
    const { sent, run } = await sentTo(picture, OPENED, { patience: 500 });
    expect(sent).toHaveLength(4);
    expect(run.notes).toMatchObject([{ kind: 'mismatch', method: 'session/list' }]);
    expect(run.notes[0]?.sentence).toBe(
      'The agent did not answer session/list #5 in 500 ms; the replay goes on.',
    );
  });

  test('says what it could not send when the agent ends', async () => {
    const peer = new ArrayAgent();
    peer.write = () => peer.exit({ code: 7 });
    const run = await runReplayClient({
      recorded: readRecorded(draw(asked)),
      agent: peer,
      ...{ speed: 'max', timers: REAL_TIMERS, patience: 60_000, quiet: 10 },
      note: () => undefined,
    });
    expect(run).toMatchObject({ sent: 1, unsent: 3, ended: { code: 7 } });
    expect(run.notes[0]?.sentence).toBe(
      'The agent ended (code 7) before session/new #3 could be sent.',
    );
  });
});

describe('speed of a recorded client', () => {
  const SLOW = `${START}
    +500ms
    client →2 session/prompt s1 "Hi"
    +100ms
    agent  →7 session/request_permission {"sessionId":"s1","options":[{"optionId":"y","kind":"allow_once"}]}
    +2000ms
    client ←7 result {"outcome":{"outcome":"selected","optionId":"y"}}
    agent  ←2 result {"stopReason":"end_turn"}`;

  /** When each line went out, of an agent that answers at once. */
  async function sentAt(speed: ReplayClientOptions['speed']): Promise<readonly number[]> {
    const { timers, pass, next } = clock();
    const peer = new ArrayAgent();
    const at: number[] = [];
    const says = [
      'agent ←0 result {"protocolVersion":1}',
      'agent ←1 result {"sessionId":"s1"}',
      'agent →7 session/request_permission {"sessionId":"s1","options":[{"optionId":"y","kind":"allow_once"}]}',
      'agent ←2 result {"stopReason":"end_turn"}',
    ];
    peer.write = () => {
      const said = says[at.push(timers.now()) - 1] ?? '';
      queueMicrotask(() => linesOf(said).forEach((line) => peer.say(line)));
    };
    peer.inputEnded = () => peer.exit({ code: 0 });
    let isOver = false;
    const running = runReplayClient({
      recorded: readRecorded(draw(SLOW)),
      agent: peer,
      ...{ speed, timers, patience: 60_000, quiet: 10 },
      note: () => undefined,
    }).then(() => (isOver = true));
    // Time goes on when nothing else does.
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve));
      const due = next();
      if (!isOver && due !== undefined) pass(due - timers.now());
    }
    await running;
    return at;
  }

  test('as fast as it goes', async () => {
    expect(await sentAt('max')).toEqual([0, 0, 0, 0]);
  });

  test.each([
    [1, [501, 2501]],
    [4, [125, 625]],
  ] as const)('%d times as fast, the pauses of the person are kept', async (speed, due) => {
    const [, , prompt, answer] = await sentAt(speed);
    expect([prompt, answer].map((ms) => Math.round(ms ?? 0))).toEqual(due);
  });
});

describe('a recorded client and an agent', () => {
  const PICTURE = `${START}
    client →2 session/prompt s1 "Hi"
    agent  update s1 agent_message_chunk "Hello."
    agent  ←2 result {"stopReason":"end_turn"}
    client →3 session/close {"sessionId":"s1"}
    agent  ←3 result {}`;

  test('that answers twice goes on, and the second answer is in the divergence', async () => {
    const { run, sent } = await sentTo(PICTURE, {
      ...OPENED,
      3: 'agent update live agent_message_chunk "Hello."\nagent ←2 result {"stopReason":"end_turn"}\nagent ←2 result {"stopReason":"refusal"}',
      4: 'agent ←3 result {}',
    });
    expect(sent).toHaveLength(4);
    expect(run).toMatchObject({ unsent: 0, ended: { code: 0 } });
  });

  test('that hangs in a turn is given up after the patience, and is ended', async () => {
    const { run } = await sentTo(PICTURE, OPENED, { patience: 500 });
    expect(run.notes.map(({ kind, method }) => [kind, method])).toEqual([
      ['mismatch', 'session/prompt'],
      ['mismatch', 'session/close'],
    ]);
  });

  test('that says what is no message goes on', async () => {
    const { run, sent } = await sentTo(PICTURE, {
      1: 'agent raw "starting up"\nagent ←0 result {"protocolVersion":1}',
      2: OPENED[2],
      3: 'agent ←2 result {"stopReason":"end_turn"}',
      4: 'agent ←3 result {}',
    });
    expect(sent).toHaveLength(4);
    expect(run.notes).toEqual([]);
  });

  test('that dies with a prompt open is told with what was not sent', async () => {
    const peer = new ArrayAgent();
    const says: Readonly<Record<number, string>> = OPENED;
    let heard = 0;
    peer.write = () => {
      const said = says[++heard];
      if (said === undefined) return peer.exit({ signal: 'SIGKILL' });
      setTimeout(() => linesOf(said).forEach((line) => peer.say(line)));
    };
    const run = await runReplayClient({
      recorded: readRecorded(draw(PICTURE)),
      agent: peer,
      ...{ speed: 'max', timers: REAL_TIMERS, patience: 60_000, quiet: 10 },
      note: () => undefined,
    });
    expect(run).toMatchObject({ sent: 3, unsent: 1, ended: { signal: 'SIGKILL' } });
    expect(run.notes.at(-1)?.sentence).toBe(
      'The agent ended (SIGKILL) before session/close #8 could be sent.',
    );
  });
});
