// Items and settings in the words of a report.
import type { FieldValue, NormalFact, NormalItem } from '../../../model/replay/normal-form.ts';
import { itemText } from '../../../model/replay/pair-items.ts';
import type { RowSide, ItemDifference } from './report.ts';
import { excerpt, sharedPart, textChange, type ChangePiece } from '../../text-change.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { KIND_WORDS } from '../../../model/sessions/compare-terms.ts';
import { oneLine, quoted } from '../../../model/words.ts';

/** `tool call call_1 “Read notes.txt”`, `agent message “The tool said…”`: an id alone says nothing to a person. */
export function itemName(item: NormalItem): string {
  const [one] = KIND_WORDS[item.kind];
  const { id, kind } = item;
  const isNamed = (kind === 'tool' || kind === 'terminal') && id !== undefined;
  const text = oneLine(itemText(item), 60);
  const name = isNamed ? `${one} ${oneLine(id, 60)}` : one;
  return text === '' ? name : `${name} “${text}”`;
}

/** What the item says, in one line. */
function itemWords(item: NormalItem): string {
  switch (item.kind) {
    case 'user':
    case 'agent':
    case 'thought':
    case 'peer': {
      const others = item.fields.has('attachments') ? ' · with attachments' : '';
      return `${quoted(itemText(item)) || 'no text'}${others}`;
    }
    case 'tool':
      return oneLine(itemText(item)) || itemName(item);
    case 'plan':
      return `plan · ${entries(item.fields.get('entries'))}`;
    case 'terminal':
      return `terminal · ${oneLine(itemText(item)) || (item.id ?? '')}`;
    default:
      return assertNever(item.kind);
  }
}

function saysTheSame(one: NormalItem, other: NormalItem): boolean {
  const text = itemText(one);
  const isBare = !one.fields.has('attachments') && !other.fields.has('attachments');
  return text !== '' && isBare && text === itemText(other) && one.kind === other.kind;
}

function entries(value: FieldValue | undefined): string {
  const list = value?.type === 'json' && Array.isArray(value.value) ? value.value : [];
  return `${list.length} ${list.length === 1 ? 'entry' : 'entries'}`;
}

/** `like`: the other side of its row. */
export function rowSide(
  item: NormalItem,
  pieces: number,
  like?: { readonly item: NormalItem; readonly side: RowSide },
): RowSide {
  const { first, last, frames } = item;
  const isLike = like !== undefined && saysTheSame(like.item, item);
  const side = { frame: first, last, frames, words: isLike ? like.side.words : itemWords(item) };
  if (item.kind !== 'tool') return pieces > 1 ? { ...side, pieces } : side;
  return {
    ...side,
    tool: { kind: word(item, 'kind') ?? 'other', status: word(item, 'status') ?? 'pending' },
  };
}

function word({ fields }: NormalItem, name: string): string | undefined {
  const value = fields.get(name);
  return value?.type === 'word' ? value.word : undefined;
}

/** `mode`, `config option effort`. */
export function factName({ kind, name }: NormalFact): string {
  return kind === name ? kind : `${KIND_WORDS[kind][0]} ${oneLine(name, 60)}`;
}

export function factSide({ frame, kind, words }: NormalFact): RowSide {
  const isNamed = kind === 'config' || kind === 'commands';
  return { frame, last: frame, frames: 1, words: oneLine(isNamed ? words : `${kind} ${words}`) };
}

// The two values of a field as a report shows them: what differs, with some of what stands beside it;
// or each from its beginning, where they have little in common.

const SHOWN = 160;
/** Texts that share less are shown one beside the other. */
const ALIKE = 0.3;

export function shownValue(value: FieldValue | undefined): string | undefined {
  return value && oneLine(valueText(value), SHOWN);
}

/** Undefined: they have little in common, or one is absent. */
export function shownChange(
  before: FieldValue | undefined,
  after: FieldValue | undefined,
): Required<Pick<ItemDifference, 'before' | 'after' | 'change'>> | undefined {
  if (!before || !after || before.type === 'word' || after.type === 'word') return undefined;
  const whole = textChange(valueText(before), valueText(after));
  if (sharedPart(whole) < ALIKE) return undefined;
  const change = excerpt(whole);
  const without = (how: ChangePiece['how']) =>
    oneLine(change.map((piece) => (piece.how === how ? '' : piece.text)).join(''), SHOWN);
  return { before: without('new'), after: without('gone'), change };
}

/** All of both values; JSON with a line each. */
export function wholeChange({ values }: Pick<ItemDifference, 'values'>): ChangePiece[] {
  const [before, after] = (values ?? []).map((value) => (value ? valueText(value, 2) : ''));
  return textChange(before ?? '', after ?? '');
}

function valueText(value: FieldValue, indent?: number): string {
  switch (value.type) {
    case 'text':
      return value.text;
    case 'word':
      return value.word;
    case 'json':
      return typeof value.value === 'string'
        ? value.value
        : JSON.stringify(value.value, null, indent);
  }
}
