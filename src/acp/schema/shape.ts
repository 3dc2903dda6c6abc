// The shapes that shapes.mjs makes of a JSON schema: what a value may be, in a form that can be
// turned into plans (plan.ts) that are walked beside the value. Only data.
import type { Feature } from '../editions/feature.ts';
import type { Role } from '../methods.ts';

interface Nullable {
  /** JSON null is allowed too. */
  readonly null?: true;
  /** What the branch of an untagged union is called. */
  readonly name?: string;
  /** Number of the definition's description (load.ts, `loadDocs`). */
  readonly doc?: number;
}

/** Where something stands that not every edition has. */
export interface Standing {
  /** Only the unstable schema has it, and no edition made it stable. */
  readonly unstable?: true;
  /** It is of this feature, which a later edition than the schemas' brought. */
  readonly since?: Feature;
  /** And none of the schemas has it, not even as unstable. */
  readonly novel?: true;
}

export interface Field extends Standing {
  readonly shape: Shape;
  readonly required?: true;
  /** Number of its description. */
  readonly doc?: number;
  /** The SDK reads a wrong value (`error`), or null (`null`), as if it were not there. */
  readonly soft?: 'error' | 'null';
  /** The SDK leaves wrong items out of the list. */
  readonly softItems?: true;
}

/** One alternative of a tagged union. Without a shape it has no fields but the tag. */
export interface Case extends Word {
  readonly shape?: Shape;
}

export interface Word extends Standing {
  readonly value: string;
  readonly doc?: number;
}

export interface ObjectShape extends Nullable {
  readonly is: 'object';
  readonly fields?: Readonly<Record<string, Field>>;
  /** Any other field is as good. */
  readonly open?: true;
  /** Keys are free, values are of this shape. */
  readonly map?: Shape;
  /** Holds all of these as well. */
  readonly all?: readonly Shape[];
  /** The field whose value chooses among `cases`; `other` is for values nobody defined. */
  readonly tag?: string;
  readonly cases?: readonly Case[];
  readonly other?: Shape;
  /** Chosen where the tag is absent (or has another value, without `other`). */
  readonly untagged?: Shape;
  /** That branch wants the tag absent or null. */
  readonly bare?: true;
  /** Must be one of these as well, told apart by their fields; `one`: by exactly one. */
  readonly ways?: readonly Shape[];
  readonly one?: true;
}

export type Shape =
  | ObjectShape
  | (Nullable & { readonly is: 'array'; readonly of: Shape; readonly min?: number })
  | (Nullable & {
      readonly is: 'string';
      readonly min?: number;
      readonly max?: number;
      readonly pattern?: string;
      readonly format?: string;
    })
  /** `open`: other strings are allowed, and mean something of a later version or of one's own. */
  | (Nullable & { readonly is: 'words'; readonly values: readonly Word[]; readonly open?: true })
  | (Nullable & {
      readonly is: 'number';
      readonly integer?: true;
      readonly min?: number;
      readonly max?: number;
    })
  | (Nullable & { readonly is: 'boolean' })
  | (Nullable & { readonly is: 'null' })
  | (Nullable & { readonly is: 'any' })
  | (Nullable & { readonly is: 'ref'; readonly to: string })
  | (Nullable & { readonly is: 'either'; readonly of: readonly Shape[] });

export type MessagePart = 'params' | 'result' | 'notification';

export interface Shapes {
  readonly defs: Readonly<Record<string, Shape>>;
  /** By handling side and method, as in `agent session/new`: names of definitions. */
  readonly methods: Readonly<Record<string, Readonly<Partial<Record<MessagePart, string>>>>>;
  /** By the same names: number of the description. */
  readonly about: Readonly<Record<string, number>>;
}

/**
 * Under which sides a method may be filed in the schemas, which name the side that handles it.
 * @param sender who sends the request or notification (not the answer)
 */
export function handlers(sender: Role): readonly string[] {
  return [sender === 'client' ? 'agent' : 'client', 'protocol', 'proxy'];
}
