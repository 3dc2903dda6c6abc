// The form of an elicitation, read from its schema: flat objects of strings, numbers, booleans and
// choices. What else stands there is answered as JSON.
import { arr, get, isObject, obj, parseJson, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';

interface ElicitField {
  readonly key: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly type: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  readonly required: boolean;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** What the field begins with, as text. */
  readonly initial: string;
}

export function elicitFields(schema: JsonObject): readonly ElicitField[] {
  const required = arr(schema, 'required');
  return Object.entries(obj(schema, 'properties') ?? {}).map(([key, property]) => {
    const choices = choicesOf(property);
    const fallback = get(property, 'default');
    return {
      key,
      label: str(property, 'title') ?? key,
      description: str(property, 'description'),
      type: choices.length > 0 ? 'choice' : typeOf(str(property, 'type')),
      required: required.includes(key),
      choices,
      initial:
        fallback === undefined
          ? ''
          : typeof fallback === 'string'
            ? fallback
            : JSON.stringify(fallback),
    };
  });
}

/** The content to accept with, or which field is wrong, in a sentence. */
export function elicitContent(
  fields: readonly ElicitField[],
  texts: Readonly<Record<string, string>>,
):
  | { readonly ok: true; readonly content: JsonObject }
  | { readonly ok: false; readonly message: string } {
  const content: [string, Json][] = [];
  for (const field of fields) {
    const text = texts[field.key] ?? field.initial;
    if (text === '' && field.type !== 'boolean') {
      if (field.required)
        return { ok: false, message: `${field.label} is required. Fill it in, or decline.` };
      continue;
    }
    const value = valueOf(field, text);
    if (value === undefined)
      return {
        ok: false,
        message: `${field.label} is not ${field.type === 'number' ? 'a number' : 'JSON'}: ${text}`,
      };
    content.push([field.key, value]);
  }
  return { ok: true, content: Object.fromEntries(content) };
}

function valueOf({ type }: ElicitField, text: string): Json | undefined {
  switch (type) {
    case 'text':
    case 'choice':
      return text;
    case 'boolean':
      return text === 'true';
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'json':
      return parseJson(text);
  }
}

function typeOf(type: string | undefined): ElicitField['type'] {
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'json';
  }
}

function choicesOf(property: Json): ElicitField['choices'] {
  const plain = arr(property, 'enum').filter((value) => typeof value === 'string');
  if (plain.length > 0) return plain.map((value) => ({ value, label: value }));
  return arr(property, 'oneOf').flatMap((option) => {
    const value = isObject(option) ? str(option, 'const') : undefined;
    return value === undefined ? [] : [{ value, label: str(option, 'title') ?? value }];
  });
}
