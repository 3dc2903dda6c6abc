// Where in a message a position stands: for completion and hover, so it must work while the text is
// broken. Read from the editor's own syntax tree, which survives that.
import type { jsonLanguage } from '@codemirror/lang-json';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
type Node = Tree['topNode'];

export interface JsonPlace {
  /** Keys and places from the root to the value, or to the object a key is being written in. */
  readonly path: readonly (string | number)[];
  /** `key`: a field's name is due or being written. `value`: what stands after one. */
  readonly at: 'key' | 'value';
  /** What is being written, as far as it stands; empty where nothing does. */
  readonly from: number;
  readonly to: number;
  /** Of `key`: names the object has already. */
  readonly taken: readonly string[];
}

/** The editor parses in slices, of which a busy machine may give it none before we ask. */
const PARSE_MS = 2000;

/** The tree as far as `position`, whatever the editor has parsed by itself. */
export function treeTo(state: EditorState, position: number): Tree {
  return ensureSyntaxTree(state, position, PARSE_MS) ?? syntaxTree(state);
}

export function placeAt(tree: Tree, text: string, position: number): JsonPlace | undefined {
  let node: Node | null = tree.resolveInner(position, -1);
  // Just behind a value: `"cwd": |` resolves to the property, `[1,|` to the array.
  const leaf = node;
  const isWord = /^(PropertyName|String|Number|True|False|Null|⚠)$/.test(leaf.name);
  if (isWord) node = leaf.parent;
  if (!node) return undefined;
  const from = isWord ? leaf.from : position;
  const to = isWord ? Math.max(leaf.to, position) : position;
  if (leaf.name === 'PropertyName' && node.name === 'Property')
    return {
      path: pathOf(node.parent, text),
      at: 'key',
      from,
      to,
      taken: namesOf(node.parent, text, leaf),
    };
  if (node.name === 'Property') {
    const name = node.getChild('PropertyName');
    const colon = name && text.slice(name.to, position).includes(':');
    if (name && colon)
      return {
        path: [...pathOf(node.parent, text), keyOf(name, text)],
        at: 'value',
        from,
        to,
        taken: [],
      };
  }
  const holder = holderOf(node);
  if (!holder) return undefined;
  if (holder.name === 'Array')
    return {
      path: [...pathOf(holder, text), itemsBefore(holder, from)],
      at: 'value',
      from,
      to,
      taken: [],
    };
  const pending = pendingValue(holder, text, position);
  if (pending !== undefined)
    return { path: [...pathOf(holder, text), pending], at: 'value', from, to, taken: [] };
  return { path: pathOf(holder, text), at: 'key', from, to, taken: namesOf(holder, text) };
}

/** The nearest object or array around. */
function holderOf(node: Node): Node | undefined {
  for (let at: Node | null = node; at; at = at.parent)
    if (at.name === 'Object' || at.name === 'Array') return at;
  return undefined;
}

/** The key whose value is still to be written just before the position. */
function pendingValue(object: Node, text: string, position: number): string | undefined {
  const last = object.getChildren('Property').findLast((property) => property.from < position);
  const name = last?.getChild('PropertyName');
  if (!last || !name) return undefined;
  const between = text.slice(name.to, position);
  return /^\s*:\s*[^,]*$/.test(between) && last.lastChild === name ? keyOf(name, text) : undefined;
}

function pathOf(node: Node | null, text: string): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = node; at?.parent; at = at.parent) {
    const holder = at.parent;
    if (holder.name === 'Property') {
      const name = holder.getChild('PropertyName');
      if (name) path.unshift(keyOf(name, text));
    } else if (holder.name === 'Array') path.unshift(itemsBefore(holder, at.from));
  }
  return path;
}

function itemsBefore(array: Node, position: number): number {
  let count = 0;
  for (let child = array.firstChild; child && child.from < position; child = child.nextSibling)
    if (child.to <= position && !/^[[\],⚠]$/.test(child.name)) count++;
  return count;
}

function namesOf(object: Node | null, text: string, but?: Node): string[] {
  return (object?.getChildren('Property') ?? []).flatMap((property) => {
    const name = property.getChild('PropertyName');
    return name && name.from !== but?.from ? [keyOf(name, text)] : [];
  });
}

function keyOf(name: Node, text: string): string {
  const token = text.slice(name.from, name.to);
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replaceAll('"', '');
  }
}
