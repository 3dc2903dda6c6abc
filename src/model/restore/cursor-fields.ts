// Which values of a message could be a replay cursor: what an agent calls things by, and anything
// it hides in `_meta`. One rule, for the candidates of a session and for the tree of one frame. A
// guess for a person to pick from; nothing is sent because of it.
import { isArray, isObject, parseJson } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { ITEM_IDS } from '../facts/variants.ts';

export interface CursorField {
  /** The key; with `_meta` and the path from there where it stands in one. */
  readonly field: string;
  readonly value: string | number;
}

type Path = readonly (string | number)[];

/** An agent's own, beside ACP's fields of an update or a result. */
const OWN = /(^id|Id|uuid|[sS]eq|[cC]heckpoint|[cC]ursor)$/;
/** Names of other things than places in a history. */
const OTHER =
  /^nextCursor$|^(session|request|option|mode|currentMode|model|config|method|elicitation|group|server|provider|value)Id$/;
/** In `_meta`, what is counted or paid, and what something is rather than which: no place in a history. */
const COUNTED = /quota|usage|token|cost|price|metric|duration|elapsed/i;
const DESCRIBED = /^(kind|type|role|model|name|title|status|mode|language|version)$/;
/** What tools were given and gave is theirs. */
const TOOLS = new Set(['rawInput', 'rawOutput']);
/** Deep enough for every place ACP has an id; `_meta` of content blocks included. */
const DEEPEST = 8;
/** A longer line is not looked through: that would hold up the page. */
const LONGEST = 1 << 20;

/** The field's name if a string or a number at this path could be a cursor; items of lists are none. */
export function cursorField(path: Path): string | undefined {
  const [top, part] = path;
  // What a request says of a cursor, it names and does not hold.
  if ((top !== 'result' && top !== 'params') || part === 'replayFrom') return undefined;
  const meta = path.indexOf('_meta');
  if (path.some((step, i) => TOOLS.has(String(step)) && (meta < 0 || i < meta))) return undefined;
  if (meta >= 0) {
    const inside = path.slice(path.lastIndexOf('_meta'));
    const names = inside.filter((step) => typeof step === 'string');
    const isNone =
      names.length < inside.length ||
      names.some((name) => COUNTED.test(name)) ||
      DESCRIBED.test(names.at(-1) ?? '');
    return isNone ? undefined : names.join('.');
  }
  const name = path.at(-1);
  if (typeof name !== 'string') return undefined;
  if (ITEM_IDS.has(name)) return name;
  const beside = top === 'result' ? path.length === 2 : path.length === 3 && part === 'update';
  return beside && OWN.test(name) && !OTHER.test(name) ? name : undefined;
}

/** Of the value at this path of a message, in its order. */
export function cursorFields(value: Json | undefined, path: Path): readonly CursorField[] {
  if (typeof value === 'string' || typeof value === 'number') {
    const field = cursorField(path);
    return field === undefined ? [] : [{ field, value }];
  }
  if (path.length >= DEEPEST) return [];
  if (isArray(value)) return value.flatMap((item, i) => cursorFields(item, [...path, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => cursorFields(item, [...path, key]));
}

/** Of a whole line, the likeliest first: ids of messages, then of tool calls, then the rest. */
export function cursorFieldsIn(line: string): readonly CursorField[] {
  if (line.length > LONGEST) return [];
  return cursorFields(parseJson(line), []).toSorted((a, b) => rank(a) - rank(b));
}

function rank({ field }: CursorField): number {
  if (field === 'messageId') return 0;
  if (field === 'toolCallId') return 1;
  return field.startsWith('_meta') ? 3 : 2;
}
