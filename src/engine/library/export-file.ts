// The trace file of a trace: its header and its lines, byte for byte as imported or recorded. What
// was said of it by hand stands behind them, as events of its own.
import { annotationLines } from '../traces/annotations.ts';
import type { LineStore } from '../traces/line-store.ts';
import { blockBytes } from '../../storage/block-bytes.ts';
import { damage, type StorageProblem } from '../../storage/problem.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { TraceStore } from '../../storage/store.ts';
import type { AnnotationChange } from '../../trace/annotation.ts';
import { seq, type Seq } from '../../trace/event.ts';
import { exportName } from '../../trace/file-name.ts';

const TYPE = 'application/x-ndjson';
const NEWLINE = new Uint8Array([0x0a]);

/** Bytes of lines that are taken at once. */
const PART = 4 * 1024 * 1024;

/**
 * `lines`: the trace in memory, for events the database does not have yet. `changes`: what is not
 * said by the trace's own events.
 */
export async function exportFile(
  trace: StoredTrace,
  lines: LineStore | undefined,
  store: TraceStore,
  changes: readonly AnnotationChange[],
): Promise<{ readonly name: string; readonly blob: Blob; readonly problem?: StorageProblem }> {
  // Blobs of blobs: the browser may keep them on disk, so memory does not grow with the trace.
  let blob = new Blob([plain(trace.header), NEWLINE]);
  let after: Seq = seq(0);
  let problem: StorageProblem | undefined;
  for (;;) {
    const blocks = await store.blocks(trace.connection, after);
    if (!blocks.ok) problem = blocks.problem;
    const last = blocks.ok ? blocks.value.at(-1)?.last : undefined;
    if (!blocks.ok || last === undefined) break;
    after = last;
    const parts: BlobPart[] = [blob];
    for (const read of await Promise.allSettled(blocks.value.map(blockBytes)))
      if (read.status === 'fulfilled') parts.push(plain(read.value));
      else problem = damage(read.reason);
    blob = new Blob(parts);
  }
  for (let from = lines?.after(after) ?? 0; ;) {
    const rest = lines?.batch(trace.connection, after, from, PART);
    const last = rest?.seqs.at(-1);
    if (!lines || !rest || last === undefined) break;
    from = lines.after(last);
    blob = new Blob([blob, plain(rest.bytes)]);
  }
  const last = lines && lines.length > 0 ? lines.event(lines.length - 1) : undefined;
  if (changes.length > 0) blob = new Blob([blob, annotationLines(changes, last)]);
  else if (trace.unterminated) blob = blob.slice(0, -1);
  return {
    name: exportName(trace.file ?? trace.name),
    blob: new Blob([blob], { type: TYPE }),
    ...(problem && { problem }),
  };
}

/** A file of some events of a trace, `lines`: they keep their numbers, so a reader sees the holes. */
export function exportFrames(
  trace: StoredTrace,
  seqs: readonly Seq[],
  lines: string,
): { readonly name: string; readonly blob: Blob } {
  const [first] = seqs;
  const last = seqs.at(-1);
  return {
    name: exportName(`${trace.name}-${first}-${last}`),
    blob: new Blob([plain(trace.header), NEWLINE, lines], { type: TYPE }),
  };
}

/** What a Blob takes: bytes that no other thread shares. */
function plain(bytes: Uint8Array): BlobPart {
  return bytes as BlobPart;
}
