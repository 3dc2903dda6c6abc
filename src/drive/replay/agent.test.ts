import { describe, expect, test } from 'vitest';
import { agentOf, HELLO, kinds } from '../../test/programs/replay-agent.ts';
import { draw, inArrays } from '../../test/traces/draw.ts';
import type { Frame } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

const INIT = 'client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"a"}}';
const OTHER_INIT = 'client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"b"}}';
const NEW = 'client →1 session/new {"cwd":"/home/mika/p","mcpServers":[]}';
const READ = 'client →2 session/prompt s1 "Read /home/mika/p/a.txt"';

const NOTHING = { text: '' };

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

  test('R-10 of arrays says the messages in them, and takes those of a client', () => {
    const picture = inArrays(draw(HELLO), 9);
    expect(picture.length).toBeLessThan(draw(HELLO).length);
    const { agent, hears } = agentOf(picture);
    const plain = agentOf(HELLO).hears;
    expect(hears(INIT, NEW, READ)).toEqual(plain(INIT, NEW, READ));
    const both = [INIT, NEW].map((line) => lineText((draw(line) as Frame[])[0]?.line ?? NOTHING));
    const other = agentOf(HELLO);
    expect(other.hears(`client raw [${both.join(',')},7]`)).toEqual(
      agentOf(HELLO).hears(INIT, NEW),
    );
    expect([agent, other.agent].map((one) => one.report().notes)).toEqual([[], []]);
    // An array without a message is a line that is no message.
    expect(other.hears('client raw []')).toEqual([expect.stringContaining('-32600')]);
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
    const { agent, hears } = agentOf(HELLO, { strictness: 'strict' });
    expect(hears(OTHER_INIT)[0]).toContain('"error"');
    expect(agent.end().ok).toBe(false);
  });

  test('strict: what is recorded once is asked once', () => {
    const { agent, hears } = agentOf(HELLO, { strictness: 'strict' });
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
    const { agent, hears } = agentOf(HELLO, { strictness: 'loose' });
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
    const { hears } = agentOf(loaded, { strictness: 'loose' });
    const load = 'client →1 session/load {"sessionId":"mine","cwd":"/w","mcpServers":[]}';
    expect(hears(INIT, load)[1]).toContain('"sessionId":"mine"');
  });
});
