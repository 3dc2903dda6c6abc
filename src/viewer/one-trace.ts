// In place of what tells the sessions of several traces apart: here is one.
export const chipNames = (): ReadonlyMap<string, ReadonlyMap<string, string>> => new Map();

// And one trace needs no order among others.
export const orderOf = <T>(sources: readonly T[]) => ({ sources, isSure: () => true });
export const inOrder = <T>(sources: readonly T[]): readonly T[] => sources;

/** There is no rail. */
export const RAIL_KEYS: readonly never[] = [];

/** Nobody restores a session from here, so none looks for a replay cursor. */
export class CandidateFold {
  append(): void {}
  list(): readonly never[] {
    return [];
  }
}

/** What an agent is waited for is shown in a view that is not here. */
export const waitingAt = (): { open: readonly never[] } => ({ open: [] });
export const openRequestAt = (): readonly never[] => [];
