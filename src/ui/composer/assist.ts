// Completion and words beside a field, from the protocol's schemas and from what the connection
// knows. The schemas are loaded when they are first asked for.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import type { EditorView, Tooltip } from '@codemirror/view';
import { get, parseJson } from '../../acp/json.ts';
import { methodsOf, type Version } from '../../acp/methods.ts';
import type { FieldInfo, SchemaPlace } from '../../acp/schema/lookup.ts';
import type { ComposerKind } from '../../state/connections/composer-line.ts';
import type { KnownValue } from './known.ts';
import { placeAt, treeTo, type JsonPlace } from './place.ts';

/** What the editor is told of the connection; asked for anew with every use. */
export interface AssistContext {
  readonly version: Version;
  readonly kind: ComposerKind;
  /** Of the request that a response answers. */
  readonly requestMethod: string | undefined;
  known(name: string): readonly KnownValue[];
}

const ROOT_FIELDS: Readonly<Record<ComposerKind, readonly string[]>> = {
  request: ['jsonrpc', 'id', 'method', 'params'],
  notification: ['jsonrpc', 'method', 'params'],
  response: ['jsonrpc', 'id', 'result', 'error'],
  raw: [],
};

export async function complete(
  editor: CompletionContext,
  context: AssistContext,
): Promise<CompletionResult | null> {
  if (context.kind === 'raw') return null;
  const { state, pos, explicit } = editor;
  const place = placeAt(treeTo(state, pos), state.doc.toString(), pos);
  if (!place || (place.from === place.to && !explicit && place.at === 'key')) return null;
  const options =
    place.at === 'key'
      ? await keyOptions(state, place, context)
      : await valueOptions(state, place, context);
  const typed = state.sliceDoc(place.from, pos).replace(/^"/, '').toLowerCase();
  const fitting = options
    .map((option) => ({ option, at: wordOf(option).indexOf(typed) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => Number(a.at > 0) - Number(b.at > 0))
    .map(({ option }) => option);
  // Ours, because the editor's own filter would look for the closing quote too.
  return fitting.length === 0
    ? null
    : { from: place.from, to: place.to, options: fitting, filter: false };
}

function wordOf({ label }: Completion): string {
  return label.replace(/^"/, '').toLowerCase();
}

async function keyOptions(
  state: EditorState,
  place: JsonPlace,
  context: AssistContext,
): Promise<Completion[]> {
  const after = state.sliceDoc(place.to, place.to + 40);
  const end = /^\s*:/.test(after) ? '' : ': ';
  const option = (name: string, info?: FieldInfo): Completion => ({
    label: JSON.stringify(name),
    displayLabel: name,
    apply: JSON.stringify(name) + end,
    type: 'property',
    ...(info ? { detail: detailOf(info), info: () => wordsOf(info) } : {}),
  });
  if (place.path.length === 0)
    return ROOT_FIELDS[context.kind]
      .filter((name) => !place.taken.includes(name))
      .map((name) => option(name));
  const where = schemaPlace(state, place.path, context);
  if (!where) return [];
  const { fieldsAt } = await import('../../acp/schema/lookup.ts');
  const fields = await fieldsAt(where);
  return fields
    .filter(({ name }) => !place.taken.includes(name))
    .map((info) => option(info.name, info));
}

async function valueOptions(
  state: EditorState,
  place: JsonPlace,
  context: AssistContext,
): Promise<Completion[]> {
  const [first] = place.path;
  if (place.path.length === 1 && first === 'method') return methodOptions(context);
  const known = context
    .known(String(place.path.at(-1)))
    .map(({ token, what }): Completion => ({ label: token, detail: what, type: 'constant' }));
  const where = schemaPlace(state, place.path, context);
  if (!where) return known;
  const { describe } = await import('../../acp/schema/lookup.ts');
  const info = await describe(where);
  const values = (info?.values ?? []).map(({ value, description, unstable }): Completion => ({
    label: JSON.stringify(value),
    type: 'enum',
    ...(unstable ? { detail: 'unstable' } : {}),
    ...(description === undefined ? {} : { info: description }),
  }));
  return [...known, ...values];
}

function methodOptions({ version, kind }: AssistContext): Completion[] {
  return methodsOf(version, 'client')
    .filter((method) => kind === 'response' || method.kind === kind)
    .map(({ name }) => ({ label: JSON.stringify(name), type: 'function' }));
}

/** What the schema says of the field or value under the pointer. */
export async function hover(
  view: EditorView,
  position: number,
  context: AssistContext,
): Promise<Tooltip | null> {
  const { state } = view;
  const tree = treeTo(state, position + 1);
  const node = tree.resolveInner(position, 1);
  if (node.name !== 'PropertyName' && !/^(String|Number|True|False|Null)$/.test(node.name))
    return null;
  const place = placeAt(tree, state.doc.toString(), Math.min(node.to, position + 1));
  if (!place) return null;
  const key = state.sliceDoc(node.from, node.to).replaceAll('"', '');
  const path = place.at === 'key' ? [...place.path, key] : place.path;
  const where = schemaPlace(state, path, context);
  if (!where) return null;
  const { describe } = await import('../../acp/schema/lookup.ts');
  const info = await describe(where);
  if (!info) return null;
  return { pos: node.from, end: node.to, create: () => ({ dom: wordsOf(info) }) };
}

/** The place in the schema; undefined outside params and result. */
function schemaPlace(
  state: EditorState,
  path: readonly (string | number)[],
  { version, requestMethod }: AssistContext,
): SchemaPlace | undefined {
  const [part, ...below] = path;
  const text = state.doc.toString();
  const value = parseJson(text);
  const method = part === 'result' ? requestMethod : methodIn(text);
  if (method === undefined || (part !== 'params' && part !== 'result')) return undefined;
  const isRequest = methodsOf(version, 'client').some(
    (one) => one.name === method && one.kind === 'request',
  );
  return {
    version,
    from: 'client',
    method,
    part: part === 'result' ? 'result' : isRequest ? 'params' : 'notification',
    path: below,
    value: get(value, part),
  };
}

/** The method, also of a text that is broken elsewhere. */
function methodIn(text: string): string | undefined {
  return /"method"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
}

function detailOf({ type, required, unstable }: FieldInfo): string {
  return [type, required && 'required', unstable && 'unstable'].filter(Boolean).join(', ');
}

/** Name, type, what it means, and its values: text nodes only. */
function wordsOf(info: FieldInfo): HTMLElement {
  const box = document.createElement('div');
  box.className = 'field-words';
  const head = box.appendChild(document.createElement('p'));
  if (info.name !== '') head.appendChild(document.createElement('b')).textContent = info.name;
  head.append(` ${detailOf(info)}`);
  if (info.description !== undefined)
    box.appendChild(document.createElement('p')).textContent = info.description;
  if (info.values && info.values.length > 0)
    box.appendChild(document.createElement('p')).textContent = info.values
      .map(({ value }) => value)
      .join(' · ');
  return box;
}
