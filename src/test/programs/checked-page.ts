// A page as far as its findings go: an engine over a store in memory, and a relay with agents that do nothing.
import { expect } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import type { FindingsState } from '../../engine/findings/finding-messages.ts';
import type { EngineNotice } from '../../engine/messages.ts';
import { startEngine } from '../../engine/engine.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { LinkHandlers } from '../../link/client.ts';
import type { ConnectionInfo, PageCommand } from '../../link/messages.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { connectionId, seq, type ConnectionId, type TraceEvent } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { draw } from '../traces/draw.ts';
import { until as soon } from './until.ts';

/** An opened file's text. */
export function fileOf(
  events: readonly TraceEvent[],
  created = '2026-11-21T10:00:00.000Z',
): string {
  const header = { format: 'acptrace', version: 1, created, tool: 'acp-scope 0.1.0' } as const;
  const lines = [headerLine({ ...header, clock: 'monotonic' }), ...events.map(eventLine)];
  return lines.map((line) => `${line}\n`).join('');
}

/** A relay with agents that do nothing: what is recorded of each reaches the page. */
export class Agents {
  #handlers: LinkHandlers | undefined;
  readonly #infos = new Map<ConnectionId, ConnectionInfo>();

  link = (handlers: LinkHandlers) => {
    this.#handlers = handlers;
    return {
      enter: () => {
        handlers.onStatus({ status: 'open' });
        handlers.onEvent({
          ...{ type: 'welcome', protocol: 1, version: '0.1.0', home: '/h', cwd: '/w' },
          ...{ command: ['acp-scope'], connections: [...this.#infos.values()] },
        });
      },
      wake: () => undefined,
      command: (_: PageCommand) => undefined,
    };
  };

  async begin(name: string, startedAt: string): Promise<ConnectionId> {
    const id = connectionId(name);
    const rest = { argv: [name], cwd: '/w', bytes: 0, first: seq(1), last: seq(0) };
    const info: ConnectionInfo = { id, name, mode: 'tap', state: 'running', startedAt, ...rest };
    this.#infos.set(id, info);
    this.#handlers?.onEvent({ type: 'connection', info });
    return id;
  }

  /** The relay lets go of it. */
  leave(connection: ConnectionId): void {
    this.#infos.delete(connection);
    this.#handlers?.onEvent({ type: 'gone', connection });
  }

  record(connection: ConnectionId, events: readonly TraceEvent[]): void {
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return;
    const bytes = encodeUtf8(events.map((event) => `${eventLine(event)}\n`).join(''));
    this.#handlers?.onEvents({ connection, first: first.seq, last: last.seq, bytes });
  }
}

/** An engine as a page has it, with what it tells of findings. */
export async function page(store = new MemoryStore(undefined), agents = new Agents()) {
  const states: FindingsState[] = [];
  const engine = await startEngine({
    tell: (notice: EngineNotice) => {
      if (notice.type === 'findings') states.push(notice.state);
    },
    openStore: () => Promise.resolve(store),
    finder: nodeFinder,
    makeLink: agents.link,
  });
  await engine.connections.enter(undefined, undefined);
  const open = async (trace: string, created?: string): Promise<ConnectionId> => {
    const file = new File([encodeUtf8(fileOf(draw(trace), created))], 'a.acptrace.jsonl');
    const imported = await engine.library.importFile(file);
    if (!imported.ok) throw new Error(imported.message);
    await engine.timeline.open(imported.connection, '');
    return imported.connection;
  };
  /** Shows a connection as soon as the page knows it. */
  const show = (connection: ConnectionId) =>
    soon(async () => expect(await engine.timeline.open(connection, '')).toBeDefined());
  /** The last state told that is as wanted. */
  const until = (fits: (state: FindingsState) => boolean): Promise<FindingsState> =>
    soon(() => {
      const state = states.at(-1);
      if (!state || !fits(state)) throw new Error(`Not yet: ${JSON.stringify(state)}`);
      return state;
    });
  const checked = (connection: ConnectionId, frames: number) =>
    until((state) => state.connection === connection && state.done && state.checked === frames);
  return { engine, states, open, show, until, checked, agents, store };
}
