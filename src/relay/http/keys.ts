// The secrets of one run: the token a page holds, the owner's secret in the state folder, and the
// one-time codes of links. Compared by their hashes, in constant time; none is ever written out.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { GivenPath } from './given-file.ts';
import type { AccessKey } from './routes.ts';

/** A link opened for the user is used at once or never. */
export const OPENED_CODE_MS = 60_000;
/** So many wrong keys in so long a time; after that, all wait. */
const MOST_FAILURES = 20;
const FAILURE_WINDOW_MS = 10_000;

type Trade =
  | { readonly ok: true; readonly token: string; readonly file: GivenPath | undefined }
  | { readonly ok: false; readonly error: 'code_used' | 'code_expired' | 'unauthorized' };

interface Code {
  readonly until: number;
  used: boolean;
  /** What the page of this link may read, once. */
  file: GivenPath | undefined;
}

export class AccessKeys {
  readonly #secrets: Readonly<Record<AccessKey, string>> = { page: secret(), owner: secret() };
  readonly #codes = new Map<string, Code>();
  #failures: number[] = [];

  get owner(): string {
    return this.#secrets.owner;
  }

  /** The owner's secret is never said: `given` is an asker's proof of it. */
  holds(key: AccessKey, given: string): boolean {
    const due =
      key === 'page' ? this.#secrets.page : ownerProof(this.owner, 'asks', nonceOf(given));
    return timingSafeEqual(digest(given), digest(due));
  }

  /** Shows who asked with a proof that we hold the secret too, and are no other program at this port. */
  answerTo(proof: string): string {
    return ownerProof(this.owner, 'answers', nonceOf(proof));
  }

  /** A code for one page, and a file for it. Without a life it holds until it is used. */
  issueCode(lifeMs = Infinity, file?: GivenPath): string {
    const code = randomBytes(16).toString('base64url');
    this.#codes.set(hash(code), { until: Date.now() + lifeMs, used: false, file });
    return code;
  }

  trade(code: string): Trade {
    const known = this.#codes.get(hash(code));
    if (!known) return { ok: false, error: 'unauthorized' };
    if (known.used) return { ok: false, error: 'code_used' };
    if (known.until < Date.now()) return { ok: false, error: 'code_expired' };
    known.used = true;
    return { ok: true, token: this.#secrets.page, file: known.file };
  }

  /** The file of a code that was traded: the first who asks has it. */
  takeFile(code: string): GivenPath | undefined {
    const known = this.#codes.get(hash(code));
    if (!known?.used) return undefined;
    const { file } = known;
    known.file = undefined;
    return file;
  }

  noteFailure(): void {
    const now = Date.now();
    this.#failures = [...this.#failures.filter((at) => at > now - FAILURE_WINDOW_MS), now];
  }

  /** Seconds until keys are looked at again; undefined: now. */
  lockedFor(): number | undefined {
    const first = this.#failures.at(-MOST_FAILURES);
    const last = this.#failures.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const left = last + FAILURE_WINDOW_MS - Date.now();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }
}

/** One side's word, good for this nonce, that it holds the secret, which stays unsaid. */
export function ownerProof(secret: string, side: 'asks' | 'answers', nonce: string): string {
  const word = createHmac('sha256', secret).update(`${side} ${nonce}`).digest('base64url');
  return `${nonce}.${word}`;
}

function nonceOf(proof: string): string {
  return proof.split('.', 1)[0] ?? '';
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hash(code: string): string {
  return digest(code).toString('hex');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
