import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { freshStore, meetAgent, newSession, saidBy, turn } from '../test/programs/bundled-agent.ts';

const SERVER = fileURLToPath(new URL('../test/programs/mcp-server.mjs', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'acp-scope-mcp-'));
const stdio = {
  name: 'fixture',
  command: process.execPath,
  args: [SERVER],
  env: [{ name: 'TOOL', value: 'lamp' }],
};

/** An MCP server over HTTP that wants a header; gives its address. */
async function httpServer(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.headers['x-key'] !== 'sesame') {
      response.writeHead(403).end();
      return;
    }
    const mcp = new McpServer({ name: 'web', version: '1.0.0' });
    mcp.registerTool('fetch', { description: 'For tests' }, () => ({ content: [] }));
    const transport = new StreamableHTTPServerTransport({});
    void mcp.connect(transport as never).then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
}

test.each([1, 2] as const)(
  'v%i: the first turn tells the tools of each server',
  async (version) => {
    const http = { type: 'http', name: 'web', url: await httpServer() };
    const headers = [{ name: 'X-Key', value: 'sesame' }];
    const client = await meetAgent(version);
    const given = version === 1 ? stdio : { type: 'stdio', ...stdio };
    const sessionId = await newSession(client, { cwd, mcpServers: [given, { ...http, headers }] });
    const first = await turn(client, sessionId, 'quick');
    expect(saidBy('agent', client.updates(first))).toContain(
      'MCP servers: “fixture” offers 2 tools (echo, lamp). “web” offers 1 tool (fetch).',
    );
    const second = await turn(client, sessionId, 'quick');
    expect(saidBy('agent', client.updates(second))).not.toContain('MCP');
    const third = await turn(client, sessionId, 'mcp');
    expect(saidBy('agent', client.updates(third))).toContain('(echo, lamp)');
  },
);

test('a server that cannot be used is told about, and the turn goes on', async () => {
  const client = await meetAgent(2);
  const mcpServers = [
    { type: 'stdio', name: 'none', command: '/no/such/program' },
    { type: 'stdio', name: 'mute', command: process.execPath, args: ['-e', ''] },
    { type: 'http', name: 'shut', url: await httpServer() },
    { type: 'http', name: 'far', url: 'http://127.0.0.1:1/' },
  ];
  const sessionId = await newSession(client, { cwd, mcpServers });
  await turn(client, sessionId, 'quick');
  const said = saidBy('agent', client.updates());
  for (const { name } of mcpServers) expect(said).toContain(`“${name}” cannot be used: `);
  expect(said).toContain('short answer');
  const notices = client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'notice');
  expect(notices.map(({ severity }) => severity)).toEqual(Array(4).fill('warning'));
});

test('a server in a session whose folder is gone is told about as such', async () => {
  const gone = join(tmpdir(), 'acp-scope-no-such-folder');
  const client = await meetAgent(1);
  const sessionId = await newSession(client, { cwd: gone, mcpServers: [stdio] });
  await turn(client, sessionId, 'quick');
  expect(saidBy('agent', client.updates())).toContain(
    `the session's folder ${gone} does not exist`,
  );
});

test('servers are not remembered: each restore gives its own', async () => {
  const store = freshStore();
  const first = await meetAgent(1, { store });
  const sessionId = await newSession(first, { cwd, mcpServers: [stdio] });
  await turn(first, sessionId, 'quick');
  await first.end();
  const client = await meetAgent(1, { store });
  await client.call('session/load', { sessionId, cwd, mcpServers: [] });
  const from = await turn(client, sessionId, 'mcp');
  expect(saidBy('agent', client.updates(from))).toBe('This session was given no MCP servers.');
});

test('a server ends with its session', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-mcp-'));
  mkdirSync(join(folder, 'src'));
  const marker = join(folder, 'pid');
  const script = join(folder, 'server.mjs');
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(marker)}, String(process.pid));
     await import(${JSON.stringify(new URL('../test/programs/mcp-server.mjs', import.meta.url).href)});`,
  );
  const client = await meetAgent(1);
  const server = { ...stdio, args: [script] };
  const sessionId = await newSession(client, { cwd: folder, mcpServers: [server] });
  await turn(client, sessionId, 'quick');
  const { readFileSync } = await import('node:fs');
  const pid = Number(readFileSync(marker, 'utf8'));
  expect(() => process.kill(pid, 0)).not.toThrow();
  await client.call('session/close', { sessionId });
  expect(() => process.kill(pid, 0)).toThrow();
});

test.each([
  [1, { type: 'sse', name: 'a', url: 'http://x/', headers: [] }, '"sse"'],
  [2, { type: '_nope', name: 'a' }, '_nope'],
] as const)(
  'v%i: a transport that was not advertised is refused',
  async (version, server, words) => {
    const client = await meetAgent(version);
    const { error } = await client.ask('session/new', { cwd, mcpServers: [server] });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(words);
  },
);
