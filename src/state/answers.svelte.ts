// The answers for restores that a view shows, each requested once per state of its replay window.
import type { RestoreResult } from '../model/restore/restore-results.ts';
import type { Answer } from '../model/fidelity/report/answer.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { App } from './app.svelte.ts';

export class Answers {
  readonly #app: App;
  /** By restore; undefined: requested. */
  #known = $state.raw<Readonly<Record<string, Answer | undefined>>>({});

  constructor(app: App) {
    this.#app = app;
  }

  /** Undefined until the replay is compared with the live session. */
  of(result: RestoreResult): Answer | undefined {
    return this.#known[keyOf(result)];
  }

  async ask(results: readonly RestoreResult[]): Promise<void> {
    const asked = results.filter((one) => !(keyOf(one) in this.#known));
    if (asked.length === 0) return;
    this.#know(asked.map((result) => [keyOf(result), undefined]));
    const found = await Promise.all(
      asked.map(async (result) => {
        const { connection, window } = result;
        return [keyOf(result), await answerFor(this.#app, connection, window.request)] as const;
      }),
    );
    this.#know(found);
  }

  #know(entries: readonly (readonly [string, Answer | undefined])[]): void {
    this.#known = { ...this.#known, ...Object.fromEntries(entries) };
  }
}

function keyOf({ connection, window }: RestoreResult): string {
  return `${connection} ${window.request} ${window.outcome} ${window.updates} ${window.late}`;
}

/** Returns the answer for the restore request at `request`; undefined if there is no such restore. */
export async function answerFor(
  { engine }: App,
  connection: ConnectionId,
  request: Seq,
): Promise<Answer | undefined> {
  return (await engine.fidelity.of(connection, request))?.report.answer;
}
