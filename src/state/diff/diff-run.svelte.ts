// What the worker compares for a view: one comparison at a time, what it is at and how it ended; and its
// rows, asked for when they come into view.
import type { EngineApi } from '../../engine/api.ts';
import type { DiffNumber } from '../../engine/diff/diff-messages.ts';

const SAY_AFTER = 2000;
const LOOK_AGAIN = 400;

type Answer<L> = L | { readonly problem: string } | undefined;

export class DiffRun<A, L extends object> {
  readonly #diffs: Pick<EngineApi['diff'], 'progress' | 'cancel'>;
  readonly #ask: (ask: A) => Promise<Answer<L>>;
  isBusy = $state(false);
  isCancelled = $state(false);
  /** A sentence: why it could not be compared. */
  problem = $state.raw<string | undefined>();
  /** What it is at; undefined while it has not taken long. */
  doing = $state.raw<string | undefined>();
  #asked = 0;

  constructor(
    diffs: Pick<EngineApi['diff'], 'progress' | 'cancel'>,
    ask: (ask: A) => Promise<Answer<L>>,
  ) {
    this.#diffs = diffs;
    this.#ask = ask;
  }

  /** Undefined: nothing to compare, or another was asked for, or it has no answer. */
  async load(ask: A | undefined): Promise<L | undefined> {
    const asked = ++this.#asked;
    this.problem = undefined;
    this.doing = undefined;
    this.isCancelled = false;
    this.isBusy = ask !== undefined;
    if (ask === undefined) return undefined;
    void this.#sayWhatItDoes(asked);
    const answer = await this.#ask(ask);
    // To unpack a long answer is a task of its own, and to show it another one.
    await new Promise((resolve) => setTimeout(resolve));
    if (asked !== this.#asked) return undefined;
    this.isBusy = false;
    this.doing = undefined;
    if (!answer) this.isCancelled = true;
    else if ('problem' in answer) this.problem = answer.problem;
    else return answer;
    return undefined;
  }

  cancel(): void {
    void this.#diffs.cancel();
  }

  async #sayWhatItDoes(asked: number): Promise<void> {
    for (let wait = SAY_AFTER; ; wait = LOOK_AGAIN) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (asked !== this.#asked || !this.isBusy) return;
      const doing = await this.#diffs.progress();
      if (asked === this.#asked && this.isBusy) this.doing = doing;
    }
  }
}

/** Undefined: the comparison is no longer known. */
type Fetch<R> = (diff: DiffNumber, rows: readonly number[]) => Promise<readonly R[] | undefined>;

/** More are forgotten: they are asked for again. */
const KEPT = 4000;

export class DiffRowFeed<R> {
  readonly #ask: Fetch<R>;
  #diff: DiffNumber | undefined;
  /** By number, with holes. */
  #rows: (R | undefined)[] = [];
  #kept = 0;
  #version = $state(0);
  #wanted: readonly number[] = [];
  #busy = false;

  constructor(ask: Fetch<R>) {
    this.#ask = ask;
  }

  /** Undefined until it is there. */
  row(row: number): R | undefined {
    void this.#version;
    return this.#rows[row];
  }

  /** The rows that are in view now. */
  want(diff: DiffNumber, rows: readonly number[]): void {
    if (diff !== this.#diff) {
      this.#diff = diff;
      this.#forget();
      this.#version++;
    }
    this.#wanted = rows;
    if (!this.#busy) void this.#fetch();
  }

  #forget(): void {
    this.#rows = [];
    this.#kept = 0;
  }

  async #fetch(): Promise<void> {
    this.#busy = true;
    try {
      for (;;) {
        const diff = this.#diff;
        const missing = this.#wanted.filter(
          (row, at, all) => this.#rows[row] === undefined && all.indexOf(row) === at,
        );
        if (diff === undefined || missing.length === 0) return;
        const rows = await this.#ask(diff, missing);
        if (diff !== this.#diff) continue;
        // No longer known: whoever shows it compares anew.
        if (!rows) return;
        if (this.#kept > KEPT) this.#forget();
        this.#kept += rows.length;
        for (const [at, row] of rows.entries()) this.#rows[missing[at] ?? 0] = row;
        this.#version++;
      }
    } finally {
      this.#busy = false;
    }
  }
}
