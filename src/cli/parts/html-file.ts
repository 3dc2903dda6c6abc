// `acp-scope export IN OUT.html`: a page that shows the trace by itself, and gives it back.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { viewerFile } from '../../trace/viewer-file.ts';
import { FileError } from '../command.ts';

const PAGE = join(dirname(fileURLToPath(import.meta.url)), '../dist/viewer.html');

/** `packed`: the trace file by gzip. Throws FileError. */
export async function writeHtml(
  out: string,
  name: string,
  packed: Uint8Array,
  frame: number | undefined,
): Promise<void> {
  const page = await readFile(PAGE, 'utf8').catch(() => '');
  const file = viewerFile(page, { packed, name, frame });
  if (file === undefined)
    throw new FileError(`There is no page at ${PAGE} to put the trace into. Run npm run build.`);
  await writeFile(out, file, { mode: 0o600 }).catch((error: unknown) => {
    throw new FileError(`Cannot write ${out}: ${String(error)}.`);
  });
}

/** The bytes of a file, packed. */
export async function packedFile(path: string): Promise<Uint8Array> {
  return gzipSync(await readFile(path));
}

/** What `write` writes to a file of this name, which is packed by its name. */
export async function packedBy(write: (path: string) => Promise<void>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'acp-scope-'));
  const path = join(folder, 'trace.acptrace.jsonl.gz');
  try {
    await write(path);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the trace file in a page is called. */
export function heldName(input: string, isAsItIs: boolean): string {
  const name = basename(input);
  return isAsItIs
    ? name
    : name.replace(/(\.acptrace)?\.(jsonl|ndjson)(\.gz)?$/, '').concat('.acptrace.jsonl');
}
