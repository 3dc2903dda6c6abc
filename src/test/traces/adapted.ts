// The adapter in a test: its decisions carried out on arrays, its histories kept in memory as lines.
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Actions, PendingReplay } from '../../drive/adapt/windows.ts';
import { Adapter } from '../../drive/adapt/adapter.ts';
import { entryLine, readEntry, type StoreEntry, type StoreHead } from '../../drive/adapt/entry.ts';
import type { HistoryClaim, HistoryPort } from '../../drive/adapt/recording.ts';
import { Surveyor } from '../../drive/adapt/survey.ts';
import { Teller, underSession } from '../../drive/adapt/teller.ts';

interface Stored {
  readonly head: StoreHead;
  readonly lines: string[];
}

/** Outlives an adapter, as a disk does. */
export class MemoryHistories implements HistoryPort {
  readonly stored = new Map<string, Stored>();
  /** Sessions that another process has. */
  readonly taken = new Set<string>();
  readonly released: string[] = [];

  claim(session: string): HistoryClaim {
    if (this.taken.has(session)) return { kind: 'refused', why: 'process 7 has it' };
    return { kind: 'ours', stored: this.stored.has(session) };
  }
  begin(session: string, begin: 'new' | 'middle', acp: 1 | 2): void {
    const head = { session, begin, agent: 'a', tool: 't' };
    if (!this.stored.has(session)) this.stored.set(session, { head, lines: [] });
    this.add(session, { type: 'open', at: '', acp });
  }
  copy(from: string, to: string, until: number, acp: 1 | 2): void {
    const source = this.stored.get(from);
    const head = { session: to, begin: source?.head.begin ?? 'middle', agent: 'a', tool: 't' };
    const lines = (source?.lines ?? []).slice(0, until).map((line) => {
      const entry = readEntry(line);
      return entry?.type === 'update'
        ? entryLine({ type: 'update', line: underSession(entry.line, to) })
        : line;
    });
    this.stored.set(to, { head, lines });
    this.add(to, { type: 'open', at: '', acp, fork: true });
  }
  add(session: string, entry: StoreEntry): void {
    this.stored.get(session)?.lines.push(entryLine(entry));
  }
  missed(session: string, why: string): void {
    this.add(session, { type: 'gap', why });
  }
  position(session: string): number {
    return this.stored.get(session)?.lines.length ?? 0;
  }
  release(session: string): void {
    this.released.push(session);
  }
  remove(session: string): void {
    this.stored.delete(session);
  }

  entries(session: string): StoreEntry[] {
    return (this.stored.get(session)?.lines ?? []).map(entryOf);
  }

  /** The frames of a replay, as lines. */
  tell({ session, until, acp, compactions }: PendingReplay): string[] {
    const { head, lines = [] } = this.stored.get(session) ?? {};
    if (!head) return [];
    const entries = lines.slice(0, until).map(entryOf);
    const survey = new Surveyor();
    for (const entry of entries) survey.take(entry);
    const teller = new Teller({ head, survey, acp, compactions });
    return [...teller.begin(), ...entries.flatMap((entry) => teller.tell(entry))];
  }
}

function entryOf(line: string): StoreEntry {
  return readEntry(line) ?? { type: 'gap', why: 'unreadable' };
}

/** One connection through an adapter. */
export class Adapted {
  readonly histories: MemoryHistories;
  readonly adapter: Adapter;
  /** What each side has received, in order. */
  readonly atAgent: string[] = [];
  readonly atEditor: string[] = [];
  readonly said: string[] = [];
  #uuid = 0;

  constructor(histories = new MemoryHistories(), idBase = 'own') {
    this.histories = histories;
    const uuid = () => `uuid-${++this.#uuid}`;
    this.adapter = new Adapter({ history: histories, idBase, uuid });
  }

  editor(line: string | JsonObject): void {
    const text = lineOf(line);
    this.#act(this.adapter.fromEditor(text), text, this.atAgent);
  }

  agent(line: string | JsonObject): void {
    const text = lineOf(line);
    this.#act(this.adapter.fromAgent(text), text, this.atEditor);
  }

  end(): void {
    this.#act(this.adapter.end(), '', this.atEditor);
  }

  /** A request of the editor and the agent's answer; the id the agent was asked under. */
  exchange(id: number, method: string, params: JsonObject, result: Json): void {
    this.editor({ id, method, params });
    this.agent({ id: this.askedId(), result });
  }

  /** The id of the last request that the agent received. */
  askedId(): Json {
    return (JSON.parse(this.atAgent.at(-1) ?? '{}') as JsonObject)['id'] ?? null;
  }

  update(session: string, update: JsonObject): void {
    this.agent({ method: 'session/update', params: { sessionId: session, update } });
  }

  /** What the editor received since, taken away. */
  taken(): string[] {
    return this.atEditor.splice(0);
  }

  #act(actions: Actions, line: string, onward: string[]): void {
    for (const action of actions)
      switch (action.do) {
        case 'pass':
          onward.push(line);
          break;
        case 'send':
          (action.to === 'agent' ? this.atAgent : this.atEditor).push(action.line);
          break;
        case 'replay':
          this.atEditor.push(...this.histories.tell(action.replay));
          break;
        case 'say':
          this.said.push(action.text);
      }
  }
}

function lineOf(line: string | JsonObject): string {
  return typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line });
}

export const RESUMES_V1: JsonObject = {
  protocolVersion: 1,
  agentCapabilities: { sessionCapabilities: { resume: {}, fork: {}, close: {}, delete: {} } },
};

/** A handshake with an agent that can resume, and replays nothing. `offer`: of a v1 client. */
export function handshaken(
  acp: 1 | 2,
  histories?: MemoryHistories,
  offer: JsonObject = {},
): Adapted {
  const adapted = new Adapted(histories);
  const result = acp === 1 ? RESUMES_V1 : { protocolVersion: 2, capabilities: { session: {} } };
  adapted.exchange(0, 'initialize', { protocolVersion: acp, clientCapabilities: offer }, result);
  adapted.taken();
  return adapted;
}
