// What a report is told beside the run itself.
import type { Judging } from '../../baseline.ts';

export interface Keeping extends Judging {
  /** Whether the trace of this name can still be opened; without it, all can. */
  readonly kept?: (trace: string) => boolean;
}
