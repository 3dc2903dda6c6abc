// How the faults of a replay name items and values.
import type { FieldValue, NormalItem } from '../replay/normal-form.ts';
import { itemText } from '../replay/pair-items.ts';
import type { ConnectionId, FrameRef } from '../../trace/event.ts';
import type { FidelityKind } from './report/report.ts';

const WORDS = {
  user: 'prompt',
  agent: 'answer',
  thought: 'thought',
  tool: 'tool call',
  peer: 'message between sessions',
} as const;
type ComparedKind = keyof typeof WORDS;

/** True for the kinds that the rules on history are about: no plans, terminals or settings. */
export function isCompared(kind: FidelityKind): kind is ComparedKind {
  return Object.hasOwn(WORDS, kind);
}

/** The trace of a restore, and what sentences call the other traces. */
export interface Here {
  readonly connection: ConnectionId;
  readonly nameOf: (connection: ConnectionId) => string;
}

/** Returns `#12`, or `c1#12` for a frame of another trace. */
function frameName({ connection, seq }: FrameRef, { connection: here, nameOf }: Here): string {
  return connection === here ? `#${seq}` : `${nameOf(connection)}#${seq}`;
}

/** Returns `the prompt "Mend it" (#6)`. */
export function itemPhrase(item: NormalItem, here: Here): string {
  return `${itemWords(item)} (${frameName(item.first, here)})`;
}

/** Returns `the prompt "Mend it"`. */
export function itemWords({ kind, id, ...item }: NormalItem): string {
  const text = itemText(item);
  const name = kind === 'tool' ? text || (id ?? '') : text.trim();
  return `the ${isCompared(kind) ? WORDS[kind] : kind} ${quotedShort(name)}`;
}

const MAX_LETTERS = 40;

/** Returns a text in quotes, cut to 40 letters. */
export function quotedShort(text: string): string {
  return JSON.stringify(text.length <= MAX_LETTERS ? text : `${text.slice(0, MAX_LETTERS - 1)}…`);
}

/** Returns a value that a sentence can name; undefined for JSON. */
export function valueName(value: FieldValue | undefined): string | undefined {
  if (value?.type === 'word') return value.word;
  return value?.type === 'text' ? quotedShort(value.text) : undefined;
}
