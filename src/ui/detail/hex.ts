// Bytes as people read them: offset, sixteen in hex, and their letters.

interface HexRow {
  readonly offset: string;
  readonly hex: string;
  readonly text: string;
}

const WIDTH = 16;

export function hexRows(bytes: Uint8Array, count: number): readonly HexRow[] {
  const rows: HexRow[] = [];
  for (let at = 0; at < Math.min(count, bytes.length); at += WIDTH) {
    const part = [...bytes.subarray(at, Math.min(at + WIDTH, count))];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0'));
    rows.push({
      offset: at.toString(16).padStart(6, '0'),
      hex: [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')].join('  ').trimEnd(),
      text: part
        .map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '·'))
        .join(''),
    });
  }
  return rows;
}
