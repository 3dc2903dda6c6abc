// One line for what a row shows, with aliases.
import { get, isObject, str } from '../../../acp/json.ts';
import type { Json, Message, Request } from '../../../acp/message.ts';
import type { LaneEntry, DiffLane } from '../lane.ts';
import type { DiffView, Alias } from './report.ts';
import type { ChangePiece } from '../../../model/text-change.ts';
import { TURN_END } from '../story-items.ts';
import { count } from '../../../lib/format.ts';
import { grouped } from '../../../lib/grouped.ts';
import { ALIAS_WORDS } from '../../../model/sessions/compare-terms.ts';
import { saidBy } from '../../../model/timeline/digest.ts';
import { requestWords } from '../../../model/timeline/summary-requests.ts';
import { summarize } from '../../../model/timeline/summary.ts';
import { described, errorWords, facts, oneLine, quoted } from '../../../model/words.ts';
import type { TextPiece } from '../../../report/document.ts';
import { code, visibleLine as unbroken } from '../../../report/words.ts';

/** `named`: the same value with aliases in place of real values. */
export function diffWords(
  view: DiffView,
  lane: DiffLane,
  entry: LaneEntry,
  named: (value: Json) => Json,
): string {
  if (view === 'frames') return frameWords(lane, entry, named);
  return stepWords(entry.of, named(lane.read(entry)));
}

function frameWords(
  { source }: DiffLane,
  { first, of, value, frames }: LaneEntry,
  named: (value: Json) => Json,
): string {
  const { index, eventAt } = source;
  const event = eventAt(first);
  const whole = saidBy(event);
  // Of chunks that are told as one, the first has not all there is to say.
  const params = get(value, 'params');
  const message =
    params !== undefined && whole?.kind === 'notification' ? { ...whole, params } : whole;
  const partner = index.columns.partnerOf(first);
  const asked = partner === undefined ? undefined : eventAt(partner);
  const request = saidBy(asked);
  const isAnswer = message?.kind === 'success' || message?.kind === 'failure';
  const context = index.context(first, isAnswer ? requestOf(request) : undefined);
  const words = summarize(event, message && withNames(message, named), context);
  const many = frames > 1 && count(frames, 'chunk');
  return facts(isAnswer ? `answers ${of}` : of, words, many);
}

function requestOf(message: Message | undefined): Request | undefined {
  return message?.kind === 'request' ? message : undefined;
}

function withNames(message: Message, named: (value: Json) => Json): Message {
  switch (message.kind) {
    case 'request':
    case 'notification':
      return message.params === undefined ? message : { ...message, params: named(message.params) };
    case 'success':
      return { ...message, result: named(message.result) };
    case 'failure':
    case 'invalid':
      return message;
  }
}

const SAYS: ReadonlySet<string> = new Set(['user', 'agent', 'thought', 'peer']);

function stepWords(of: string, value: Json): string {
  if (SAYS.has(of)) {
    const others = get(value, 'attachments');
    const more = Array.isArray(others) && count(others.length, 'attachment');
    return facts(`${of} ${quoted(str(value, 'text') ?? '') || 'says nothing'}`, more);
  }
  switch (of) {
    case 'tool':
      return facts(
        [
          str(value, 'toolCallId'),
          str(value, 'kind'),
          oneLine(str(value, 'title') ?? str(value, 'name') ?? ''),
        ]
          .filter((word) => word !== undefined && word !== '')
          .join(' '),
        str(value, 'status'),
      );
    case 'plan': {
      const entries = get(value, 'entries');
      return facts('plan', Array.isArray(entries) && count(entries.length, 'entry', 'entries'));
    }
    case TURN_END:
      return facts('turn ends', str(get(value, 'result'), 'stopReason'), failure(value));
    case 'exit':
      return facts('exit', described(value));
  }
  const params = get(value, 'params');
  if (isFact(value)) return facts(of, described(value.value));
  if (params === undefined) return facts(of, failure(value) ?? described(value));
  return facts(of, requestWords(of, params, {}), failure(value) ?? outcome(get(value, 'result')));
}

/** Of a state: one value under its name. */
function isFact(value: Json): value is { readonly value: Json } {
  return isObject(value) && Object.hasOwn(value, 'value') && Object.keys(value).length === 1;
}

function failure(value: Json): string | undefined {
  const error = get(value, 'error');
  if (!isObject(error)) return undefined;
  const { code, message } = error;
  if (typeof code !== 'number' || typeof message !== 'string') return 'an error';
  return `error ${errorWords({ code, message })}`;
}

function outcome(result: Json | undefined): string | undefined {
  const chosen = get(result, 'outcome');
  if (chosen !== undefined) return str(chosen, 'optionId') ?? str(chosen, 'outcome');
  return str(result, 'sessionId');
}

// Aliases in few words: of a few each, of many how many.

/** More of one kind are counted. */
const FEW = 2;
const LONGEST = 28;

/** `S1 ses_e03f… | ses_9d11…`, `T1–T22 22 tool calls`. Those alike on both sides are left out. */
export function aliasWords(aliases: readonly Alias[]): string[] {
  const kinds = grouped(aliases, ({ kind }) => kind);
  return [...kinds].flatMap(([kind, all]) => {
    const told = all.filter(({ a, b }) => a !== b);
    const [first, last] = [all[0], all.at(-1)];
    if (!first || !last || told.length === 0) return [];
    if (kind === 'time') return [`${first.name} ${count(first.uses.a + first.uses.b, 'time')}`];
    if (all.length <= FEW) return told.map(({ name, a, b }) => `${name} ${short(a)} | ${short(b)}`);
    return [`${first.name}–${last.name} ${count(all.length, ...ALIAS_WORDS[kind])}`];
  });
}

function short(real: string | undefined): string {
  return real === undefined ? '–' : oneLine(real, LONGEST);
}

// Two texts as one in a report: what both say shortened, what only one says in brackets.

/** Around what differs, so much of what both say. */
const CONTEXT = 24;
const MOST = 400;

/** Undefined: so little is common that both are better told one after the other. */
export function mergePieces(merge: readonly ChangePiece[]): readonly TextPiece[] | undefined {
  const common = merge.reduce((sum, { how, text }) => sum + (how === 'same' ? text.length : 0), 0);
  const all = merge.reduce((sum, { text }) => sum + text.length, 0);
  if (common * 3 < all) return undefined;
  const pieces: TextPiece[] = [];
  let length = 0;
  for (const [at, span] of merge.entries()) {
    if (length > MOST) return [...pieces, code('…')];
    const piece = pieceOf(span, at === 0, at === merge.length - 1);
    length += piece.text.length;
    pieces.push(piece);
  }
  return pieces;
}

function pieceOf({ how, text }: ChangePiece, isFirst: boolean, isLast: boolean): TextPiece {
  if (how === 'gone') return { ...code(`[−${text}−]`), tone: 'bad' };
  if (how === 'new') return { ...code(`{+${text}+}`), tone: 'info' };
  return code(shortened(unbroken(text), isFirst, isLast));
}

function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * CONTEXT + 3) return text;
  const [head, tail] = [text.slice(0, CONTEXT), text.slice(-CONTEXT)];
  if (isFirst) return `…${tail}`;
  return isLast ? `${head}…` : `${head} … ${tail}`;
}
