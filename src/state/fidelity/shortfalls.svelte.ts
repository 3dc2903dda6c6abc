// Of restores that are as due so far: what of the history did not come back, each asked once for
// what has come.
import type { RestoreResult } from '../../model/restore/restore-results.ts';
import { heldOf, type Held } from '../../model/restore/restore-words.ts';
import { hasReplay } from '../../model/restore/restore-shapes.ts';
import type { Shortfall } from '../../model/restore/restore-verdict.ts';
import type { FidelityWindow } from '../../model/fidelity/report/report.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

interface Told {
  readonly short: Shortfall | undefined;
}

export class Shortfalls {
  readonly #app: App;
  /** Undefined: asked. */
  #known = $state.raw<Readonly<Record<string, Told | undefined>>>({});

  constructor(app: App) {
    this.#app = app;
  }

  /** Until it was compared, nobody calls it as due. */
  heldOf(result: RestoreResult): Held {
    const held = heldOf(result, this.of(result));
    const isOpen = isCompared(result) && this.#known[keyOf(result)] === undefined;
    return isOpen ? { ...held, mark: 'dim' } : held;
  }

  of(result: RestoreResult): Shortfall | undefined {
    return this.#known[keyOf(result)]?.short;
  }

  async ask(results: readonly RestoreResult[]): Promise<void> {
    const asked = results.filter((one) => isCompared(one) && !(keyOf(one) in this.#known));
    if (asked.length === 0) return;
    this.#know(asked.map((result) => [keyOf(result), undefined]));
    const found = await Promise.all(
      asked.map(async (result) => {
        const { connection, window } = result;
        const told = await fidelityWord(this.#app, connection, window.request);
        return [keyOf(result), { short: told?.shortfall }] as const;
      }),
    );
    this.#know(found);
  }

  #know(entries: readonly (readonly [string, Told | undefined])[]): void {
    this.#known = { ...this.#known, ...Object.fromEntries(entries) };
  }
}

function isCompared({ due, window }: RestoreResult): boolean {
  return due === true && hasReplay(window);
}

function keyOf({ connection, window }: RestoreResult): string {
  return `${connection} ${window.request} ${window.outcome} ${window.updates} ${window.late}`;
}

/** How faithful the replay of a window is; undefined: there is no such window. */
export async function fidelityWord(
  { engine }: App,
  connection: ConnectionId,
  request: Seq,
): Promise<
  Pick<FidelityWindow, 'verdict' | 'refused' | 'unasked' | 'sentence' | 'shortfall'> | undefined
> {
  return (await engine.fidelity.of(connection, request))?.report;
}
