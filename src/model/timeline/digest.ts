// What a row takes from a frame's own text: its summary, its id and what it adds to its run.
import {
  eachMessage,
  membersOf,
  NOT_UTF8,
  parseMessage,
  tooLong,
  type Invalid,
  type Message,
} from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { type Frame, otherSide, type TraceEvent } from '../../trace/event.ts';
import { lineSize, lineText } from '../../trace/line.ts';
import { summarize } from './summary.ts';
import { runText } from './summary-updates.ts';
import type { SummaryContext } from './summary-content.ts';

export interface Digest {
  readonly summary: string;
  /** Asking side and exact token: `→2`, `←"a"`. */
  readonly id?: string;
  /** The text a chunk adds to its run. */
  readonly text?: string;
}

/** Longest text one chunk lends to the joined text of its run. */
const LONGEST_TEXT = 2000;

/** What a frame says; one that is not UTF-8, or not kept whole, is no message. */
export function messageOf({ line, oversize }: Pick<Frame, 'line' | 'oversize'>): Message {
  if (oversize) return tooLong(oversize.bytes);
  return 'text' in line ? parseMessage(line.text) : NOT_UTF8;
}

/** The messages of a frame: those of an array, or else the one that it holds. `message`: as `messageOf` reads it. */
export function messagesOfFrame(frame: Frame, message = messageOf(frame)): Iterable<Message> {
  return eachMessage(message, () => lineText(frame.line));
}

/** One message of an array, as a frame with the number of the array's frame. */
interface MemberFrame {
  readonly frame: Frame;
  readonly message: Message;
  readonly size: number;
}

const NO_MEMBERS: readonly MemberFrame[] = [];

/** The messages of an array, in their order; none of any other event. `message`: as `saidBy` reads the event. */
export function membersIn(event: TraceEvent, message: Message | undefined): Iterable<MemberFrame> {
  const isArray = message?.kind === 'invalid' && message.reason === 'batch';
  return isArray && event.type === 'frame' ? framesWithin(event) : NO_MEMBERS;
}

function* framesWithin(array: Frame): Generator<MemberFrame> {
  let member = 0;
  for (const { text, message } of membersOf(lineText(array.line))) {
    const frame = { ...array, line: { text }, member: member++ };
    if (message.kind !== 'invalid') yield { frame, message, size: lineSize(frame.line) };
  }
}

/** Undefined: the event is no frame, or there is none. */
export function saidBy(event: TraceEvent | undefined): Message | undefined {
  return event?.type === 'frame' ? messageOf(event) : undefined;
}

const STRAY: Readonly<Record<Invalid['reason'], string>> = {
  'not-json': 'not JSON',
  'not-utf8': 'not UTF-8',
  'too-long': 'too long',
  blank: 'blank line',
  batch: 'batch',
  'not-a-message': 'not a message',
};

/** What stands in the column *method* for a line that is no message. */
export function strayName(message: Invalid | undefined): string {
  return STRAY[message?.reason ?? 'not-json'];
}

export function digestOf(frame: Frame, message: Message, context: SummaryContext): Digest {
  return defined({
    summary: summarize(frame, message, context),
    id: idOf(frame, message),
    text: textOf(message)?.slice(0, LONGEST_TEXT),
  });
}

/** `→` asked by the client, `←` by the agent: both sides count from 0. */
export function idWords(askedBy: Frame['from'], token: string): string {
  return `${askedBy === 'client' ? '→' : '←'}${token}`;
}

function idOf({ from }: Frame, message: Message): string | undefined {
  switch (message.kind) {
    case 'request':
      return idWords(from, message.id.token);
    case 'success':
    case 'failure':
      return idWords(otherSide(from), message.id.token);
    default:
      return undefined;
  }
}

function textOf(message: Message): string | undefined {
  if (message.kind !== 'notification') return undefined;
  const update = updateOf(message.params);
  return update && runText(update.variant, update.update);
}
