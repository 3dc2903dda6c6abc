// Which variant of a restore a replay window was, told from its method, version and cursor.
import { isObject, parseJson, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { MALFORMED_CURSORS, UNKNOWN_CURSOR } from '../../acp/replay-cursors.ts';
import type { RestoreParts, ShapeId } from './restore-shapes.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';

export interface Variant {
  readonly version: 1 | 2;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly more?: string;
}

export function variantOf({ version, method, cursor }: ReplayWindowView): Variant {
  if (method === 'session/fork') return { version, name: 'fork' };
  if (version === 1) return { version, name: method === 'session/load' ? 'load' : 'resume' };
  if (cursor === undefined || cursor === 'omitted') return { version, name: 'omitted' };
  if (cursor === 'null') return { version, name: 'null' };
  const type = typeOf(cursor);
  if (type === undefined) return { version, name: 'malformed', more: cursor };
  if (type === 'start') return { version, name: 'start' };
  return type.startsWith('_')
    ? { version, name: 'custom', more: [type, valueOf(cursor)].filter(Boolean).join(' ') }
    : { version, name: 'unknown', more: type };
}

/** Whether it was answered and replayed something, or had to: what is worth comparing. */
export function hasReplay(window: ReplayWindowView): boolean {
  if (window.outcome !== 'answered') return false;
  const { name } = variantOf(window);
  const isDue = name === 'load' || name === 'start' || name === 'custom';
  return isDue || window.figures.chunks + window.late > 0;
}

function typeOf(cursor: string): string | undefined {
  return str(parseJson(cursor), 'type');
}

/** The one value beside the type. */
function valueOf(cursor: string): string | undefined {
  const values = Object.entries(fieldsOf(cursor)).flatMap(([key, value]) =>
    key === 'type' ? [] : [typeof value === 'string' ? value : JSON.stringify(value)],
  );
  return values.length === 1 ? values[0] : undefined;
}

function fieldsOf(cursor: string): JsonObject {
  const value = parseJson(cursor);
  return isObject(value) ? value : {};
}

// The set of restores that "send all variants" sends: every shape of both versions, with the custom
// cursors at hand and every kind of malformed one.

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
