// What the resume lab needs of the place it runs in: agents to start, folders of its own, and MCP
// servers that note who connects. The command line has a disk; the page asks its relay.
import type { ClientName } from '../../acp/capabilities.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Launcher } from '../peer.ts';
import type { PromptBudget } from '../prompt-budget.ts';
import type { Timers } from '../timers.ts';

/** An empty folder that the lab made. */
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

export interface LabGround {
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
export interface LabManners {
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
