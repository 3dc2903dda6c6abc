// What Emacs saves of a traffic buffer of acp.el, as agent-shell uses it: a list of parsed messages with
// their direction. Emacs reads `{}`, `null` and `false` of JSON alike, as nil.
import { readLisp, type Lisp } from '../lisp-data.ts';
import { frame, odd, type WholeFileFormat, type ImportedPiece } from '../format.ts';

/** A label that stands again and again would grow what is written without end. */
const MOST_LINE = 64 * 1024 ** 2;

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
  fits: (text) =>
    /^\s*(;[^\n]*\n\s*)*\(/.test(text) && text.slice(0, 65_536).includes(':direction'),
  read(text) {
    const read = readLisp(text);
    const tool = 'agent-shell';
    if ('problem' in read)
      return { facts: { tool }, pieces: [odd(`the list cannot be read: ${read.problem}`, text)] };
    const items = read.kind === 'list' ? read.items : [];
    return { facts: { tool }, pieces: items.map(pieceOf) };
  },
};

function pieceOf(item: Lisp): ImportedPiece {
  const direction = fieldOf(item, ':direction');
  const object = fieldOf(item, ':object');
  const from =
    direction?.kind !== 'symbol'
      ? undefined
      : ({ outgoing: 'client', incoming: 'agent' } as const)[direction.text];
  if (from === undefined || object === undefined) return odd('no message of agent-shell');
  const out = { size: 0 };
  const line = jsonOf(object, out);
  return out.size > MOST_LINE
    ? odd('a message of agent-shell that repeats itself to more than 64 MiB')
    : frame(from, line, undefined, 'line');
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

/** `out` counts; past the most there is, nothing more is written. */
function jsonOf(value: Lisp, out: { size: number }): string {
  if (out.size > MOST_LINE) return '';
  const text = textOf(value, out);
  out.size += value.kind === 'list' || value.kind === 'vector' ? 2 : text.length;
  return text;
}

function textOf(value: Lisp, out: { size: number }): string {
  switch (value.kind) {
    case 'string':
      return JSON.stringify(value.text);
    case 'number':
      return String(Number(value.text));
    case 'symbol':
      return symbolJson(value.text);
    case 'vector':
      return `[${value.items.map((item) => jsonOf(item, out)).join(',')}]`;
    case 'list':
      return listJson(value, out);
  }
}

function listJson({ items }: Extract<Lisp, { kind: 'list' }>, out: { size: number }): string {
  const isObject = items.every((item) => item.kind === 'list' && item.items[0]?.kind === 'symbol');
  if (!isObject) return `[${items.map((item) => jsonOf(item, out)).join(',')}]`;
  const fields = items.map((entry) => {
    const head = entry.kind === 'list' ? entry.items[0] : undefined;
    const key = head?.kind === 'symbol' ? head.text : '';
    return `${JSON.stringify(key)}:${jsonOf(valueOf(entry) ?? entry, out)}`;
  });
  return `{${fields.join(',')}}`;
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
