// The restore form: which session, which shape, and the exact line that follows from them. A line
// edited by hand is the shape `raw` and is kept as typed.
import type { CursorCandidate, RestoreResult } from '../engine/messages.ts';
import { Paced } from './paced.ts';
import type { CursorField } from '../model/cursor-fields.ts';
import { dueFor } from '../model/restore-due.ts';
import type { Due } from '../model/restore-due-words.ts';
import { CURSOR_TEXTS, cursorFor, restoreLine, type ShapeId } from '../model/restore-shapes.ts';
import type { ConnectionId } from '../trace/event.ts';
import type { App } from './app.svelte.ts';
import { Connection } from './connection.svelte.ts';
import { sessionChoices, type SessionChoice } from './restore-sessions.ts';

export class Restore {
  readonly #app: App;
  readonly #connection: Connection;
  readonly #paced = new Paced(() => this.refresh(), 250);
  #shape = $state<ShapeId | undefined>();
  #cursors = $state.raw<Readonly<Partial<Record<ShapeId, string>>>>(CURSOR_TEXTS);
  #raw = $state('');
  #id = $state('1');
  #cwd = $state<string | undefined>();
  #chosen = $state<string | undefined>();
  #candidates = $state.raw<readonly CursorCandidate[]>([]);
  #results = $state.raw<readonly RestoreResult[]>([]);
  #problem = $state.raw<string | undefined>();

  /** Another id than the ones to pick from: typed by hand. */
  typedId = $state('');
  mcpServers = $state('[]');
  filter = $state('');

  constructor(app: App) {
    this.#app = app;
    this.#connection = new Connection(app);
  }

  choices: readonly SessionChoice[] = $derived.by(() =>
    sessionChoices(this.#app.traces, this.#app.current?.connection),
  );
  version: number | undefined = $derived.by(() => this.#app.facts?.handshake?.version);
  /** Undefined: the id is typed. */
  choice: SessionChoice | undefined = $derived.by(() => {
    if (this.#chosen === '') return undefined;
    const wanted = this.#chosen ?? this.#app.session?.sessionId;
    return this.choices.find(({ sessionId }) => sessionId === wanted) ?? this.choices[0];
  });
  sessionId: string = $derived.by(() => this.choice?.sessionId ?? this.typedId);
  cwd: string = $derived.by(
    () => this.#cwd ?? this.choice?.cwd ?? this.#app.facts?.started?.cwd ?? '',
  );
  /** Until a shape is picked, the plainest the connection speaks. */
  shape: ShapeId = $derived.by(() => this.#shape ?? (this.version === 1 ? 'load' : 'start'));
  cursor: string = $derived.by(() => this.#cursors[this.shape] ?? '');
  line: string = $derived.by(() =>
    this.shape === 'raw' ? this.#raw : this.#lineOf(this.shape, this.cursor),
  );
  due: readonly Due[] = $derived.by(() =>
    dueFor(this.line, {
      handshake: this.#app.facts?.handshake,
      sessions: this.#app.facts?.sessions ?? [],
    }),
  );

  get candidates(): readonly CursorCandidate[] {
    return this.#candidates;
  }
  get results(): readonly RestoreResult[] {
    return this.#results;
  }
  get problem(): string | undefined {
    return this.#problem ?? this.#connection.problem;
  }
  get listing(): boolean {
    return this.#connection.asking !== undefined;
  }

  /** An empty id means: typed by hand. */
  choose(sessionId: string): void {
    this.#chosen = sessionId;
    this.#cwd = undefined;
  }
  setCwd(cwd: string): void {
    this.#cwd = cwd;
  }
  setShape(shape: ShapeId): void {
    if (shape === 'raw') this.#raw = this.line;
    this.#shape = shape;
  }
  setCursor(text: string): void {
    this.#cursors = { ...this.#cursors, [this.shape]: text };
  }
  setRaw(text: string): void {
    this.#raw = text;
  }
  /** Puts a value into a custom cursor. Sends nothing. */
  useCandidate(candidate: CursorField): void {
    this.#cursors = { ...this.#cursors, custom: cursorFor(candidate) };
    this.#shape = 'custom';
  }
  /** Facts have changed: what depends on them is read at most four times a second. */
  watch(): void {
    this.#paced.poke();
  }

  /** What depends on the trace: the next id, candidates, results. */
  async refresh(): Promise<void> {
    const connection = this.#app.current?.connection;
    const { sessionId, choice } = this;
    if (connection) this.#id = await this.#app.engine.nextId(connection);
    const [candidates, results] = await Promise.all([
      choice ? this.#app.engine.candidates(choice.connection, sessionId) : [],
      sessionId === '' ? [] : this.#app.engine.restores(sessionId),
    ]);
    if (sessionId !== this.sessionId) return;
    this.#candidates = candidates;
    this.#results = results;
  }

  async send(): Promise<void> {
    const connection = this.#app.current?.connection;
    if (!connection || !this.#app.canSend) return;
    const problem = await this.#app.engine.sendLine(connection, this.line);
    this.#problem = problem?.message;
    this.#connection.problem = undefined;
    await this.refresh();
  }

  /** `session/list`, from the start or from where the last answer ended. */
  list(more: boolean): Promise<void> {
    this.#problem = undefined;
    return this.#connection.listSessions(more);
  }

  /** The same command again, asking for another protocol version. */
  async startBeside(version: 1 | 2): Promise<void> {
    const started = this.#app.facts?.started;
    const recents = await this.#app.engine.recents();
    const recent = recents.find(
      ({ launch }) =>
        launch.cwd === started?.cwd && launch.argv.join('\0') === started.argv.join('\0'),
    );
    if (!recent) {
      this.#app.view = 'connect';
      return;
    }
    const answer = await this.#app.engine.start(recent.launch, {
      ...recent.settings,
      ask: version,
    });
    if (answer.ok) await this.#show(answer.connection);
    else this.#problem = answer.problem.message;
  }

  async #show(connection: ConnectionId): Promise<void> {
    this.#shape = undefined;
    await this.#app.show(connection, 'restore');
  }

  #lineOf(shape: ShapeId, cursor: string): string {
    const { sessionId, cwd, mcpServers } = this;
    return restoreLine({ shape, id: this.#id, sessionId, cwd, mcpServers, cursor });
  }
}
