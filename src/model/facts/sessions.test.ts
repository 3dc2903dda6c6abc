import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import type { SessionFacts } from './facts-view.ts';

function sessions(picture: string): readonly SessionFacts[] {
  return indexed(picture).index.facts().sessions;
}

test('a new session takes its place and state from request and answer', () => {
  const [session] = sessions(`
    client →1 session/new {"cwd":"/home/ann/parcel","mcpServers":[]}
    agent  ←1 result {"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"code","name":"Code","description":"Writes"}]},"configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"a","options":[{"group":"g","name":"G","options":[{"value":"a","name":"A"}]},{"value":"b","name":"B"}]}]}
  `);
  expect(session).toEqual({
    sessionId: 's1',
    chip: 'S1',
    cwd: '/home/ann/parcel',
    frames: 1,
    first: 2,
    last: 2,
    active: true,
    listedOnly: false,
    turn: 'idle',
    prompts: [],
    commands: [],
    modes: {
      current: 'ask',
      available: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code', description: 'Writes' },
      ],
    },
    config: [
      {
        id: 'model',
        name: 'Model',
        type: 'select',
        value: 'a',
        options: [
          { value: 'a', name: 'A' },
          { value: 'b', name: 'B' },
        ],
      },
    ],
  });
});

test('v2 answers bring commands and options under other names', () => {
  const [session] = sessions(`
    client →1 session/resume {"sessionId":"s1","cwd":"/w"}
    agent  ←1 result {"configOptions":[{"configId":"fast","name":"Fast","type":"boolean","currentValue":true}],"availableCommands":[{"type":"command","name":"plan","description":"Plans"}]}
  `);
  expect(session?.config).toEqual([
    { id: 'fast', name: 'Fast', type: 'boolean', value: true, options: [] },
  ]);
  expect(session?.commands).toEqual([{ name: 'plan', description: 'Plans' }]);
});

test('an option with the ids of both versions has that of the version in force', () => {
  const option = '{"id":"one","configId":"two","name":"Fast","type":"boolean","currentValue":true}';
  for (const [version, id] of [
    [1, 'one'],
    [2, 'two'],
  ]) {
    const [session] = sessions(`
      client →0 initialize {"protocolVersion":${version}}
      agent  ←0 result {"protocolVersion":${version}}
      client →1 session/new {"cwd":"/w"}
      agent  ←1 result {"sessionId":"s1","configOptions":[${option}]}`);
    expect(session?.config).toMatchObject([{ id }]);
  }
});

test('updates set mode, options, commands, usage and title; null clears a title', () => {
  const [session] = sessions(`
    agent update s1 current_mode_update {"currentModeId":"code"}
    agent update s1 available_commands_update {"availableCommands":[{"name":"x","description":""}]}
    agent update s1 usage_update {"used":5,"size":10}
    agent update s1 session_info_update {"title":"Flaky test","updatedAt":"2026-11-21T00:00:00Z"}
    agent update s1 session_info_update {"title":null}
  `);
  expect(session).toMatchObject({
    modes: { current: 'code', available: [] },
    commands: [{ name: 'x' }],
    usage: { used: 5, size: 10 },
    updatedAt: '2026-11-21T00:00:00Z',
  });
  expect(session).not.toHaveProperty('title');
});

test('what the client set holds once the agent agreed', () => {
  const ask = `
    agent  update s1 current_mode_update {"currentModeId":"ask"}
    client →1 session/set_mode {"sessionId":"s1","modeId":"code"}
  `;
  expect(sessions(ask)[0]?.modes?.current).toBe('ask');
  expect(sessions(`${ask} \n agent ←1 error -32602 No`)[0]?.modes?.current).toBe('ask');
  expect(sessions(`${ask} \n agent ←1 result {}`)[0]?.modes?.current).toBe('code');
});

test('a v1 turn runs as long as its prompt waits', () => {
  const begun = `
    client →1 session/load s1
    agent  ←1 result {}
    client →2 session/prompt s1 "go"
  `;
  expect(sessions(begun)[0]).toMatchObject({ turn: 'running', prompts: [3] });
  const ended = `${begun} \n agent ←2 result {"stopReason":"end_turn"}`;
  expect(sessions(ended)[0]).toMatchObject({ turn: 'idle', prompts: [] });
});

test('a v2 turn is what the agent says it is', () => {
  const begun = `
    client →1 session/resume s1
    agent  ←1 result {}
    client →2 session/prompt s1 "go"
    agent  ←2 result {"messageId":"m1"}
    agent  update s1 state_update {"state":"requires_action"}
  `;
  expect(sessions(begun)[0]?.turn).toBe('requires_action');
  expect(sessions(`${begun} \n agent update s1 state_update {"state":"_odd"}`)[0]?.turn).toBe(
    'unknown',
  );
});

test('a session that was idle stays so when its agent is gone, a turn that ran is unknown', () => {
  const told = (state: string) => `
    client →1 session/resume s1
    agent  ←1 result {}
    agent  update s1 state_update {"state":"${state}"}
    exit SIGKILL
  `;
  expect(sessions(told('idle'))[0]).toMatchObject({ active: false, turn: 'idle' });
  expect(sessions(told('running'))[0]).toMatchObject({ active: false, turn: 'unknown' });
});

test('a session is active from a success until it is closed, deleted or its agent is gone', () => {
  const active = `
    client →1 session/load s1
    agent  ←1 result null
  `;
  const close = `${active} \n client →2 session/close s1`;
  expect(sessions(active)[0]?.active).toBe(true);
  expect(sessions(`${close} \n agent ←2 result {}`)[0]).toMatchObject({
    active: false,
    turn: 'unknown',
  });
  expect(sessions(`${close} \n agent ←2 error -32603 Busy`)[0]?.active).toBe(true);
  expect(sessions(`${close} \n agent ←2 error -32002 Gone`)[0]?.active).toBe(false);
  expect(sessions(`${active} \n exit 0`)[0]?.active).toBe(false);
  expect(sessions('client →1 session/load s1 \n agent ←1 error -32002 x')[0]?.active).toBe(false);
});

test('a cwd that was only tried in a restore does not become the session’s', () => {
  const make = 'client →1 session/new {"cwd":"/w"} \n agent ←1 result {"sessionId":"s1"}';
  const list =
    'client →1 session/list \n agent ←1 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}';
  const load = (id: number, cwd: string, answer = 'result {}') =>
    `client →${id} session/load {"sessionId":"s1","cwd":"${cwd}"} \n agent ←${id} ${answer}`;
  const cwds = (...parts: string[]) =>
    sessions(parts.join('\n')).map(({ cwd, cwdTried }) => [cwd, cwdTried]);
  expect(cwds(make, load(2, 'w'), load(3, '/w/'))).toEqual([['/w', undefined]]);
  expect(cwds(load(2, '/other'), list)).toEqual([['/w', undefined]]);
  expect(cwds(load(2, 'w'), load(3, '/gone', 'error -32602 No'))).toEqual([[undefined, undefined]]);
  expect(cwds(load(2, '/a'), load(3, '/b'))).toEqual([['/a', true]]);
});

test('a fork is a session of its own', () => {
  const found = sessions(`
    client →1 session/fork {"sessionId":"s1","cwd":"/w"}
    agent  ←1 result {"sessionId":"s2"}
  `);
  expect(found).toMatchObject([
    { sessionId: 's1', active: false },
    { sessionId: 's2', active: true, cwd: '/w' },
  ]);
});

test('listed sessions have no chip until a frame names them, and go when they are deleted', () => {
  const list = `
    client →1 session/list
    agent  ←1 result {"sessions":[{"sessionId":"a","cwd":"/w","title":"A"},{"sessionId":"b","cwd":"/w"}],"nextCursor":"p2"}
  `;
  const { index } = indexed(list);
  expect(index.facts().listCursor).toBe('p2');
  expect(index.facts().sessions).toMatchObject([
    { sessionId: 'a', title: 'A', chip: '', listedOnly: true, frames: 0, first: 2 },
    { sessionId: 'b', chip: '', listedOnly: true },
  ]);
  const used = `${list}
    client →2 session/load b
    client →3 session/delete a
    agent  ←3 result {}
  `;
  expect(sessions(used)).toMatchObject([{ sessionId: 'b', chip: 'S1', listedOnly: false }]);
});

test('values of the wrong type are passed over', () => {
  const [session] = sessions(`
    agent update s1 usage_update {"used":"much","size":null}
    agent update s1 config_option_update {"configOptions":{"id":1}}
    agent update s1 available_commands_update {"availableCommands":[1,{"name":2}]}
    agent update s1 session_info_update {"title":7}
  `);
  expect(session).toMatchObject({ config: [], commands: [] });
  expect(session).not.toHaveProperty('usage');
  expect(session).not.toHaveProperty('title');
});

test('a session that only the client names is asked for only, until the agent says anything of it', () => {
  const load = 'client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
  const askedOnly = (...lines: string[]) => sessions([load, ...lines].join('\n'))[0]?.askedOnly;
  expect(askedOnly()).toBe(true);
  expect(askedOnly('agent ←1 error -32002 Not found')).toBe(true);
  expect(askedOnly('agent ←1 result {}')).toBeUndefined();
  expect(askedOnly('agent update s1 agent_message_chunk "Hi"')).toBeUndefined();
  const list = ['client →2 session/list {}', 'agent ←2 result {"sessions":[{"sessionId":"s1"}]}'];
  expect(askedOnly('agent ←1 error -32002 Not found', ...list)).toBeUndefined();
});

test('a session that was deleted and is listed again is there again', () => {
  const list = (id: number) =>
    `client →${id} session/list \n agent ←${id} result {"sessions":[{"sessionId":"a","cwd":"/w"}]}`;
  const deleted = `${list(1)} \n client →2 session/delete a \n agent ←2 result {}`;
  expect(sessions(deleted)).toEqual([]);
  expect(sessions(`${deleted} \n ${list(3)}`)).toMatchObject([{ sessionId: 'a' }]);
});

test('a fork whose answer names no session makes none, and opens none', () => {
  const [session, ...others] = sessions(`
    client →1 session/fork {"sessionId":"s1","cwd":"/w"}
    agent  ←1 result {"modes":{"currentModeId":"ask","availableModes":[]}}
  `);
  expect(others).toEqual([]);
  expect(session).toMatchObject({ sessionId: 's1', active: false });
  expect(session).not.toHaveProperty('cwd');
  expect(session).not.toHaveProperty('modes');
});

test('a restore opens the session that it asked for, whatever its answer names', () => {
  expect(
    sessions(`
      client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent  ←1 result {"sessionId":"s2"}
    `),
  ).toMatchObject([
    { sessionId: 's1', active: true, cwd: '/w' },
    { sessionId: 's2', active: false },
  ]);
});

test('a session that the client made is no child later, also after its close', () => {
  const [, announced] = sessions(`
    client →1 session/new {"cwd":"/w"}
    agent  ←1 result {"sessionId":"s1"}
    client →2 session/new {"cwd":"/w"}
    agent  ←2 result {"sessionId":"s2"}
    client →3 session/close s2
    agent  ←3 result {}
    agent  update s1 subagent_update {"sessionId":"s2"}
  `);
  expect(announced).toMatchObject({ sessionId: 's2', active: false });
  expect(announced).not.toHaveProperty('parent');
});

test('a session that was closed while it worked does not work again because it is restored', () => {
  const worked = (close: string) => `
    client →1 session/resume s1
    agent  ←1 result {}
    agent  update s1 state_update {"state":"running"}
    client →2 session/close s1
    agent  ←2 ${close}
    client →3 session/resume s1
    agent  ←3 result {}
  `;
  for (const close of ['result {}', 'error -32002 Not found'])
    expect(sessions(worked(close))[0]).toMatchObject({ active: true, turn: 'idle' });
  expect(sessions(worked('error -32603 Busy'))[0]?.turn).toBe('running');
});

test('a prompt of a process that is gone does not run in the next one', () => {
  const [session] = sessions(`
    client →0 initialize {"protocolVersion":1}
    agent  ←0 result {"protocolVersion":1}
    client →1 session/load s1
    agent  ←1 result {}
    client →2 session/prompt s1 "go"
    exit SIGKILL
    client →0 initialize {"protocolVersion":1}
    agent  ←0 result {"protocolVersion":1}
    client →1 session/load s1
    agent  ←1 result {}
  `);
  expect(session).toMatchObject({ active: true, turn: 'idle', prompts: [] });
});

test('a turn that was open when its process ended is over in the next one', () => {
  const hello = (id: number) => `
    client →${id} initialize {"protocolVersion":2}
    agent  ←${id} result {"protocolVersion":2}
    client →${id + 1} session/resume s1
    agent  ←${id + 1} result {}
    client →${id + 2} session/prompt s1 "go"
    agent  ←${id + 2} result {"messageId":"u${id}"}
    agent update s1 state_update {"state":"running"}
  `;
  const { index } = indexed(`${hello(0)}exit SIGKILL${hello(10)}`);
  const turnOf = (name: string) =>
    [...Array(index.columns.length).keys()]
      .filter((place) => index.columns.nameOf(place) === name)
      .map((place) => index.columns.turn.get(place));
  expect(turnOf('session/prompt')).toEqual([1, 1, 2, 2]);
  expect(turnOf('state_update')).toEqual([1, 2]);
});
