// A clause on what is due of a restore: what it makes due before an answer comes, what it finds in
// what came, and the sentence of each finding. Verdicts are codes; sentences are made of them last.
import type { Offered } from '../../../acp/gate.ts';
import { get } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import type { Version } from '../../../acp/methods.ts';
import { defined } from '../../../lib/defined.ts';
import type { Seq } from '../../../trace/event.ts';
import type { SessionFacts } from '../../facts/facts-view.ts';
import { wishOf, type HistoryWish } from '../../facts/restore.ts';
import type { ReplayFault, ReplayRule } from '../../replay/faults.ts';
import type { SeenIn } from '../restore-seen.ts';
import type { RestoreVerdict } from '../restore-verdict.ts';

export interface RestoreAsked {
  readonly method: string;
  readonly version: Version;
  readonly params: Json | undefined;
  /** `replayFrom` as it was sent. */
  readonly cursor: Json | undefined;
  readonly wish: HistoryWish;
  /** What both sides advertised. */
  readonly offered: Offered;
}

export function askedOf(
  method: string,
  version: Version,
  params: Json | undefined,
  offered: Offered,
): RestoreAsked {
  const cursor = get(params, 'replayFrom');
  return { method, version, params, cursor, wish: wishOf(method, version, cursor), offered };
}

/** What came of it, up to its answer and behind it. `known`, `begins`: as any trace tells. */
export interface Came extends Omit<SeenIn, 'items'> {
  readonly requestSeq: Seq;
  readonly answerSeq: Seq;
  /** Of the error; undefined: a result. */
  readonly code: number | undefined;
  /** The error in words. */
  readonly problem: string;
  /** Updates of messages and tool calls after the end of the history. */
  readonly late: number;
  /** Some of them were said before, or in the name of the user; else they may be work that goes on. */
  readonly isSurelyLate: boolean;
  /** The comparison with the live session found that history is missing, or in another order. */
  readonly isNotWhole: boolean;
  /** Frames are missing before the answer. */
  readonly isLost: boolean;
  /** What a custom cursor names. */
  readonly named: Named;
  /** No agent can know the session. */
  readonly gone: boolean;
  /** A trace holds history of the session, or says that it was made or listed. */
  readonly isKnown: boolean;
  /** Both. */
  readonly isStored: boolean;
  /** The error denies a prompted session that is open on this connection, or was made and prompted there; nobody ended it. */
  readonly isDenied: boolean;
  /** The words of the error deny the session, whatever the traces know of it. */
  readonly denies: boolean;
  /** This connection had the session open before the request. */
  readonly isOpen: boolean;
  /** The response that made it on this connection. */
  readonly madeSeq: Seq | undefined;
  /** Frames are missing since then, in which the session may have been deleted. */
  readonly isLostSince: () => boolean;
  /** Why nothing can have been restored: the result names this other session, or the next request found none. */
  readonly otherSession: string | undefined;
  readonly refusedNext: boolean;
}

export interface Named {
  /** Some trace knows it. */
  readonly isKnown: boolean;
  /** The first item of the replay is it, or another; undefined: none had an id. */
  readonly first: 'named' | 'other' | undefined;
  readonly firstSeq: Seq | undefined;
  /** True if that is the first item of the session that the traces know. */
  readonly isFromStart: boolean;
  /** How many messages and tool calls the traces know from before. */
  readonly before: number;
  /** It is among what was replayed. */
  readonly isThere: boolean;
}

/** What a sentence tells of a case. */
export interface ClauseFacts {
  readonly updates?: number;
  /** Of a field, a capability, a session. */
  readonly name?: string | undefined;
  /** The error in words, its code, and the code that was due. */
  readonly problem?: string;
  readonly code?: number;
  readonly due?: number;
}

/** What a clause found: `code` names the sentence; undefined: another clause says it. */
export interface FoundClause {
  readonly verdict: RestoreVerdict;
  /** Undefined: the traces cannot decide. */
  readonly due: boolean | undefined;
  readonly code?: string;
  readonly facts?: ClauseFacts;
  readonly finding?: FindingParts;
}

/**
 * What a finding of a fault says beside its sentence, where that is not what its rule says. `seqs`: the response if
 * undefined. `due` of what the traces cannot decide: the recording that would. A hint is reported of what violates
 * nothing, too.
 */
export type FindingParts = Partial<
  Pick<ReplayFault, 'seqs' | 'method' | 'pointer' | 'severity' | 'due'>
>;

export const WITHOUT_GAP: FindingParts = { due: 'a recording without a gap' };

export interface DueSentence {
  /**
   * `legal`: the request is. `expected`: of the agent, which has not responded yet. `breaks`: the line breaks this
   * rule. `open`: nobody can know.
   */
  readonly tone: 'legal' | 'expected' | 'breaks' | 'open';
  readonly text: string;
  readonly more?: string | undefined;
  /** Where it stands, if elsewhere than its clause. */
  readonly source?: string;
  /** True if its sentence begins by calling the request legal. */
  readonly legal?: boolean;
  /** Of a request that violates more than its rule. */
  readonly severity?: 'error';
}

export const holds = (text: string, more?: string, source?: string) =>
  sentence('expected', text, more, source);
/** Returns a sentence that judges the request alone. */
export const legal = (text: string) => ({ ...legally(text), tone: 'legal' as const });
/** Returns a sentence on what the agent has to do after a legal request. */
export const legally = (text: string, more?: string) => ({ ...holds(text, more), legal: true });
export const breaks = (text: string, more?: string, source?: string) =>
  sentence('breaks', text, more, source);
export const unsure = (text: string, more?: string, source?: string) =>
  sentence('open', text, more, source);

function sentence(
  tone: DueSentence['tone'],
  text: string,
  more: string | undefined,
  source: string | undefined,
): DueSentence {
  return { tone, text, ...defined({ more, source }) };
}

type Sentences = DueSentence | readonly DueSentence[] | undefined;

/** `due`: false, or undefined if the traces cannot decide. */
type FaultSeen = Omit<FoundClause, 'verdict'>;

export interface Clause {
  /** The rule that the clause decides: the checker reports what the clause finds. */
  readonly decides?: ReplayRule;
  /** The rule that the clause is, if the rule has other judges: the request alone, or the live session. */
  readonly rule?: string;
  readonly versions: readonly Version[];
  /** What a restore must ask for that it is about; absent: anything. */
  readonly wishes?: readonly HistoryWish[];
  /** Where a clause without a rule is written: a name of the schema. Of a rule the rules page says it. */
  readonly source?: string | ((asked: RestoreAsked) => string);
  /** It is about the request itself, so it holds however that is answered. */
  readonly ofRequest?: true;
  /** What it makes due; nothing where that goes without saying. */
  readonly due?:
    Sentences | ((asked: RestoreAsked, session: SessionFacts | undefined) => Sentences);
  readonly onError?: (asked: RestoreAsked, came: Came, code: number) => FoundClause | undefined;
  readonly onResult?: (came: Came, asked: RestoreAsked) => FoundClause | undefined;
  /** What is wrong with a result beside what it means, or may be. */
  readonly fault?: (came: Came, asked: RestoreAsked) => FaultSeen | undefined;
  /** The sentence of each code. Of an error it stands right behind `rejected`. */
  readonly said?: Readonly<Record<string, string | ((facts: ClauseFacts) => string)>>;
}

export const asDue = (verdict: RestoreVerdict, code: string, facts?: ClauseFacts): FoundClause => ({
  ...{ verdict, due: true },
  ...defined({ code, facts }),
});
export const fault = (
  verdict: RestoreVerdict,
  code?: string,
  facts?: ClauseFacts,
  finding?: FindingParts,
): FoundClause => ({
  ...{ verdict, due: false },
  ...defined({ code, facts, finding }),
});
export const leftOpen = (
  verdict: RestoreVerdict,
  code: string,
  facts?: ClauseFacts,
  finding?: FindingParts,
): FoundClause => ({
  ...{ verdict, due: undefined },
  ...defined({ code, facts, finding }),
});

/** The rule that a clause is; editions of the protocol count by it. Undefined: no rule asks for it. */
export function ruleOfClause({ decides, rule }: Clause): string | undefined {
  return decides ?? rule;
}

/** True if a clause is about such a restore. */
export function isAbout({ versions, wishes }: Clause, { version, wish }: RestoreAsked): boolean {
  return versions.includes(version) && wishes?.includes(wish) !== false;
}

/** Returns what a clause says of a request, before its response. */
export function sentencesOf(
  { due }: Clause,
  asked: RestoreAsked,
  session?: SessionFacts,
): readonly DueSentence[] {
  return [(typeof due === 'function' ? due(asked, session) : due) ?? []].flat();
}

/** The schema's name of a restore request. */
export function requestSchema({ method }: Pick<RestoreAsked, 'method'>): string {
  return method === 'session/load' ? 'LoadSessionRequest' : 'ResumeSessionRequest';
}
