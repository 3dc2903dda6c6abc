// A relay in memory, and a page's engine at it: time stands still until `settle`.
import { vi } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import type { EngineApi } from '../../engine/api.ts';
import { startEngine } from '../../engine/engine.ts';
import type { EngineNotice } from '../../engine/messages.ts';
import { millis } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { LinkHandlers } from '../../link/client.ts';
import type { ConnectionInfo, Launch, PageCommand, Problem } from '../../link/messages.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import type { Store } from '../../storage/store.ts';
import { connectionId, seq, type Origin, type Side, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';

export const LAUNCH: Launch = {
  name: 'agent',
  argv: ['agent'],
  cwd: '/w',
  env: { KEY: 'v' },
  roots: [],
};
export const CONNECTION = connectionId('c1');

/** A relay with one agent, in memory: its spool, and the pages that follow it. */
export class FakeRelay {
  readonly commands: PageCommand[] = [];
  readonly spool: string[] = [];
  #running = true;
  #pages = new Set<LinkHandlers>();
  #followers = new Map<LinkHandlers, number>();
  /** What the agent does with a line. */
  agent: (line: string) => void = () => undefined;
  exists = false;
  /** Why the relay denies each call to an intercept; undefined: it does not respond to one. */
  interceptProblem: Problem | undefined;
  /** The link is lost with the command that is so many away: it never arrives. */
  breaksAt = Infinity;

  link(handlers: LinkHandlers) {
    return {
      enter: () => this.connect(handlers),
      wake: () => undefined,
      command: (command: PageCommand) => queueMicrotask(() => this.#take(handlers, command)),
    };
  }
  get info(): ConnectionInfo {
    return {
      ...{ id: CONNECTION, name: 'agent', mode: 'drive', argv: ['agent'], cwd: '/w', bytes: 0 },
      startedAt: '2026-11-21T10:00:00.000Z',
      state: this.#running ? 'running' : 'ended',
      first: seq(1),
      last: seq(this.spool.length),
    };
  }
  connect(page: LinkHandlers): void {
    this.#pages.add(page);
    page.onStatus({ status: 'open' });
    page.onEvent({
      ...{ type: 'welcome', protocol: 1, version: '0.1.0', home: '/h', cwd: '/w' },
      ...{ command: ['acp-scope'], connections: this.exists ? [this.info] : [] },
    });
  }
  disconnect(page: LinkHandlers): void {
    this.#pages.delete(page);
    this.#followers.delete(page);
    page.onStatus({ status: 'lost', since: 0, retryAt: 0 });
  }
  dropAll(): LinkHandlers[] {
    const pages = [...this.#pages];
    for (const page of pages) this.disconnect(page);
    return pages;
  }
  frame(from: Side, text: string, origin: Origin = 'peer'): void {
    this.record({ type: 'frame', from, line: { text }, origin });
  }
  record(event: object): void {
    const stamp = { seq: seq(this.spool.length + 1), at: millis(this.spool.length) };
    this.spool.push(`${eventLine({ ...event, ...stamp } as TraceEvent)}\n`);
    if ((event as TraceEvent).type === 'exit') this.#running = false;
    this.#flush();
  }
  #flush(): void {
    for (const [page, after] of this.#followers) {
      if (after >= this.spool.length) continue;
      this.#followers.set(page, this.spool.length);
      page.onEvents({
        connection: CONNECTION,
        first: seq(after + 1),
        last: seq(this.spool.length),
        bytes: encodeUtf8(this.spool.slice(after).join('')),
      });
    }
  }
  #take(page: LinkHandlers, command: PageCommand): void {
    if (!this.#pages.has(page)) return;
    if (--this.breaksAt === 0) return this.disconnect(page);
    this.commands.push(command);
    if (command.type === 'start') {
      this.exists = true;
      for (const other of this.#pages) other.onEvent({ type: 'connection', info: this.info });
      page.onEvent({ type: 'started', request: command.request, connection: CONNECTION });
    } else if (command.type === 'follow') {
      this.#followers.set(page, command.after);
      this.#flush();
    } else if (command.type === 'send' && 'text' in command.line) {
      this.frame('client', command.line.text, command.origin);
      this.agent(command.line.text);
    } else if (command.type === 'intercept' && this.interceptProblem) {
      const { request } = command;
      page.onEvent({ type: 'problem', request, problem: this.interceptProblem });
    }
  }
  get acked(): number {
    const acks = this.commands.filter((command) => command.type === 'ack');
    return acks.at(-1)?.seq ?? 0;
  }
  sentBy(origin: Origin): string[] {
    return this.commands.flatMap((command) =>
      command.type === 'send' && command.origin === origin && 'text' in command.line
        ? [command.line.text]
        : [],
    );
  }
}

/** A page's engine at that relay, with what it told. */
export async function page(relay: FakeRelay, store: Store = new MemoryStore(undefined)) {
  const notices: EngineNotice[] = [];
  const handlers: LinkHandlers[] = [];
  const engine: EngineApi = await startEngine({
    tell: (notice) => notices.push(notice),
    openStore: () => Promise.resolve(store),
    finder: nodeFinder,
    makeLink: (given) => {
      handlers.push(given);
      return relay.link(given);
    },
  });
  await engine.connections.enter(undefined, 'token');
  await settle();
  const news = () => notices.flatMap((n) => (n.type === 'news' ? [n.text] : []));
  const last = <T extends EngineNotice['type']>(type: T) =>
    notices.findLast(
      (notice): notice is Extract<EngineNotice, { type: T }> => notice.type === type,
    );
  return { engine, notices, news, last, store, handlers };
}

/** Lets that many faked milliseconds pass. */
export const settle = (time = 300) => vi.advanceTimersByTimeAsync(time);

/** An agent that speaks v1 and answers every request. */
export function polite(relay: FakeRelay): void {
  relay.agent = (line) => {
    const { id, method } = JSON.parse(line) as { id?: number; method?: string };
    if (id === undefined || method === undefined) return;
    const result = method === 'initialize' ? { protocolVersion: 1 } : { sessionId: 's1' };
    relay.frame('agent', JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
}

export const ASK = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 9, method: 'session/request_permission' },
  params: { sessionId: 's1', options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] },
});
