// `acp-scope canary-mcp`: the MCP server that the resume lab gives to sessions. Not for people, so no
// help lists it.
import { appendFileSync } from 'node:fs';
import { command, EXIT, UsageError } from './command.ts';

export const canaryMcp = command({
  usage: 'acp-scope canary-mcp --note FILE --tool NAME',
  summary: 'An MCP server on stdio that notes who lists and calls its one tool.',
  details: [
    '--note FILE   where it notes that, a word a line',
    '--tool NAME   what its tool is called',
  ],
  options: { note: { type: 'string' }, tool: { type: 'string' } },
  async run({ values: { note, tool } }) {
    if (note === undefined || tool === undefined)
      throw new UsageError('canary-mcp needs --note FILE and --tool NAME.');
    await serveCanary(process.stdin, (line) => process.stdout.write(`${line}\n`), note, tool);
    return EXIT.ok;
  },
});

// The canary: an MCP server on stdio with one tool, which does nothing but note who came. What it noted
// proves whether a session has the client's tools. It needs nothing but Node, so that it starts at once
// and wherever an agent starts it.

type CanaryEvent = 'started' | 'listed' | 'called';

interface Asked {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly protocolVersion?: unknown; readonly name?: unknown };
}

/** Serves until its input ends. Each event is a line of `note`, a file. */
export async function serveCanary(
  input: AsyncIterable<Uint8Array>,
  say: (line: string) => void,
  note: string,
  tool: string,
): Promise<void> {
  const noted = (event: CanaryEvent) => appendFileSync(note, `${event}\n`);
  const decoder = new TextDecoder();
  let rest = '';
  noted('started');
  for await (const bytes of input) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const asked = read(line);
      if (asked?.id === undefined || typeof asked.method !== 'string') continue;
      if (asked.method === 'tools/list') noted('listed');
      if (asked.method === 'tools/call') noted('called');
      say(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...answer(asked, asked.method, tool) }));
    }
  }
}

function read(line: string): Asked | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const NEWEST = '2025-06-18';

function answer({ params }: Asked, method: string, tool: string): object {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = params ?? {};
      return {
        result: {
          protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : NEWEST,
          capabilities: { tools: {} },
          serverInfo: { name: 'acp-scope-canary', version: '1' },
        },
      };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return {
        result: {
          tools: [
            {
              name: tool,
              description: 'Says that it is there. Made by a test; never needed for a task.',
              inputSchema: { type: 'object', properties: {} },
            },
          ],
        },
      };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: 'The canary is here.' }] } };
    default:
      return { error: { code: -32601, message: `Method not found: ${method}` } };
  }
}
