// What happens to faults of our own. Each is one line that holds nothing of an agent or a person:
// the kind of error, its system code, and where in our own program it arose. One that was
// caught failed one request; one that nobody caught may have left more undone, so several end the relay.

interface FaultOptions {
  readonly say: (line: string) => void;
  /** More than five in a minute that nobody caught: once. */
  readonly onTooMany?: () => void;
}

const MINUTE = 60_000;
const MOST = 5;

export class Faults {
  readonly #options: FaultOptions;
  #said: readonly number[] = [];
  #uncaught: readonly number[] = [];
  #tooMany = false;

  constructor(options: FaultOptions) {
    this.#options = options;
  }

  /** It was caught where it arose: only what was asked there has failed. */
  contained(error: unknown): void {
    this.#said = withNow(this.#said);
    if (this.#said.length > MOST) return;
    const more = this.#said.length === MOST ? ' Further ones of this minute are not shown.' : '';
    this.#options.say(faultLine(error) + more);
  }

  /** Nobody caught it. */
  uncaught(error: unknown): void {
    this.contained(error);
    this.#uncaught = withNow(this.#uncaught);
    if (this.#uncaught.length <= MOST || this.#tooMany) return;
    this.#tooMany = true;
    this.#options.onTooMany?.();
  }

  /** From now on nothing that is thrown in this process ends it. */
  catchAll(): void {
    process.on('uncaughtException', (error) => this.uncaught(error));
    // A reader of ours that is gone: there is nobody to tell, and telling would fail again.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }
}

/** Those of the last minute, and this one; of many, the last. */
function withNow(times: readonly number[]): readonly number[] {
  const now = performance.now();
  return [...times.filter((time) => now - time < MINUTE), now].slice(-MOST - 1);
}

/** One line. An error's message is not in it: it may quote what was read or where. */
export function faultLine(error: unknown): string {
  return `A fault of ACP Scope itself: ${faultPlace(error)}. What it was about has failed; the rest goes on.`;
}

/** The kind of error, its system code, and where in our program it arose: `RangeError at check.js:1:20`. */
export function faultPlace(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error';
  const { name, message, stack = '' } = error;
  const { code } = error as NodeJS.ErrnoException;
  const kind = /^\w{1,40}$/.test(name) ? name : 'Error';
  const why = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? ` ${code}` : '';
  // The stack begins with the message, which may look like a stack.
  const at = stack.indexOf(message) < 0 ? '' : stack.slice(stack.indexOf(message) + message.length);
  const [, where] = /^ +at .*?([\w.-]{1,80}:\d{1,9}:\d{1,9})\)?$/m.exec(at) ?? [];
  const place = where === undefined ? '' : ` at ${where}`;
  return `${kind}${why}${place}`;
}
