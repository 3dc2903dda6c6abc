// How many prompts a run may still send: agents cost money. One budget serves all its connections.

/** The run wanted to send one prompt more than it may. */
export class BudgetSpent extends Error {}

export class PromptBudget {
  readonly most: number;
  #spent = 0;

  /** `Infinity`: no limit. */
  constructor(most: number) {
    this.most = most;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return this.most - this.#spent;
  }

  /** Called for each prompt before it is sent. */
  take(): void {
    if (this.left < 1)
      throw new BudgetSpent(`All ${this.most} prompts that may be sent have been sent.`);
    this.#spent++;
  }
}
