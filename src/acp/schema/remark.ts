// What the schemas have to say of one place of a message: a code and its facts. The sentence is made
// where it is shown (remark-words.ts); nothing is decided by one.
import type { Feature } from '../editions/feature.ts';
import type { Json } from '../message.ts';
import type { Version } from '../methods.ts';
import type { Plan } from './plan.ts';
import type { Word } from './shape.ts';
import { distanceOf, isSlip } from '../../lib/nearest.ts';

/**
 * `wrong`: neither the stable nor the unstable schema allows it. `lenient`: so, but the official SDK
 * reads it as left out. `meta`: a `_meta` that is no object, or a trace context in it that is no
 * string. The others are allowed by the schemas and seldom meant: `unstable`: only the unstable
 * schema knows it; `other-version`: the other version does; `unknown-field`, `unknown-value`: none.
 */
export type RemarkKind =
  'wrong' | 'lenient' | 'meta' | 'unstable' | 'other-version' | 'unknown-field' | 'unknown-value';

/** A code with its facts. */
export type Remarked =
  /** Required fields that are not there, all in one remark. `plan`: of the first. */
  | { readonly code: 'missing'; readonly names: readonly string[]; readonly plan: Plan }
  /** No params at all, where these fields are required. */
  | { readonly code: 'no-params'; readonly names: readonly string[] }
  /** Of several sets of fields one is due, and none is there, or more than one. */
  | { readonly code: 'no-way' | 'two-ways'; readonly ways: readonly (readonly string[])[] }
  /** A field that stands in for one that must be there. */
  | { readonly code: 'misspelt'; readonly name: string; readonly meant: string }
  /** `meant`: the field that it is nearest to, if any is near. */
  | {
      readonly code: 'unknown-field';
      readonly name: string;
      readonly meant: string | undefined;
    }
  | { readonly code: 'unknown-value'; readonly name: string; readonly known: readonly Word[] }
  /** The fields fit only without the tag that stands beside them. */
  | { readonly code: 'unfitting-tag'; readonly name: string; readonly value: string }
  /** A value of another type. */
  | { readonly code: 'type'; readonly value: Json; readonly plan: Plan }
  /** A list without an item. */
  | { readonly code: 'empty' }
  /** A number that is not whole, or out of its range. */
  | {
      readonly code: 'number';
      readonly value: number;
      readonly plan: Plan & { readonly is: 'number' };
    }
  /** A string of a length or form that is not due. */
  | {
      readonly code: 'string';
      readonly value: string;
      readonly plan: Plan & { readonly is: 'string' };
    }
  /** `name`: of the trace context in it; undefined: `_meta` itself. */
  | { readonly code: 'meta'; readonly name: string | undefined; readonly value: Json }
  /** A field, a method, or with `isValue` a value. */
  | { readonly code: 'unstable'; readonly name: string; readonly isValue: boolean };

/** Editions that a remark is for, where it is not for all. */
export interface InEditions {
  /** It holds only where this feature is not part of the edition; or only where it is. */
  readonly lacking?: Feature | undefined;
  readonly feature?: Feature | undefined;
}

export type SchemaRemark = Remarked &
  InEditions & {
    readonly kind: RemarkKind;
    /** JSON Pointer into the message, of the value or of the object that lacks something. */
    readonly pointer: string;
    /** `lenient`: pointer to what the official SDK leaves out, where that is more than the value. */
    readonly leftOut?: string | undefined;
    /** The version that is spoken, where the other one has what is unknown here. */
    readonly spoken?: Version;
  };

/** Whether exactly this field is missing. */
export function lacks(remark: SchemaRemark, name: string): boolean {
  return remark.code === 'missing' && remark.names.length === 1 && remark.names[0] === name;
}

/** The same remark, once it is known that the other version has what is unknown here. */
export function ofOtherVersion(remark: SchemaRemark, spoken: Version): SchemaRemark {
  const { kind } = remark;
  const isFault = kind === 'wrong' || kind === 'lenient';
  return { ...remark, kind: isFault ? kind : 'other-version', leftOut: undefined, spoken };
}

/** Whether the schema allows what a remark is on. */
export function isAllowed({ kind }: SchemaRemark): boolean {
  return kind !== 'wrong' && kind !== 'lenient';
}

/** How far a branch is from what was meant. */
export function weight(remarks: readonly SchemaRemark[]): number {
  let sum = 0;
  for (const { kind } of remarks) sum += kind === 'wrong' ? 1000 : kind === 'lenient' ? 100 : 1;
  return sum;
}

// Which known name a person may have meant.

/** Returns the known name that a name is a slip of, or that differs in at most two letters. */
export function nearestField(name: string, known: readonly string[]): string | undefined {
  const slip = slipOf(name, known);
  if (slip !== undefined || name.length < 4 || name.length > 40) return slip;
  return known.find((other) => other.length > 3 && distanceOf(name, other) <= 2);
}

/**
 * Returns the known name that was meant if a name is one slip away from it, or differs in case and
 * separators only (`session_id`). Names of up to three letters are too short for a slip.
 */
export function slipOf(name: string, known: readonly string[]): string | undefined {
  const flat = (text: string) => text.replace(/[_-]/g, '').toLowerCase();
  const same = known.find((other) => flat(other) === flat(name));
  if (same !== undefined || name.length > 40) return same;
  return known.find((other) => other.length > 3 && name.length > 3 && isSlip(name, other));
}
