// One session that is active on this connection: its history, its turn, the prompts that wait.
import { setImmediate } from 'node:timers/promises';
import type { Actor, Root, Surroundings } from './port.ts';
import {
  closing,
  orphaned,
  textOfBlocks,
  type AgentActivity,
  type PromptBlock,
  type HistoryChange,
  type EndReason,
  type History,
  type AgentItem,
} from './history.ts';
import { cursorUpdate, turnEnds } from './cursors.ts';
import { idOf, randomFrom } from './ids.ts';
import type { McpReport, McpServers } from './mcp.ts';
import type { SessionFile } from './store.ts';

export interface Prompted {
  /** The user message's id, once it stands in the history; undefined when it never will. */
  readonly inserted: Promise<string | undefined>;
  readonly ended: Promise<EndReason>;
}

interface Waiting {
  readonly content: readonly PromptBlock[];
  readonly insert: (id: string | undefined) => void;
  readonly end: (reason: EndReason) => void;
}

export class AgentSession implements Root {
  readonly id: string;
  readonly cwd: string;
  readonly history: History;
  readonly around: Surroundings;
  edits: Actor['edits'] = 'ask';
  readonly stoppable: Actor['stoppable'] = new Map();
  readonly children: Actor['children'] = new Map();
  activity: AgentActivity = { state: 'idle' };
  private readonly file: SessionFile;
  private mcp: McpServers;
  /** No turn has told yet what became of the servers. */
  private mcpIsNew = true;
  private readonly waiting: Waiting[] = [];
  private turn: AbortController | undefined;
  private running: Promise<void> | undefined;
  /** The restores that are being told. */
  private telling: Promise<void> | undefined;
  private issued: number;
  /** Items from this one on are remembered. */
  private memory = 0;

  constructor(file: SessionFile, mcp: McpServers, around: Surroundings) {
    this.file = file;
    this.id = file.id;
    this.cwd = file.cwd;
    this.history = file.history;
    this.mcp = mcp;
    this.around = around;
    this.issued = this.history.items.size;
    this.restored();
    for (const change of orphaned(this.history)) this.record(change);
    if (this.history.open) {
      for (const change of closing(this.history)) this.record(change);
      this.record({ change: 'end', reason: 'interrupted' });
    }
  }

  restored(): void {
    if (this.around.hooks.forgets) this.memory = this.history.items.size;
  }

  /**
   * Tells the client of a restore. Until the answer to it, `tell`'s, has gone no turn begins and no
   * child says anything; then those at work are announced again.
   */
  async tell<T>(tell: () => Promise<T>): Promise<T> {
    const gone = deferred<undefined>();
    const all = Promise.all([this.telling, gone.promise]).then(async () => {
      if (!this.around.hooks.announcesOnce)
        for (const child of this.children.values()) await child.announceAgain();
      if (this.telling === all) this.telling = undefined;
    });
    this.telling = all;
    try {
      return await tell();
    } finally {
      void setImmediate().then(() => gone.resolve(undefined));
    }
  }

  /** Announces the cursors from this one on; -1: the last one. */
  async tellCursors(from = 0): Promise<void> {
    const { cursor } = this.around.port;
    if (cursor === undefined) return;
    for (const id of turnEnds(this.history).slice(from)) await cursor(this, cursorUpdate(id));
  }

  /** What the agent still knows of the conversation. */
  remembered(): AgentItem[] {
    return [...this.history.items.values()].slice(this.memory);
  }

  /** New servers were given; the old ones go. */
  useMcp(mcp: McpServers): void {
    void this.mcp.close();
    this.mcp = mcp;
    this.mcpIsNew = true;
  }

  /** Each new, load, resume and fork passes the complete list. */
  setDirectories(directories: readonly string[]): void {
    if (directories.join('\n') !== this.history.directories.join('\n'))
      this.record({ change: 'directories', directories });
  }

  /** What became of the servers, the first time that it is asked after they were given. */
  async takeMcpNews(): Promise<readonly McpReport[]> {
    if (!this.mcpIsNew) return [];
    this.mcpIsNew = false;
    return await this.mcp.reports;
  }

  async mcpReports(): Promise<readonly McpReport[]> {
    return await this.mcp.reports;
  }

  /** Prompts take their turns one at a time, in the order in which they came. */
  prompt(content: readonly PromptBlock[]): Prompted {
    const inserted = deferred<string | undefined>();
    const ended = deferred<EndReason>();
    this.waiting.push({ content, insert: inserted.resolve, end: ended.resolve });
    this.running ??= this.takeTurns();
    return { inserted: inserted.promise, ended: ended.promise };
  }

  /** Ends the turn, and drops the prompts that wait for theirs. */
  cancel(): void {
    for (const { insert, end } of this.waiting.splice(0)) {
      insert(undefined);
      end('cancelled');
    }
    this.turn?.abort();
  }

  /** Resolves once nothing more is sent for this session, and its servers have gone. */
  async close(): Promise<void> {
    this.cancel();
    for (const child of this.children.values()) child.cancel();
    await Promise.all([...this.children.values()].map(({ ended }) => ended));
    await this.running;
    await setImmediate(); // the prompt's own answer goes first
    this.file.close();
    await this.mcp.close();
  }

  async change(change: HistoryChange): Promise<void> {
    if (isOfChild(change)) while (this.telling) await this.telling;
    const isNew = this.record(change);
    await this.around.port.update(this, change, isNew);
  }

  async act(activity: AgentActivity): Promise<void> {
    this.activity = activity;
    await this.around.port.activity(this, activity);
  }

  newId(prefix: string): string {
    for (;;) {
      const id = idOf(prefix, this.id, this.issued++);
      if (!this.history.items.has(id)) return id;
    }
  }

  private async takeTurns(): Promise<void> {
    for (;;) {
      while (this.telling) await this.telling;
      const next = this.waiting.shift();
      if (!next) break;
      await this.takeTurn(next);
    }
    this.running = undefined; // in the same breath as the look at who waits
  }

  private async takeTurn({ content, insert, end }: Waiting): Promise<void> {
    const turn = (this.turn = new AbortController());
    await this.act({ state: 'running' });
    const id = this.newId('msg');
    await this.change({ change: 'user', id, content });
    insert(id);
    let reason: EndReason = 'end_turn';
    try {
      // Not of the session's id: two runs of the same prompts differ in ids and times alone.
      const random = randomFrom(textOfBlocks(content), this.history.prompts);
      await this.around.play(this, content, random, turn.signal);
    } catch (error) {
      reason = turn.signal.aborted ? 'cancelled' : 'interrupted';
      if (reason === 'interrupted')
        this.around.log(`${this.id}: the turn broke off: ${String(error)}`);
    }
    this.turn = undefined;
    for (const child of this.children.values()) if (child.ofTurn) await child.ended;
    for (const change of closing(this.history)) await this.change(change);
    await this.change({ change: 'end', reason });
    await this.tellCursors(-1);
    await this.act({ state: 'idle', reason });
    end(reason);
  }

  private record(change: HistoryChange): boolean {
    this.file.append(change);
    return this.history.apply(change);
  }
}

function isOfChild({ change }: HistoryChange): boolean {
  return change === 'child' || change === 'in';
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}
