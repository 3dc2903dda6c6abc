// The way to what checks traces, which is loaded with the first trace that is looked at: the rules and
// the schemas weigh more than the rest of the worker.
import type { ConnectionId } from '../../trace/event.ts';
import type { Checking } from './checking.ts';
import type { OpenTrace } from '../traces/open-trace.ts';

export class Checks {
  readonly #load: () => Promise<Checking>;
  readonly #onProblem: (message: string) => void;
  #loading: Promise<Checking | undefined> | undefined;
  #loaded: Checking | undefined;

  constructor(load: () => Promise<Checking>, onProblem: (message: string) => void) {
    this.#load = load;
    this.#onProblem = onProblem;
  }

  /** Undefined: it cannot be loaded; the next call tries again. */
  get(): Promise<Checking | undefined> {
    return (this.#loading ??= this.#begin());
  }

  show(connection: ConnectionId): void {
    void this.get().then((checking) => checking?.show(connection));
  }
  grown(trace: OpenTrace): void {
    this.#loaded?.grown(trace);
  }
  refresh(): void {
    this.#loaded?.refresh();
  }
  annotated(trace: OpenTrace): void {
    this.#loaded?.annotated(trace);
  }
  keep(open: ReadonlySet<ConnectionId>): void {
    this.#loaded?.keep(open);
  }
  isBusy(connection: ConnectionId): boolean {
    return this.#loaded?.isBusy(connection) ?? false;
  }

  async #begin(): Promise<Checking | undefined> {
    try {
      return (this.#loaded = await this.#load());
    } catch {
      this.#loading = undefined;
      this.#onProblem(
        'The rules could not be loaded, so nothing is checked. The relay may have ended, or been updated meanwhile: run acp-scope if it has, then reload the page.',
      );
      return undefined;
    }
  }
}
