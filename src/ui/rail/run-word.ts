// The answer of a restore in one word, as a row of the rail has room for it.
import type { TraceSummary } from '../../engine/messages.ts';
import { briefWord } from '../../model/fidelity/report/answer.ts';
import type { RunRestore, RunVerdict } from '../../model/sessions/session-runs.ts';

export interface RunWord {
  readonly word: string;
  readonly tone: 'ok' | 'warn' | 'late' | 'err' | 'dim';
}

/** Tones of answers that are never folded away. */
const BAD: ReadonlySet<RunWord['tone']> = new Set(['warn', 'late', 'err']);

export function isBad(run: RunRestore | undefined): boolean {
  return run !== undefined && BAD.has(runWord(run).tone);
}

const WORST = ['err', 'late', 'warn', 'dim', 'ok'] as const satisfies readonly RunWord['tone'][];

/** Returns the worst answer of the restores in these traces; undefined: they hold none. */
export function worstAnswer(traces: readonly TraceSummary[]): RunWord | undefined {
  const words = traces.flatMap(({ sessions = [] }) =>
    sessions.flatMap(({ restores }) => restores.map(runWord)),
  );
  return words.toSorted(compareWords)[0];
}

/** Orders words, the worst first. */
export const compareWords = (a: RunWord, b: RunWord): number =>
  WORST.indexOf(a.tone) - WORST.indexOf(b.tone);

/** A sign before a good answer: its tone alone is a colour. */
export const wordText = ({ word, tone }: RunWord): string => (tone === 'ok' ? `✓ ${word}` : word);

/** The tone of each history word; a violated protocol is always an error. */
const TONES: Readonly<Record<RunVerdict['history'], RunWord['tone']>> = {
  wrong: 'err',
  incomplete: 'err',
  late: 'late',
  inconclusive: 'dim',
  equivalent: 'ok',
  identical: 'ok',
  'no replay': 'ok',
};

/** Returns the word of a restore: what became of the history, or that the protocol was violated. */
export function runWord({ outcome, judged }: RunRestore): RunWord {
  if (outcome === 'open') return { word: 'pending', tone: 'dim' };
  if (outcome === 'incomplete') return { word: 'no response', tone: 'warn' };
  if (judged === undefined)
    return outcome === 'rejected' ? { word: 'rejected', tone: 'dim' } : { word: '…', tone: 'dim' };
  const { protocol, history } = judged;
  if (briefWord(judged) === 'violated') return { word: 'violated', tone: 'err' };
  if (outcome === 'rejected')
    return { word: 'rejected', tone: protocol === 'followed' ? 'ok' : 'dim' };
  return { word: history, tone: TONES[history] };
}
