// The intercept of the connection looked at: rules a person writes for it, and frames that wait for one.
import type { InterceptPreset } from '../../drive/intercept/table.ts';
import type { InterceptCall } from '../../link/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
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
  #faults = $state.raw<readonly string[]>([]);
  /** The relay's reason for doing nothing, and the connection. */
  #refusal = $state.raw<
    { readonly connection: ConnectionId; readonly message: string } | undefined
  >();
  /** Connections whose relay has not answered yet: its terminal may ask a person. */
  #waiting = $state.raw<readonly ConnectionId[]>([]);
  presets = $state.raw<readonly InterceptPreset[]>([]);
  #isOpen = $state(false);
  /** Of the text that was checked last. */
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
    this.#draft = new TextDraft(app.engine.library);
  }

  /** The faults of the rules, and the relay's reason for doing nothing. */
  get problems(): readonly string[] {
    const refusal = this.#refusal;
    const isHere = refusal !== undefined && refusal.connection === this.#app.current?.connection;
    return isHere ? [...this.#faults, refusal.message] : this.#faults;
  }

  /** True if the last call for the open connection is not done yet. */
  get isWaiting(): boolean {
    const connection = this.#app.current?.connection;
    return connection !== undefined && this.#waiting.includes(connection);
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
    this.#faults = [];
    this.#refusal = undefined;
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
    const connection = this.#app.current?.connection;
    const rules = await this.#checked();
    // While the rules were checked, another connection may have been opened.
    if (rules === undefined || this.#app.current?.connection !== connection || this.isWaiting)
      return;
    const isDone = await this.#call({ op: 'on', rules });
    if (isDone && this.#app.current?.connection === connection) this.#isOpen = false;
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
    this.#faults = problems;
    return problems.length > 0 ? undefined : text;
  }

  off(): Promise<boolean> {
    return this.#call({ op: 'off' });
  }

  release({ seq }: HeldFrame): Promise<boolean> {
    return this.#call({ op: 'release', of: seq });
  }

  drop({ seq }: HeldFrame): Promise<boolean> {
    return this.#call({ op: 'drop', of: seq });
  }

  /** Opens it in the composer, which sends it on in its place. */
  async take(held: HeldFrame): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const frame = await this.#app.engine.timeline.frame(connection, held.seq);
    if (frame?.line && 'text' in frame.line) await this.#app.composer.hold(held, frame.line.text);
  }

  /** False if it was not done; the page shows why. */
  async #call(call: InterceptCall): Promise<boolean> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return false;
    this.#faults = [];
    this.#refusal = undefined;
    this.#waiting = [...this.#waiting, connection];
    const problem = await this.#app.engine.connections.intercept(connection, call);
    const at = this.#waiting.indexOf(connection);
    this.#waiting = this.#waiting.filter((_, i) => i !== at);
    if (!problem) return true;
    this.#refusal = { connection, message: problem.message };
    if (this.#app.current?.connection !== connection) this.#app.tell('error', problem.message);
    return false;
  }
}

export const interceptOf = keptWith((app) => new InterceptRules(app));
