// An archive of logs as one stream of bytes: those of JetBrains' "Get ACP Logs", whose transport log may
// be cut into several files; of any other archive its one file, or the first that may be a trace.
import { count } from '../../lib/format.ts';
import { harmless } from './format.ts';
import { overlap, zipEntries, type ZipEntry } from './zip.ts';

/** An archive is read whole: larger ones are unpacked by hand. */
export const MOST_ARCHIVE = 512 * 1024 ** 2;
const READABLE = /\.(log|jsonl|ndjson|json|jsons|har|traffic|txt)$/i;

const MOST_UNPACKED = 2 * 1024 ** 3;
/** What is packed and grows more than this, past the first megabyte, was made to. */
const MOST_RATIO = 200;
const RATIO_FROM = 1024 ** 2;

/** Why no more of something packed is read: a sentence; undefined: go on. */
export function unpackLimit(size: number, packed: number): string | undefined {
  if (size > MOST_UNPACKED) return 'Import stopped: decompressed size limit (2 GiB).';
  if (size > RATIO_FROM && size > packed * MOST_RATIO)
    return `Import stopped: this file unpacks to more than ${MOST_RATIO} times its size.`;
  return undefined;
}

/** Ends the reading of a file; its message is a sentence that says why. */
export class ImportStopped extends Error {}

/** Passes the bytes on; throws `ImportStopped` if they are too many. `packed`: number of bytes that they came from. */
export async function* withinLimit(
  bytes: AsyncIterable<Uint8Array>,
  packed: () => number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    const limit = unpackLimit(size, packed());
    if (limit !== undefined) throw new ImportStopped(limit);
    yield chunk;
  }
}

type Unpacked =
  | {
      readonly ok: true;
      /** Throws `ImportStopped`. */
      readonly bytes: AsyncGenerator<Uint8Array>;
      /** Number of bytes that the directory states. */
      readonly size: number;
      /** A sentence about what is not read of the archive. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly problem: string };

/** The logs in an archive, the oldest first. */
export function unpackLogs(archive: Uint8Array): Unpacked {
  const entries = zipEntries(archive);
  if ('problem' in entries) return { ok: false, problem: entries.problem };
  const logs = entries.filter(isTransport).sort(byAge);
  const [one, ...left] = entries.filter(({ name }) => READABLE.test(name));
  const chosen = logs.length > 0 ? logs : one ? [one] : [];
  if (chosen.length === 0)
    return {
      ok: false,
      problem: `This ZIP archive holds no log that could be a trace (${namesOf(entries)}). Of a JetBrains IDE it is acp-transport.log, once llm.agent.extended.logging is on.`,
    };
  const packed = archive.length;
  const stated = chosen.reduce((sum, { size }) => sum + size, 0);
  const problem = overlap(chosen)
    ? 'Import stopped: files of this ZIP archive share their bytes, so it would unpack to more than it holds.'
    : unpackLimit(stated, packed);
  if (problem !== undefined) return { ok: false, problem };
  const isPart = logs.length === 0 && left.length > 0;
  return {
    ok: true,
    bytes: withinLimit(inTurn(chosen), () => packed),
    size: stated,
    ...(isPart && {
      note: `Only ${namesOf(chosen)} of this ZIP archive is read. ${count(left.length, 'more file')} could be a trace (${namesOf(left)}): unpack it and open those.`,
    }),
  };
}

/** `acp-transport.log`, or one that was rolled. */
function isTransport({ name }: ZipEntry): boolean {
  const file = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const at = file.indexOf('acp-transport');
  return at >= 0 && file.includes('.log', at);
}

/** Rolled logs have a number: the higher, the older; the one without is the newest. */
function byAge(a: ZipEntry, b: ZipEntry): number {
  return numberOf(b) - numberOf(a);
}

function numberOf({ name }: ZipEntry): number {
  return Number(/\.(\d+)(?:\.log)?$|\.log\.(\d+)$/i.exec(name)?.slice(1).find(Boolean) ?? 0);
}

async function* inTurn(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  let last = 0x0a;
  for (const entry of entries) {
    // A file whose last line has no 0x0A must not grow together with the next.
    if (last !== 0x0a) yield Uint8Array.of(0x0a);
    for await (const chunk of entry.open()) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  }
}

function namesOf(entries: readonly ZipEntry[]): string {
  const names = entries.slice(0, 5).map(({ name }) => harmless(name.slice(0, 60)));
  return entries.length === 0 ? 'it is empty' : names.join(', ');
}
