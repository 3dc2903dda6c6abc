// The ways to ask for an existing session, and the exact line each of them makes. Lines are put
// together as text, so that a cursor typed by hand is sent token by token as typed.
import { isObject, parseJson, str, jsonText } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import {
  FROM_START,
  fromMessage,
  MALFORMED_CURSOR,
  MALFORMED_CURSORS,
  UNKNOWN_CURSOR,
} from '../../acp/replay-cursors.ts';
import { defined } from '../../lib/defined.ts';
import { wishOf } from '../facts/restore.ts';
import type { CursorField } from './cursor-fields.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';

export type ShapeId =
  'load' | 'resume' | 'omitted' | 'null' | 'start' | 'custom' | 'unknown' | 'malformed' | 'raw';

export interface ShapeFacts {
  readonly id: ShapeId;
  /** The protocol version that knows it; a raw line belongs to none. */
  readonly version?: 1 | 2;
  readonly name: string;
  /** What is peculiar to the line. */
  readonly shows: string;
  /** What the protocol makes due, in a few words. */
  readonly due: string;
}

export const SHAPES: readonly ShapeFacts[] = [
  {
    id: 'load',
    version: 1,
    name: 'load',
    shows: 'session/load',
    due: 'all history, then the answer',
  },
  { id: 'resume', version: 1, name: 'resume', shows: 'session/resume', due: 'no replay' },
  { id: 'omitted', version: 2, name: 'omitted', shows: 'no replayFrom', due: 'no replay' },
  { id: 'null', version: 2, name: 'null', shows: 'null', due: 'no replay, same as omitted' },
  {
    id: 'start',
    version: 2,
    name: 'start',
    shows: JSON.stringify(FROM_START),
    due: 'all retained history',
  },
  {
    id: 'custom',
    version: 2,
    name: 'custom',
    shows: '{"type":"_…",…}',
    due: 'from there, or −32602',
  },
  {
    id: 'unknown',
    version: 2,
    name: 'unknown',
    shows: JSON.stringify(UNKNOWN_CURSOR),
    due: '−32602',
  },
  {
    id: 'malformed',
    version: 2,
    name: 'malformed',
    shows: '{} · {"type":5} · …',
    due: '−32602',
  },
  { id: 'raw', name: 'raw JSON', shows: 'the whole line', due: 'decided by the line' },
];

/** Shapes whose `replayFrom` a person writes, with what stands there first. */
export const CURSOR_TEXTS: Readonly<Partial<Record<ShapeId, string>>> = {
  custom: JSON.stringify(fromMessage('')),
  unknown: JSON.stringify(UNKNOWN_CURSOR),
  malformed: JSON.stringify(MALFORMED_CURSOR),
};

/** Values an agent must refuse, to pick from. */
export const MALFORMED: readonly string[] = MALFORMED_CURSORS.map((cursor) =>
  JSON.stringify(cursor),
);

export interface RestoreParts {
  readonly shape: ShapeId;
  /** The next id, as JSON. */
  readonly id: string;
  readonly sessionId: string;
  readonly cwd: string;
  /** A JSON array as typed; blank leaves the field out. */
  readonly mcpServers: string;
  /** A JSON array as typed; blank leaves the field out. */
  readonly additionalDirectories?: string;
  /** `replayFrom` as typed, for shapes that have one to write. */
  readonly cursor: string;
}

/** The line without its 0x0A. Line breaks between typed tokens become spaces: they end a frame. */
export function restoreLine(parts: RestoreParts): string {
  const method = parts.shape === 'load' ? 'session/load' : 'session/resume';
  const fields = [
    `"sessionId":${JSON.stringify(parts.sessionId)}`,
    `"cwd":${JSON.stringify(parts.cwd)}`,
    ...(blank(parts.mcpServers) ? [] : [`"mcpServers":${oneLine(parts.mcpServers)}`]),
    ...(blank(parts.additionalDirectories)
      ? []
      : [`"additionalDirectories":${oneLine(parts.additionalDirectories ?? '')}`]),
    ...replayFrom(parts),
  ];
  return `{"jsonrpc":"2.0","id":${parts.id},"method":"${method}","params":{${fields.join(',')}}}`;
}

function replayFrom({ shape, cursor }: RestoreParts): readonly string[] {
  switch (shape) {
    case 'null':
      return ['"replayFrom":null'];
    case 'start':
      return [`"replayFrom":${JSON.stringify(FROM_START)}`];
    case 'custom':
    case 'unknown':
    case 'malformed':
      return [`"replayFrom":${oneLine(cursor)}`];
    case 'load':
    case 'resume':
    case 'omitted':
    case 'raw':
      return [];
  }
}

function blank(text = ''): boolean {
  return text.trim() === '';
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
}

/** A custom cursor that names this value; `_message` is what the bundled agent understands. */
export function cursorFor(candidate: CursorField): string {
  const name = candidate.field.split('.').at(-1) ?? candidate.field;
  const type = `_${name.replace(/^_+/, '').replace(/Id$/, '') || 'cursor'}`;
  return JSON.stringify({ type, [name]: candidate.value });
}

/** The request without its id, which is another one for each line; a line that is none as it is. */
export function askedFor(line: string): string {
  const request = parseJson(line);
  if (!isObject(request)) return line;
  const { id: _, ...asked } = request;
  return JSON.stringify(asked);
}

// Which variant of a restore a replay window was, told from its method, version and cursor.

interface Variant {
  readonly version: 1 | 2;
  readonly name: Exclude<ShapeId, 'raw'> | 'fork';
  /** What tells it from others of its name. */
  readonly more?: string;
}

export function variantOf({
  version,
  method,
  cursor,
}: Pick<ReplayWindowView, 'version' | 'method' | 'cursor'>): Variant {
  const sent = cursor === 'omitted' ? undefined : parseJson(cursor ?? '');
  const type = str(sent, 'type');
  const isSent = cursor !== undefined && cursor !== 'omitted';
  const wish = wishOf(method, version, isSent && sent === undefined ? {} : sent);
  switch (wish) {
    case 'whole':
      return { version, name: 'load' };
    case 'retained':
      return { version, name: 'start' };
    case 'none':
      if (version === 1) return { version, name: 'resume' };
      return { version, name: sent === null ? 'null' : 'omitted' };
    case 'custom': {
      const [value, ...others] = isObject(sent) ? Object.entries(sent).filter(isValue) : [];
      const named = others.length > 0 ? undefined : value?.[1];
      const words = typeof named === 'string' || named === undefined ? named : jsonText(named);
      return { version, name: wish, more: [type, words].filter(Boolean).join(' ') };
    }
    case 'unknown':
    case 'malformed':
      return { version, name: wish, ...defined({ more: type ?? cursor }) };
    case 'fork':
      return { version, name: wish };
  }
}

const isValue = ([key]: readonly [string, Json]) => key !== 'type';

/** Whether it was answered and replayed something, or had to: what is worth comparing. */
export function hasReplay(window: ReplayWindowView): boolean {
  if (window.outcome !== 'answered') return false;
  const { name } = variantOf(window);
  const isDue = name === 'load' || name === 'start' || name === 'custom';
  return isDue || window.figures.chunks + window.late > 0;
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
  /** The client offers to take child sessions, which v1 clients do only by a capability. */
  readonly takesChildren?: true;
}

/** No object, and the two ways an object can be wrong. */
const SENT_MALFORMED = 3;

/** `custom`: cursors as JSON text, the likeliest first. `hasChildren`: the session had child sessions. */
export function restoreVariants(
  custom: readonly string[],
  hasChildren = false,
): readonly RestoreVariant[] {
  const v1 = { version: 1, shape: 'load', cursor: '' } as const;
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
    ...MALFORMED.slice(0, SENT_MALFORMED).map((cursor) => v2('malformed', cursor, cursor)),
    { ...v1, label: 'v1 load' },
    ...(hasChildren
      ? [{ ...v1, label: 'v1 load with child sessions', takesChildren: true } as const]
      : []),
    { label: 'v1 resume', version: 1, shape: 'resume', cursor: '' },
  ];
}
