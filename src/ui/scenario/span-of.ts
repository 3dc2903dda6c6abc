// Where a JSON pointer leads in the text of the editor, also while the text around it is broken.
import { pointerParts } from '../../acp/json-pointer.ts';
import type { jsonLanguage } from '@codemirror/lang-json';

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
type Node = Tree['topNode'];

const VALUES = /^(Object|Array|String|Number|True|False|Null)$/;

/** A field with its name, or an item; undefined: it is not there, or is the whole text. */
export function treeSpan(
  tree: Tree,
  text: string,
  pointer: string,
): { readonly from: number; readonly to: number } | undefined {
  let value = valueIn(tree.topNode);
  let span: Node | undefined;
  for (const key of pointerParts(pointer)) {
    if (value?.name === 'Array') span = value = valuesIn(value)[Number(key)];
    else {
      span = value?.getChildren('Property').find((one) => nameOf(one, text) === key);
      value = span && valueIn(span);
    }
    if (!span) return undefined;
  }
  return span && { from: span.from, to: span.to };
}

function nameOf(property: Node, text: string): string | undefined {
  const name = property.getChild('PropertyName');
  if (!name) return undefined;
  try {
    return String(JSON.parse(text.slice(name.from, name.to)));
  } catch {
    return undefined;
  }
}

function valueIn(node: Node): Node | undefined {
  return valuesIn(node)[0];
}

function valuesIn(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (VALUES.test(child.name)) found.push(child);
  return found;
}
