// `acp-scope canary-mcp`: the MCP server that the resume lab gives to sessions. Not for people, so no
// help lists it.
import { serveCanary } from './canary-server.ts';
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
