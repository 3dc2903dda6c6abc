// The restore form: which session, which shape, and the exact line that follows from them. A line
// edited by hand is the shape `raw` and is kept as typed.
import { untrack } from 'svelte';
import { shutGate } from '../../acp/gate.ts';
import type { CursorCandidate, TraceSummary } from '../../engine/messages.ts';
import { Throttled } from '../throttled.ts';
import { cursorFieldsIn, type CursorField } from '../../model/restore/cursor-fields.ts';
import type { HandshakeView } from '../../model/facts/facts-view.ts';
import type { Mend } from '../../model/restore/restore-causes.ts';
import { dueFor, type LineDue } from '../../model/restore/clauses.ts';
import {
  CURSOR_TEXTS,
  cursorFor,
  restoreLine,
  type ShapeId,
} from '../../model/restore/restore-shapes.ts';
import type { ConnectionId, FrameRef, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { PageConnection } from '../connections/connection.svelte.ts';
import { RestoreOutcomes } from './restore-outcomes.svelte.ts';
import { RestoreRun } from './restore-run.svelte.ts';
import { resumePoint, type ResumePoint } from './resume-point.ts';
import { sessionChoices, type SessionChoice } from './restore-sessions.ts';
import { RestoreSetup } from './restore-setup.svelte.ts';

/** A frame to resume from, and what could be the cursor there. */
type Offered = ResumePoint & FrameRef;

export class RestoreForm {
  readonly #app: App;
  readonly #connection: PageConnection;
  readonly #throttled = new Throttled(() => this.refresh(), 250);
  #shape = $state<ShapeId | undefined>();
  #cursors = $state.raw<Readonly<Partial<Record<ShapeId, string>>>>(CURSOR_TEXTS);
  /** Edited by hand, for a session. */
  #raw = $state.raw<{ readonly of: string; readonly text: string } | undefined>();
  #id = $state('1');
  /** Typed for a session; it is not asked of another. */
  #cwd = $state.raw<{ readonly of: string; readonly cwd: string } | undefined>();
  /** Chosen here (empty: typed by hand), before which later pick of a session elsewhere. */
  #chosen = $state.raw<{ readonly sessionId: string; readonly picks: number } | undefined>();
  candidates = $state.raw<readonly CursorCandidate[]>([]);
  /** The connection that the form was filled in for. */
  #home: ConnectionId | undefined;
  #offered = $state.raw<Offered | undefined>();
  #problem = $state.raw<string | undefined>();

  /** Another id than the ones to pick from: typed by hand. */
  typedId = $state('');
  /** True if the request goes to a new process of the same command. */
  fresh = $state(false);
  readonly setup: RestoreSetup;
  readonly outcomes: RestoreOutcomes;
  readonly run: RestoreRun;

  constructor(app: App) {
    this.#app = app;
    this.#connection = new PageConnection(app);
    this.setup = new RestoreSetup(app, 'restore setup');
    this.outcomes = new RestoreOutcomes(app, this);
    this.run = new RestoreRun(app, this);
    void this.setup.load();
  }

  choices: readonly SessionChoice[] = $derived.by(() =>
    sessionChoices(this.#app.traces, this.#app.current?.connection),
  );
  version: number | undefined = $derived.by(() => this.#app.facts?.handshake?.version);
  /** Undefined: the id is typed. */
  choice: SessionChoice | undefined = $derived.by(() => {
    const chosen = this.#chosen?.picks === this.#app.picks ? this.#chosen.sessionId : undefined;
    if (chosen === '') return undefined;
    const wanted = chosen ?? this.#app.session?.sessionId;
    return this.choices.find(({ sessionId }) => sessionId === wanted) ?? this.choices[0];
  });
  sessionId: string = $derived.by(() => this.choice?.sessionId ?? this.typedId);
  /** True if the session was picked in the form since a person last picked one elsewhere. */
  isPicked: boolean = $derived.by(() => this.#chosen?.picks === this.#app.picks);
  cwd: string = $derived.by(
    () =>
      (this.#cwd?.of === this.#session ? this.#cwd.cwd : this.choice?.cwd) ??
      this.#app.facts?.started?.cwd ??
      '',
  );
  /** Until a shape is picked, the plainest the connection speaks. */
  shape: ShapeId = $derived.by(() => {
    const isLost = this.#shape === 'raw' && this.#raw?.of !== this.#session;
    const plain = plainShape(this.#app.facts?.handshake);
    return isLost ? plain : (this.#shape ?? plain);
  });
  cursor: string = $derived.by(() => this.#cursors[this.shape] ?? '');
  line: string = $derived.by(() =>
    this.shape === 'raw' ? (this.#raw?.text ?? '') : this.#lineOf(this.shape, this.cursor),
  );
  due: readonly LineDue[] = $derived.by(() =>
    dueFor(this.line, {
      handshake: this.#app.facts?.handshake,
      sessions: this.#app.facts?.sessions ?? [],
    }),
  );

  /** Its agent has ended and can be started again: to send is to start it. */
  startsAgain: boolean = $derived.by(() => {
    const { current, link } = this.#app;
    return canStart(current) && current?.state === 'ended' && link.status === 'open';
  });
  /** `send` was asked for, and waits. */
  waits = $state(false);
  /** Why the line cannot be sent; undefined: it can. A line edited by hand is sent as typed. */
  blocked: string | undefined = $derived.by(() => {
    const { blocked } = this.#app.composer;
    if (blocked !== undefined && !this.startsAgain) return blocked;
    const isNamed = this.shape === 'raw' || this.sessionId !== '';
    return isNamed ? undefined : 'Choose a session, or type an id.';
  });

  /** What is typed for the session chosen, or for typed ids, is for that alone. */
  get #session(): string {
    return this.choice?.sessionId ?? '';
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
      const of = this.candidates.filter(({ field }) => field === name);
      // From the middle of the history: from its start, nothing is told apart.
      const found = of[Math.floor(of.length / 2)];
      return found ? [cursorFor(found)] : [];
    });
    const all = [...own, ...offered];
    return all.filter((cursor, i) => all.indexOf(cursor) === i).slice(0, 2);
  });

  /** The frame a person wants to resume from, on the connection looked at. */
  get offered(): Offered | undefined {
    return this.#offered?.connection === this.#app.current?.connection ? this.#offered : undefined;
  }
  /** That the cursor is not that frame's own, as long as no other was chosen since. */
  instead: string | undefined = $derived.by(() => {
    const { fields: [first] = [], instead } = this.offered ?? {};
    const isIt = first && this.shape === 'custom' && this.cursor === cursorFor(first);
    const isNone = first === undefined && this.shape !== 'custom';
    return isIt || isNone ? instead : undefined;
  });
  /** Takes the likeliest cursor of this frame of the session in the form, or the nearest before it. */
  async resumeFrom(seq: Seq, line: string): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const own = cursorFieldsIn(line);
    const { sessionId } = this;
    const candidates =
      own.length > 0 ? [] : await this.#app.engine.restore.candidates(connection, sessionId);
    const point = resumePoint(seq, own, candidates);
    const [first] = point.fields;
    if (first) this.useCandidate(first);
    else {
      // A cursor of another frame is not what was asked for.
      this.#shape = undefined;
      this.#cursors = { ...this.#cursors, ...CURSOR_TEXTS };
    }
    this.#offered = { ...point, connection, seq };
  }

  get problem(): string | undefined {
    return this.#problem ?? this.#connection.problem;
  }
  get asking(): boolean {
    return this.#connection.asking !== undefined;
  }

  /** An empty id, or one that is none of the choices: typed by hand. */
  choose(sessionId: string): void {
    this.#beHere();
    const isTyped = !this.choices.some((choice) => choice.sessionId === sessionId);
    if (isTyped && sessionId !== '') this.typedId = sessionId;
    this.#chosen = { sessionId: isTyped ? '' : sessionId, picks: this.#app.picks };
    this.#cwd = undefined;
    this.#offered = undefined;
  }
  setCwd(cwd: string): void {
    this.#cwd = { of: this.#session, cwd };
  }
  setShape(shape: ShapeId): void {
    if (shape === 'raw') this.setRaw(this.line);
    this.#shape = shape;
  }
  setCursor(text: string): void {
    this.#cursors = { ...this.#cursors, [this.shape]: text };
  }
  setRaw(text: string): void {
    this.#raw = { of: this.#session, text };
  }
  /** Puts a value into a custom cursor. Sends nothing. */
  useCandidate(candidate: CursorField): void {
    this.#beHere();
    this.#cursors = { ...this.#cursors, custom: cursorFor(candidate) };
    this.#shape = 'custom';
  }
  /** Facts have changed: what depends on them is read at most four times a second. */
  watch(): void {
    untrack(() => this.#comeHome());
    this.#throttled.poke();
  }

  /** What depends on the trace: the next id, candidates, what came of restores. */
  async refresh(): Promise<void> {
    const connection = this.#app.current?.connection;
    const { sessionId, choice } = this;
    if (connection) this.#id = await this.#app.engine.connections.nextId(connection);
    const [candidates] = await Promise.all([
      choice ? this.#app.engine.restore.candidates(choice.connection, sessionId) : [],
      this.outcomes.refresh(),
    ]);
    if (sessionId === this.sessionId) this.candidates = candidates;
  }

  /** Changes the form as a likely cause suggests, and sends. */
  async mend(change: Mend): Promise<void> {
    if (change.fresh) return this.run.sendFresh();
    if (this.shape === 'raw') this.#shape = undefined;
    if (change.sessionId !== undefined) this.choose(change.sessionId);
    if (change.shape !== undefined) this.#shape = change.shape;
    if (change.cwd !== undefined) this.setCwd(change.cwd);
    if (change.mcpServers !== undefined) this.setup.take(change.mcpServers);
    if (change.additionalDirectories !== undefined) this.setup.directories = '';
    await this.send();
  }

  /** Sends to where the form says: a new process, or the connection shown. */
  sendThere(): Promise<void> {
    return this.fresh && this.run.one ? this.run.sendFresh() : this.send();
  }

  /** An early line waits for the answer to `initialize`, unless it is to go `now`. */
  async send(now = false): Promise<void> {
    if (this.startsAgain) {
      this.waits = false;
      // One that ends before it is ready is not started over and over.
      return now || this.blocked !== undefined ? undefined : this.run.startAgain();
    }
    this.waits = !now && this.#app.isEarly && this.shape !== 'raw';
    if (this.waits) return;
    const connection = this.#app.current?.connection;
    if (!connection || !this.#app.canSend || this.blocked !== undefined) return;
    // Another request may have taken the id since it was read. What is typed whole goes as it is.
    if (this.shape !== 'raw') this.#id = await this.#app.engine.connections.nextId(connection);
    this.outcomes.expect(connection, this.line);
    const problem = await this.#app.engine.connections.sendLine(connection, this.line);
    this.#problem = problem?.message;
    this.#connection.problem = undefined;
    await this.refresh();
  }

  /** The line waits for the answer to `initialize`. All that was filled in stays, the session too. */
  sendWhenReady(sessionId: string): void {
    this.#home = this.#app.current?.connection;
    const isKnown = this.choices.some((choice) => choice.sessionId === sessionId);
    this.#chosen = { sessionId: isKnown ? sessionId : '', picks: this.#app.picks };
    this.waits = true;
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
    const { current, library } = this.#app;
    // The command of a file is its sender's.
    if (!current || !canStart(current)) return void (this.#app.view = 'connect');
    const started = await library.startAgain(current.connection, { ask: version });
    if (started !== undefined) await this.#show(started);
  }

  async #show(connection: ConnectionId): Promise<void> {
    this.#shape = undefined;
    await this.#app.show(connection, 'session');
  }

  /** What is filled in now is for the connection looked at. */
  #beHere(): void {
    const here = this.#app.current?.connection;
    if (this.#home !== here) this.#clear();
    this.#home = here;
  }

  /**
   * What was filled in for one agent is not asked of another. Of the same agent it may be: a session
   * outlives its process.
   */
  #comeHome(): void {
    const { current, traces } = this.#app;
    if (current === undefined || current.connection === this.#home) return;
    const home = traces.find(({ connection }) => connection === this.#home);
    if (this.#home !== undefined) {
      const isOther = isOtherAgent(home, current);
      if (isOther === undefined) return;
      if (isOther) this.#clear();
    }
    this.#home = current.connection;
  }

  #clear(): void {
    this.#chosen = undefined;
    this.typedId = '';
    this.#cwd = undefined;
    this.#shape = undefined;
    this.#cursors = CURSOR_TEXTS;
    this.#raw = undefined;
    this.#offered = undefined;
    this.#problem = undefined;
    this.outcomes.clear();
    this.run.prompts = false;
  }

  #lineOf(shape: ShapeId, cursor: string): string {
    const { sessionId, cwd, setup } = this;
    return restoreLine({
      ...{ shape, id: this.#id, sessionId, cwd, cursor },
      mcpServers: setup.serversFor(shape === 'load' || shape === 'resume' ? 1 : 2),
      additionalDirectories: setup.directoriesJson,
    });
  }
}

/** True if the command of this trace can be started here: it ran on this machine. */
function canStart(trace: TraceSummary | undefined): boolean {
  return trace?.mode === 'drive' || trace?.mode === 'tap';
}

/** Returns the request for the whole history; if the agent offers none, the one for the session alone. */
function plainShape(handshake: HandshakeView | undefined): ShapeId {
  if (handshake?.version !== 1) return 'start';
  const isShut = (method: 'session/load' | 'session/resume') =>
    shutGate(method, 'client', 1, handshake) !== undefined;
  return isShut('session/load') && !isShut('session/resume') ? 'resume' : 'load';
}

/** Undefined: nobody can tell before its handshake, as long as the command is the same. */
function isOtherAgent(home: TraceSummary | undefined, now: TraceSummary): boolean | undefined {
  if (home?.agent !== undefined && now.agent !== undefined) return home.agent !== now.agent;
  if (now.facts?.handshake !== undefined) return home?.name !== now.name;
  const [before, command] = [commandOf(home), commandOf(now)];
  const isKnown = before !== undefined && command !== undefined;
  return isKnown && before !== command ? true : undefined;
}

function commandOf(trace: TraceSummary | undefined): string | undefined {
  return trace?.facts?.started?.argv.join('\0');
}
