// How many frames each chip of the timeline finds in a trace.
import type { TraceIndex } from '../trace-index.ts';
import { CHIPS, type ChipCounts, type ChipId } from './chips.ts';
import { IN_PLACE } from './find.ts';
import { parseQuery } from './parse.ts';
import { Search } from './search.ts';
import { Verdicts } from './verdicts.ts';

/** Findings change on frames that were counted before: their marks are counted, not the frames again. */
const COUNTED = CHIPS.filter(({ id }) => id !== 'findings');

/** Counts the frames of each chip. Growth costs a constant per frame. */
export class ChipCounter {
  readonly #index: TraceIndex;
  readonly #verdicts: Verdicts;

  constructor(index: TraceIndex) {
    const parsed = parseQuery(COUNTED.map(({ term }) => term).join(' '));
    // No term of a chip looks into lines.
    const search = new Search(parsed.ok ? parsed.query : [], index, { texts: () => [] }, IN_PLACE);
    this.#index = index;
    this.#verdicts = new Verdicts(index, search);
    this.#verdicts.begin(search);
  }

  counts(): ChipCounts {
    this.#verdicts.takeTo(this.#index.length);
    const { parts } = this.#verdicts;
    const counts: Partial<Record<ChipId, number>> = { findings: this.#index.findings.counted };
    for (const [i, { id }] of COUNTED.entries()) counts[id] = parts[i]?.matches ?? 0;
    return counts as ChipCounts;
  }
}
