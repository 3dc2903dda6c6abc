// Child sessions over all traces: whose they are, wherever they were announced; and which traces take
// children at all, without which an agent tells what a child did as a tool call of its parent.
import type { IndexedTrace } from '../../model/indexed-trace.ts';

export class Kin {
  readonly #parents = new Map<string, string>();

  constructor(sources: readonly IndexedTrace[]) {
    for (const { index } of sources)
      for (const { session, parent } of index.children.all())
        this.#add(session.sessionId, parent.sessionId);
  }

  parentOf(sessionId: string): string | undefined {
    return this.#parents.get(sessionId);
  }

  /** The sessions that own it, the nearest first. */
  above(sessionId: string): readonly string[] {
    const parent = this.#parents.get(sessionId);
    return parent === undefined ? [] : [parent, ...this.above(parent)];
  }

  /** Those it owns, and theirs, in the order they were announced. */
  below(sessionId: string): readonly string[] {
    return [...this.#parents.keys()].filter((child) => this.above(child).includes(sessionId));
  }

  /** The first trace that announces a child says whose it is. */
  #add(child: string, parent: string): void {
    if (this.#parents.has(child) || parent === child || this.above(parent).includes(child)) return;
    this.#parents.set(child, parent);
  }
}

/** v1: the client said that it takes child sessions. In v2 all do. */
export function takesChildren({ index }: IndexedTrace): boolean {
  if ((index.version ?? 1) >= 2) return true;
  const offered = index.facts().handshake?.clientCapabilities['subagents'];
  return offered !== undefined && offered !== null;
}
