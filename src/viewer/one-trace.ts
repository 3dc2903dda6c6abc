// In place of what tells the sessions of several traces apart: here is one.
import type { OpenTrace } from '../engine/traces/open-trace.ts';
import type { IndexedTrace } from '../model/indexed-trace.ts';

export const chipNames = (): ReadonlyMap<string, ReadonlyMap<string, string>> => new Map();

// And one trace needs no order among others.
export const orderOf = <T>(sources: readonly T[]) => ({
  ...{ sources, isSure: () => true, makers: [] as readonly T[] },
});
export const inOrder = <T>(sources: readonly T[]): readonly T[] => sources;
export { inOrder as byBeginning };
export const openTraceSource = ({ connection, index, lines }: OpenTrace): IndexedTrace => ({
  ...{ connection, index, name: 'c1', eventAt: (place) => lines.read(place) },
});
export const setsInOrder = <T>(sources: readonly T[]): readonly (readonly T[])[] => [sources];

/** There is no rail. */
export const RAIL_KEYS: readonly never[] = [];
/** Nobody is asked. */
export const ANSWER_KEYS: readonly never[] = [];

/** What looks for replay cursors, of which none is sent from here, and for terminals, whose view is not here. */
class NoFold {
  append(): void {}
  list(): readonly never[] {
    return [];
  }
  readonly views = this.list;
  /** It has ended: no intercept is on, and none holds a frame. */
  take(): void {}
  view(): void {}
}
export { NoFold as CandidateFold, NoFold as InterceptFold, NoFold as TerminalsFold };

/** No stored trace stands beside it. What made an agent refuse a restore is told where one can be sent. */
const none = (): readonly never[] => [];
export { none as causeWords, none as decidingDetail, none as mapMarks, none as refusalCauses };
export { none as beginningsWith, none as mayName, none as sharing, none as storedBeside };

/** One client takes child sessions or does not, and no connection was before this one. */
export class TurnsApart {
  readonly isEmpty = true;
  has(): boolean {
    return false;
  }
}
export const APART = { why: '', due: '' };
const nothing = (): undefined => undefined;
export { nothing as decidingRestore, nothing as leftOpenBefore, nothing as leftOpenBlock };

/** It has ended, and nobody waits by the clock. */
export const wallClock = (): { now: number } => ({ now: 0 });

/** What an agent is waited for is shown in a view that is not here. */
export const waitingAt = (): { open: readonly never[] } => ({ open: [] });
export const openRequestAt = (): readonly never[] => [];
