// The worker's engine over a store in memory, as a page has it, and a small trace file for it.
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { loadReader, startEngine } from '../../engine/engine.ts';
import type { EngineApi } from '../../engine/api.ts';
import type { EngineNotice } from '../../engine/messages.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { draw } from '../traces/draw.ts';

const HEADER = headerLine({
  ...{ format: 'acptrace', version: 1, created: '2026-11-21T10:00:00.000Z' },
  ...{ tool: 'acp-scope 0.1.0', clock: 'monotonic' },
});

/** A handshake: three events. */
export const FILE = [
  HEADER,
  ...draw('start agent\nclient →0 initialize {}\nagent ←0 result {}').map(eventLine),
]
  .map((line) => `${line}\n`)
  .join('');

export async function storedEngine(store = new MemoryStore(undefined)) {
  const notices: EngineNotice[] = [];
  // Another engine tells this one of its traces when it likes, also when the test is over: nothing is loaded then.
  await loadReader();
  const engine = await startEngine({
    tell: (notice) => notices.push(notice),
    openStore: () => Promise.resolve(store),
    finder: nodeFinder,
    makeLink: () => ({ enter: () => undefined, wake: () => undefined, command: () => undefined }),
  });
  return { engine, notices, store };
}

/** The text of a trace file taken in. */
export async function imported(engine: EngineApi, text = FILE): Promise<ConnectionId> {
  const found = await engine.library.importFile(new File([encodeUtf8(text)], 'a.acptrace.jsonl'));
  if (!found.ok) throw new Error(found.message);
  return found.connection;
}
