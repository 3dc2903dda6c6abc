// A trace and the database: it is opened from what was kept of it, without reading its bytes; where nothing was,
// or by another version, from its bytes, and kept then. What was kept is believed only where the blocks it was
// made of are there, and what they hold beyond it is read like what comes from the link.
import { INDEX_VERSION } from '../../model/kept-index.ts';
import { bytesOf, onDemand } from '../../storage/block-bytes.ts';
import { problemOf, type Stored } from '../../storage/problem.ts';
import type { StoredBlock, StoredHead } from '../../storage/schema.ts';
import type { TraceParts, TraceStore } from '../../storage/store.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';
import type { Intake } from './intake.ts';
import type { KeptTrace, OpenTrace } from './open-trace.ts';

/** Fewer events are read faster than what would be kept of them. */
const WORTH_KEEPING = 2000;

interface StoredParts {
  readonly store: TraceStore;
  readonly catalog: Pick<Catalog, 'get' | 'isRunning' | 'live'>;
  readonly intake: Intake<OpenTrace>;
}

/** Takes in all that is stored of a trace that nothing was taken into. */
export async function loadTrace(trace: OpenTrace, parts: StoredParts): Promise<Stored<undefined>> {
  try {
    return await load(trace, parts);
  } catch (error) {
    // The database names bytes that the disk has no more.
    return { ok: false, problem: problemOf(error) };
  }
}

async function load(trace: OpenTrace, { store, intake }: StoredParts): Promise<Stored<undefined>> {
  const { connection } = trace;
  const made = await store.index(connection, INDEX_VERSION);
  if (made.ok && made.value) {
    const blocks = await allBlocks(store, connection);
    if (!blocks.ok) return blocks;
    const rest = await recall(trace, made.value, blocks.value);
    // Also where there is no rest: who listens to what the intake brings is told that there is something.
    for (const bytes of rest ?? []) await intake.add(trace, bytes);
    if (rest) return { ok: true, value: undefined };
  }
  for (let after: Seq = seq(0); ;) {
    const blocks = await store.blocks(connection, after);
    if (!blocks.ok) return blocks;
    const last = blocks.value.at(-1)?.last;
    if (last === undefined) return { ok: true, value: undefined };
    after = last;
    // The next ones are not read before these are in: a trace need not lie in memory twice.
    for (const block of blocks.value) await intake.add(trace, await bytesOf(block));
  }
}

/** The bytes that were not known when it was kept; undefined: what was kept is of other bytes. */
async function recall(
  trace: OpenTrace,
  { head, parts }: TraceParts,
  blocks: readonly StoredBlock[],
): Promise<readonly Uint8Array[] | undefined> {
  const within = blocksOf(head, blocks);
  const tail = within?.at(-1);
  if (!within || !tail) return undefined;
  const known = within.map(onDemand);
  const size = known.reduce((sum, block) => sum + block.size, 0);
  const more = size > head.bytes ? await bytesOf(tail) : new Uint8Array();
  const behind = more.subarray(more.length - (size - head.bytes));
  try {
    trace.recall(keptOf(parts), known, head.bytes);
  } catch {
    return undefined;
  }
  return [behind, ...(await Promise.all(blocks.slice(within.length).map(bytesOf)))];
}

/** The blocks it was made of, the last of which may have grown; undefined: they are not there. */
function blocksOf(
  { last, bytes }: StoredHead,
  blocks: readonly StoredBlock[],
): readonly StoredBlock[] | undefined {
  const within: StoredBlock[] = [];
  let size = 0;
  for (const block of blocks) {
    if (size >= bytes) break;
    within.push(block);
    size += onDemand(block).size;
  }
  const tail = within.at(-1);
  if (!tail || size < bytes || tail.first > last) return undefined;
  return (size === bytes ? tail.last === last : tail.last > last) ? within : undefined;
}

async function allBlocks(
  store: TraceStore,
  connection: ConnectionId,
): Promise<Stored<readonly StoredBlock[]>> {
  const all: StoredBlock[] = [];
  for (;;) {
    const blocks = await store.blocks(connection, all.at(-1)?.last ?? seq(0));
    if (!blocks.ok) return blocks;
    if (blocks.value.length === 0) return { ok: true, value: all };
    all.push(...blocks.value);
  }
}

/**
 * Keeps what is known of a trace, and lets its bytes go from memory; unless it is small, still grows, is not stored
 * to its end, or was kept.
 */
export async function keepTrace(
  trace: OpenTrace,
  { store, catalog }: Omit<StoredParts, 'intake'>,
  least = WORTH_KEEPING,
): Promise<void> {
  const { connection, lines } = trace;
  const stored = catalog.get(connection);
  if (!stored || stored.reading || catalog.isRunning(connection) || trace.isUnfinished) return;
  const { last, bytes } = stored;
  if (lines.length < least || lines.bytes !== bytes || trace.kept === bytes) return;
  trace.kept = bytes;
  const parts = partsOf(trace);
  if (!parts) return;
  const put = await store.putIndex(connection, {
    head: { version: INDEX_VERSION, last, bytes },
    parts,
  });
  const blocks = put.ok ? await allBlocks(store, connection) : put;
  // It goes on without: what could not be kept is made again. Of a connection of the relay the bytes stay: were the
  // database taken away under the page, they would be stored again.
  if (blocks.ok && blocks.value && !catalog.live(connection))
    lines.lieIn(blocks.value.map(onDemand));
}

// In the database each column is a part of its own: one record of all would be too large for it.
const COLUMN = 'column ';
const LINES = 'lines ';

function partsOf(trace: OpenTrace): ReadonlyMap<string, unknown> | undefined {
  let kept: KeptTrace;
  try {
    kept = trace.keep();
  } catch {
    // JSON of a peer that is nested too deep.
    return undefined;
  }
  const { columns, lines, ...facts } = kept;
  const named = (before: string, parts: object) =>
    Object.entries(parts).map(([name, part]: [string, unknown]) => [before + name, part] as const);
  return new Map([['facts', facts] as const, ...named(COLUMN, columns), ...named(LINES, lines)]);
}

function keptOf(parts: ReadonlyMap<string, unknown>): KeptTrace {
  const of = (before: string) =>
    Object.fromEntries(
      [...parts].flatMap(([name, part]) =>
        name.startsWith(before) ? [[name.slice(before.length), part]] : [],
      ),
    );
  const facts = parts.get('facts') as Omit<KeptTrace, 'columns' | 'lines'>;
  return { ...facts, columns: of(COLUMN), lines: of(LINES) as unknown as KeptTrace['lines'] };
}
