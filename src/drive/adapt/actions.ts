// What the adapter does about a line.
import type { Side } from '../../trace/event.ts';
import type { Version } from '../../acp/methods.ts';

/** A history to be told to the editor, up to the position it had when it was asked for. */
export interface Replay {
  readonly session: string;
  readonly until: number;
  readonly acp: Version;
  readonly compactions: boolean;
}

export type Action =
  /** The line goes on as it came. */
  | { readonly do: 'pass' }
  /** A line of ours, or one that was held: to that side, without its 0x0A. */
  | { readonly do: 'send'; readonly to: Side; readonly line: string }
  | { readonly do: 'replay'; readonly replay: Replay }
  /** One sentence for stderr. */
  | { readonly do: 'say'; readonly text: string };

/** In order; nothing: the line is held, or answered by nobody. */
export type Actions = readonly Action[];

export const PASS: Actions = [{ do: 'pass' }];

export function send(to: Side, line: string): Action {
  return { do: 'send', to, line };
}

export function say(text: string): Action {
  return { do: 'say', text };
}
