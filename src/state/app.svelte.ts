// What the page as a whole shows: the link, the traces, which of them is looked at, and the one
// selection that all views share. Facts come from the engine's notices and are replaced whole.
import { nearestVersion } from '../acp/handshake.ts';
import type { Version } from '../acp/methods.ts';
import type { EngineApi } from '../engine/api.ts';
import type {
  EngineNotice,
  HandAnswer,
  LinkState,
  StorageState,
  TerminalQuestion,
  TraceSummary,
} from '../engine/messages.ts';
import type { RunState } from '../engine/runs/run-messages.ts';
import type { ClientSettings } from '../drive/settings.ts';
import type { ConnectionFacts, SessionFacts } from '../model/facts/facts-view.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import { Composer } from './connections/composer.svelte.ts';
import { createContext } from 'svelte';
import { PageFaults } from './faults.svelte.ts';
import { Findings } from './findings/findings.svelte.ts';
import { Library } from './library.svelte.ts';
import { Marks } from './timeline/marks.svelte.ts';
import type { News, Page } from './page.ts';
import { Panes } from './panes.svelte.ts';
import { Prefs } from './prefs.svelte.ts';
import { chipNames } from './session/chip-names.ts';
import { hasSession } from './session/scope.ts';
import { SavedTexts } from './saved-texts.svelte.ts';
import { Sharing } from './sharing.svelte.ts';
import { Timeline } from './timeline/timeline.svelte.ts';
import { isOfTrace, type View } from './views.ts';

/** A link that is not tried again before so many milliseconds without one: that is after ten seconds. */
const GONE_MS = 12_000;
const lostWithRelay = (trace: TraceSummary): TraceSummary =>
  trace.state === 'running' ? { ...trace, state: 'ended', lost: true } : trace;

export class App implements Page {
  readonly engine: EngineApi;
  readonly timeline: Timeline;
  readonly composer: Composer;
  readonly library = new Library(this);
  readonly sharing = new Sharing(this);
  readonly marks = new Marks(this);
  readonly findings = new Findings(this);
  readonly prefs = new Prefs();
  readonly queries = new SavedTexts('queries');
  readonly faults = new PageFaults();
  /** How we act as a client where nobody chose otherwise. */
  readonly defaults: ClientSettings;

  #link = $state.raw<LinkState>({ status: 'connecting' });
  #traces = $state.raw<readonly TraceSummary[] | undefined>();
  #storage = $state.raw<StorageState>({ used: 0, quota: 0, behind: 0 });
  #confirming = $state.raw<TerminalQuestion | undefined>();
  #news = $state.raw<readonly News[]>([]);
  #shown = $state.raw<ConnectionId | undefined>();
  #sessionId = $state.raw<string | undefined>();
  #run = $state.raw<RunState | undefined>();
  #nextNews = 1;

  /** The frame at which the state of the session is shown; undefined: the live end. */
  playhead = $state.raw<Seq | undefined>();
  /** Whether somebody is writing in the connect form, which says so itself. */
  isFormWritten = (): boolean => false;
  /** What "go to anything" begins with; undefined: it is closed. */
  goTo = $state<string | undefined>();
  /** Another each time that the sheet of keys is asked for; undefined: it is closed. */
  keysAsked = $state.raw<object | undefined>();
  /** How often a person has picked a session: what was chosen elsewhere before is older. */
  picks = $state(0);
  /** What the diff view compares; diff-pair.ts writes and reads it. */
  diff = $state<string | undefined>();
  /** The selected suite and case of Checks, in the words of runs/test.svelte.ts; undefined: the findings. */
  test = $state<string | undefined>();
  /** What the library looks for in all traces. */
  sought = $state<string | undefined>();
  /** Name of the agent of the agent overview; undefined: the agent of the open trace. */
  overviewOf = $state<string | undefined>();
  view = $state<View>('connect');
  readonly panes = new Panes(() => ({ view: this.view, isFile: this.current?.mode === 'file' }));

  constructor(engine: EngineApi, defaults: ClientSettings) {
    this.engine = engine;
    this.defaults = defaults;
    this.timeline = new Timeline(engine, () => this.isGrowing);
    this.composer = new Composer(this);
  }

  readonly link: LinkState = $derived(this.#link);
  /** The relay does not answer any more, and its agents are gone with it. Taps record without it. */
  readonly isRelayGone: boolean = $derived(
    this.#link.status === 'refused' ||
      (this.#link.status === 'lost' && this.#link.retryAt - this.#link.since > GONE_MS),
  );
  readonly traces: readonly TraceSummary[] = $derived(
    this.isRelayGone ? (this.#traces ?? []).map(lostWithRelay) : (this.#traces ?? []),
  );
  /** Which traces there are is known. */
  readonly isTold: boolean = $derived(this.#traces !== undefined);
  readonly storage: StorageState = $derived(this.#storage);
  /** A command line waits for a `y` in the relay's terminal. */
  get confirming() {
    return this.#confirming && 'argv' in this.#confirming ? this.#confirming : undefined;
  }
  /** Rules for the tap of this name wait for one. */
  get confirmingTap(): string | undefined {
    return this.#confirming && 'tap' in this.#confirming ? this.#confirming.tap : undefined;
  }
  /** The run of ours that is under way in this tab, or was the last. */
  readonly run: RunState | undefined = $derived(this.#run);
  readonly news: readonly News[] = $derived(this.#news);

  current: TraceSummary | undefined = $derived(
    this.traces.find((trace) => trace.connection === this.#shown),
  );
  /** Frames may still come: the list can follow its end. What is not told of yet is taken so. */
  get isGrowing(): boolean {
    return this.current?.mode !== 'file' && this.current?.state !== 'ended';
  }
  facts: ConnectionFacts | undefined = $derived(this.current?.facts);
  /** The version that the open trace speaks. */
  version: Version = $derived(nearestVersion(this.facts?.handshake?.version));
  /** The session looked at: the chosen one, else the newest that saw a frame of its own. */
  session: SessionFacts | undefined = $derived.by(() => {
    const sessions = this.facts?.sessions ?? [];
    return (
      sessions.find((session) => session.sessionId === this.#sessionId) ??
      sessions.findLast(
        (session) => !session.listedOnly && !session.askedOnly && session.parent === undefined,
      ) ??
      sessions.findLast((session) => !session.listedOnly)
    );
  });
  readonly #chipNames = $derived(chipNames(this.traces));
  /** What a chip of a trace is called: `S1`, or `c7·S1` where elsewhere that is another session. */
  chipName(chip: string, connection = this.current?.connection): string {
    return (connection && this.#chipNames.get(connection)?.get(chip)) ?? chip;
  }
  /** The session a person chose, if one was. */
  readonly pickedSession: string | undefined = $derived(this.#sessionId);
  /** It runs, and the relay reaches it, or the tap: what crosses can be held and changed. */
  canIntercept: boolean = $derived(
    this.current !== undefined &&
      this.current.mode !== 'file' &&
      this.current.state === 'running' &&
      this.#link.status === 'open',
  );
  /** Bytes recorded of all traces here, of live ones too: what rail and footer call stored. */
  stored: number = $derived.by(() => this.traces.reduce((sum, one) => sum + one.stored, 0));
  /** We are the client of a running agent: sending works. */
  canSend: boolean = $derived(this.canIntercept && this.current?.mode === 'drive');
  /** What the agent speaks is not known yet: it would refuse what is asked before it. */
  isEarly: boolean = $derived(
    this.facts?.handshake?.answer === undefined && this.facts?.handshake?.error === undefined,
  );

  /** `query`: absent, the one it was left with. */
  async show(
    connection: ConnectionId,
    view: View = isOfTrace(this.view) ? this.view : 'trace',
    query?: string,
    lights?: boolean,
  ): Promise<void> {
    this.view = view;
    if (this.#shown !== connection) {
      this.#shown = connection;
      // Another run of the session that a person chose: the session stays.
      const shown = this.current;
      if (!shown || !hasSession(shown, this.#sessionId)) this.#sessionId = undefined;
      this.playhead = undefined;
      return this.timeline.open(connection, query, lights);
    }
    const { timeline } = this;
    // It may have appeared a moment ago, and be on its way.
    await timeline.opened;
    const isOther = query !== timeline.query || (lights ?? timeline.lights) !== timeline.lights;
    if (query !== undefined && isOther) await timeline.setQuery(query, lights);
  }

  pickSession(
    connection: ConnectionId,
    sessionId: string,
    view?: View,
    query?: string,
    lights?: boolean,
  ): Promise<void> {
    const shown = this.show(connection, view, query, lights);
    if (sessionId !== this.session?.sessionId) this.playhead = undefined;
    this.#sessionId = sessionId;
    this.picks++;
    return shown;
  }

  /** `diff`: in the words of diff-pair.ts. Its left trace is the one looked at. */
  compare(left: ConnectionId, diff: string = left): Promise<void> {
    this.diff = diff;
    return this.show(left, 'compare');
  }

  /** Selects a frame in the shared selection and brings it on screen in the trace view. */
  jump(seq: Seq): Promise<void> {
    return this.timeline.jump(seq);
  }

  /** What a client should believe after this frame of that session. */
  showState(sessionId: string, seq: Seq): void {
    if (this.current) void this.pickSession(this.current.connection, sessionId, 'conversation');
    this.playhead = seq;
  }

  /** The same, of the session that the frame names; else of that, or of the one looked at. */
  async stateAt(seq: Seq, session = this.session?.sessionId): Promise<void> {
    const named = (await this.timeline.frame(seq))?.sessionId ?? session;
    if (named === undefined) this.tell('info', 'No frame of this trace names a session.');
    else this.showState(named, seq);
  }

  /** Shows a session over all its connections, or the one looked at on this connection. */
  async showSession(sessionId?: string, connection = this.current?.connection): Promise<void> {
    if (connection === undefined) return;
    if (sessionId === undefined) await this.show(connection, 'session');
    else await this.pickSession(connection, sessionId, 'session');
  }

  /** Puts the frame's line into the composer. */
  async editAndSend(seq: Seq): Promise<void> {
    const line = await this.lineOf(seq);
    if (line !== undefined) await this.composer.fill(line.text);
  }

  /** A frame's text and its session; undefined, and told: it is no text. */
  async lineOf(seq: Seq): Promise<{ text: string; sessionId: string | undefined } | undefined> {
    const { current, timeline } = this;
    if (!current) return undefined;
    const detail =
      timeline.detail?.seq === seq
        ? timeline.detail
        : await this.engine.timeline.frame(current.connection, seq);
    if (!detail?.line || !('text' in detail.line)) {
      this.tell('warn', `#${seq} is not text: there is no line to use.`);
      return undefined;
    }
    return { text: detail.line.text, sessionId: detail.sessionId };
  }

  /** Decides about an open request of the agent. A sentence: why it could not be answered. */
  async answer(request: Seq, answer: HandAnswer): Promise<string | undefined> {
    if (!this.current) return undefined;
    return (await this.engine.connections.answer(this.current.connection, request, answer))
      ?.message;
  }

  /** It is there no longer. */
  leave(connection: ConnectionId): void {
    if (this.#shown !== connection) return;
    this.#shown = undefined;
    if (isOfTrace(this.view)) this.view = 'connect';
  }

  receive(notice: EngineNotice): void {
    switch (notice.type) {
      case 'link':
        this.#link = notice.state;
        return;
      case 'traces': {
        const before = this.current?.state;
        this.#traces = notice.traces;
        // After a reload the relay says only now that the agent still runs.
        if (before === 'ended' && this.current?.state === 'running') this.timeline.grows();
        return;
      }
      case 'storage':
        this.#storage = notice.state;
        return;
      case 'timeline':
        this.timeline.receive(notice.state);
        return;
      case 'findings':
        this.findings.receive(notice.state);
        return;
      case 'run':
        this.#run = notice.state;
        return;
      case 'confirming':
        this.#confirming = notice.asked;
        return;
      case 'news':
        this.tell(notice.tone, notice.text);
        return;
      case 'appeared':
        if (notice.mode === 'tap' && this.#isAtWork) {
          const run = () => void this.show(notice.connection, 'trace');
          this.tell('info', 'An editor’s connection began.', { label: 'Show', run });
        } else void this.show(notice.connection, 'trace');
        return;
      case 'gone':
        return this.leave(notice.connection);
      case 'importing':
        this.library.importing = notice.progress;
        return;
      case 'start-now':
        void this.show(notice.connection, 'trace');
        return;
      case 'given':
        return void this.#openGiven(notice.file, notice.frame);
      case 'annotated':
        if (notice.connection === this.#shown) this.marks.changed();
        return;
      case 'token':
        return; // kept by main.ts, which owns sessionStorage
    }
  }

  /** A person who is not to be taken elsewhere: who reads a trace, ended or not, or has begun to type. */
  get #isAtWork(): boolean {
    return this.view !== 'connect' || this.isFormWritten();
  }

  /** As if it was dropped here; then the frame, where one is named. */
  async #openGiven(file: File, frame: Seq | undefined): Promise<void> {
    const [opened] = await this.library.importFiles([file]);
    if (opened && opened === this.#shown && frame !== undefined) await this.jump(frame);
  }

  /** One line that leaves once the page has shown the line for ten seconds. */
  tell(tone: News['tone'], text: string, action?: News['action']): void {
    const news = { id: this.#nextNews++, tone, text, ...(action && { action }) };
    this.#news = [...this.#news, news].slice(-4);
    if (action?.until) setTimeout(() => this.dismiss(news.id), action.until - Date.now());
  }
  dismiss(id: number): void {
    this.#news = this.#news.filter((news) => news.id !== id);
  }
}

export const [useApp, provideApp] = createContext<App>();
