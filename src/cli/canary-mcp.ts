// `acp-scope canary-mcp`: the MCP server that the resume lab gives to sessions. Not for people, so no
// help lists it.
import { serveCanary } from './canary-server.ts';
import { EXIT, parse, UsageError, type Command } from './command.ts';

export const canaryMcp: Command = {
  usage: 'acp-scope canary-mcp --note FILE --tool NAME',
  summary: 'An MCP server on stdio that notes who lists and calls its one tool.',
  details: [
    '--note FILE   where it notes that, a word a line',
    '--tool NAME   what its tool is called',
  ],
  async run(args) {
    const { values } = parse({
      args: [...args],
      options: { note: { type: 'string' }, tool: { type: 'string' } },
    });
    const { note, tool } = values;
    if (note === undefined || tool === undefined)
      throw new UsageError('canary-mcp needs --note FILE and --tool NAME.');
    await serveCanary(process.stdin, (line) => process.stdout.write(`${line}\n`), note, tool);
    return EXIT.ok;
  },
};
