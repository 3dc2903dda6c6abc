// Counts the work of code, the same on every machine: how often its blocks ran (V8 counts them for coverage), and
// how much text, bytes and items it gave to built-in functions. It counts no time.
import { Session, type Profiler } from 'node:inspector';

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Holder = Record<PropertyKey, Method>;

/** Built-in functions that read what they are given, or all of what they belong to. */
const READERS: readonly (readonly [holder: object, names: readonly string[]])[] = [
  [
    String.prototype,
    [
      ...['includes', 'indexOf', 'lastIndexOf', 'match', 'normalize', 'replace', 'replaceAll'],
      ...['search', 'slice', 'split', 'substring', 'toLowerCase', 'trim', 'trimEnd', 'trimStart'],
    ],
  ],
  [
    Array.prototype,
    [
      ...['concat', 'every', 'filter', 'find', 'findIndex', 'findLastIndex', 'flat', 'flatMap'],
      ...['includes', 'indexOf', 'join', 'map', 'reduce', 'reverse', 'shift', 'slice', 'some'],
      ...['sort', 'splice', 'unshift'],
    ],
  ],
  [
    Object.getPrototypeOf(Uint8Array.prototype) as object,
    ['indexOf', 'lastIndexOf', 'set', 'slice'],
  ],
  [RegExp.prototype, ['exec', 'test']],
  [JSON, ['parse', 'stringify']],
  [TextDecoder.prototype, ['decode']],
  [TextEncoder.prototype, ['encode']],
];

/** Characters, bytes or items of a value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array)
    return value.length;
  return 0;
}

/** The text that a call reads: its result if it cuts a part out, the way to its find, otherwise all it has. */
function readBy(name: string, owner: unknown, args: readonly unknown[], result: unknown): number {
  if (name === 'slice' || name === 'substring') return sizeOf(result);
  if (name === 'set') return sizeOf(args[0]);
  if (name === 'splice') return sizeOf(owner) + sizeOf(result);
  const from = typeof args[1] === 'number' ? args[1] : 0;
  if (name === 'indexOf' && typeof result === 'number')
    return (result < 0 ? sizeOf(owner) : result) - Math.min(from, sizeOf(owner)) + 1;
  if (owner instanceof RegExp) {
    const at = owner.global || owner.sticky ? owner.lastIndex : 0;
    return Math.max(sizeOf(args[0]) - at, at);
  }
  return sizeOf(owner) + sizeOf(args[0]);
}

/** Counts what code in files of these paths does. It knows only code that was loaded after it was made. */
export class WorkCounter {
  readonly #session = new Session();
  readonly #isCounted: (url: string) => boolean;

  constructor(isCounted: (url: string) => boolean) {
    this.#isCounted = isCounted;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Blocks that ran since it was last asked, and what built-in functions read. `work` must not wait for anything. */
  count(work: () => void): number {
    let read = 0;
    const put: (() => void)[] = [];
    for (const [holder, names] of READERS)
      for (const name of names) {
        const own = holder as Holder;
        const known = own[name] as Method;
        put.push(() => (own[name] = known));
        own[name] = function (...args) {
          const result = Reflect.apply(known, this, args);
          read += readBy(name, this, args, result);
          return result;
        };
      }
    try {
      work();
    } finally {
      for (const restore of put) restore();
    }
    return read + this.#blocks();
  }

  end(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.post('Profiler.disable');
    this.#session.disconnect();
  }

  /** How often blocks ran since it was last asked. */
  #blocks(): number {
    let found: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error) throw error;
      found = answer.result;
    });
    return found
      .filter(({ url }) => this.#isCounted(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  }
}
