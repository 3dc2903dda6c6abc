// The resume lab on this machine: its folders and canaries are those the relay makes for the page.
import type { ClientName } from '../../acp/capabilities.ts';
import type { Canary, LabFolder, LabGround } from '../../drive/lab/ground.ts';
import { LabProblem } from '../../drive/lab/part.ts';
import type { Launcher } from '../../drive/peer.ts';
import type { PromptBudget } from '../../drive/prompt-budget.ts';
import type { GroundAnswer, GroundCall } from '../../link/messages.ts';
import { Ground, shortToken } from '../../relay/ground.ts';

export interface GroundWish {
  readonly launcher: Launcher;
  readonly name: ClientName;
  readonly budget: PromptBudget;
  /** How a canary is started, without what it notes. */
  readonly canaryCommand: readonly string[];
}

/** What it makes is removed by `clear`. Its calls throw a final `LabProblem` where there is no room. */
export class NodeGround implements LabGround {
  readonly launcher: Launcher;
  readonly name: ClientName;
  readonly budget: PromptBudget;
  readonly #ground: Ground;

  constructor({ launcher, name, budget, canaryCommand }: GroundWish) {
    this.launcher = launcher;
    this.name = name;
    this.budget = budget;
    this.#ground = new Ground(canaryCommand);
  }

  now(): number {
    return Date.now();
  }

  token(): string {
    return shortToken();
  }

  async folder(name: string): Promise<LabFolder> {
    return this.#ask({ op: 'folder', name, from: process.cwd() }, 'folder');
  }

  async remove({ path }: LabFolder): Promise<void> {
    this.#ask({ op: 'remove', path }, 'done');
  }

  async canary(name: string): Promise<Canary> {
    const made = this.#ask({ op: 'canary', name }, 'canary');
    return { ...made, seen: async () => this.#ask({ op: 'seen', tool: made.tool }, 'seen') };
  }

  clear(): void {
    this.#ground.clear();
  }

  #ask<T extends GroundAnswer['op']>(call: GroundCall, op: T) {
    const answer = this.#ground.call(call);
    if ('problem' in answer) throw new LabProblem(answer.problem.message, true);
    if (answer.op !== op) throw new Error(`${call.op} was answered as ${answer.op}.`);
    return answer as Extract<GroundAnswer, { readonly op: T }>;
  }
}
