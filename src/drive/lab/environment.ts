// What the resume lab needs of the place it runs in: agents to start, folders of its own, and MCP
// servers that note who connects. The command line has a disk; the page asks its relay.
import type { ClientName } from '../../acp/capabilities.ts';
import type { JsonObject } from '../../acp/message.ts';
import { errorWords, oneLine } from '../../model/words.ts';
import type { Launcher } from '../peer.ts';
import type { PromptBudget } from '../prompt-budget.ts';
import type { Timers } from '../timers.ts';
import type { Turn } from '../turn.ts';

export interface LabFolder {
  /** Absolute, without links in it. */
  readonly path: string;
  /** The same as seen from where the agent is started. */
  readonly relative: string;
  /** `/`, or `\`. */
  readonly separator: string;
}

/** What a canary server has noted so far. */
export interface CanarySeen {
  readonly started: number;
  readonly listed: number;
  readonly called: number;
}

/** A small MCP server on stdio, with one tool of its own. */
export interface Canary {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly tool: string;
  seen(): Promise<CanarySeen>;
}

export interface LabEnvironment {
  readonly launcher: Launcher;
  readonly name: ClientName;
  readonly budget: PromptBudget;
  readonly timers?: Timers;
  /** Wall clock, in milliseconds. */
  now(): number;
  /** Six letters or figures that no other call gives. */
  token(): string;
  folder(name: string): Promise<LabFolder>;
  remove(folder: LabFolder): Promise<void>;
  canary(name: string): Promise<Canary>;
}

/** How the lab talks: its words to the agent, and its patience. */
export interface LabSettings {
  /** `{word}` stands for the word to keep in mind. */
  readonly prompt: string;
  /** For a turn to cut: a long answer. */
  readonly longPrompt: string;
  /** For a turn that asks for a permission. */
  readonly permissionPrompt: string;
  /** For turn 1 where a child is to work, with `{word}`; and for a child that is killed at work. */
  readonly delegatePrompt: string;
  readonly delegateLongPrompt: string;
  /** Asks for the word of turn 1. */
  readonly ask: string;
  readonly permission: 'allow' | 'reject';
  /** Milliseconds until an answer, or the end of a turn, is not waited for any more. */
  readonly patience: number;
  /** Silence, in milliseconds, after which what came late would have come. */
  readonly quiet: number;
  /** Milliseconds between the end of one agent and the start of the next. */
  readonly pause: number;
  /** How long a canary is waited for, in milliseconds. */
  readonly canaryPatience: number;
  /** v2: the custom cursor, `$ID` in it for the message it names; undefined: one is guessed. */
  readonly cursor: JsonObject | undefined;
}

// What the lab says to agents where a person says nothing else, and how it reads what they remember.

export const LAB_DEFAULTS: LabSettings = {
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
  if (prompt.error)
    return { remembers: 'unknown', why: `the prompt was refused: ${errorWords(prompt.error)}` };
  if (end === undefined) return { remembers: 'unknown', why: 'the turn did not end' };
  if (text.trim() === '')
    return {
      remembers: 'no',
      why: `the turn ended with ${stopReason ?? 'no reason'}, and no word`,
    };
  return { remembers: 'no', why: `it answered “${oneLine(text, 120)}”` };
}
