// The ways to ask for an existing session, and the exact line each of them makes. Lines are put
// together as text, so that a cursor typed by hand is sent token by token as typed.
import { isObject, parseJson } from '../../acp/json.ts';
import {
  FROM_START,
  fromMessage,
  MALFORMED_CURSOR,
  MALFORMED_CURSORS,
  UNKNOWN_CURSOR,
} from '../../acp/replay-cursors.ts';
import type { CursorField } from './cursor-fields.ts';

export type ShapeId =
  'load' | 'resume' | 'omitted' | 'null' | 'start' | 'custom' | 'unknown' | 'malformed' | 'raw';

export interface Shape {
  readonly id: ShapeId;
  /** The protocol version that knows it; a raw line belongs to none. */
  readonly version?: 1 | 2;
  readonly name: string;
  /** What is peculiar to the line. */
  readonly shows: string;
  /** What the protocol makes due, in a few words. */
  readonly due: string;
}

export const SHAPES: readonly Shape[] = [
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
    shows: '{} · "start" · {"type":5}',
    due: '−32602',
  },
  { id: 'raw', name: 'raw JSON', shows: 'the whole line, as typed', due: 'decided by the line' },
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
