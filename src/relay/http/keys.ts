// The secrets of one run: the token a page holds, the owner's secret in the state folder, and the
// one-time codes of links. Compared by their hashes, in constant time; none is ever written out.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { GivenPath } from './given-file.ts';
import type { AccessKey } from './routes.ts';

/** A link opened for the user is used at once or never. */
export const OPENED_CODE_MS = 60_000;
/**
 * Nobody guesses a key of 128 or 256 bits, so no number of wrong ones may keep a right one out. What they cost is
 * time, of the connection that sends them: after `FREE_FAILURES` of its own, each answer waits for `FAILURE_MS`.
 */
const FREE_FAILURES = 5;
const FAILURE_MS = 1000;
/** Answers that wait at once; a connection that would hold one more is closed. */
const MAX_HELD = 16;

type Trade =
  | { readonly ok: true; readonly token: string; readonly file: GivenPath | undefined }
  | { readonly ok: false; readonly error: 'code_used' | 'code_expired' | 'unauthorized' };

/** The connection that sent a key. */
interface Connection {
  destroy(): unknown;
}

interface Code {
  /** By the monotonic clock: a wall clock that is set changes no life. */
  readonly until: number;
  used: boolean;
  /** What the page of this link may read, once. */
  file: GivenPath | undefined;
}

export class AccessKeys {
  readonly #secrets: Readonly<Record<AccessKey, string>> = { page: secret(), owner: secret() };
  readonly #codes = new Map<string, Code>();
  /** Wrong keys by connection, forgotten with it. */
  readonly #failures = new WeakMap<Connection, number>();
  #held = 0;

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
    this.#codes.set(hash(code), { until: performance.now() + lifeMs, used: false, file });
    return code;
  }

  trade(code: string): Trade {
    const known = this.#codes.get(hash(code));
    if (!known) return { ok: false, error: 'unauthorized' };
    if (known.used) return { ok: false, error: 'code_used' };
    if (known.until < performance.now()) return { ok: false, error: 'code_expired' };
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

  /** Counts a wrong key against its connection. Resolves when the answer to that key may be sent. */
  async noteFailure(connection: Connection): Promise<void> {
    const count = (this.#failures.get(connection) ?? 0) + 1;
    this.#failures.set(connection, count);
    if (count <= FREE_FAILURES) return;
    if (this.#held >= MAX_HELD) return void connection.destroy();
    this.#held++;
    await new Promise<void>((resolve) => setTimeout(resolve, FAILURE_MS).unref());
    this.#held--;
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
