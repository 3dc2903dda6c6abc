// What the schemas have to say of one place of a message, and the sentences it is said in.
import { nearest } from './nearest.ts';
import { subject } from './pointer.ts';
import type { Word } from './shape.ts';
import { orWords, quoted, shortened, valueWords } from './words.ts';

/**
 * `wrong`: neither the stable nor the unstable schema allows it. `lenient`: so, but the official SDK
 * reads it as left out. `meta`: a `_meta` that is no object, or a trace context in it that is no
 * string. The others are allowed by the schemas and seldom meant: `unstable`: only the unstable
 * schema knows it; `other-version`: the other version does; `unknown-field`, `unknown-value`: none.
 */
export type RemarkKind =
  'wrong' | 'lenient' | 'meta' | 'unstable' | 'other-version' | 'unknown-field' | 'unknown-value';

export interface SchemaRemark {
  readonly kind: RemarkKind;
  /** JSON Pointer into the message, of the value or of the object that lacks something. */
  readonly pointer: string;
  /** As it stands after "seen:": `` `cwd` is the number 5 ``. */
  readonly seen: string;
  /** As it stands after "due:": `a string`. */
  readonly due: string;
  /** The field or value that is unknown here, or known to the unstable schema alone. */
  readonly name?: string;
  /** Both in one clause. */
  readonly message: string;
}

export function wrong(pointer: string, seen: string, due: string): SchemaRemark {
  return { kind: 'wrong', pointer, seen, due, message: `${seen}; ${due} is due` };
}

/** `whole`: what the official SDK leaves out because of it, where that is more than the value. */
export function lenient(remark: SchemaRemark, whole: string | undefined): SchemaRemark {
  const read = `(the official SDK reads ${whole ?? 'it'} as left out)`;
  const { seen, message } = remark;
  return { ...remark, kind: 'lenient', seen: `${seen} ${read}`, message: `${message} ${read}` };
}

export function badMeta(pointer: string, seen: string, due: string): SchemaRemark {
  return { ...wrong(pointer, seen, due), kind: 'meta' };
}

/** `name` as it stands in the message: a field, a value or a method. */
export function unstable(pointer: string, name: string, what: string): SchemaRemark {
  return {
    kind: 'unstable',
    pointer,
    seen: `${what} stands in the unstable schema alone`,
    due: 'nothing of it unless both sides chose it: it may change or go',
    name,
    message: `only the unstable schema has ${what}`,
  };
}

/** @param meant the field that it is nearest to, if any is near */
export function unknownField(
  pointer: string,
  name: string,
  meant: string | undefined,
): SchemaRemark {
  const seen = `\`${shortened(name)}\` is not a field here`;
  return {
    kind: 'unknown-field',
    pointer,
    seen,
    due: meant === undefined ? 'data of one’s own in `_meta`' : `\`${meant}\``,
    name,
    message:
      meant === undefined
        ? `${seen}; data of one’s own belongs in \`_meta\``
        : `${seen}; did you mean \`${meant}\`?`,
  };
}

/** Required fields that are not there, all in one remark. */
export function missing(pointer: string, names: readonly string[], due: string): SchemaRemark {
  const [first, second, third] = names;
  const listed = orWords(
    names.map((name) => `\`${name}\``),
    'and',
  );
  if (first === undefined || second === undefined)
    return wrong(pointer, `${listed} is missing`, due);
  const all = third === undefined ? 'both' : 'all of them';
  const seen = `${listed} are missing`;
  return { kind: 'wrong', pointer, seen, due: all, message: `${seen}; ${all} are due` };
}

/** A field that stands in for one that must be there. */
export function misspelt(pointer: string, name: string, meant: string): SchemaRemark {
  return wrong(pointer, `\`${name}\` is not a field here`, `\`${meant}\``);
}

/** `allowed`: the schema lets other values pass. */
export function unknownValue(
  pointer: string,
  value: string,
  known: readonly Word[],
  allowed: boolean,
): SchemaRemark {
  const seen = `${subject(pointer)} is ${quoted(value)}`;
  const meant = nearest(
    value,
    known.map((word) => word.value),
  );
  const words = meant === undefined ? valueWords(known) : JSON.stringify(meant);
  return {
    kind: allowed ? 'unknown-value' : 'wrong',
    pointer,
    seen,
    due: allowed ? `${words}, or a value of one’s own that begins with _` : words,
    name: value,
    message: meant === undefined ? `${seen}; known: ${words}` : `${seen}; did you mean ${words}?`,
  };
}

/** The same remark, once it is known that the other version has what is unknown here. */
export function ofOtherVersion(remark: SchemaRemark, version: 1 | 2): SchemaRemark {
  const { kind, pointer, name = '' } = remark;
  const other = version === 1 ? 2 : 1;
  const isField = kind === 'unknown-field';
  const seen = isField
    ? `\`${name}\` is a field of v${other}`
    : `${subject(pointer)} is ${JSON.stringify(name)}, a value of v${other}`;
  const here = `${seen}; v${version} has none such`;
  const told = {
    ...remark,
    kind: kind === 'wrong' || kind === 'lenient' ? 'wrong' : 'other-version',
    seen,
    due: isField ? `a field of v${version}` : remark.due,
    message: here,
  } as const;
  return kind === 'lenient' ? lenient(told, undefined) : told;
}
