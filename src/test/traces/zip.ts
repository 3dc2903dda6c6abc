// ZIP archives for tests, with what a stranger may write into one: wrong counts and sizes, files that share bytes.
import { deflateRawSync } from 'node:zlib';

interface ZippedFile {
  readonly name: string;
  readonly data: Uint8Array;
  /** Unpacked bytes as the directory states them; those there are if absent. */
  readonly stated?: number;
}

/** `count`: files as the end of the archive states them. `shared`: each file is the bytes of the first. */
export function zipped(
  files: readonly ZippedFile[],
  { count = files.length, shared = false } = {},
): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  let place = 0;
  for (const [i, { name, data, stated = data.length }] of files.entries()) {
    const packed = shared && i > 0 ? undefined : deflateRawSync(data);
    if (packed) {
      place = at;
      const local = Buffer.alloc(30);
      local.writeUInt32LE(0x04034b50, 0);
      local.writeUInt16LE(8, 8);
      parts.push(local, packed);
      at += local.length + packed.length;
    }
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed?.length ?? parts[1]?.length ?? 0, 20);
    entry.writeUInt32LE(stated, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(place, 42);
    directory.push(entry, Buffer.from(name));
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}
