// What leaves the page: files a person saves, and texts that are copied. Both go without secrets unless a
// person chose otherwise.
import { count } from '../lib/format.ts';
import type { EvidenceFile, EvidenceOf } from '../engine/library/evidence.ts';
import type { Plain, Shared, SharedPart } from '../engine/library/share.ts';
import { DEFAULT_LEVEL, type RedactionLevel } from '../model/redact/levels.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { Page } from './page.ts';

/** What is to be saved: a trace, some of its events, or what shows a finding or events to somebody else. */
interface ShareOrder {
  readonly connection: ConnectionId;
  readonly name: string;
  readonly seqs?: readonly Seq[];
  readonly evidence?: EvidenceOf;
}

export class Sharing {
  readonly #page: Page;
  #asked = 0;

  /** What a person is about to save; undefined: nothing. */
  order = $state.raw<ShareOrder | undefined>();
  level = $state<RedactionLevel>(DEFAULT_LEVEL);
  /** The file as it would be saved; undefined: it is being made. */
  made = $state.raw<Shared | EvidenceFile | undefined>();
  /** Why it could not be made. */
  problem = $state<string | undefined>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Asks how much of it is to be saved. */
  ask(order: ShareOrder): void {
    this.order = order;
    void this.choose(DEFAULT_LEVEL);
  }

  /** Asks the same of what shows a finding, or events, of the trace looked at. */
  askEvidence(evidence: EvidenceOf): void {
    const { current } = this.#page;
    if (current) this.ask({ ...current, evidence });
  }

  /** `page`: as one that shows the trace by itself. */
  async choose(level: RedactionLevel, page?: SharedPart['page']): Promise<void> {
    const { order } = this;
    if (!order) return;
    const asked = ++this.#asked;
    this.level = level;
    this.made = this.problem = undefined;
    try {
      const { library } = this.#page.engine;
      const { connection, evidence, seqs } = order;
      const made = evidence
        ? await library.evidence(connection, level, evidence)
        : await library.share(connection, level, { seqs, page });
      if (asked === this.#asked) this.made = made;
    } catch (error) {
      if (asked === this.#asked)
        this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  close(): void {
    this.#asked++;
    void this.#page.engine.library.unshare();
    this.order = this.made = this.problem = undefined;
  }

  /** A text without its secrets. `part`: [from, to) of it; the rest says what it is. */
  plain(text: string, part?: readonly [number, number]): Promise<Plain> {
    const { engine, current } = this.#page;
    return engine.library.plain(current?.connection, text, part);
  }

  /** Copies a report, and says so; an empty one is not there yet. */
  async report(make: () => Promise<string>): Promise<void> {
    try {
      const text = await make();
      if (text === '') return this.#page.tell('warn', 'There is nothing to report yet.');
      await this.copy(text);
      this.#page.tell('info', 'Copied the report.');
    } catch {
      this.#page.tell('warn', 'The browser refused to copy.');
    }
  }

  /**
   * Copies a text without its secrets, and offers it with them. `part`: [from, to) of the text; `as`: what is
   * made of that part. Rejects where the browser refuses.
   */
  async copy(
    text: string,
    part?: readonly [number, number],
    as: (part: string) => string = (it) => it,
  ): Promise<void> {
    const plain = await this.plain(text, part);
    await navigator.clipboard.writeText(as(plain.text));
    if (plain.places === 0) return;
    this.#page.tell('info', `Copied without ${count(plain.places, 'secret')}.`, {
      label: plain.places === 1 ? 'Copy with it' : 'Copy with them',
      run: () => void navigator.clipboard.writeText(as(part ? text.slice(...part) : text)),
    });
  }
}
