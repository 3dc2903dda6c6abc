// The resume lab on the bundled agent in this process. Canaries are processes, but where a test mocks
// the MCP SDK's transport by `CanaryTransport`.
import type { VerdictWord } from '../../drive/verdict.ts';
import { onTestFinished } from 'vitest';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { BundledAgentOptions } from '../../agent/misbehaviours.ts';
import { NodeEnvironment } from '../../cli/lab.ts';
import { LAB_DEFAULTS } from '../../drive/lab/environment.ts';
import { runLab, type LabInput } from '../../drive/lab/run-lab.ts';
import type { LabWish } from '../../drive/lab/plan.ts';
import type { LabReport } from '../../drive/lab/report.ts';
import type { Launcher } from '../../drive/peer.ts';
import { PromptBudget } from '../../drive/prompt-budget.ts';
import { bundledLauncher } from './driven-agent.ts';

let script: string | undefined;

/** The canary as a program: Node 20 reads no TypeScript. */
function canaryCommand(): readonly string[] {
  if (script === undefined) {
    const source = fileURLToPath(new URL('../../cli/canary-mcp.ts', import.meta.url));
    const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    script = join(mkdtempSync(join(tmpdir(), 'canary-')), 'canary.mjs');
    const start = `
      const { argv, stdin, stdout } = process;
      await serveCanary(stdin, (line) => stdout.write(line + '\\n'), argv[3], argv[5]);`;
    writeFileSync(script, outputText + start);
  }
  return [process.execPath, script];
}

function labEnvironment(launcher: Launcher, prompts = Infinity): NodeEnvironment {
  const environment = new NodeEnvironment(
    {
      launcher,
      name: { name: 'lab', version: '1' },
      budget: new PromptBudget(prompts),
    },
    canaryCommand(),
  );
  onTestFinished(() => environment.clear());
  return environment;
}

export interface LabTry extends Partial<LabWish> {
  readonly protocol: 1 | 2;
  /** How the bundled agent is; another one, with a launcher. */
  readonly agent?: Partial<BundledAgentOptions>;
  readonly launcher?: Launcher;
  readonly prompts?: number;
  readonly patience?: number;
}

export async function lab(wish: LabTry): Promise<LabReport> {
  const { protocol, agent = {}, prompts, patience = 60_000, launcher, ...rest } = wish;
  const order: LabInput = {
    wish: { values: {}, full: false, repeat: 1, cursors: false, ...rest },
    settings: { ...LAB_DEFAULTS, patience, quiet: 15, canaryPatience: 300 },
    protocol,
  };
  return runLab(labEnvironment(launcher ?? bundledLauncher(agent), prompts), order, {
    planned: () => true,
    begins: () => undefined,
    ends: () => undefined,
    signal: new AbortController().signal,
  });
}

/** Every verdict by the cell's id. */
export function verdictsOf({ cells }: LabReport): Readonly<Record<string, VerdictWord>> {
  return Object.fromEntries(cells.map(({ id, verdict }) => [id, verdict]));
}

/** Cells that did not do what they should, with why. */
export function complaints({ cells }: LabReport): string[] {
  return cells.flatMap(({ id, verdict, why }) =>
    verdict === 'pass' || verdict === 'skip' ? [] : [`${id}: ${verdict}: ${why}`],
  );
}
