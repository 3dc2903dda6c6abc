// What a report is told beside the run itself.
import type { Baseline } from './baseline.ts';

export interface Keeping {
  /** Failures that are known. */
  readonly baseline?: Baseline | undefined;
  /** Whether the trace of this name can still be opened; without it, all can. */
  readonly kept?: (trace: string) => boolean;
}
