// Changes of one file, each told once the file is still. It is polled: a file that an editor or a build
// replaces by another stays the same file, on every system.
import { unwatchFile, watchFile, type StatsListener } from 'node:fs';

const POLL_MS = 200;
/** A program is often written in several writes. Longer than a poll, so that each of them counts. */
const STILL_MS = 500;

export class FileChanges {
  readonly #file: string;
  readonly #stop: AbortSignal;
  #isPending = false;
  #tell: (() => void) | undefined;
  #still: NodeJS.Timeout | undefined;
  readonly #see: StatsListener = ({ mtimeMs }) => {
    clearTimeout(this.#still);
    // 0: it is gone, as it is for a moment while it is replaced.
    if (mtimeMs > 0) this.#still = setTimeout(() => this.#changed(), STILL_MS);
  };
  readonly #end = () => {
    unwatchFile(this.#file, this.#see);
    clearTimeout(this.#still);
    this.#tell?.();
  };

  /** Looks at the file from now on, until `stop`. */
  constructor(file: string, stop: AbortSignal) {
    this.#file = file;
    this.#stop = stop;
    if (stop.aborted) return;
    watchFile(file, { interval: POLL_MS }, this.#see);
    stop.addEventListener('abort', this.#end, { once: true });
  }

  /** Resolves with the next change; all since the last one asked for are one. False: it was stopped. */
  async next(): Promise<boolean> {
    if (!this.#isPending && !this.#stop.aborted)
      await new Promise<void>((done) => (this.#tell = done));
    this.#isPending = false;
    return !this.#stop.aborted;
  }

  #changed(): void {
    this.#isPending = true;
    this.#tell?.();
  }
}
