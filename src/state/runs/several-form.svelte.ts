// A suite of which several are run one after the other: the one that is set up beside the table, and
// others that were run before, or whose traces are stored.
import { setOf } from '../sets.ts';
import type { RunKind } from '../../engine/runs/run-messages.ts';
import { RunForm } from './run-form.svelte.ts';

/** Which are chosen: whether the one that is set up, and the prompts of each other, by its id. */
interface Picked {
  readonly own: boolean;
  readonly others: Readonly<Record<string, number>>;
}

export abstract class SeveralForm<K extends RunKind> extends RunForm<K> {
  picked = $state.raw<Picked>({ own: true, others: {} });

  /** Of the one that is set up; undefined: there is none. */
  protected abstract get ownId(): string | undefined;
  /** Prompts that it sends; undefined: it cannot be run. */
  protected abstract get ownPrompts(): number | undefined;
  /** Prompts of another. Undefined: it cannot be run, and a person was told why. */
  protected abstract promptsOf(id: string): Promise<number | undefined>;
  /** How often each is run. */
  protected get times(): number {
    return 1;
  }

  isPicked(id: string): boolean {
    return id === this.ownId ? this.picked.own : id in this.picked.others;
  }

  override get picks(): readonly string[] {
    const { ownId, ownPrompts, picked } = this;
    const own = picked.own && ownPrompts !== undefined && ownId !== undefined ? [ownId] : [];
    return [...own, ...Object.keys(picked.others).filter((id) => id !== ownId)];
  }

  override get price() {
    const { picks, picked, ownId, ownPrompts, times } = this;
    if (picks.length === 0) return undefined;
    const each = picks.map((id) =>
      id === ownId ? (ownPrompts ?? 0) : (picked.others[id] ?? 0) * times,
    );
    return { cases: picks.length, prompts: each.reduce((sum, prompts) => sum + prompts, 0) };
  }

  async pickCase(id: string, on = !this.isPicked(id)): Promise<void> {
    if (id === this.ownId) {
      this.picked = { ...this.picked, own: on };
      return;
    }
    const prompts = on ? await this.promptsOf(id) : undefined;
    const { [id]: _, ...rest } = this.picked.others;
    const others = prompts === undefined ? rest : { ...rest, [id]: prompts };
    this.picked = { ...this.picked, others };
  }

  async pickOnly(ids: readonly string[]): Promise<void> {
    const wanted = setOf(ids);
    this.picked = { own: this.ownId !== undefined && wanted.has(this.ownId), others: {} };
    for (const id of wanted) if (id !== this.ownId) await this.pickCase(id, true);
  }
}
