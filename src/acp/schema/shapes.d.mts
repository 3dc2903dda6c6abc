import type { Shapes } from './shape.ts';

interface JsonSchema {
  readonly $defs: Readonly<Record<string, unknown>>;
}
export function shapesOf(
  stable: JsonSchema,
  unstable: JsonSchema,
): { readonly shapes: Shapes; readonly docs: readonly string[] };
