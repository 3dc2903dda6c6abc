// A frame's bytes as they stand in a trace: text where they are UTF-8, base64 where not.
import {
  decodeLossy,
  decodeUtf8,
  encodeUtf8,
  fromBase64,
  toBase64,
  utf8Size,
} from '../lib/utf8.ts';
import type { Line, TraceEvent } from './event.ts';

export function lineOf(bytes: Uint8Array): Line {
  const text = decodeUtf8(bytes);
  return text === undefined ? { base64: toBase64(bytes) } : { text };
}

export function lineBytes(line: Line): Uint8Array<ArrayBuffer> {
  return 'text' in line ? encodeUtf8(line.text) : (fromBase64(line.base64) ?? new Uint8Array());
}

/** For showing and searching; not exact where the bytes are not UTF-8. */
export function lineText(line: Line): string {
  return 'text' in line ? line.text : decodeLossy(lineBytes(line));
}

/** Bytes of the event's line as it crossed, without its 0x0A; 0: it has none. `isAscii`: as `lineSize`. */
export function eventSize(event: TraceEvent, isAscii = false): number {
  if (event.type === 'frame') return event.oversize?.bytes ?? lineSize(event.line, isAscii);
  return event.type === 'stderr' ? lineSize(event.line, isAscii) : 0;
}

/** Bytes of the line, without its 0x0A. `isAscii`: its text is known to be: asking costs as much as reading the line. */
export function lineSize(line: Line, isAscii = false): number {
  if (!('text' in line)) return lineBytes(line).length;
  return isAscii ? line.text.length : utf8Size(line.text);
}
