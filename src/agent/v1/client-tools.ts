// The files and terminals of a v1 client, where it offers them.
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk/unstable';
import type { ClientTools } from '../port.ts';

export function clientTools(
  client: AgentContext,
  { fs, terminal }: ClientCapabilities,
): ClientTools {
  return {
    ...(fs?.readTextFile
      ? {
          readFile: async ({ id: sessionId }, path) =>
            (await client.request('fs/read_text_file', { sessionId, path })).content,
        }
      : {}),
    ...(fs?.writeTextFile
      ? {
          writeFile: async ({ id: sessionId }, path, content) => {
            await client.request('fs/write_text_file', { sessionId, path, content });
          },
        }
      : {}),
    ...(terminal
      ? {
          start: async ({ id: sessionId, cwd }, command, args) => {
            const started = await client.createTerminal({ sessionId, command, args, cwd });
            return {
              id: started.id,
              finished: async () => {
                const { exitCode } = await started.waitForExit();
                const { output } = await started.currentOutput();
                return { output, exitCode: exitCode ?? undefined };
              },
              release: async () => {
                await started.release();
              },
            };
          },
        }
      : {}),
  };
}
