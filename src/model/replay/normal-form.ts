// What a session is, in a form that does not depend on how it was said: items in turns with named
// fields, and what the session is set to at the end. Live part and replay, and any two traces, are
// compared in it.
import type { Json } from '../../acp/message.ts';
import type { FrameRef } from '../../trace/event.ts';
import type { ItemKind } from '../facts/variants.ts';

/** `peer`: a message of another session, v2. */
export type NormalItemKind = Exclude<ItemKind, 'compaction'>;

/** How values of a field are compared: as running text, as one word of a set, or as JSON. */
export type FieldValue =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'word'; readonly word: string }
  | { readonly type: 'json'; readonly value: Json };

/** Fields that say nothing (empty, absent, or the protocol's default) are not there. */
export type NormalFields = ReadonlyMap<string, FieldValue>;

export interface NormalItem {
  readonly kind: NormalItemKind;
  /** `messageId`, `toolCallId`, `planId` or `terminalId`. */
  readonly id: string | undefined;
  /** First and last frame that made it, and how many did. */
  readonly first: FrameRef;
  readonly last: FrameRef;
  readonly frames: number;
  /** Number of its turn, from 1; 0: before the first prompt. A turn begins with a user message. */
  readonly turn: number;
  /** Some of it came after the answer of its replay window. */
  readonly late: boolean;
  readonly fields: NormalFields;
}

/**
 * What a session is set to, `config` options one fact each; and what its parent says of a child session,
 * `announced` field by field.
 */
export type FactKind = 'mode' | 'config' | 'commands' | 'title' | 'state' | 'announced';

export interface NormalFact {
  readonly kind: FactKind;
  /** The id of a config option, or an announced field; else the kind. */
  readonly name: string;
  /** As people read it: `Plan`, `9 commands`. */
  readonly words: string;
  readonly value: Json;
  readonly frame: FrameRef;
  /** Of the connection that said it. */
  readonly version: 1 | 2;
  /** v1 has modes, v2 a config option of the category `mode`. */
  readonly isMode: boolean;
}

/** What is live only by nature: asked permissions, notices, usage. Shown, never counted. */
export interface Aside {
  readonly words: string;
  readonly frame: FrameRef;
  /** The number of items before it. */
  readonly after: number;
}
