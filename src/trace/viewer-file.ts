// One file that shows a trace by itself: the built page for it, with the trace's bytes put in, packed. They
// stand there as base64, which can end no element.

import { toBase64 } from '../lib/utf8.ts';

/** Where the trace goes; the page has it once. */
const PLACE = '<!--trace-->';

interface HeldTrace {
  /** Of the trace file, packed by gzip. */
  readonly packed: Uint8Array;
  /** As the trace file is called. */
  readonly name: string;
  /** The frame that is shown first. */
  readonly frame?: number | undefined;
}

/** Undefined: the page has no place for a trace, and so is none. */
export function viewerFile(page: string, { packed, name, frame }: HeldTrace): string | undefined {
  const at = page.indexOf(PLACE);
  if (at < 0) return undefined;
  const shown = frame === undefined ? '' : ` data-frame="${frame}"`;
  const head = `<script type="text/plain" id="trace" data-name="${escaped(name)}"${shown}>`;
  return `${page.slice(0, at)}${head}${toBase64(packed)}</script>${page.slice(at + PLACE.length)}`;
}

/** As the value of an attribute. */
function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
