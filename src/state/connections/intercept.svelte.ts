// The intercept of the connection looked at: rules a person writes for it, and frames that wait for one.
import type { InterceptPreset } from '../../drive/intercept/table.ts';
import type { InterceptCall } from '../../link/messages.ts';
import type { HeldFrame } from '../../model/facts/facts-view.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';

const EMPTY = '{\n  "rules": [\n  ]\n}';

class InterceptRules {
  readonly #app: App;
  /** As they are written; kept as long as the page. */
  text = $state(EMPTY);
  problems = $state.raw<readonly string[]>([]);
  presets = $state.raw<readonly InterceptPreset[]>([]);
  #isOpen = $state(false);
  /** Of the text that was checked last. */
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** The rules are shown, to be written. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async open(isOpen: boolean): Promise<void> {
    this.#isOpen = isOpen;
    if (isOpen) this.presets = await this.#app.engine.connections.interceptPresets();
  }

  edit(text: string): void {
    this.text = text;
    this.problems = [];
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
    const asked = ++this.#asked;
    const { text } = this;
    const problems = await this.#app.engine.connections.checkRules(text);
    if (asked !== this.#asked || text !== this.text) return;
    this.problems = problems;
    if (problems.length > 0) return;
    await this.#call({ op: 'on', rules: text });
    this.#isOpen = this.problems.length > 0;
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
  async take({ seq }: HeldFrame): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const frame = await this.#app.engine.timeline.frame(connection, seq);
    if (frame?.line && 'text' in frame.line) await this.#app.composer.hold(seq, frame.line.text);
  }

  async #call(call: InterceptCall): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const problem = await this.#app.engine.connections.intercept(connection, call);
    this.problems = problem ? [problem.message] : [];
  }
}

export const interceptOf = keptWith((app) => new InterceptRules(app));
