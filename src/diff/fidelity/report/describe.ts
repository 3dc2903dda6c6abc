// Items and settings in the words of a report.
import { assertNever } from '../../../lib/assert-never.ts';
import { COMPARED_KINDS, KIND_WORDS } from '../../../model/sessions/compared-kinds.ts';
import { oneLine, quoted } from '../../../model/words.ts';
import type { FieldValue, NormalFact, NormalItem } from '../normal-form.ts';
import { textOf } from '../pair-items.ts';
import type { FidelityKind, RowSide } from './report.ts';

export const KINDS: readonly FidelityKind[] = COMPARED_KINDS;

/** `tool call call_1 “Read notes.txt”`, `agent message “The tool said…”`: an id alone says nothing to a person. */
export function itemName(item: NormalItem): string {
  const [one] = KIND_WORDS[item.kind];
  const { id, kind } = item;
  const isNamed = (kind === 'tool' || kind === 'terminal') && id !== undefined;
  const text = oneLine(textOf(item), 60);
  const name = isNamed ? `${one} ${oneLine(id, 60)}` : one;
  return text === '' ? name : `${name} “${text}”`;
}

/** What the item says, in one line. */
export function itemWords(item: NormalItem): string {
  switch (item.kind) {
    case 'user':
    case 'agent':
    case 'thought':
    case 'peer': {
      const others = item.fields.has('attachments') ? ' · with attachments' : '';
      return `${quoted(textOf(item)) || 'no text'}${others}`;
    }
    case 'tool':
      return oneLine(textOf(item)) || itemName(item);
    case 'plan':
      return `plan · ${entries(item.fields.get('entries'))}`;
    case 'terminal':
      return `terminal · ${oneLine(textOf(item)) || (item.id ?? '')}`;
    default:
      return assertNever(item.kind);
  }
}

function saysTheSame(one: NormalItem, other: NormalItem): boolean {
  const text = textOf(one);
  const isBare = !one.fields.has('attachments') && !other.fields.has('attachments');
  return text !== '' && isBare && text === textOf(other) && one.kind === other.kind;
}

function entries(value: FieldValue | undefined): string {
  const list = value?.type === 'json' && Array.isArray(value.value) ? value.value : [];
  return `${list.length} ${list.length === 1 ? 'entry' : 'entries'}`;
}

/** `like`: the other side of its row. */
export function sideOf(
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
