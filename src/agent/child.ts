// A child session: the agent's own, announced on its parent, with a history inside its parent's. Its
// work may end with its parent's turn or go on after it, and the client may cancel it alone.
import type { Actor, Surroundings, Worker } from './port.ts';
import {
  childEnd,
  closing,
  type AgentActivity,
  type HistoryChange,
  type EndReason,
  type History,
} from './history.ts';
import { idOf, randomFrom } from './ids.ts';
import { ScriptStage } from './script/stage.ts';

interface Task {
  readonly title: string;
  readonly prompt: string;
  /** What the child does; it gives what it reports to its parent. */
  readonly play: (stage: ScriptStage) => Promise<string>;
  /** Ends its work with its parent's turn. */
  readonly signal: AbortSignal | undefined;
}

export class ChildSession implements Actor, Worker {
  readonly id: string;
  readonly cwd: string;
  readonly history: History;
  readonly around: Surroundings;
  edits: Actor['edits'] = 'ask';
  readonly stoppable: Actor['stoppable'] = new Map();
  readonly children: Actor['children'] = new Map();
  readonly ofTurn: boolean;
  readonly ended: Promise<EndReason>;
  private readonly parent: Actor;
  private readonly stop = new AbortController();
  private issued = 0;

  private constructor(parent: Actor, id: string, history: History, task: Task) {
    this.parent = parent;
    this.id = id;
    this.cwd = parent.cwd;
    this.around = parent.around;
    this.history = history;
    this.ofTurn = task.signal !== undefined;
    this.ended = this.work(task);
  }

  /** Announces a child and sets it to work. */
  static async begin(parent: Actor, task: Task): Promise<ChildSession> {
    const id = parent.newId('sess');
    const { title, prompt: description } = task;
    await parent.change({ change: 'child', id, title, description, cancellable: true });
    const history = parent.history.child(id)?.history;
    if (history === undefined) throw new Error(`the child ${id} is not in its parent's history`);
    const child = new ChildSession(parent, id, history, task);
    parent.children.set(id, child);
    return child;
  }

  newId(prefix: string): string {
    return idOf(prefix, this.id, this.issued++);
  }

  async change(of: HistoryChange): Promise<void> {
    await this.parent.change({ change: 'in', child: this.id, of });
  }

  /** The parent's copy of its state first, then its own. */
  async act(activity: AgentActivity): Promise<void> {
    await this.parent.change({ change: 'child', id: this.id, activity });
    await this.around.port.activity(this, activity);
  }

  cancel(): void {
    this.stop.abort();
  }

  /** Says again what it is and does, after a restore; those it owns too. */
  async announceAgain(): Promise<void> {
    const fields = this.parent.history.child(this.id)?.fields;
    if (fields === undefined) return;
    const { port } = this.around;
    await port.update(this.parent, { change: 'child', id: this.id, ...fields }, false);
    if (fields.activity) await port.activity(this, fields.activity);
    for (const child of this.children.values()) await child.announceAgain();
  }

  private async work({ prompt, play, signal }: Task): Promise<EndReason> {
    const { around, stop, parent, id } = this;
    const ends = signal ? AbortSignal.any([stop.signal, signal]) : stop.signal;
    let reason: EndReason = 'end_turn';
    try {
      await this.send(parent, this, prompt);
      await this.act({ state: 'running' });
      const random = randomFrom(prompt, this.history.items.size);
      const block = { type: 'text', text: prompt };
      const report = await play(new ScriptStage(this, [block], random, ends));
      await this.send(this, parent, report);
    } catch (error) {
      reason = ends.aborted ? 'cancelled' : 'interrupted';
      if (reason === 'interrupted') around.log(`${id}: the child broke off: ${String(error)}`);
    }
    for (const child of this.children.values()) child.cancel();
    await Promise.all([...this.children.values()].map((child) => child.ended));
    for (const change of closing(this.history)) await this.change(change);
    const told = around.hooks.hidesCancel && reason === 'cancelled' ? 'end_turn' : reason;
    await parent.change(childEnd(id, told));
    await around.port.activity(this, { state: 'idle', reason: told });
    parent.children.delete(id);
    return reason;
  }

  /** One message, as each of the two sessions sees it. */
  private async send(from: Actor, to: Actor, text: string): Promise<void> {
    const [sent, received] = [from.newId('msg'), to.newId('msg')];
    await from.change({ change: 'peer', id: sent, other: to.id, twin: received, sent: true, text });
    await to.change({
      change: 'peer',
      id: received,
      other: from.id,
      twin: sent,
      sent: false,
      text,
    });
  }
}
