// A trace and the database: it is opened from what was kept of it, without reading its bytes; where nothing was,
// or by another version, from its bytes, and kept then. What was kept is believed only where the blocks it was
// made of are there, and what they hold beyond it is read like what comes from the link.
import { INDEX_VERSION } from '../../model/kept-index.ts';
import { blockBytes, DAMAGED, onDemand } from '../../storage/block-bytes.ts';
import { damage, problemOf, type StorageProblem, type Stored } from '../../storage/problem.ts';
import type { StoredBlock, StoredHead } from '../../storage/schema.ts';
import type { TraceParts, TraceStore } from '../../storage/store.ts';
import { seq, type ConnectionId } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';
import type { Intake } from './intake.ts';
import { believed, firstScreens, type FirstScreen } from './first-screen.ts';
import type { KeptLines } from './line-store.ts';
import { OpenTrace, type KeptTrace } from './open-trace.ts';
import { pack, unpack, type Packed } from './packed.ts';

/** Loaded with what opens it. */
export { OpenTrace };

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
    return { ok: false, problem: problemOf(error) };
  } finally {
    trace.first = undefined;
  }
}

/** What is shown of it until it is loaded, where that was kept and all that is stored was known then. */
export async function firstLook(
  trace: OpenTrace,
  { store, catalog }: Omit<StoredParts, 'intake'>,
): Promise<void> {
  const { connection } = trace;
  const kept = await store.first(connection);
  if (!kept.ok) return;
  const { head, first, blocks } = kept.value;
  if (head?.version !== INDEX_VERSION || head.blocks !== blocks) return;
  const stored = catalog.get(connection);
  if (stored?.last === head.last && stored.bytes === head.bytes) trace.first = believed(first);
}

async function load(trace: OpenTrace, { store, intake }: StoredParts): Promise<Stored<undefined>> {
  const { connection } = trace;
  const [made, blocks] = await Promise.all([
    store.index(connection, INDEX_VERSION),
    allBlocks(store, connection),
  ]);
  if (!blocks.ok) return blocks;
  const rest = made.ok && made.value ? await recall(trace, made.value, blocks.value) : undefined;
  // What is shown from here on is what was read.
  trace.first = undefined;
  // Also where there is no rest: who listens to what the intake brings is told that there is something.
  for (const bytes of rest ?? []) await intake.add(trace, bytes);
  if (rest) return { ok: true, value: undefined };
  let problem: StorageProblem | undefined;
  for (let some = blocks.value; ;) {
    // Each is in before the next is read: a trace need not lie in memory twice.
    for (const block of some) {
      const bytes = await blockBytes(block).catch((error: unknown) => {
        // The database names bytes that the disk has no more, or has others.
        problem = damage(error);
        trace.lose(block.first, block.last, DAMAGED);
        return new Uint8Array();
      });
      await intake.add(trace, bytes);
    }
    const last = some.at(-1)?.last;
    if (last === undefined)
      return problem ? { ok: false, problem } : { ok: true, value: undefined };
    // Another tab may have stored more meanwhile.
    const more = await store.blocks(connection, last);
    if (!more.ok) return more;
    some = more.value;
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
  try {
    const more = size > head.bytes ? await blockBytes(tail) : new Uint8Array();
    const behind = more.subarray(more.length - (size - head.bytes));
    const rest = await Promise.all(blocks.slice(within.length).map(blockBytes));
    trace.recall(await keptOf(parts), known, head.bytes);
    return [behind, ...rest];
  } catch {
    return undefined;
  }
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
  const isWhole = () => lines.bytes === bytes && !trace.isUnfinished;
  if (lines.length < least || !isWhole() || trace.kept === bytes) return;
  trace.kept = bytes;
  const [firstScreen, blocks] = await Promise.all([firstScreens(), allBlocks(store, connection)]);
  // It goes on without: what could not be kept is made again.
  if (!blocks.ok || !isWhole()) return;
  const parts = partsOf(trace, firstScreen);
  if (!parts) return;
  const head = { version: INDEX_VERSION, last, bytes, blocks: blocks.value.length };
  const put = await store.putIndex(connection, { head, parts });
  // Of a connection of the relay the bytes stay: were the database taken away under the page, they would be
  // stored again.
  if (put.ok && isWhole() && !catalog.live(connection)) lines.lieIn(blocks.value.map(onDemand));
}

/** What is kept beside the facts, in one piece. */
const COLUMNS = 'columns';
const FIRST = 'first';
const FACTS = 'facts';

interface KeptFacts extends Omit<KeptTrace, 'columns' | 'lines'> {
  /** The texts that columns name. */
  readonly texts: Readonly<Record<string, unknown>>;
  readonly made: KeptTrace['lines']['made'];
}
interface KeptColumns {
  readonly index: Packed;
  readonly lines: Packed;
}

function partsOf(
  trace: OpenTrace,
  firstScreen: (trace: OpenTrace) => FirstScreen,
): ReadonlyMap<string, unknown> | undefined {
  let kept: KeptTrace;
  try {
    kept = trace.keep();
  } catch {
    // JSON of a peer that is nested too deep.
    return undefined;
  }
  const { columns, lines, ...known } = kept;
  const { made, ...places } = lines;
  const texts = Object.entries(columns).filter(([, column]) => Array.isArray(column));
  const facts: KeptFacts = { ...known, texts: Object.fromEntries(texts), made };
  const packed: KeptColumns = { index: pack(columns), lines: pack(places) };
  return new Map<string, unknown>([
    [FACTS, facts],
    [COLUMNS, packed],
    [FIRST, firstScreen(trace)],
  ]);
}

/** Throws where a part is missing, or the disk has its bytes no more. */
async function keptOf(parts: ReadonlyMap<string, unknown>): Promise<KeptTrace> {
  const { texts, made, ...facts } = parts.get(FACTS) as KeptFacts;
  const packed = parts.get(COLUMNS) as KeptColumns;
  const [columns, places] = await Promise.all([unpack(packed.index), unpack(packed.lines)]);
  return { ...facts, columns: { ...columns, ...texts }, lines: { ...places, made } as KeptLines };
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
