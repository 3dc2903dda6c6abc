// The events that a recording lacks, each stretch of them with why, and the sentence for who ends it.
import { formatCount } from '../../lib/format-count.ts';
import { troubleReason } from '../../trace/trouble.ts';

/** So many events from `seq` on. */
export interface MissingEvents {
  readonly seq: number;
  count: number;
  /** See trace/trouble.ts. */
  readonly code: string;
}

export class MissingRanges {
  #missing: readonly MissingEvents[] = [];

  /** Takes the place of what was known of the same events. */
  add(missing: MissingEvents): void {
    const { seq, count } = missing;
    if (count <= 0) return;
    const others = this.#missing.filter(
      (other) => other.seq + other.count <= seq || other.seq >= seq + count,
    );
    this.#missing = [...others, missing];
  }

  get count(): number {
    return this.#missing.reduce((sum, { count }) => sum + count, 0);
  }

  /** Undefined: nothing is missing. */
  sentence(of: number, path: string): string | undefined {
    if (this.#missing.length === 0) return undefined;
    const counts = new Map<string, number>();
    for (const { code, count } of this.#missing) counts.set(code, (counts.get(code) ?? 0) + count);
    const causes = [...counts].map(
      ([code, count]) => `${formatCount(count)}: ${troubleReason(code)}`,
    );
    const total = `${formatCount(this.count)} of ${formatCount(of)} events are not in ${path}`;
    return `${total} (${causes.join('; ')}).`;
  }
}
