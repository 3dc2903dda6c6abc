// The resume lab on this machine: folders in the temporary folder, and canaries that note to files.
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { ClientName } from '../acp/capabilities.ts';
import type { Canary, CanarySeen, LabFolder, LabGround } from '../drive/lab/ground.ts';
import type { Launcher } from '../drive/peer.ts';
import type { PromptBudget } from '../drive/prompt-budget.ts';

export interface GroundWish {
  readonly launcher: Launcher;
  readonly name: ClientName;
  readonly budget: PromptBudget;
  /** How a canary is started, without what it notes. */
  readonly canaryCommand: readonly string[];
}

/** Its folder is removed by `clear`, and where the process ends. */
export class NodeGround implements LabGround {
  readonly launcher: Launcher;
  readonly name: ClientName;
  readonly budget: PromptBudget;
  readonly #root: string;
  readonly #canaryCommand: readonly string[];
  #count = 0;

  constructor({ launcher, name, budget, canaryCommand }: GroundWish) {
    this.launcher = launcher;
    this.name = name;
    this.budget = budget;
    this.#canaryCommand = canaryCommand;
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-lab-')));
  }

  now(): number {
    return Date.now();
  }

  token(): string {
    return Array.from({ length: 6 }, () => randomInt(36).toString(36)).join('');
  }

  folder(name: string): Promise<LabFolder> {
    const path = join(this.#root, `${++this.#count}-${name}`);
    mkdirSync(path);
    return Promise.resolve({ path, relative: relative(process.cwd(), path), separator: sep });
  }

  remove({ path }: LabFolder): Promise<void> {
    rmSync(path, { recursive: true, force: true });
    return Promise.resolve();
  }

  canary(name: string): Promise<Canary> {
    const note = join(this.#root, `${++this.#count}-${name}.txt`);
    const tool = `${name}_${this.token()}`;
    const [command = '', ...args] = this.#canaryCommand;
    return Promise.resolve({
      name: `acp-scope-${name}`,
      command,
      args: [...args, '--note', note, '--tool', tool],
      tool,
      seen: () => Promise.resolve(seenIn(note)),
    });
  }

  clear(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function seenIn(note: string): CanarySeen {
  let lines: string[] = [];
  try {
    lines = readFileSync(note, 'utf8').split('\n');
  } catch {
    // Nobody came.
  }
  const count = (event: string) => lines.filter((line) => line === event).length;
  return { started: count('started'), listed: count('listed'), called: count('called') };
}
