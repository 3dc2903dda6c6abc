// One session of a restore as it was compared, and the faults that are found in it.
import type { SessionRecord } from '../facts/sessions.ts';
import type { Branch } from '../facts/window.ts';
import type { ReplayFault, ReplayRule } from '../replay/faults.ts';
import type { Pairing } from '../replay/pair-items.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { HistoryDue } from './due.ts';
import { isCompared, type Here } from './fault-words.ts';
import type { Ledger, ComparedPair } from './ledger.ts';
import type { LivePart } from './live-fold.ts';
import type { Numbered } from './normalize.ts';
import type { Numbering } from './numbering.ts';
import type { ItemDifference } from './report/report.ts';
import type { ComparedTurns } from './turns.ts';

/** One session of a restore, compared. */
export interface ComparedSession extends Here {
  readonly session: string;
  readonly window: WindowRecord;
  readonly branch: Branch<SessionRecord> | undefined;
  readonly numbering: Numbering;
  readonly part: LivePart | undefined;
  readonly live: readonly Numbered[];
  readonly replayed: readonly Numbered[];
  /** Keys of v2 messages whose first update in the replay is a chunk. */
  readonly baseless: ReadonlySet<string>;
  readonly pairings: readonly Pairing[];
  readonly due: HistoryDue;
  readonly differences: readonly Difference[];
  readonly turns: ComparedTurns;
  /** True if frames are missing in the restore. */
  readonly isLost: boolean;
  /** Items of the first replay of a session of which the traces do not hold the beginning. */
  readonly earlier: EarlierReplay | undefined;
}

/** The first replay of the session, compared with this one. */
export interface EarlierReplay {
  readonly items: readonly Numbered[];
  readonly pairings: readonly Pairing[];
  readonly differences: readonly Difference[];
}

export interface SessionFaults {
  readonly faults: readonly ReplayFault[];
  /** The rules that had something to judge. */
  readonly judged: ReadonlySet<ReplayRule>;
}

export interface Difference extends ItemDifference, ComparedPair {}

/** Returns the differences of a ledger with the items that they are about. */
export function differencesIn({ differences, subjects }: Ledger): readonly Difference[] {
  return differences.flatMap((one, at) => {
    const subject = subjects[at];
    // One spread alone gives all of them one shape.
    return subject && isCompared(one.of)
      ? [{ ...one, mine: subject.mine, theirs: subject.theirs }]
      : [];
  });
}

export const IN_GAP = {
  verdict: 'undecidable',
  seen: 'events are missing inside the replay',
  due: 'a recording without a gap',
} as const;

export function isChildOf({ window, session }: ComparedSession): boolean {
  return window.session.sessionId !== session;
}

/** Collects faults of one session, and the rules that judged it. */
export class FaultBook {
  readonly faults: ReplayFault[] = [];
  readonly judged = new Set<ReplayRule>();
  readonly #session: string;

  constructor(session: string) {
    this.#session = session;
  }

  add(rule: ReplayRule, fault: Omit<ReplayFault, 'rule' | 'session'>): void {
    this.judged.add(rule);
    this.faults.push({ ...fault, rule, session: this.#session });
  }
}
