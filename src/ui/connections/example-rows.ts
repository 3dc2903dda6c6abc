// Five frames of the example for the first screen. A test compares them with the file that the
// example opens, so the picture cannot differ from the trace.
import { seq, type Seq } from '../../trace/event.ts';

/** One frame as the first screen draws it. */
export interface ExampleRow {
  readonly seq: Seq;
  readonly from: 'client' | 'agent';
  /** The method of a request or response, or the kind of a session update. */
  readonly kind: string;
  readonly text: string;
  /** The mark in the gutter: the edges of the replay window, or a late frame. */
  readonly tape: 'first' | 'middle' | 'last' | 'late';
}

export const EXAMPLE_ROWS: readonly ExampleRow[] = [
  { seq: seq(7), from: 'client', kind: 'session/resume', text: 'replayFrom start', tape: 'first' },
  {
    seq: seq(9),
    from: 'agent',
    kind: 'user_message',
    text: 'The retry test is flaky. Find out why and fix it.',
    tape: 'middle',
  },
  {
    seq: seq(15),
    from: 'agent',
    kind: 'tool_call_update',
    text: 'Edit src/greeting.ts',
    tape: 'middle',
  },
  { seq: seq(23), from: 'agent', kind: 'session/resume', text: 'response', tape: 'last' },
  {
    seq: seq(24),
    from: 'agent',
    kind: 'user_message',
    text: 'After the response: a client shows it as a new prompt',
    tape: 'late',
  },
];
