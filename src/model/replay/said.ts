// Everything that was said live of one item, also what a later update replaced: a replay that says
// some of it says nothing that was never so.
import { isArray, isObject, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { bare } from '../facts/message-text.ts';
import type { SaidLive } from './judge.ts';

/** Words of a tool call's fields that replace each other. */
const WORDS = ['status', 'kind', 'name', 'title'] as const;

export class Said implements SaidLive {
  readonly #words = new Map<string, Set<string>>();
  readonly #texts: string[] = [];
  /** It asked for a permission last, and nobody gave it. */
  isRefused = false;

  /** Whether a field ever had this value. */
  word(field: string, word: string): boolean {
    return this.#words.get(field)?.has(bare(word)) ?? false;
  }

  /** Whether the text stood anywhere, but for white space. */
  text(text: string): boolean {
    const wanted = bare(text);
    return wanted === '' || this.#texts.some((said) => said.includes(wanted));
  }

  take(value: Json | undefined): void {
    for (const field of WORDS) {
      const word = str(value, field);
      if (word === undefined) continue;
      const known = this.#words.get(field) ?? new Set();
      this.#words.set(field, known.add(bare(word)));
    }
    collect(value, this.#texts, DEEPEST);
  }
}

const DEEPEST = 40;

function collect(value: Json | undefined, texts: string[], depth: number): void {
  if (typeof value === 'string') texts.push(bare(value));
  else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
  else if (depth > 0 && isArray(value)) for (const one of value) collect(one, texts, depth - 1);
  else if (depth > 0 && isObject(value))
    for (const one of Object.values(value)) collect(one, texts, depth - 1);
}
