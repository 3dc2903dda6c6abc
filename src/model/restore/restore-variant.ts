// Which variant of a restore a replay window was, told from its method, version and cursor.
import { isObject, parseJson, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
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
