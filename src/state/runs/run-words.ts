// What is said of a run before, while and after it: its price, its progress, its end.
import type { VerdictWord } from '../../drive/verdict.ts';
import type { RunKind, RunState } from '../../engine/runs/run-messages.ts';
import { count } from '../../lib/format.ts';

/** Told to who has gone elsewhere meanwhile. */
export const RUN_ENDS: Readonly<Record<RunKind, string>> = {
  probes: 'The probes ended.',
  lab: 'The resume lab ended.',
  rerun: 'The recording was run again.',
  scenario: 'The scenario ended.',
};

/** The suites of the test view, in their order. */
export const SUITE_NAMES: Readonly<Record<RunKind, string>> = {
  probes: 'Probes',
  lab: 'Resume lab',
  scenario: 'Scenarios',
  rerun: 'Run a recording again',
};

/** Words of a verdict as a person reads them, the worst first. */
export const VERDICTS: readonly VerdictWord[] = ['fail', 'warn', 'info', 'pass', 'skip'];

export const VERDICT_NAMES: Readonly<Record<VerdictWord, string>> = {
  fail: 'failed',
  warn: 'warned',
  info: 'noted',
  pass: 'passed',
  skip: 'skipped',
};

/** `2 failed`, `10 passed`. */
export function verdictParts(counts: Readonly<Record<string, number>>): readonly string[] {
  return VERDICTS.flatMap((word) => {
    const size = counts[word] ?? 0;
    if (size === 0) return [];
    return [word === 'info' ? count(size, 'note') : `${size} ${VERDICT_NAMES[word]}`];
  });
}

function verdictCounts(counts: Readonly<Record<string, number>>): string {
  const parts = verdictParts(counts);
  return parts.length === 0 ? 'No result yet' : parts.join(', ');
}

/** `This sends at most 8 prompts to Claude Agent.` */
export function priceWords(most: number, needed: number, agent: string): string {
  if (Math.min(most, needed) === 0) return `This sends no prompt to ${agent}.`;
  const limit = Math.min(most, needed);
  const rest = most < needed ? ` What would need more than ${formatLimit(most)} is skipped.` : '';
  return `This sends at most ${count(limit, 'prompt')} to ${agent}.${rest}`;
}

function formatLimit(most: number): string {
  return most === 1 ? 'that one' : 'those';
}

/** A limit as it was typed; undefined: it is none. Nothing typed: as many as are needed. */
export function limitOf(typed: string): number | undefined {
  const text = typed.trim();
  if (text === '') return Infinity;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** `12 of 42 · 3 prompts sent`. */
export function progressWords({ phase, done, of, prompts }: RunState): string {
  const sent = `${count(prompts, 'prompt')} sent`;
  if (phase === 'stopping') return `Ending the agents · ${sent}`;
  if (of === 0) return 'Greeting the agent';
  return `${done} of ${of} · ${sent}`;
}

/** What came of a run, in a list of runs. */
export function countWords(kind: RunKind, counts: Readonly<Record<string, number>>): string {
  switch (kind) {
    case 'probes':
    case 'lab':
      return verdictCounts(counts);
    case 'rerun':
      return rerunCounts(counts);
    case 'scenario':
      return scenarioCounts(counts);
  }
}

/** What a trace that was sent again may have otherwise than it was recorded. */
export const DIFFERS = ['different', 'missing', 'extra', 'moved', 'mismatch'] as const;

/** `2 different, 1 missing`. */
function rerunCounts(counts: Readonly<Record<string, number>>): string {
  const parts = DIFFERS.flatMap((word) => {
    const size = counts[word] ?? 0;
    return size > 0 ? [`${size} ${word}`] : [];
  });
  return parts.length > 0 ? parts.join(', ') : 'same story';
}

/** `passed`, `failed`, `3 of 5 runs passed`. */
function scenarioCounts({ passed = 0, of = 1 }: Readonly<Record<string, number>>): string {
  if (of === 1) return passed === 1 ? 'passed' : 'failed';
  return `${passed} of ${of} runs passed`;
}
