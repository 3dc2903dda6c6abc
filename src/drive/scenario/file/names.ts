// `$names` in a scenario: the folder, the session, and what steps capture. A whole text that is a
// name becomes its value, of whatever type; `${name}` inside a text becomes its words. One `$` more
// makes either a text.
import { get, isArray, isObject, obj, type JsonPath } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { didYouMean, nearest } from '../../../lib/nearest.ts';

export type NamedValues = ReadonlyMap<string, Json>;

/** With the `$` before it, of which there are more where it is meant as a text. */
const INSIDE = /(\$*)\$\{(\w+)\}/g;
const WHOLE = /^\$[A-Za-z_]\w*$/;
const BEGINS = /^\$[A-Za-z_]\w*/;
const BEGINS_AS_TEXT = /^\$\$+[A-Za-z_]/;

/** A name that has no value stays as it is written. */
export function fill(value: Json, names: NamedValues): Json {
  if (typeof value === 'string')
    return names.get(value) ?? fillText(BEGINS_AS_TEXT.test(value) ? value.slice(1) : value, names);
  if (isArray(value)) return value.map((item) => fill(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)]));
}

export function fillText(text: string, names: NamedValues): string {
  return text.replace(INSIDE, (written: string, dollars: string, name: string) => {
    if (dollars !== '') return written.slice(1);
    const value = names.get(`$${name}`);
    if (value === undefined) return written;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** The text that `fillText` makes this text of. */
export function literalText(text: string): string {
  return text.replace(INSIDE, '$$$&');
}

/** The value that `fill` makes this value of. */
export function literal(value: Json): Json {
  if (typeof value === 'string') {
    const text = literalText(value);
    return /^\$+[A-Za-z_]/.test(text) ? `$${text}` : text;
  }
  if (isArray(value)) return value.map(literal);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)]));
}

interface NameProblem {
  readonly path: JsonPath;
  readonly message: string;
}

/**
 * Names that nothing gives a value before they are used. A whole text is meant as a name where one is
 * near that has a value, a slip of the pen; any other that begins with `$` is a text.
 */
export function unknownNames(steps: readonly Json[]): readonly NameProblem[] {
  const known = ['$cwd', '$sessionId'];
  const captured = steps.flatMap((step) => Object.keys(obj(step, 'capture') ?? {}));
  return steps.flatMap((step, at) => {
    // An answer is said later than it stands.
    const names = get(step, 'answer') === undefined ? known : [...known, ...captured];
    const found = [...textsIn(step, [at])].flatMap(({ text, path, isFilled }) =>
      problemsIn(text, names, isFilled).map((message) => ({ path, message })),
    );
    known.push(...Object.keys(obj(step, 'capture') ?? {}));
    return found;
  });
}

/** `isFilled`: a name may be the whole of it. */
function problemsIn(text: string, known: readonly string[], isFilled: boolean): readonly string[] {
  const inside = [...text.matchAll(INSIDE)].flatMap(([written, dollars, word = '']) => {
    const name = `$${word}`;
    if (dollars !== '' || known.includes(name)) return [];
    return [
      `No step before gives ${name} a value.${didYouMean(name, known)} To send ${written} as it stands, write $${written}.`,
    ];
  });
  const begins = isFilled ? BEGINS.exec(text)?.[0] : undefined;
  if (begins === undefined) return inside;
  if (!WHOLE.test(text))
    return known.includes(begins)
      ? [
          ...inside,
          `Inside a text a name has braces: \${${begins.slice(1)}}${text.slice(begins.length, begins.length + 20)}. To send ${begins} as it stands, write $${begins}.`,
        ]
      : inside;
  const near = known.includes(begins) ? undefined : nearest(begins, known);
  return near === undefined
    ? []
    : [`No step before gives ${begins} a value. Did you mean ${near}?`];
}

function* textsIn(
  value: Json,
  path: JsonPath,
): Generator<{ text: string; path: JsonPath; isFilled: boolean }> {
  if (typeof value === 'string') {
    // A line and a query are texts, with names inside.
    const isFilled = path.length > 2 || (path[1] !== 'line' && path[1] !== 'expect');
    yield { text: value, path, isFilled };
  } else if (isArray(value)) {
    for (const [at, item] of value.entries()) yield* textsIn(item, [...path, at]);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value))
      // A rule fills in its own.
      if (key !== 'capture' && key !== 'intercept') yield* textsIn(item, [...path, key]);
  }
}
