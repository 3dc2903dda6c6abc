import { describe, expect, test } from 'vitest';
import { parseJson, str } from '../../acp/json.ts';
import type { Frame } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { draw } from '../../test/draw.ts';
import type { Timers } from '../timers.ts';
import { ReplayAgent, type ReplayAgentOptions } from './agent.ts';
import { readRecorded } from './recorded.ts';

const HELLO = `
  client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"a"}}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{},"resume":{},"close":{}}}}
  client →1 session/new {"cwd":"/home/mika/p","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[]}}
  client →2 session/prompt s1 "Read /home/mika/p/a.txt"
  agent  update s1 tool_call {"toolCallId":"t1","title":"Read","locations":[{"path":"/home/mika/p/a.txt"}]}
  agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}]}
  agent  update s1 agent_message_chunk "Waiting."
  client ←0 result {"outcome":{"outcome":"selected","optionId":"y"}}
  agent  update s1 agent_message_chunk "It says: a."
  agent  ←2 result {"stopReason":"end_turn"}
  client →3 session/prompt s1 "Slowly"
  agent  update s1 agent_message_chunk "One"
  client session/cancel s1
  agent  ←3 result {"stopReason":"cancelled"}
  client →4 session/list {}
  agent  ←4 result {"sessions":[{"sessionId":"s1","cwd":"/home/mika/p"}]}`;

/** An agent made from a drawing; `hears` what it says to a line, as compact words. */
function agentOf(picture: string, options: Partial<ReplayAgentOptions> = {}) {
  const said: string[] = [];
  const agent = new ReplayAgent({
    recorded: readRecorded(draw(picture)),
    manner: 'plain',
    speed: 'max',
    timers: { now: () => 0, later: () => () => undefined },
    say: (line) => said.push(lineText(line)),
    note: () => undefined,
    ...options,
  });
  agent.begin();
  const hears = (...lines: readonly string[]) => {
    said.length = 0;
    for (const frame of draw(lines.join('\n')) as Frame[]) agent.take(lineText(frame.line));
    return [...said];
  };
  return { agent, hears, said };
}

/** What a line is: `←2`, `session/update`. */
function kinds(lines: readonly string[]): string[] {
  return lines.map((line) => {
    const value = parseJson(line);
    const id = JSON.stringify((value as { readonly id?: unknown }).id);
    return str(value, 'method') ?? `←${id}`;
  });
}

const INIT = 'client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"a"}}';
const OTHER_INIT = 'client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"b"}}';
const NEW = 'client →1 session/new {"cwd":"/home/mika/p","mcpServers":[]}';
const READ = 'client →2 session/prompt s1 "Read /home/mika/p/a.txt"';

describe('an agent made from a recording', () => {
  test('says each line byte for byte where no name is another', () => {
    const { hears } = agentOf(HELLO);
    const lines = (draw(HELLO) as Frame[]).filter(({ from }) => from === 'agent');
    const told = [
      ...hears(INIT, NEW, READ),
      ...hears('client ←0 result {"outcome":{"outcome":"selected","optionId":"y"}}'),
    ];
    expect(told).toEqual(lines.slice(0, 7).map(({ line }) => lineText(line)));
  });

  test('answers under the live ids, their tokens as written', () => {
    const { hears } = agentOf(HELLO);
    expect(hears('client →"a\\u0062" initialize {"protocolVersion":1}')[0]).toContain(
      '"id":"a\\u0062"',
    );
    expect(hears('client →1.0 session/list {}')[0]).toContain('"id":1.0,');
  });

  test('lives in the folder of now, both ways', () => {
    const { agent, hears } = agentOf(HELLO);
    hears(INIT, 'client →1 session/new {"cwd":"/tmp/x","mcpServers":[]}');
    const told = hears('client →2 session/prompt s1 "Read /tmp/x/a.txt"');
    expect(told[0]).toContain('"path":"/tmp/x/a.txt"');
    expect(agent.report().notes).toEqual([]);
  });

  test('does not wait for another order of what is independent', () => {
    const { hears } = agentOf(HELLO);
    expect(kinds(hears(INIT, 'client →9 session/list {}', NEW))).toEqual(['←0', '←9', '←1']);
  });

  test('says nothing before the permission is answered that came after it', () => {
    const { hears } = agentOf(HELLO);
    const first = kinds(hears(INIT, NEW, READ)).slice(2);
    expect(first).toEqual(['session/update', 'session/request_permission', 'session/update']);
    const then = hears('client ←0 result {"outcome":{"outcome":"selected","optionId":"y"}}');
    expect(kinds(then)).toEqual(['session/update', '←2']);
  });

  test('ends a cancelled turn when it is cancelled', () => {
    const { hears } = agentOf(HELLO);
    hears(INIT, NEW);
    expect(kinds(hears('client →5 session/prompt s1 "Slowly"'))).toEqual(['session/update']);
    expect(kinds(hears('client session/cancel s1'))).toEqual(['←5']);
  });

  test('holds a cancel for none of the recording’s where the turn was another', () => {
    const { agent, hears } = agentOf(HELLO);
    hears(INIT, NEW, READ);
    expect(hears('client session/cancel s1')).toEqual([]);
    expect(agent.report().notes).toMatchObject([{ kind: 'mismatch', method: 'session/cancel' }]);
  });

  test('goes on as recorded where a permission is answered otherwise, and says so', () => {
    const { agent, hears } = agentOf(HELLO);
    hears(INIT, NEW, READ);
    const then = hears('client ←0 result {"outcome":{"outcome":"selected","optionId":"n"}}');
    expect(kinds(then)).toEqual(['session/update', '←2']);
    expect(agent.report()).toMatchObject({
      ok: false,
      notes: [
        {
          kind: 'mismatch',
          differences: [{ path: '/result/outcome/optionId', recorded: 'y', live: 'n' }],
        },
      ],
    });
  });

  test('refuses what is not recorded by an error that names the nearest', () => {
    const { agent, hears } = agentOf(HELLO);
    const [, , line = ''] = hears(INIT, NEW, 'client →7 session/prompt s1 "Write it"');
    expect(line).toMatch(/"id":7,"error":.*nearest is #5 where \/prompt\/0\/text was/);
    expect(hears('client →8 _x/y {}')[0]).toMatch(/"code":-32601,.*The recording has no _x\/y/);
    expect(agent.report().notes.map(({ kind }) => kind)).toEqual(['mismatch', 'mismatch']);
  });

  test('a line that is no message is answered as JSON-RPC wants, and is a mismatch', () => {
    const { agent, hears } = agentOf(HELLO);
    expect(hears('client raw {oops')[0]).toContain('"id":null,"error":{"code":-32700');
    expect(hears('client raw []')[0]).toContain('-32600');
    expect(agent.report().ok).toBe(false);
  });

  test('tells at the end what never came, and what waited for it', () => {
    const { agent, hears } = agentOf(HELLO);
    hears(INIT, NEW, READ);
    expect(agent.end()).toMatchObject({
      ok: true,
      neverCame: [
        { method: 'session/prompt' },
        { method: 'session/cancel', holds: 1 },
        { method: 'session/list' },
      ],
      unanswered: [{ method: 'session/request_permission', holds: 2 }],
      unsaid: 5,
    });
  });
});

describe('how exactly', () => {
  test('strict: who asks matters too, and all that is recorded must come', () => {
    const { agent, hears } = agentOf(HELLO, { manner: 'strict' });
    expect(hears(OTHER_INIT)[0]).toContain('"error"');
    expect(agent.end().ok).toBe(false);
  });

  test('strict: what is recorded once is asked once', () => {
    const { agent, hears } = agentOf(HELLO, { manner: 'strict' });
    expect(kinds(hears('client →4 session/list {}'))).toEqual(['←4']);
    expect(agent.report().notes).toEqual([]);
    hears('client →5 session/list {}');
    expect(agent.report().notes).toMatchObject([{ kind: 'mismatch', method: 'session/list' }]);
  });

  test('plain: who asks does not matter, and is told', () => {
    const { agent, hears } = agentOf(HELLO);
    expect(kinds(hears(OTHER_INIT))).toEqual(['←0']);
    expect(agent.report()).toMatchObject({ ok: true, notes: [{ kind: 'tolerated' }] });
  });

  test('plain: what reads may be asked again', () => {
    const { agent, hears } = agentOf(HELLO);
    expect(kinds(hears('client →4 session/list {}', 'client →5 session/list {}'))).toEqual([
      '←4',
      '←5',
    ]);
    expect(agent.report()).toMatchObject({ ok: true, notes: [{ kind: 'tolerated' }] });
  });

  test('loose: other words take the next recorded prompt', () => {
    const { agent, hears } = agentOf(HELLO, { manner: 'loose' });
    hears(INIT, NEW);
    expect(hears('client →2 session/prompt s1 "Anything"')[0]).toContain('"title":"Read"');
    expect(agent.report()).toMatchObject({ ok: true, notes: [{ kind: 'tolerated' }] });
  });

  test('loose: a session of another name is the recorded one', () => {
    const loaded = `
      client →0 initialize {"protocolVersion":1}
      agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
      client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent  update s1 agent_message_chunk "Hello"
      agent  ←1 result {}`;
    const { hears } = agentOf(loaded, { manner: 'loose' });
    const load = 'client →1 session/load {"sessionId":"mine","cwd":"/w","mcpServers":[]}';
    expect(hears(INIT, load)[1]).toContain('"sessionId":"mine"');
  });
});

describe('restores from its own recording', () => {
  const load = 'client →9 session/load {"sessionId":"s1","cwd":"/home/mika/p","mcpServers":[]}';

  test('rebuilds the history replay of a session that was only recorded live', () => {
    const { agent, hears } = agentOf(HELLO);
    const told = hears(INIT, load).slice(1);
    expect(told[0]).toContain('"sessionUpdate":"user_message_chunk"');
    expect(told[0]).toContain('Read /home/mika/p/a.txt');
    expect(told.join()).toMatch(/"title":"Read".*Waiting\..*It says: a\..*Slowly.*One/s);
    expect(told.at(-1)).toContain('"id":9,"result":{"modes":{"currentModeId":"ask"');
    expect(agent.report()).toMatchObject({
      ok: true,
      notes: [
        {
          kind: 'rebuilt',
          sentence: expect.stringContaining('rebuilt from 6 recorded frames') as string,
        },
      ],
    });
  });

  test('of a session that lives here, tells what was said here', () => {
    const { hears } = agentOf(HELLO);
    hears(INIT, NEW, READ, 'client ←0 result {"outcome":{"outcome":"selected","optionId":"y"}}');
    const told = hears(load).join();
    expect(told).toContain('It says: a.');
    expect(told).not.toContain('Slowly');
  });

  test('lists the sessions it knows, and not with a list cursor it does not', () => {
    const { hears } = agentOf(HELLO.slice(0, HELLO.indexOf('client →4')));
    const list = (params: string) => hears(`client →8 session/list ${params}`)[0];
    hears(INIT);
    expect(list('{}')).toContain('"sessions":[{"sessionId":"s1","cwd":"/home/mika/p"}]');
    expect(list('{"cwd":"/elsewhere"}')).toContain('"sessions":[]');
    expect(list('{"cursor":"c2"}')).toContain('-32602');
  });

  test('an unknown session is not found, as due', () => {
    const { agent, hears } = agentOf(HELLO);
    const told = hears(INIT, load.replace('"s1"', '"s2"'))[1];
    expect(told).toContain('"code":-32002');
    expect(told).toContain('"data":{"sessionId":"s2"}');
    expect(agent.report().ok).toBe(false);
  });

  const V2 = `
    client →0 initialize {"protocolVersion":2,"info":{"name":"a","version":"1"}}
    agent  ←0 result {"protocolVersion":2,"info":{"name":"b","version":"1"},"capabilities":{"session":{}}}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"_message","messageId":"m1"}}
    agent  update s1 agent_message m1 "From here"
    agent  update s1 state_update {"state":"idle"}
    agent  ←1 result {}`;
  const INIT2 = 'client →0 initialize {"protocolVersion":2}';
  const resume = (rest: string) => `client →5 session/resume {"sessionId":"s1","cwd":"/w"${rest}}`;

  test('v2: a replay cursor that was recorded is answered as recorded, others are refused', () => {
    const { hears } = agentOf(V2);
    hears(INIT2);
    const known = hears(resume(',"replayFrom":{"type":"_message","messageId":"m1"}'));
    expect(kinds(known)).toEqual(['session/update', 'session/update', '←5']);
    const other = hears(resume(',"replayFrom":{"type":"_message","messageId":"m2"}'));
    expect(other[0]).toContain('-32602');
  });

  test('v2: a resume without a replay cursor says its state, and no history', () => {
    const { hears } = agentOf(V2);
    hears(INIT2);
    const told = hears(resume(''));
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('"sessionUpdate":"state_update","state":"idle"');
  });
});

describe('time', () => {
  /** A clock that a test moves. */
  function clock() {
    let now = 0;
    let due: { readonly at: number; readonly run: () => void }[] = [];
    const timers: Timers = {
      now: () => now,
      later(ms, run) {
        const one = { at: now + ms, run };
        due.push(one);
        return () => void (due = due.filter((other) => other !== one));
      },
    };
    const pass = (ms: number) => {
      const until = now + ms;
      for (;;) {
        const next = [...due].sort((a, b) => a.at - b.at)[0];
        if (!next || next.at > until) break;
        due = due.filter((one) => one !== next);
        now = next.at;
        next.run();
      }
      now = until;
    };
    return { timers, pass };
  }
  const SLOW = `
    client →0 session/prompt s1 "Go"
    +100ms
    agent  update s1 agent_message_chunk "One"
    +300ms
    agent  update s1 agent_message_chunk "Two"
    +100ms
    agent  ←0 result {"stopReason":"end_turn"}`;

  test.each([
    [1, [100, 300, 100]],
    [4, [25, 75, 25]],
  ] as const)('%d times as fast', (speed, steps) => {
    const { timers, pass } = clock();
    const { hears, said } = agentOf(SLOW, { speed, timers });
    expect(hears('client →0 session/prompt s1 "Go"')).toEqual([]);
    steps.forEach((ms, at) => {
      pass(ms - 1);
      expect(said).toHaveLength(at);
      pass(1);
      expect(said).toHaveLength(at + 1);
    });
  });

  test('a client that is faster than the recorded one hears first what came before', () => {
    const { timers } = clock();
    const more = `${SLOW}\n+500ms\nclient →1 session/prompt s1 "On"\n+5ms\nagent ←1 result {}`;
    const { hears } = agentOf(more, { speed: 1, timers });
    hears('client →0 session/prompt s1 "Go"');
    expect(kinds(hears('client →1 session/prompt s1 "On"'))).toEqual([
      'session/update',
      'session/update',
      '←0',
    ]);
  });

  test('what is due at the end is said at once', () => {
    const { timers } = clock();
    const { agent, hears, said } = agentOf(SLOW, { speed: 1, timers });
    hears('client →0 session/prompt s1 "Go"');
    expect(agent.end().unsaid).toBe(0);
    expect(said).toHaveLength(3);
  });
});
