// What a field of a file that a person writes may hold, a scenario's or that of a rule of an intercept, and
// what it is for.

/**
 * `line`: a text without a line break. `count`: a whole number, 1 or more; `times`: the same, or
 * `"all"`; `copies`: the same, up to `MAX_COPIES`. `captures`: `{"$name": "/json/pointer"}`. `rules`: those of an intercept.
 */
export type PlainKind =
  | ('text' | 'line' | 'query' | 'ms' | 'count' | 'copies' | 'times' | 'json' | 'object' | 'error')
  | ('flag' | 'true' | 'captures' | 'fault' | 'rules');

export type FieldKind =
  { readonly is: PlainKind } | { readonly is: 'choice'; readonly of: readonly (string | number)[] };

/** How often one line is sent more: each copy waits in memory until it is written. */
export const MAX_COPIES = 1000;

export interface StepField {
  readonly kind: FieldKind;
  readonly doc: string;
}

export interface StepShape {
  readonly doc: string;
  /** What stands under the word itself: `{"wait": 500}`. */
  readonly main: StepField;
  readonly more: Readonly<Record<string, StepField>>;
  /** At most one of these. */
  readonly either?: readonly (readonly string[])[];
}
