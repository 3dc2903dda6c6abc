// What a script may do in its turn. Every act waits a little, and ends the script when the turn
// was cancelled.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import type { Actor, Form, FormAnswer } from '../port.ts';
import {
  textOfBlocks,
  type PromptBlock,
  type HistoryChange,
  type History,
  type PlanEntry,
  type ToolContent,
  type ToolFields,
} from '../history.ts';
import type { Random } from '../ids.ts';

/** Milliseconds, from and to. */
type Between = readonly [number, number];
const READING: Between = [20, 60];
const TICK: Between = [10, 10];

export class ScriptStage {
  readonly prompt: string;
  readonly history: History;
  readonly session: Actor;
  private readonly random: Random;
  readonly signal: AbortSignal;

  constructor(
    session: Actor,
    content: readonly PromptBlock[],
    random: Random,
    signal: AbortSignal,
  ) {
    this.session = session;
    this.history = session.history;
    this.prompt = textOfBlocks(content);
    this.random = random;
    this.signal = signal;
  }

  /** Streams one message, a few words a chunk. */
  async say(as: 'agent' | 'thought', text: string, pause: Between = READING): Promise<void> {
    const id = this.session.newId('msg');
    for (const chunk of this.chunks(text)) {
      await this.pause(pause);
      await this.change({ change: 'say', id, as, text: chunk });
    }
  }

  /** One message in as many chunks: so many a second, or as fast as they go out. */
  async flood(chunks: number, perSecond: number | undefined): Promise<void> {
    const id = this.session.newId('msg');
    const start = performance.now();
    for (let sent = 0; sent < chunks;) {
      const passed = performance.now() - start;
      const due = perSecond === undefined ? sent + 64 : Math.ceil((passed * perSecond) / 1000);
      for (; sent < Math.min(due, chunks); sent++)
        await this.change({ change: 'say', id, as: 'agent', text: `${String(sent + 1)} ` });
      await this.pause(perSecond === undefined ? [0, 0] : TICK); // a cancel comes in here
    }
  }

  async tool(fields: ToolFields): Promise<string> {
    const id = this.session.newId('call');
    await this.change({ change: 'tool', id, ...fields });
    return id;
  }

  /**
   * Does a tool call's work: it is completed with what that gives, or failed. Gives what went
   * wrong, for a sentence.
   */
  async work(id: string, work: () => Promise<readonly ToolContent[]>): Promise<string | undefined> {
    try {
      const content = await this.until(work());
      await this.change({ change: 'tool', id, status: 'completed', content });
      return undefined;
    } catch (error) {
      this.signal.throwIfAborted();
      await this.change({ change: 'tool', id, status: 'failed' });
      return error instanceof Error ? error.message : String(error);
    }
  }

  async plan(id: string, steps: readonly string[], done: number): Promise<void> {
    const entries = steps.map((content, step): PlanEntry => {
      const status = step < done ? 'completed' : step === done ? 'in_progress' : 'pending';
      return { content, status };
    });
    await this.change({ change: 'plan', id, entries });
  }

  /** Whether the person lets this edit happen. Anything but a clear yes is a no. */
  async mayEdit(toolCallId: string): Promise<boolean> {
    const { session } = this;
    if (this.history.settings.mode === 'code' || session.edits === 'always') return true;
    if (session.edits === 'never') return false;
    const tool = this.history.items.get(toolCallId);
    if (tool?.kind !== 'tool') return false;
    const answer = await this.asking(() =>
      session.around.port.askPermission(session, tool, this.signal),
    );
    if (answer === 'allow_always') session.edits = 'always';
    if (answer === 'reject_always') session.edits = 'never';
    return answer === 'allow_once' || answer === 'allow_always';
  }

  /** Undefined when the client takes no forms. */
  async form(form: Form): Promise<FormAnswer | undefined> {
    const { askForm } = this.session.around.port;
    return askForm && (await this.asking(() => askForm(this.session, form, this.signal)));
  }

  /** Runs what the client may end on its own, by the ids of the tool call or its terminal. */
  async stoppable(
    ids: readonly string[],
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const stop = new AbortController();
    for (const id of ids) this.session.stoppable.set(id, stop);
    try {
      await run(AbortSignal.any([this.signal, stop.signal]));
      return true;
    } catch (error) {
      if (stop.signal.aborted && !this.signal.aborted) return false;
      throw error;
    } finally {
      for (const id of ids) this.session.stoppable.delete(id);
    }
  }

  async change(change: HistoryChange): Promise<void> {
    this.signal.throwIfAborted();
    await this.session.change(change);
  }

  async pause([from, to]: Between, signal: AbortSignal = this.signal): Promise<void> {
    const wait = (from + (to - from) * this.random()) * this.session.around.pace;
    if (wait === 0) await setImmediate(undefined, { signal });
    else await setTimeout(wait, undefined, { signal });
  }

  /** Waits for something that knows nothing of the turn's end. */
  async until<T>(something: Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const cancelled = new Promise<never>((_, reject) => {
      const give = () => {
        reject(this.signal.reason as Error);
      };
      this.signal.addEventListener('abort', give, { once: true });
    });
    return await Promise.race([something, cancelled]);
  }

  pick<T>(among: readonly [T, ...T[]]): T {
    return among[Math.floor(this.random() * among.length)] ?? among[0];
  }

  path(file: string): string {
    return join(this.session.cwd, file);
  }

  private async asking<T>(ask: () => Promise<T>): Promise<T> {
    await this.session.act({ state: 'requires_action' });
    const answer = await ask();
    this.signal.throwIfAborted();
    await this.session.act({ state: 'running' });
    return answer;
  }

  /** Cuts behind words, so that the chunks put together are the text. */
  private chunks(text: string): string[] {
    const words = text.match(/\S+\s*/g) ?? [];
    const chunks: string[] = [];
    for (let at = 0; at < words.length;) {
      const next = at + 1 + Math.floor(this.random() * 4);
      chunks.push(words.slice(at, next).join(''));
      at = next;
    }
    return chunks;
  }
}
