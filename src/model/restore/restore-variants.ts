// The set of restores that "send all variants" sends: every shape of both versions, with the custom
// cursors at hand and every kind of malformed one.
import { MALFORMED_CURSORS, UNKNOWN_CURSOR } from '../../acp/replay-cursors.ts';
import type { RestoreParts, ShapeId } from './restore-shapes.ts';

export interface RestoreVariant {
  /** `v2 custom _message`: unique in its set. */
  readonly label: string;
  readonly version: 1 | 2;
  readonly shape: ShapeId;
  /** `replayFrom`, as it will be sent; empty where the shape has none to write. */
  readonly cursor: string;
}

/** Values that are no objects, and the two ways an object can be wrong. */
const MALFORMED: readonly string[] = MALFORMED_CURSORS.slice(0, 3).map((one) =>
  JSON.stringify(one),
);

/** `custom`: cursors as JSON text, the likeliest first. */
export function restoreVariants(custom: readonly string[]): readonly RestoreVariant[] {
  const v2 = (shape: ShapeId, cursor = '', more = ''): RestoreVariant => ({
    label: ['v2', shape, more].filter(Boolean).join(' '),
    version: 2,
    shape,
    cursor,
  });
  return [
    v2('omitted'),
    v2('null'),
    v2('start'),
    ...custom.map((cursor) => v2('custom', cursor, cursor)),
    v2('unknown', JSON.stringify(UNKNOWN_CURSOR)),
    ...MALFORMED.map((cursor) => v2('malformed', cursor, cursor)),
    { label: 'v1 load', version: 1, shape: 'load', cursor: '' },
    { label: 'v1 resume', version: 1, shape: 'resume', cursor: '' },
  ];
}

/** The parts of its line; the id is given by whoever sends it. */
export function partsOf(
  { shape, cursor }: RestoreVariant,
  setup: Omit<RestoreParts, 'id' | 'shape' | 'cursor'>,
): Omit<RestoreParts, 'id'> {
  return { ...setup, shape, cursor };
}
