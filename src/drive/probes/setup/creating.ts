// Family B, new sessions: their ids, and what they may and may not be given.
import { CODE, type Json, type JsonObject } from '../../../acp/message.ts';
import { str } from '../../../acp/json.ts';
import {
  onPage,
  onPages,
  at,
  fail,
  info,
  pass,
  say,
  skip,
  outcomeWords,
  refused,
  wantsSignIn,
  worstOf,
} from '../probe.ts';
import { entryOf } from './config-options.ts';
import { family, type ProbeWorld } from '../world.ts';

const STDIO = { type: 'stdio', command: 'node', args: ['-e', ''], env: [] };

/** MCP servers that no v2 agent may take. */
function badServers(world: ProbeWorld): readonly (readonly [string, readonly JsonObject[]])[] {
  const http = { type: 'http', name: 'probe', url: 'http://127.0.0.1:9/' };
  const unknown = ['an MCP server of the type _nope', [{ type: '_nope', name: 'probe' }]] as const;
  if (world.advertises('session.mcp.http')) return [unknown];
  return [unknown, ['an MCP server over HTTP, which is not advertised,', [http]]];
}

export const CREATING = family({ versions: [1, 2] })({
  'new/two': {
    source: onPages('session-setup', 'session-id'),
    sentence: 'Two sessions in one folder have different ids, neither empty.',
    async run(world) {
      const connection = await world.bench();
      const one = await world.create(connection);
      const two = await world.create(connection);
      world.show(at(connection, one.made, two.made));
      if (one.sessionId === '' || two.sessionId === '')
        return fail('session/new gave an empty sessionId.');
      if (one.sessionId === two.sessionId)
        return fail(`session/new gave the id ${one.sessionId} twice; each session has its own.`);
      return pass('Two sessions have two ids.');
    },
  },
  'new/no-mcp': {
    source: onPages('session-setup', 'creating-a-session'),
    sentence:
      'session/new without mcpServers: v1 refuses with −32602 (or is lenient), v2 takes it for none.',
    async run(world) {
      const connection = await world.bench();
      const { cwd } = world.settings;
      const asked = [
        ['without mcpServers', { cwd }, 'fail'],
        ['with mcpServers null', { cwd, mcpServers: null }, 'info'],
      ] as const;
      return worstOf(asked, async ([what, params, bad]) => {
        const answered = await world.provoke(connection, 'session/new', params);
        const told = `session/new ${what} ${outcomeWords(answered)}`;
        if (wantsSignIn(answered)) return skip(`${told}.`, answered);
        if (!answered.answer) return fail(`${told}. Expected: a response.`, answered);
        if (world.version === 1) return info(`${told}.`, answered);
        if (answered.result !== undefined) return pass(`${told}, as due.`, answered);
        return say(bad, `${told}; v2 makes it optional.`, answered);
      });
    },
  },
  'new/relative-cwd': {
    source: onPages('session-setup', 'working-directory'),
    sentence: 'session/new with the folder "." is refused: a cwd is absolute.',
    async run(world) {
      const connection = await world.bench();
      const answered = await world.provoke(connection, 'session/new', world.given({ cwd: '.' }));
      const what = 'session/new with the folder "."';
      const refusal = refused(answered, what, CODE.invalidParams, 'warn', 'pass');
      const sessionId = str(answered.result, 'sessionId');
      if (sessionId === undefined || world.shut('session/list') !== undefined) return refusal;
      const entry = entryOf(await connection.request('session/list', {}), sessionId);
      const where = str(entry, 'cwd') ?? 'no cwd';
      return entry ? { ...refusal, why: `${refusal.why} It lists it under ${where}.` } : refusal;
    },
  },
  'new/bad-mcp': {
    versions: [2],
    source: onPage(2, 'session-setup', 'checking-transport-support'),
    sentence: 'MCP servers of an unknown or unadvertised kind are refused with −32602.',
    async run(world) {
      const connection = await world.bench();
      return worstOf(badServers(world), async ([what, mcpServers]) => {
        const params = world.given({ mcpServers: mcpServers as Json });
        const answered = await world.provoke(connection, 'session/new', params);
        return refused(answered, `session/new with ${what}`, CODE.invalidParams);
      });
    },
  },
  'new/same-mcp-names': {
    versions: [2],
    source: onPage(2, 'session-setup', 'mcp-servers'),
    sentence: 'What becomes of two MCP servers of one name: noted, not judged.',
    async run(world) {
      const connection = await world.bench();
      const mcpServers = [1, 2].map(() => ({ ...STDIO, name: 'probe' }));
      const answered = await world.provoke(connection, 'session/new', world.given({ mcpServers }));
      const told = `session/new with two MCP servers of one name ${outcomeWords(answered)}.`;
      return info(told, answered);
    },
  },
});
