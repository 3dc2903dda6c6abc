// When a recording may leave the spool: it has ended, and every page there is has it in its own
// database, or some page has had it for ten minutes, or a page said it will never want it. What no
// page has taken goes seven days after its last byte.
import type { Recording } from './recording.ts';
import type { Seq } from '../../trace/event.ts';

const GRACE_MS = 10 * 60 * 1000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** When it goes if no page takes it; `written`: its last byte. Both in epoch ms. */
export function goesAt(written: number): number {
  return written + KEPT_MS;
}

export class Retention<Page extends object> {
  /** Since when some page has all of it. */
  readonly #since = new Map<Recording, number>();
  readonly #forgotten = new Set<Recording>();
  /** Since when it is too old: a clock that is set, or a page that comes now, leaves it that time. */
  readonly #expired = new Map<Recording, number>();
  /** Weak in both: a page may stay for days, and what is dropped must not stay with it. */
  readonly #acked = new WeakMap<Page, WeakMap<Recording, Seq>>();

  acked(page: Page, recording: Recording, seq: Seq): void {
    const known = this.#acked.get(page) ?? new WeakMap<Recording, Seq>();
    known.set(recording, seq);
    this.#acked.set(page, known);
  }

  forgotten(recording: Recording): void {
    this.#forgotten.add(recording);
  }

  /** Whether the recording may go now, with these pages open. */
  mayGo(recording: Recording, pages: Iterable<Page>, now: number): boolean {
    const { state, last, written } = recording.progress;
    if (state !== 'ended') return false;
    if (this.#forgotten.has(recording)) return true;
    const open = [...pages];
    const has = open.filter((page) => (this.#acked.get(page)?.get(recording) ?? 0) >= last);
    if (has.length > 0 && !this.#since.has(recording)) this.#since.set(recording, now);
    const since = this.#since.get(recording);
    if (since === undefined) {
      const isOld = written !== undefined && now >= goesAt(written);
      const isTaken = open.some((page) => this.#acked.get(page)?.has(recording));
      if (!isOld || isTaken) this.#expired.delete(recording);
      else if (!this.#expired.has(recording)) this.#expired.set(recording, now);
      return now - (this.#expired.get(recording) ?? now) >= GRACE_MS;
    }
    const everyPage = open.length > 0 && has.length === open.length;
    return everyPage || now - since >= GRACE_MS;
  }

  drop(recording: Recording): void {
    this.#since.delete(recording);
    this.#forgotten.delete(recording);
    this.#expired.delete(recording);
  }
}
