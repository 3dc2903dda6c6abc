// Rows of a comparison as they are on screen: asked of the engine when they come into view, and kept.
import type { DiffNumber } from '../../engine/diff/diff-messages.ts';

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
