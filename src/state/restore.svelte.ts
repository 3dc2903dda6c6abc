// The restore form: which session, which shape, and the exact line that follows from them. A line
// edited by hand is the shape `raw` and is kept as typed.
import { untrack } from 'svelte';
import type {
  CursorCandidate,
  FrameDetail,
  SessionBackground,
  SessionRestore,
} from '../engine/messages.ts';
import { isObject, get, num, str } from '../acp/json.ts';
import { Paced } from './paced.ts';
import type { CursorField } from '../model/cursor-fields.ts';
import { causesOf, type Cause, type Mend } from '../model/restore-causes.ts';
import { dueFor } from '../model/restore-due.ts';
import type { Due } from '../model/restore-due-words.ts';
import {
  askedFor,
  CURSOR_TEXTS,
  cursorFor,
  restoreLine,
  type ShapeId,
} from '../model/restore-shapes.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { App } from './app.svelte.ts';
import { Connection } from './connection.svelte.ts';
import { RestoreRun } from './restore-run.svelte.ts';
import { sessionChoices, type SessionChoice } from './restore-sessions.ts';
import { RestoreSetup } from './restore-setup.svelte.ts';

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
  #results = $state.raw<readonly SessionRestore[]>([]);
  #background = $state.raw<SessionBackground | undefined>();
  /** Sent from here: on which connection, what was newest there, and what the line asked for. */
  #sent = $state.raw<
    | { readonly connection: ConnectionId; readonly after: number; readonly asked: string }
    | undefined
  >();
  /** The connection that the form was filled in for. */
  #home: ConnectionId | undefined;
  #sentFrames = $state.raw<readonly (FrameDetail | undefined)[]>([]);
  #run = $state.raw<string | undefined>();
  #offered = $state.raw<
    { readonly seq: Seq; readonly fields: readonly CursorField[] } | undefined
  >();
  #problem = $state.raw<string | undefined>();

  /** Another id than the ones to pick from: typed by hand. */
  typedId = $state('');
  filter = $state('');
  readonly setup: RestoreSetup;
  readonly run: RestoreRun;

  constructor(app: App) {
    this.#app = app;
    this.#connection = new Connection(app);
    this.setup = new RestoreSetup(app);
    this.run = new RestoreRun(app, this);
    void this.setup.load();
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

  /** Why the line cannot be sent; undefined: it can. A line edited by hand is sent as typed. */
  blocked: string | undefined = $derived.by(() => {
    const { blocked } = this.#app.composer;
    if (blocked !== undefined) return blocked;
    const isNamed = this.shape === 'raw' || this.sessionId !== '';
    return isNamed ? undefined : 'Choose a session, or type an id.';
  });

  get candidates(): readonly CursorCandidate[] {
    return this.#candidates;
  }
  get results(): readonly SessionRestore[] {
    return this.#results;
  }
  get background(): SessionBackground | undefined {
    return this.#background;
  }
  /** The version the line is written for. */
  lineVersion: 1 | 2 = $derived.by(() => {
    if (this.shape === 'raw') return this.version === 1 ? 1 : 2;
    return this.shape === 'load' || this.shape === 'resume' ? 1 : 2;
  });
  /** Cursors to try: the one in the form, else what the session's frames offer. */
  customCursors: readonly string[] = $derived.by(() => {
    const written = this.#cursors.custom ?? '';
    const own = written === CURSOR_TEXTS.custom ? [] : [written];
    const offered = ['messageId', 'toolCallId'].flatMap((name) => {
      const of = this.#candidates.filter(({ field }) => field === name);
      // From the middle of the history: from its start, nothing is told apart.
      const found = of[Math.floor(of.length / 2)];
      return found ? [cursorFor(found)] : [];
    });
    const all = [...own, ...offered];
    return all.filter((cursor, i) => all.indexOf(cursor) === i).slice(0, 2);
  });

  /** The frame a person wants to resume from, and its values that could be a cursor. */
  get offered(): { readonly seq: Seq; readonly fields: readonly CursorField[] } | undefined {
    return this.#offered;
  }
  offer(seq: Seq, fields: readonly CursorField[]): void {
    this.#offered = fields.length === 0 ? undefined : { seq, fields };
  }

  /** What came of the line sent last; undefined: nothing yet. */
  outcome: SessionRestore | undefined = $derived.by(() => {
    const sent = this.#sent;
    if (sent === undefined || sent.connection !== this.#app.current?.connection) return undefined;
    return this.#results.find(
      ({ connection, window }) => connection === sent.connection && window.request > sent.after,
    );
  });
  /** The line asks for something else than the one sent last: what came is not of it. */
  isOutcomeOld: boolean = $derived.by(() => this.#sent?.asked !== askedFor(this.line));
  causes: readonly Cause[] = $derived.by(() => this.#causes());

  /** The run whose restores are shown; undefined: all. */
  get shownRun(): string | undefined {
    return this.#run;
  }
  showRun(run: string | undefined): void {
    this.#run = run;
  }
  get problem(): string | undefined {
    return this.#problem ?? this.#connection.problem;
  }
  get asking(): boolean {
    return this.#connection.asking !== undefined;
  }

  /** An empty id means: typed by hand. */
  choose(sessionId: string): void {
    const here = this.#app.current?.connection;
    if (this.#home !== here) this.#clear();
    this.#home = here;
    this.#chosen = sessionId;
    this.#cwd = undefined;
    this.#offered = undefined;
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
    untrack(() => this.#comeHome());
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
    const background =
      connection && sessionId !== ''
        ? await this.#app.engine.background(sessionId, connection)
        : undefined;
    if (sessionId !== this.sessionId) return;
    this.#candidates = candidates;
    this.#results = results;
    this.#background = background;
    const { outcome } = this;
    const { engine } = this.#app;
    this.#sentFrames = outcome
      ? await Promise.all([
          engine.frame(outcome.connection, outcome.window.request),
          outcome.window.answer && engine.frame(outcome.connection, outcome.window.answer),
        ])
      : [];
  }

  /** Changes the form as a likely cause suggests, and sends. */
  async mend(change: Mend): Promise<void> {
    if (this.shape === 'raw') this.#shape = undefined;
    if (change.sessionId !== undefined) {
      const known = this.choices.some(({ sessionId }) => sessionId === change.sessionId);
      this.choose(known ? change.sessionId : '');
      if (!known) this.typedId = change.sessionId;
    }
    if (change.shape !== undefined) this.#shape = change.shape;
    if (change.cwd !== undefined) this.#cwd = change.cwd;
    if (change.mcpServers !== undefined) this.setup.take(change.mcpServers);
    if (change.additionalDirectories !== undefined) this.setup.directories = '';
    await this.send();
  }

  async send(): Promise<void> {
    const connection = this.#app.current?.connection;
    if (!connection || !this.#app.canSend || this.blocked !== undefined) return;
    const seqs = this.#results
      .filter((result) => result.connection === connection)
      .map(({ window }) => window.request);
    const asked = askedFor(this.line);
    this.#sent = { connection, after: Math.max(0, ...seqs), asked };
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

  /** `session/new` in the folder of the form; the new session is the one to restore. */
  async newSession(): Promise<void> {
    this.#problem = undefined;
    this.#chosen = undefined;
    await this.#connection.newSession(this.cwd);
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

  /**
   * What was filled in for one agent is not asked of another. Of the same agent it may be: a session
   * outlives its process.
   */
  #comeHome(): void {
    const here = this.#app.current?.connection;
    if (here === undefined || here === this.#home) return;
    const home = this.#app.traces.find(({ connection }) => connection === this.#home);
    const now = this.#app.current;
    if (this.#home !== undefined) {
      // Before the handshake nobody can tell.
      if (this.#app.facts?.handshake === undefined) return;
      const isNamed = home?.agent !== undefined && now?.agent !== undefined;
      if (isNamed ? home.agent !== now.agent : home?.name !== now?.name) this.#clear();
    }
    this.#home = here;
  }

  #clear(): void {
    this.#chosen = undefined;
    this.typedId = '';
    this.#cwd = undefined;
    this.#shape = undefined;
    this.#cursors = CURSOR_TEXTS;
    this.#raw = '';
    this.#offered = undefined;
    this.#sent = undefined;
    this.#run = undefined;
    this.#problem = undefined;
  }

  #lineOf(shape: ShapeId, cursor: string): string {
    const { sessionId, cwd, setup } = this;
    return restoreLine({
      ...{ shape, id: this.#id, sessionId, cwd, cursor },
      mcpServers: setup.serversFor(shape === 'load' || shape === 'resume' ? 1 : 2),
      additionalDirectories: setup.directoriesJson,
    });
  }

  #causes(): readonly Cause[] {
    const { outcome } = this;
    const session = this.#background;
    const [request, answer] = this.#sentFrames;
    if (!outcome || !session || request?.seq !== outcome.window.request) return [];
    const { method, version } = outcome.window;
    if (method === 'session/fork') return [];
    const error = get(answer?.value, 'error');
    const code = num(error, 'code');
    const message = str(error, 'message');
    return causesOf(
      {
        ...{ connection: outcome.connection, request: outcome.window.request, method, version },
        params: get(request.value, 'params'),
        verdict: outcome.verdict,
        ...(isObject(error) && code !== undefined ? { code } : {}),
        ...(message === undefined ? {} : { message }),
      },
      {
        handshake: this.#app.facts?.handshake,
        session,
        others: this.choices
          .filter(({ sessionId, here }) => here && sessionId !== this.sessionId)
          .map(({ sessionId, title, chip }) => ({
            sessionId,
            name: title === undefined ? chip || sessionId.slice(0, 8) : `“${title}”`,
          })),
      },
    );
  }
}
