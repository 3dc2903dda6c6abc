import { describe, expect, test } from 'vitest';
import { agentOf, HELLO, kinds } from '../../test/programs/replay-agent.ts';

const INIT = 'client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"a"}}';
const NEW = 'client →1 session/new {"cwd":"/home/mika/p","mcpServers":[]}';
const READ = 'client →2 session/prompt s1 "Read /home/mika/p/a.txt"';

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

  test('a session of this recording that is only loaded lives in the folder it is loaded in', () => {
    const { hears } = agentOf(HELLO);
    hears(INIT);
    const told = hears(
      'client →1 session/load {"sessionId":"s1","cwd":"/tmp/now","mcpServers":[]}',
    );
    expect(told.join()).toContain('"path":"/tmp/now/a.txt"');
    expect(told.join()).not.toContain('/home/mika/p');
  });

  describe('of a fork', () => {
    const FORKED = `${HELLO}
      client →5 session/fork {"sessionId":"s1","cwd":"/home/mika/p","mcpServers":[]}
      agent  ←5 result {"sessionId":"s2"}
      client →6 session/prompt s1 "Behind the fork"
      agent  update s1 agent_message_chunk "Not in the fork."
      agent  ←6 result {"stopReason":"end_turn"}
      client →7 session/prompt s2 "In the fork"
      agent  update s2 agent_message_chunk "Forked."
      agent  ←7 result {"stopReason":"end_turn"}`;
    const loaded = (session: string, picture: string) => {
      const { agent, hears } = agentOf(picture);
      hears(INIT);
      const told = hears(
        `client →1 session/load {"sessionId":"${session}","cwd":"/home/mika/p","mcpServers":[]}`,
      );
      return { told: told.join('\n'), notes: agent.report().notes };
    };

    test('the rebuilt history begins with what was said before it was made', () => {
      const { told, notes } = loaded('s2', FORKED);
      const [before, own] = [told.indexOf('It says: a.'), told.indexOf('Forked.')];
      expect(before).toBeGreaterThan(0);
      expect(own).toBeGreaterThan(before);
      expect(told).not.toContain('Not in the fork.');
      expect(told).not.toContain('"sessionId":"s1"');
      expect(notes.at(-1)?.sentence).not.toContain('is missing');
    });

    test('that failed nothing is taken away', () => {
      const failed = `${HELLO}
        client →5 session/fork {"sessionId":"s1","cwd":"/home/mika/p","mcpServers":[]}
        agent  ←5 error -32603 no`;
      const { told, notes } = loaded('s1', failed);
      expect(told).toContain('It says: a.');
      expect(notes.at(-1)?.sentence).not.toContain('is missing');
    });
  });
});
