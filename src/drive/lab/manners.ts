// What the lab says to agents where a person says nothing else, and how it reads what they remember.
import type { Turn } from '../turn.ts';
import type { LabManners } from './ground.ts';

export const MANNERS: LabManners = {
  prompt:
    'Keep the word {word} in mind. Then look at what is in the current folder with one of your tools, and say in one sentence what you found.',
  longPrompt:
    'Count from 1 to 200 in words, one number a line, and take it slow. Use no tools for it.',
  permissionPrompt: 'Create a note named lab.txt in the current folder that says hello.',
  delegatePrompt:
    'Keep the word {word} in mind. Then delegate to a subagent: it looks with a tool at what is in the current folder. Say in one sentence what it found.',
  delegateLongPrompt:
    'Delegate to a subagent that works in the background, behind this turn: it counts from 1 to 200 in words, and takes it slow.',
  ask: 'Do you remember the word beginning with LAB- that you were told at first? Answer with that word alone, and use no tools.',
  permission: 'allow',
  patience: 120_000,
  quiet: 750,
  pause: 0,
  canaryPatience: 3000,
  cursor: undefined,
};

/** The word of a session: what an agent can only know from its history. */
export function labWord(token: string): string {
  return `LAB-${token}`;
}

export function promptFor(prompt: string, word: string): string {
  if (prompt.includes('{word}')) return prompt.replaceAll('{word}', word);
  return `Keep the word ${word} in mind. ${prompt}`;
}

export type Remembers = 'yes' | 'no' | 'unknown';

/** `others`: words of other sessions, which it must not know. */
export function remembered(
  turn: Turn,
  word: string,
  others: readonly string[],
): { readonly remembers: Remembers; readonly why: string } {
  const { text, end, stopReason, prompt } = turn;
  const foreign = others.find((other) => text.includes(other));
  if (text.includes(word))
    return foreign === undefined
      ? { remembers: 'yes', why: `it answered ${word}` }
      : { remembers: 'yes', why: `it answered ${word}, and ${foreign} of another session` };
  if (foreign !== undefined)
    return { remembers: 'no', why: `it answered ${foreign}, the word of another session` };
  if (prompt.answer?.kind === 'failure') {
    const { code, message } = prompt.answer.error;
    return { remembers: 'unknown', why: `the prompt was refused: ${code} ${message}` };
  }
  if (end === undefined) return { remembers: 'unknown', why: 'the turn did not end' };
  if (text.trim() === '')
    return {
      remembers: 'no',
      why: `the turn ended with ${stopReason ?? 'no reason'}, and no word`,
    };
  return { remembers: 'no', why: `it answered “${short(text)}”` };
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
