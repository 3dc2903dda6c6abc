// Reports of runs: those of this tab as they grow, and all that the database keeps. The database is
// asked anew each time, for another tab may have added or deleted one.
import { UNDO_MS } from '../../lib/time.ts';
import type { StorageProblem, Stored } from '../../storage/problem.ts';
import type { StoredRun } from '../../storage/schema.ts';
import type { RunStore } from '../../storage/store.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { KnownLab } from './lab-run.ts';
import type { KnownProbes } from './probe-run.ts';
import type { KnownRerun } from './rerun-run.ts';
import type { RunKind } from './run-messages.ts';
import type { KnownScenario } from './scenario-run.ts';

export interface KnownOf {
  readonly probes: KnownProbes;
  readonly lab: KnownLab;
  readonly rerun: KnownRerun;
  readonly scenario: KnownScenario;
}

export interface KeptRun<K extends RunKind> {
  readonly run: StoredRun;
  readonly known: KnownOf[K];
}

export class KeptRuns {
  readonly #store: RunStore;
  readonly #problem: (problem: StorageProblem) => void;
  /** Of this tab. */
  readonly #here = new Map<string, KeptRun<RunKind>>();
  /** Grown since they were stored. */
  readonly #unstored = new Set<string>();
  #storing = false;

  constructor(store: RunStore, problem: (problem: StorageProblem) => void) {
    this.#store = store;
    this.#problem = problem;
  }

  /** What is known of a run of this tab; stored soon, the newest state at least. */
  keep<K extends RunKind>(kept: KeptRun<K>): void {
    this.#here.set(kept.run.id, kept);
    this.#unstored.add(kept.run.id);
    if (!this.#storing) void this.#storeAll();
  }

  /** Newest first, without those that are deleted. */
  async list(): Promise<readonly StoredRun[]> {
    const stored = this.#value(await this.#store.runs()) ?? [];
    for (const { id, deletedAt } of stored)
      if (deletedAt !== undefined && deletedAt + UNDO_MS < Date.now()) void this.#purge(id);
    const isHidden = new Set(
      stored.flatMap(({ id, deletedAt }) => (deletedAt === undefined ? [] : [id])),
    );
    // What could not be stored, or not yet, is there all the same.
    const here = [...this.#here.values()].map(({ run }) => run);
    const others = stored.filter(({ id }) => !this.#here.has(id));
    return [...here, ...others]
      .filter(({ id }) => !isHidden.has(id))
      .toSorted((a, b) => b.at.localeCompare(a.at));
  }

  /** Undefined: there is no such report, or it is another kind's. */
  async get<K extends RunKind>(kind: K, id: string): Promise<KeptRun<K> | undefined> {
    const run = (await this.list()).find((one) => one.id === id);
    if (run?.kind !== kind) return undefined;
    const here = this.#here.get(id);
    if (here) return here as KeptRun<K>;
    const report = this.#value(await this.#store.report(id));
    return report && { run, known: JSON.parse(report.known) as KnownOf[K] };
  }

  /** Of the run that a connection belongs to, else the newest made from it, or of this command. */
  async of<K extends RunKind>(
    kind: K,
    whose: {
      readonly group: string | undefined;
      readonly of: ConnectionId;
      readonly command: string | undefined;
    },
  ): Promise<KeptRun<K> | undefined> {
    const runs = (await this.list()).filter((run) => run.kind === kind);
    const run =
      runs.find(({ id }) => id === whose.group) ??
      runs.find((one) => one.of === whose.of) ??
      runs.find(({ command }) => command === whose.command);
    return run && this.get(kind, run.id);
  }

  async remove(id: string): Promise<void> {
    this.#value(await this.#store.hideRun(id, Date.now()));
    setTimeout(() => void this.#purgeHidden(id), UNDO_MS);
  }

  async restore(id: string): Promise<void> {
    this.#value(await this.#store.hideRun(id, undefined));
  }

  async #purgeHidden(id: string): Promise<void> {
    const runs = this.#value(await this.#store.runs()) ?? [];
    if (runs.find((run) => run.id === id)?.deletedAt !== undefined) await this.#purge(id);
  }

  async #purge(id: string): Promise<void> {
    this.#here.delete(id);
    this.#value(await this.#store.purgeRun(id));
  }

  /** One at a time; what grows meanwhile is stored once more. */
  async #storeAll(): Promise<void> {
    this.#storing = true;
    for (const id of this.#unstored) {
      this.#unstored.delete(id);
      const kept = this.#here.get(id);
      if (!kept) continue;
      const known = JSON.stringify(kept.known);
      this.#value(await this.#store.putRun(kept.run, { id, known }));
    }
    this.#storing = false;
  }

  #value<T>(stored: Stored<T>): T | undefined {
    if (stored.ok) return stored.value;
    this.#problem(stored.problem);
    return undefined;
  }
}
