// Runs: neighbouring chunks of one message, session and side, and usage updates in a row. Any other
// frame of that session ends its run; frames of other sessions do not.
import { isChunk } from '../../acp/update.ts';

interface OpenRun {
  run: number;
  name: number;
  side: number;
  id: string | undefined;
}

export function isRunnable(variant: string): boolean {
  return variant === 'usage_update' || isChunk(variant);
}

export class ChunkRuns {
  private count = 0;
  private readonly bySession: OpenRun[] = [];

  /** The run (from 1) of a chunk that adds to the item `id`. */
  join(session: number, name: number, side: number, id: string | undefined): number {
    const open = this.bySession[session];
    if (open === undefined) {
      this.bySession[session] = { run: ++this.count, name, side, id };
      return this.count;
    }
    const same = open.name === name && open.side === side && open.id === id && open.run > 0;
    if (!same) {
      open.run = ++this.count;
      open.name = name;
      open.side = side;
      open.id = id;
    }
    return open.run;
  }

  end(session: number): void {
    const open = this.bySession[session];
    if (open !== undefined) open.run = 0;
  }
}
