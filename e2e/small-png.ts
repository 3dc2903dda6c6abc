// Makes a screenshot small: a picture of text has few colours that matter, so 256 of them, one byte
// a pixel, look the same at a third of the size. Reads what Chromium writes: 8 bits, RGB, no
// interlace (PNG specification, chapters 9 and 11).
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const CHANNELS = 3;
const MOST_COLOURS = 256;
/** Square of a distance between two colours. */
const NEAR = 60;

export function smallPng(png: Buffer): Buffer {
  const header = png.subarray(16, 29);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header[8] !== 8 || header[9] !== 2 || header[12] !== 0)
    throw new Error('This PNG is not 8 bit RGB without interlace.');
  const pixels = unfilter(inflateSync(Buffer.concat(partsOf(png, 'IDAT'))), width, height);
  const counts = new Map<number, number>();
  for (let i = 0; i < pixels.length; i += CHANNELS) {
    const colour = pixels.readUIntBE(i, CHANNELS);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = pixels.readUIntBE((y * width + x) * CHANNELS, CHANNELS);
      rows[y * (width + 1) + 1 + x] = places.get(colour) ?? 0;
    }
  const indexed = Buffer.from(header);
  indexed[9] = 3;
  const table = Buffer.alloc(palette.length * CHANNELS);
  palette.forEach((colour, i) => table.writeUIntBE(colour, i * CHANNELS, CHANNELS));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', indexed),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function partsOf(png: Buffer, wanted: string): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === wanted)
      parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return parts;
}

function unfilter(rows: Buffer, width: number, height: number): Buffer {
  const line = width * CHANNELS;
  const pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x < CHANNELS ? 0 : (pixels[y * line + x - CHANNELS] ?? 0);
      const up = y === 0 ? 0 : (pixels[(y - 1) * line + x] ?? 0);
      const corner = x < CHANNELS || y === 0 ? 0 : (pixels[(y - 1) * line + x - CHANNELS] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      pixels[y * line + x] = ((rows[y * (line + 1) + 1 + x] ?? 0) + guess) & 255;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  if (a === undefined || b === undefined || c === undefined) return 0;
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The most frequent first, and none so near to one before it that nobody sees the difference. */
function paletteOf(counts: ReadonlyMap<number, number>): readonly number[] {
  const palette: number[] = [];
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (palette.length === MOST_COLOURS) break;
    if (palette.every((other) => distance(other, colour) >= NEAR)) palette.push(colour);
  }
  return palette;
}

function distance(a: number, b: number): number {
  return [16, 8, 0].reduce((sum, by) => sum + (((a >> by) & 255) - ((b >> by) & 255)) ** 2, 0);
}

function nearest(palette: readonly number[], colour: number): number {
  const far = (other: number | undefined) => distance(other ?? 0, colour);
  return palette.reduce((best, other, i) => (far(other) < far(palette[best]) ? i : best), 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
