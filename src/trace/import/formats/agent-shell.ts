// What Emacs saves of a traffic buffer of acp.el, as agent-shell uses it: a list of parsed messages with
// their direction. Emacs reads `{}`, `null` and `false` of JSON alike, as nil.
import { beginsList, MAX_DEPTH, readLisp, type Lisp } from '../lisp-data.ts';
import type { Side } from '../../event.ts';
import { frame, odd, type WholeFileFormat, type ImportedPiece } from '../format.ts';

/** Characters that labels may add to a file: one that is used again and again would grow it without end. */
const MAX_GROWTH = 64 * 1024 ** 2;
/** Characters of JSON for one of the file, at most: a control character is written as `\u0001`. */
const MAX_ESCAPE = 6;

export const AGENT_SHELL: WholeFileFormat = {
  reads: 'document',
  word: 'agent-shell',
  name: 'a traffic log of agent-shell',
  clock: 'none',
  fates: {
    time: ['lost', 'the file has none'],
    sender: ['given', ''],
    line: [
      'inferred',
      'made again from what Emacs parsed: {}, null and false look alike there and become {}',
    ],
    order: ['given', 'of the last 1,000 messages at most'],
    stderr: ['lost', ''],
    process: ['lost', ''],
  },
  fits: (text) => beginsList(text) && text.slice(0, 65_536).includes(':direction'),
  read(text) {
    const read = readLisp(text);
    const tool = 'agent-shell';
    if ('problem' in read)
      return { facts: { tool }, pieces: [odd(`the list cannot be read: ${read.problem}`, text)] };
    const items = read.kind === 'list' ? read.items : [];
    const writer = new Writer(MAX_GROWTH + MAX_ESCAPE * text.length);
    return { facts: { tool }, pieces: items.map((item) => pieceOf(item, writer)) };
  },
};

const SIDES: ReadonlyMap<string, Side> = new Map([
  ['outgoing', 'client'],
  ['incoming', 'agent'],
]);

function pieceOf(item: Lisp, writer: Writer): ImportedPiece {
  const direction = fieldOf(item, ':direction');
  const object = fieldOf(item, ':object');
  const from = direction?.kind === 'symbol' ? SIDES.get(direction.text) : undefined;
  if (from === undefined || object === undefined) return odd('no message of agent-shell');
  const line = writer.json(object);
  return typeof line === 'string'
    ? frame(from, line, undefined, 'line')
    : odd(`a message of agent-shell that ${line.problem}`);
}

/** Of an alist: what stands under this key; undefined: nothing. */
function fieldOf(alist: Lisp, key: string): Lisp | undefined {
  if (alist.kind !== 'list') return undefined;
  const entry = alist.items.find((one) => one.kind === 'list' && isNamed(one.items[0], key));
  return entry && valueOf(entry);
}

function isNamed(head: Lisp | undefined, key: string): boolean {
  return head?.kind === 'symbol' && head.text === key;
}

/** `(key . value)`; where the value is a list, Emacs writes `(key item …)`. */
function valueOf(entry: Lisp): Lisp | undefined {
  if (entry.kind !== 'list') return undefined;
  const [, ...items] = entry.items;
  return items.length === 0 && entry.tail ? entry.tail : { ...entry, items };
}

/** Writes the messages of one file as JSON. */
class Writer {
  /** Characters that may still be written. */
  #left: number;
  #isDeep = false;

  constructor(most: number) {
    this.#left = most;
  }

  json(value: Lisp): string | { readonly problem: string } {
    this.#isDeep = false;
    const json = this.#json(value, 0);
    if (this.#isDeep) return { problem: `nests more than ${MAX_DEPTH} deep` };
    return this.#left < 0
      ? { problem: 'is omitted: repeated labels add more than 64 MiB to this file' }
      : json;
  }

  /** Once something is too deep, or nothing more may be written, it writes nothing. */
  #json(value: Lisp, depth: number): string {
    // Labels nest deeper than the text does.
    this.#isDeep ||= depth > MAX_DEPTH;
    if (this.#isDeep || this.#left < 0) return '';
    const text = this.#text(value, depth);
    this.#left -= value.kind === 'list' || value.kind === 'vector' ? 2 : text.length;
    return text;
  }

  #text(value: Lisp, depth: number): string {
    switch (value.kind) {
      case 'string':
        return JSON.stringify(value.text);
      case 'number':
        return String(Number(value.text));
      case 'symbol':
        return symbolJson(value.text);
      case 'vector':
        return this.#array(value.items, depth);
      case 'list':
        return this.#list(value.items, depth);
    }
  }

  #array(items: readonly Lisp[], depth: number): string {
    return `[${items.map((item) => this.#json(item, depth + 1)).join(',')}]`;
  }

  #list(items: readonly Lisp[], depth: number): string {
    const isObject = items.every(
      (item) => item.kind === 'list' && item.items[0]?.kind === 'symbol',
    );
    if (!isObject) return this.#array(items, depth);
    const fields = items.map((entry) => {
      const head = entry.kind === 'list' ? entry.items[0] : undefined;
      const key = JSON.stringify(head?.kind === 'symbol' ? head.text : '');
      this.#left -= key.length;
      return `${key}:${this.#json(valueOf(entry) ?? entry, depth + 1)}`;
    });
    return `{${fields.join(',')}}`;
  }
}

function symbolJson(text: string): string {
  switch (text) {
    case 't':
      return 'true';
    case ':false':
    case ':json-false':
      return 'false';
    case ':null':
    case ':json-null':
      return 'null';
    case 'nil':
      return '{}';
    default:
      return JSON.stringify(text);
  }
}
