// Plans and values in a person's words: "a string", "a list of objects", `"a" or "b"`.
import { pointerParts } from '../json-pointer.ts';
import { typeWords } from '../json.ts';
import type { Json } from '../message.ts';
import type { Plan } from './plan.ts';
import type { Word } from './shape.ts';

const AT_MOST = 8;
/** A string is quoted up to this length. */
const QUOTED = 60;

/** A string of the peer's in quotes, cut where it is long. */
export function quotedJson(text: string): string {
  return JSON.stringify(shortened(text));
}

/** A name of the peer's, cut where it is long. */
export function shortened(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}

/** What a value is, as in "`cwd` is …". */
export function valueKindWords(value: Json | undefined): string {
  if (typeof value === 'string') {
    if (value === '') return 'the empty string';
    return value.length > QUOTED ? 'a long string' : `the string ${JSON.stringify(value)}`;
  }
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return typeWords(value);
}

/** What a value of this plan is, as in "… is due". */
export function dueWords(plan: Plan): string {
  const words = plainWords(plan);
  return orWords(plan.nullable && plan.is !== 'any' ? [...words, 'null'] : words);
}

function plainWords(plan: Plan): readonly string[] {
  switch (plan.is) {
    case 'any':
      return ['any JSON'];
    case 'null':
      return ['null'];
    case 'boolean':
      return ['true', 'false'];
    case 'string':
      return [plan.format === 'uri' ? 'a URL' : 'a string'];
    case 'number':
      return [plan.integer ? 'a whole number' : 'a number'];
    case 'words':
      return listed(plan.values, plan.open);
    case 'array':
      return [`a list of ${many(plan.of.is)}`];
    case 'object':
      return ['an object'];
    case 'either':
      return [...new Set(plan.of.flatMap(plainWords))];
  }
}

function many(is: Plan['is']): string {
  if (is === 'object') return 'objects';
  if (is === 'number') return 'numbers';
  return is === 'string' || is === 'words' ? 'strings' : 'values';
}

/** `"a", "b" or "c"`; a long list is cut, and says so. */
export function valueWords(values: readonly Word[]): string {
  return orWords(listed(values, false));
}

function listed(values: readonly Word[], open: boolean): readonly string[] {
  const quoted = values.map(({ value }) => JSON.stringify(value));
  const shown = quoted.slice(0, AT_MOST);
  const more = quoted.length > AT_MOST ? [`one of ${quoted.length - AT_MOST} more`] : [];
  return [...shown, ...more, ...(open ? ['another string'] : [])];
}

export function orWords(words: readonly string[], or = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${or} ${words.at(-1)}`;
}

/** What a number outside a range should be. */
export function rangeDueWords(value: number, min: number, max: number): string {
  return value < min ? `${min} or more` : `at most ${max}`;
}

/** What a string is, and what is due, that breaks a rule of its plan. */
export function stringFault(
  { min, max, pattern }: Plan & { is: 'string' },
  value: string,
): { readonly is: string; readonly due: string } {
  const length = [...value].length;
  if (length < min) return { is: 'is empty', due: 'some text' };
  if (length > max) return { is: `has ${length} characters`, due: `at most ${max}` };
  return { is: `is ${valueKindWords(value)}`, due: `what ${pattern?.source} matches` };
}

/** `cwd`, or `prompt[0]`: the last field of a pointer with its place in a list. */
export function subject(pointer: string): string {
  const parts = [...pointerParts(pointer)];
  let places = '';
  while (parts.length > 1 && /^\d+$/.test(parts.at(-1) ?? '')) places = `[${parts.pop()}]${places}`;
  return `\`${shortened(parts.at(-1) ?? 'message')}${places}\``;
}
