// Compares the restores of checked traces with the live sessions, in the same reports that the page shows, and hands the
// results to the checks.
import type { ConnectionId } from '../../trace/event.ts';
import type { Fidelities } from '../fidelity/fidelities.ts';
import type { Check } from './check.ts';

export interface ComparingParts {
  /** Returns the comparer of restores with the live session, which the page uses too. */
  fidelities(): Promise<Pick<Fidelities, 'restores'>>;
}

/** The parts of the page's checks that a comparison needs. */
interface Surroundings {
  /** The traces that are read together with a check's trace. */
  together(check: Check): readonly ConnectionId[];
  /** False: another check has taken the place of this check. */
  isShown(check: Check): boolean;
  /** Another trace holds more of the session than before: the check begins again. */
  again(check: Check): void;
  /** A comparison has ended. */
  done(): void;
}

export class RestoreComparing {
  readonly #parts: ComparingParts;
  readonly #around: Surroundings;
  /** Checks whose restores are being compared; true: once more, as nothing can come late now. */
  readonly #comparing = new Map<Check, boolean>();

  constructor(parts: ComparingParts, around: Surroundings) {
    this.#parts = parts;
    this.#around = around;
  }

  /** Compares the restores of a trace whose findings are shown. `isSettled`: nothing of them can come late any more. */
  async compare(check: Check, isSettled: boolean): Promise<void> {
    if (!check.isMarking || !check.isLoaded || check.nextAt !== undefined) return;
    if (!check.hasRestores(isSettled)) return;
    const isComparing = this.#comparing.has(check);
    if (isComparing) return void (isSettled && this.#comparing.set(check, true));
    this.#comparing.set(check, false);
    const restores = check.restores();
    try {
      const fidelities = await this.#parts.fidelities();
      const replays = await fidelities.restores(check.connection, this.#around.together(check));
      if (!this.#around.isShown(check)) return;
      if (!check.compared(replays, restores, isSettled)) this.#around.again(check);
      this.#around.done();
    } catch (error) {
      // Without a result the rules of a replay stay inconclusive; who waits for the check must not wait for ever.
      check.compared([], restores, isSettled);
      this.#around.done();
      throw error;
    } finally {
      const isAskedAgain = this.#comparing.get(check) === true;
      this.#comparing.delete(check);
      if (isAskedAgain) void this.compare(check, true);
    }
  }
}
