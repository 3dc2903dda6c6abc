// The ids of v1's messages, what chunks tell again, and what a session is said to have used. Families `message` and `usage` of
// the catalogue.
import { get, num, obj, str } from '../../acp/json.ts';
import { chunkText } from '../../acp/update.ts';
import type { Seq } from '../../trace/event.ts';
import { type Session, fact } from '../connection.ts';
import { onRequest, onUpdate } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import { rulesOf, fail, judged, type RuleFault, quote, type Fold } from '../rule.ts';

const CHUNKS = ['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'] as const;

/** Ids of messages in one replay window, or in what is live: history is told again with its ids. */
interface Ids {
  readonly window: Seq | undefined;
  /** The message that goes on, by the frame that began it. */
  current: string | undefined;
  begun: Seq | undefined;
  /** Where each message was last added to. */
  readonly last: Map<string, Seq>;
  /** Chunks with an id, and without, by variant: the first of each. */
  readonly named: Map<string, Seq>;
  readonly bare: Map<string, Seq>;
}

function idsOf(window: Seq | undefined): Ids {
  return {
    window,
    current: undefined,
    begun: undefined,
    last: new Map(),
    named: new Map(),
    bare: new Map(),
  };
}

const messageIds = fact<Session, { live: Ids; replayed: Ids | undefined }>(() => ({
  live: idsOf(undefined),
  replayed: undefined,
}));

/** Undefined: the frame is the first of its replay window. */
function scopeOf({ session, window, replay, late }: UpdateStep): Ids | undefined {
  const { live, replayed } = messageIds.of(session);
  if (!replay && !late) return live;
  return replayed !== undefined && replayed.window === window?.seq ? replayed : undefined;
}

export const messageFold: Fold = [
  onUpdate(CHUNKS, (step) => {
    const ids = scopeOf(step) ?? idsOf(step.window?.seq);
    if (step.replay || step.late) messageIds.of(step.session).replayed = ids;
    const { itemId, variant, seq } = step;
    const kinds = itemId === undefined ? ids.bare : ids.named;
    if (!kinds.has(variant)) kinds.set(variant, seq);
    if (itemId === undefined) return;
    ids.last.set(itemId, seq);
    if (ids.current === itemId) return;
    ids.current = itemId;
    ids.begun = seq;
  }),
];

/** The message that an agent speaks now, live. */
interface Spoken {
  readonly variant: string;
  /** Its `messageId`. */
  readonly id: string | undefined;
  readonly first: Seq;
  text: string;
  /** Its last chunk, and how many in a row held all of the one before and more. */
  chunk: string;
  chunks: number;
  grown: number;
}

const SPOKEN = ['agent_message_chunk', 'agent_thought_chunk'] as const;
/** Shorter texts may well be said twice, or begin alike. */
const TELLING = { whole: 24, chunk: 8 } as const;

const spoken = fact<Session, { of: Spoken | undefined }>(() => ({ of: undefined }));

function spokenFrom(variant: string, id: string | undefined, first: Seq): Spoken {
  return { variant, id, first, text: '', chunk: '', chunks: 0, grown: 0 };
}

function growsFrom(chunk: string, text: string): boolean {
  return chunk.length >= TELLING.chunk && text.length > chunk.length && text.startsWith(chunk);
}

/** Returns the live message of this variant that the agent sent last; undefined if something came after the message. */
function spokenLast({ session, variant, replay, late }: UpdateStep): Spoken | undefined {
  const known = spoken.of(session).of;
  return known?.variant === variant && !replay && !late ? known : undefined;
}

/** What is said before this chunk of the same message; undefined: it begins one. */
function before(step: UpdateStep): Spoken | undefined {
  const known = spokenLast(step);
  return known?.id === step.itemId ? known : undefined;
}

export const spokenFold: Fold = [
  onUpdate('all', (step) => {
    const { session, variant, itemId, item, update, seq } = step;
    if (item === undefined) return;
    const chunk = (SPOKEN as readonly string[]).includes(variant) ? chunkText(update) : undefined;
    const own = spoken.of(session);
    if (chunk === undefined) return void (own.of = undefined);
    const now = before(step) ?? spokenFrom(variant, itemId, seq);
    now.grown = growsFrom(now.chunk, chunk) ? now.grown + 1 : 0;
    now.text = now.text.length < LONGEST ? now.text + chunk : now.text;
    now.chunk = chunk;
    now.chunks++;
    own.of = now;
  }),
  onRequest(['session/prompt'], ({ session }) => {
    if (session) spoken.of(session).of = undefined;
  }),
];

/** A longer message is not compared with what comes after it. */
const LONGEST = 1_000_000;

/** What a session cost, as last said. */
interface Cost {
  amount: number | undefined;
  currency: string | undefined;
  seq: Seq | undefined;
}
const cost = fact<Session, Cost>(() => ({
  amount: undefined,
  currency: undefined,
  seq: undefined,
}));

export const costFold: Fold = [
  onUpdate(['usage_update'], ({ session, update, seq, window }) => {
    const said = get(update, 'cost');
    const known = cost.of(session);
    // An agent that restores a session may count anew.
    if (window !== undefined || said === null) known.amount = known.currency = undefined;
    if (window !== undefined || said === undefined || said === null) return;
    known.amount = num(said, 'amount');
    known.currency = str(said, 'currency');
    known.seq = seq;
  }),
];

export const MESSAGES = rulesOf({ side: 'agent' })({
  'message/id-reopened': {
    versions: [1],
    severity: 'hint',
    clause: 'in v1 a new `messageId` begins a new message, and the one before it is whole',
    on: onUpdate(CHUNKS, (step) => {
      const { itemId, seq } = step;
      if (itemId === undefined) return undefined;
      const own = scopeOf(step);
      const { live, replayed } = messageIds.of(step.session);
      // A message that a replay told, and ended, is whole too.
      const isLive = own === live && !live.last.has(itemId);
      const ids = isLive && replayed?.last.has(itemId) ? replayed : own;
      const last = ids?.current === itemId ? undefined : ids?.last.get(itemId);
      if (ids?.begun === undefined || last === undefined) return 'pass';
      return fail(`more of ${quote(itemId)} after #${ids.begun} began ${quote(ids.current)}`, {
        pointer: '/params/update/messageId',
        seqs: [last, ids.begun, seq],
      });
    }),
  },
  'message/mixed-ids': {
    versions: [1],
    severity: 'hint',
    clause: 'of one kind of message, either all chunks have a `messageId` or none has',
    on: onUpdate(CHUNKS, (step) => {
      const { itemId, variant, seq } = step;
      const ids = scopeOf(step);
      const own = itemId === undefined ? ids?.bare : ids?.named;
      const other = (itemId === undefined ? ids?.named : ids?.bare)?.get(variant);
      if (other === undefined) return own?.has(variant) === true ? undefined : 'pass';
      if (own?.has(variant) === true) return undefined;
      const has = itemId === undefined ? 'without' : 'with';
      const had = itemId === undefined ? 'with' : 'without';
      return fail(`a \`${variant}\` ${has} \`messageId\` after one ${had}`, {
        pointer: '/params/update',
        seqs: [other, seq],
      });
    }),
  },
  'message/told-again': {
    severity: 'warning',
    clause: 'a chunk holds what is new in its message, not what that has said already',
    on: onUpdate(SPOKEN, (step) => {
      const said = spokenLast(step);
      const text = chunkText(step.update);
      if (said === undefined || text === undefined) return undefined;
      const pointer = '/params/update/content/text';
      const seqs = [said.first, step.seq];
      const isWhole = said.chunks > 1 && text.length >= TELLING.whole && text === said.text;
      // Chunks without an id and a copy of all of them with one are one message to a client.
      const isOther = said.id !== step.itemId && said.id !== undefined && step.itemId !== undefined;
      if (isWhole && !isOther)
        return fail('all of the message again, which its chunks have told', { pointer, seqs });
      if (said.id !== step.itemId) return undefined;
      if (said.grown > 0 && growsFrom(said.chunk, text))
        return fail('all of the chunk before and more, as each before it', { pointer, seqs });
      return 'pass';
    }),
  },
  'usage/range': {
    severity: 'hint',
    clause: 'no more is used than there is, and what a session cost only grows, in one currency',
    on: onUpdate(['usage_update'], ({ session, update, seq, window }) => {
      const [used, size] = [num(update, 'used'), num(update, 'size')];
      const faults: RuleFault[] = [];
      if (used !== undefined && size !== undefined && used > size)
        faults.push(
          fail(`\`used\` is ${used}, more than \`size\`, ${size}`, '/params/update/used'),
        );
      const said = window === undefined ? obj(update, 'cost') : undefined;
      const [amount, currency] = [num(said, 'amount'), str(said, 'currency')];
      const before = cost.of(session);
      const seqs = before.seq === undefined ? [seq] : [before.seq, seq];
      if (currency !== undefined && before.currency !== undefined && currency !== before.currency)
        faults.push(
          fail(`${quote(currency)} after ${quote(before.currency)}`, {
            pointer: '/params/update/cost/currency',
            seqs,
          }),
        );
      else if (amount !== undefined && before.amount !== undefined && amount < before.amount)
        faults.push(
          fail(`a cost of ${amount} after ${before.amount}`, {
            pointer: '/params/update/cost/amount',
            seqs,
          }),
        );
      return judged(faults);
    }),
  },
});
