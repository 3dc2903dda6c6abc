// The bundled agent as a program of its own, for tests that end it from outside: built once for a test
// file, started as often as wanted.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { BundledAgentOptions } from '../../agent/misbehaviours.ts';

/** What a program can be told: all but functions. */
export type ProgramOptions = Partial<Omit<BundledAgentOptions, 'log' | 'exit' | 'mayUse'>>;

/** The command line of the bundled agent with these options. */
export type AgentProgram = (options: ProgramOptions) => readonly [string, ...string[]];

export async function buildAgentProgram(): Promise<AgentProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-program-'));
  const main = fileURLToPath(new URL('../../agent/main.ts', import.meta.url));
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `import { runAgent } from ${JSON.stringify(main)};
     const options = { ...JSON.parse(process.argv[2]), mayUse: () => true };
     await runAgent(options, process.stdin, process.stdout);`,
  );
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: { target: 'node20', ssr: entry, outDir: folder, emptyOutDir: false },
  });
  return (options) => {
    const all = { protocol: 'both', version: '0.0.0', ...options };
    return [process.execPath, join(folder, 'entry.js'), JSON.stringify(all)];
  };
}
