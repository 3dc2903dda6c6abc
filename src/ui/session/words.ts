// What rows of the session view say.
import type { SessionEvent } from '../../model/sessions/session-history.ts';
import { variantOf } from '../../model/restore/restore-shapes.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import { formatClock } from '../../lib/format-time.ts';
import type { Answer } from '../../model/fidelity/report/answer.ts';
import type { LivedRow, RestoreRow } from '../../state/session/hub-rows.ts';
import { agentEnd } from '../../trace/agent-end.ts';
import { agentEndWords } from '../rail/rail-words.ts';

type Listed = Exclude<SessionEvent['kind'], 'prompts' | 'load' | 'resume'>;
const EVENTS: Readonly<Record<Listed, string>> = {
  new: 'session/new',
  fork: 'session/fork to',
  forked: 'session/fork of',
  listed: 'session/list',
  close: 'session/close',
  delete: 'session/delete',
};

/** Returns the method of an event; before the other session of a fork, with its direction. */
export function eventWords({ kind }: SessionEvent): string {
  return kind === 'prompts' || kind === 'load' || kind === 'resume' ? kind : EVENTS[kind];
}

/** `turns 1–3` */
export function turnWords({ turns }: LivedRow): string {
  if (!turns) return '';
  const [first, last] = turns;
  return first === last ? `turn ${first}` : `turns ${first}–${last}`;
}

/** How the agent ended, and whether nobody asked for it. */
export function stopWords({ facts, lost }: TraceSummary): { words: string; isCrash: boolean } {
  const exit = facts?.exit;
  if (lost || !exit) return { words: 'Relay gone', isCrash: true };
  if (exit.problem !== undefined) return { words: exit.problem, isCrash: true };
  const { by, isUnexpected } = agentEnd(exit);
  const signal = by === 'us' || by === 'client' ? (exit.signal ?? exit.sent) : undefined;
  const words = agentEndWords(exit);
  const told = signal?.startsWith('SIG') === true ? `${words}, ${signal}` : words;
  return { words: told.slice(0, 1).toUpperCase() + told.slice(1), isCrash: isUnexpected };
}

/** `load`, `start`; of a cursor of its own the type, and what it names. */
export function shapeOf({ restore: { window } }: RestoreRow): {
  readonly name: string;
  readonly cursor: readonly [type: string, names?: string] | undefined;
} {
  const { name, more } = variantOf(window);
  if (more === undefined) return { name, cursor: undefined };
  const [type = '', ...names] = name === 'custom' ? more.split(' ') : [more];
  return { name, cursor: names.length === 0 ? [type] : [type, names.join(' ')] };
}

/** `c4–c14`: connections from the first to the last. */
export function connectionRangeWords(numbers: readonly number[]): string {
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return first === last ? `c${first}` : `c${first}–c${last}`;
}

/** `38 s`, `13 min`, `2 h`. */
export function silenceWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/**
 * `10:46`, in the reader's own time; with seconds where minutes say too little. Of a trace that has no clock,
 * `began` says where it was put: `0:03` since then.
 */
export function clockWords(at: number, seconds = false, began?: number): string {
  if (began !== undefined) return formatClock(at - began).replace(/\.\d+$/, '');
  if (at === 0) return '';
  const second = seconds ? { second: '2-digit' as const } : {};
  return new Date(at).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...second,
  });
}

/** Two lists of words, such as commands: `40 → 44: + /deploy /share − /old`. */
export function listChange(before: string, after: string): string {
  const [was, is] = [before, after].map((list) => list.split(' ').filter(Boolean)) as [
    string[],
    string[],
  ];
  const parts = [
    ['+', is.filter((word) => !was.includes(word))],
    ['−', was.filter((word) => !is.includes(word))],
  ] as const;
  const said = parts.flatMap(([sign, words]) => (words.length > 0 ? [sign, ...words] : []));
  return `${was.length} → ${is.length}: ${said.join(' ') || 'in another order'}`;
}

/** Returns each answer of several restores once, the most frequent first. */
export function answerCounts(
  answers: readonly Answer[],
): readonly { readonly answer: Answer; readonly times: number }[] {
  const keyOf = ({ protocol, history, headline }: Answer) => `${protocol} ${history} ${headline}`;
  const groups = new Map<string, readonly Answer[]>();
  for (const one of answers) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()]
    .flatMap((all) => (all[0] ? [{ answer: all[0], times: all.length }] : []))
    .toSorted((a, b) => b.times - a.times);
}

/** How many of a set of restores have each word of the protocol: `6 followed`, `4 violated`. */
export function protocolCounts(
  answers: readonly Answer[],
): readonly { readonly word: Answer['protocol']; readonly many: number }[] {
  return (['followed', 'violated', 'inconclusive'] as const).flatMap((word) => {
    const many = answers.filter(({ protocol }) => protocol === word).length;
    return many > 0 ? [{ word, many }] : [];
  });
}
