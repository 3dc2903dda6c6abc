// The intercept of the connection looked at: rules a person writes for it, and frames that wait for one.
import type { InterceptPreset } from '../../drive/intercept/table.ts';
import type { InterceptCall } from '../../link/messages.ts';
import type { HeldFrame } from '../../model/facts/facts-view.ts';
import type { App } from '../app.svelte.ts';
import { TextDraft } from '../draft.ts';
import { keptWith } from '../kept.svelte.ts';

const EMPTY = '{\n  "rules": [\n  ]\n}';

class InterceptRules {
  readonly #app: App;
  readonly #draft: TextDraft;
  #isRead = false;
  /** As they are written, for every connection; kept like a draft. */
  text = $state(EMPTY);
  problems = $state.raw<readonly string[]>([]);
  presets = $state.raw<readonly InterceptPreset[]>([]);
  #isOpen = $state(false);
  /** Of the text that was checked last. */
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
    this.#draft = new TextDraft(app.engine.library);
  }

  /** The rules are shown, to be written. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async open(isOpen: boolean): Promise<void> {
    this.#isOpen = isOpen;
    if (!isOpen) return;
    this.presets = await this.#app.engine.connections.interceptPresets();
    if (this.#isRead) return;
    this.#isRead = true;
    this.text = (await this.#draft.open('intercept')) ?? this.text;
  }

  edit(text: string): void {
    this.text = text;
    this.problems = [];
    this.#draft.save(text);
  }

  /** Puts a ready rule behind those there are. */
  add({ name, rule }: InterceptPreset): void {
    const written = JSON.stringify({ name, ...rule }, undefined, 2).replaceAll('\n', '\n    ');
    const end = this.text.lastIndexOf(']');
    const before = (end < 0 ? EMPTY.slice(0, -4) : this.text.slice(0, end)).trimEnd();
    const comma = before.endsWith('[') || before.endsWith(',') ? '' : ',';
    this.edit(`${before}${comma}\n    ${written}\n  ]\n}`);
  }

  /** In force from the next frame on; or the problems are said, and nothing changes. */
  async on(): Promise<void> {
    const rules = await this.#checked();
    if (rules === undefined) return;
    await this.#call({ op: 'on', rules });
    this.#isOpen = this.problems.length > 0;
  }

  /** Of an agent that we drive another is started, with the rules in force before its handshake. */
  async again(): Promise<void> {
    const connection = this.#app.current?.connection;
    const rules = await this.#checked();
    if (rules === undefined || connection === undefined) return;
    this.#isOpen = false;
    await this.#app.library.restart(connection, rules);
  }

  /** The rules as they are written; undefined: their problems are said, or they have changed since. */
  async #checked(): Promise<string | undefined> {
    const asked = ++this.#asked;
    const { text } = this;
    const problems = await this.#app.engine.connections.checkRules(text);
    if (asked !== this.#asked || text !== this.text) return undefined;
    this.problems = problems;
    return problems.length > 0 ? undefined : text;
  }

  off(): Promise<void> {
    return this.#call({ op: 'off' });
  }

  release({ seq }: HeldFrame): Promise<void> {
    return this.#call({ op: 'release', of: seq });
  }

  drop({ seq }: HeldFrame): Promise<void> {
    return this.#call({ op: 'drop', of: seq });
  }

  /** Opens it in the composer, which sends it on in its place. */
  async take(held: HeldFrame): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const frame = await this.#app.engine.timeline.frame(connection, held.seq);
    if (frame?.line && 'text' in frame.line) await this.#app.composer.hold(held, frame.line.text);
  }

  async #call(call: InterceptCall): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const problem = await this.#app.engine.connections.intercept(connection, call);
    this.problems = problem ? [problem.message] : [];
  }
}

export const interceptOf = keptWith((app) => new InterceptRules(app));
