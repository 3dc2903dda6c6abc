// Typed arrays behind each other in one Blob: the browser reads its file at once, where it takes three
// times as long for a record of each, and they are views of what was read, not copies.

const TYPES = { Float64Array, Int32Array, Uint32Array, Uint16Array, Uint8Array } as const;
type Type = keyof typeof TYPES;
type Column = InstanceType<(typeof TYPES)[Type]>;

export interface Packed {
  /** In their order in `bytes`, each from a multiple of eight bytes on. */
  readonly layout: readonly {
    readonly name: string;
    readonly type: Type;
    readonly length: number;
  }[];
  readonly bytes: Blob;
}

const ALIGNED = 8;

/** Copies of those that are typed arrays. */
export function pack(columns: object): Packed {
  const layout: Packed['layout'][number][] = [];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const [name, column] of Object.entries(columns) as [string, unknown][]) {
    if (!ArrayBuffer.isView(column)) continue;
    const type = (column as Column)[Symbol.toStringTag];
    layout.push({ name, type, length: (column as Column).length });
    const { buffer, byteOffset, byteLength } = column as Column;
    parts.push(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
    parts.push(new Uint8Array(padded(byteLength) - byteLength));
  }
  return { layout, bytes: new Blob(parts) };
}

/** Throws where the bytes cannot be read, or are not those of the layout. */
export async function unpack({ layout, bytes }: Packed): Promise<Readonly<Record<string, Column>>> {
  const buffer = await bytes.arrayBuffer();
  let at = 0;
  const columns = layout.map(({ name, type, length }) => {
    const column = new TYPES[type](buffer, at, length);
    at += padded(column.byteLength);
    return [name, column] as const;
  });
  if (at !== buffer.byteLength) throw new Error('other bytes than those of the columns');
  return Object.fromEntries(columns);
}

function padded(size: number): number {
  return Math.ceil(size / ALIGNED) * ALIGNED;
}
