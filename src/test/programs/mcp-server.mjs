// An MCP server for tests, on stdio: two tools, one of them named by its environment.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'fixture', version: '1.0.0' });
for (const name of ['echo', process.env.TOOL ?? 'unnamed'])
  server.registerTool(name, { description: 'For tests' }, () => ({ content: [] }));
await server.connect(new StdioServerTransport());
