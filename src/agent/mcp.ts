// The MCP servers a client gives with a session: started or reached, and asked for their tools.
// The SDK is loaded only when there is one. A server that fails is told about, and does no harm.
import { existsSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { BundledAgentOptions, McpServer } from './misbehaviours.ts';

/** What became of one server. */
export type McpReport = { readonly name: string } & (
  { readonly tools: readonly string[] } | { readonly problem: string }
);

export interface McpServers {
  /** One report a server, in the order given. */
  readonly reports: Promise<readonly McpReport[]>;
  /** Ends the servers' processes and connections. */
  close(): Promise<void>;
}

/** ACP lists variables and headers; everyone else maps them. */
export function pairs(
  list: readonly { readonly name: string; readonly value: string }[] | undefined,
): Record<string, string> {
  return Object.fromEntries((list ?? []).map(({ name, value }) => [name, value]));
}

const PATIENCE = 10_000;
const NOT_HERE =
  'this agent was started without --mcp, so it starts no program and reaches no address';

/** Starts at once, so that the tools are known by the first turn. */
export function connectMcp(
  servers: readonly McpServer[],
  cwd: string,
  { version, mayUse }: Pick<BundledAgentOptions, 'version' | 'mayUse'>,
): McpServers {
  const clients: Client[] = [];
  let closed = false;
  const connect = async (server: McpServer): Promise<McpReport> => {
    const { name } = server;
    if (!mayUse(server)) return { name, problem: NOT_HERE };
    try {
      const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
      const transport = await transportOf(server, cwd);
      if (closed) return { name, problem: 'the session was closed' };
      const client = new Client({ name: 'acp-scope-agent', version });
      clients.push(client);
      await client.connect(transport, { timeout: PATIENCE });
      return { name, tools: await toolsOf(client) };
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error) };
    }
  };
  const reports = Promise.all(servers.map(connect));
  return {
    reports,
    close: async () => {
      closed = true;
      await Promise.allSettled(clients.map((client) => client.close()));
    },
  };
}

async function toolsOf(client: Client): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, {
      timeout: PATIENCE,
    });
    names.push(...page.tools.map((tool) => tool.name));
    if (page.nextCursor === undefined || page.nextCursor === cursor) return names;
    cursor = page.nextCursor;
  }
}

async function transportOf(server: McpServer, cwd: string): Promise<Transport> {
  if (server.type === 'http') {
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { ...server.headers } },
    });
  }
  if (!existsSync(cwd)) throw new Error(`the session's folder ${cwd} does not exist`);
  const { StdioClientTransport, getDefaultEnvironment } =
    await import('@modelcontextprotocol/sdk/client/stdio.js');
  return new StdioClientTransport({
    command: server.command,
    args: [...server.args],
    env: { ...getDefaultEnvironment(), ...server.env },
    cwd,
    stderr: 'ignore',
  });
}
