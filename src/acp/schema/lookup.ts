// What the schemas know of a place in a message: for completion, and for words beside a field.
// The unstable schema is asked, which has all of the stable one; what only it has is marked.
import { valueAt } from '../json-pointer.ts';
import type { JsonPath } from '../json.ts';
import type { Json } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { findPlan, objectLayouts } from './find.ts';
import type { FoundField } from './find.ts';
import { firstSentence } from './first-sentence.ts';
import { loadDocs, loadPlans } from './load.ts';
import type { FieldPlan, Layout, Plan } from './plan.ts';
import type { MessagePart, Word } from './shape.ts';
import { dueWords } from './words.ts';

export interface SchemaPlace {
  readonly version: Version;
  /** Who sends the message this place is in. */
  readonly from: Role;
  /** The method; for a result, that of the request it answers. */
  readonly method: string;
  readonly part: MessagePart;
  /** Keys and list places from the params or the result on. */
  readonly path: JsonPath;
  /** The params or result as they stand, to tell which variant is meant. Without, all are. */
  readonly value?: Json | undefined;
}

export interface FieldInfo {
  /** Empty for the params or the result itself. */
  readonly name: string;
  readonly required: boolean;
  /** "a string", "a list of objects or null". */
  readonly type: string;
  readonly description?: string;
  /** Where the value is one of some words. */
  readonly values?: readonly ValueInfo[];
  /** Only the unstable schema has it. */
  readonly unstable?: true;
}

export interface ValueInfo {
  readonly value: string | boolean;
  readonly description?: string;
  readonly unstable?: true;
}

/** The fields an object at this place may have, required ones first. Empty for anything else. */
export async function fieldsAt(place: SchemaPlace): Promise<readonly FieldInfo[]> {
  const found = await placeOf(place);
  if (!found) return [];
  const docs = await loadDocs(place.version);
  const value = valueAt(place.value, place.path);
  const sure = fieldsOf(objectLayouts(found.plan, value, false));
  const all = place.value === undefined ? fieldsOf(objectLayouts(found.plan, value, true)) : sure;
  return [...all.values()]
    .map((field) => {
      const info = infoOf(field.name, { plan: field.plan, field }, docs);
      return sure.has(field.name) ? info : { ...info, required: false };
    })
    .sort((a, b) => Number(b.required) - Number(a.required));
}

/** What the schema says of the value at this place; undefined where it says nothing. */
export async function describe(place: SchemaPlace): Promise<FieldInfo | undefined> {
  const found = await placeOf(place);
  if (!found) return undefined;
  return infoOf(String(place.path.at(-1) ?? ''), found, await loadDocs(place.version));
}

async function placeOf(place: SchemaPlace): Promise<FoundField | undefined> {
  const { version, from, method, part, path, value } = place;
  const root = (await loadPlans(version)).root(from, method, part);
  return root && findPlan(root, value, path);
}

function fieldsOf(layouts: readonly Layout[]): ReadonlyMap<string, FieldPlan> {
  const found = new Map<string, FieldPlan>();
  for (const { fields } of layouts)
    for (const [name, field] of fields) if (!found.has(name)) found.set(name, field);
  return found;
}

function infoOf(name: string, { plan, field }: FoundField, docs: readonly string[]): FieldInfo {
  const known = field?.field;
  const description = docs[known?.doc ?? plan.doc ?? -1];
  const values = schemaValues(plan, docs);
  return {
    name,
    required: known?.required === true,
    type: dueWords(plan),
    ...(description === undefined ? {} : { description: firstSentence(description) }),
    ...(values === undefined ? {} : { values }),
    ...(known?.unstable ? { unstable: true } : {}),
  };
}

/** The values that may stand there, where they are few. */
export function schemaValues(
  plan: Plan,
  docs: readonly string[],
): readonly ValueInfo[] | undefined {
  if (plan.is === 'boolean') return [{ value: true }, { value: false }];
  if (plan.is !== 'words') return undefined;
  return plan.values.map(({ value, doc, unstable }: Word) => {
    const text = docs[doc ?? -1];
    return {
      value,
      ...(text === undefined ? {} : { description: firstSentence(text) }),
      ...(unstable ? { unstable } : {}),
    };
  });
}
