// The answer to "did the session come through the restore?" on two axes, in the words that every view and
// report shows: whether the restore followed the protocol, and what became of the history.

export type ProtocolWord = 'followed' | 'violated' | 'inconclusive';

/** Worst first. `no replay`: the client requested no history, or the agent rejected the request. */
export const HISTORY_WORDS = [
  'wrong',
  'incomplete',
  'late',
  'inconclusive',
  'equivalent',
  'identical',
  'no replay',
] as const;
export type HistoryWord = (typeof HISTORY_WORDS)[number];

/** The words for one row of a comparison, worst first. `not compared`: a setting that need not be sent. */
export const ITEM_WORDS = [
  'wrong',
  'missing',
  'late',
  'changed',
  'inconclusive',
  'equivalent',
  'identical',
  'not compared',
] as const;
export type ItemWord = (typeof ITEM_WORDS)[number];

export interface HistoryAnswer {
  readonly history: HistoryWord;
  /** One sentence without a full stop, on the worst that is present: `2 old messages would be shown as new`. */
  readonly headline: string;
  /** `2 missing, 8 changed, 6 equivalent`: one count per word, worst first; empty if nothing was compared. */
  readonly figures: string;
  /** Sentences on what the headline leaves open; often empty. */
  readonly more: string;
}

export interface Answer extends HistoryAnswer {
  readonly protocol: ProtocolWord;
  /** The reason for the protocol's word: one clause. */
  readonly why: string;
}

/** History words that report no loss: a violated protocol is then the news. */
const NO_LOSS: ReadonlySet<HistoryWord> = new Set([
  ...(['inconclusive', 'equivalent', 'identical', 'no replay'] as const),
]);

/** An answer's word for the history, with its word for the protocol where the session was requested. */
type Words = Pick<HistoryAnswer, 'history'> & Partial<Pick<Answer, 'protocol'>>;

/** True if the restore violated the protocol and its history reports no loss. */
export function isViolationAlone({ protocol, history }: Words): boolean {
  return protocol === 'violated' && NO_LOSS.has(history);
}

/** Returns the one word for an answer where a view has room for one: `violated`, or the word for the history. */
export function briefWord(answer: Words): HistoryWord | 'violated' {
  return isViolationAlone(answer) ? 'violated' : answer.history;
}
