// Makes the parts of the engine and connects them: what the link brings goes into the traces, what
// is in the traces goes into the database, and the page is told.
import { later, lazy } from '../lib/lazy.ts';
import type { Fidelities } from './fidelity/fidelities.ts';
import type { LinkClient, LinkHandlers } from '../link/client.ts';
import type { PageCommand } from '../link/messages.ts';
import type { Finder } from '../model/query/find.ts';
import type { StorageProblem } from '../storage/problem.ts';
import type { Store } from '../storage/store.ts';
import type { ConnectionId } from '../trace/event.ts';
import { recallAnnotations } from './traces/annotations.ts';
import { annotationsApi, showAnnotations } from './traces/api-annotations.ts';
import { connectionsApi } from './connections/api-connections.ts';
import { libraryApi } from './library/api-library.ts';
import { Asks } from './connections/asks.ts';
import { Catalog } from './library/catalog.ts';
import { Checks } from './findings/checks.ts';
import { Driving } from './connections/driving.ts';
import { Intake } from './traces/intake.ts';
import {
  isBeingRead,
  joinTabs,
  Leadership,
  type TabMessage,
  type Tabs,
} from './connections/leader.ts';
import { LinkSession } from './connections/link-session.ts';
import { Live } from './traces/live.ts';
import { Looks } from './timeline/looks.ts';
import type { EngineApi } from './api.ts';
import type { EngineNotice } from './messages.ts';
import { Notices } from './notices.ts';
import type { OpenTrace } from './traces/open-trace.ts';
import { OpenTraces } from './traces/open-traces.ts';
import type { Parts } from './parts.ts';
import { RelayCalls } from './connections/relay-calls.ts';
import { StorageWatch } from './storage-watch.ts';
import { Writer } from './traces/writer.ts';

/** What reads a trace, and beside it what shows it, which is asked for next. */
export const loadReader = lazy(async () => {
  const [reader] = await Promise.all([
    import('./traces/stored-trace.ts'),
    import('./timeline/api-timeline.ts'),
    import('./timeline/look.ts'),
  ]);
  return reader;
});

interface EngineOptions {
  readonly tell: (notice: EngineNotice) => void;
  /** `onProblem` hears of trouble with it, and of its end. */
  readonly openStore: (onProblem: (problem: StorageProblem | undefined) => void) => Promise<Store>;
  /** Looks for what queries ask of lines: not here, where frames are stored meanwhile. */
  readonly finder: Finder;
  /** As `Parts` has it. */
  readonly readFile?: Parts['readFile'];
  readonly makeLink: (handlers: LinkHandlers) => Pick<LinkClient, 'enter' | 'command' | 'wake'>;
}

/** Resolves when the list of stored traces is known; the link is made by `enter`. */
export async function startEngine({
  tell,
  openStore,
  finder,
  readFile,
  makeLink,
}: EngineOptions): Promise<EngineApi> {
  const notices = new Notices(tell);
  const watch: StorageWatch = new StorageWatch(() =>
    notices.soon('storage', () => ({ type: 'storage', state: watch.state() })),
  );
  const store = await openStore((problem) => watch.problem('open', problem));
  watch.problem('store', store.problem);
  const engine = new Engine(store, notices, finder, watch, readFile, makeLink);
  await engine.catalog.load();
  if (engine.catalog.summaries().length > 0) await engine.traces.ready();
  engine.join();
  return engine.api;
}

class Engine implements Parts {
  readonly store: Store;
  readonly notices: Notices;
  readonly catalog: Catalog;
  readonly intake: Intake<OpenTrace>;
  readonly traces: OpenTraces;
  readonly finder: Finder;
  readonly readFile: Parts['readFile'];
  readonly looks: Looks;
  readonly writer: Writer;
  readonly asks = new Asks((sentence) => this.notices.news('error', sentence));
  readonly checks = new Checks(
    async () => (await import('./findings/checking.ts')).loadChecking(this),
    (text) => this.notices.news('error', text),
  );
  readonly calls = new RelayCalls((command) => this.send(command));
  readonly driving: Driving;
  readonly live: Live;
  readonly api: EngineApi;
  #fidelities: Promise<Fidelities> | undefined;
  readonly #watch: StorageWatch;
  readonly #link: ReturnType<EngineOptions['makeLink']>;
  readonly #session: LinkSession;
  /** Traces that have grown since their facts were told. */
  readonly #grown = new Set<OpenTrace>();
  readonly #leadership = new Leadership(() => this.#lead());
  tabs: Tabs = { tell: () => undefined };

  constructor(
    store: Store,
    notices: Notices,
    finder: Finder,
    watch: StorageWatch,
    readFile: Parts['readFile'],
    makeLink: EngineOptions['makeLink'],
  ) {
    this.store = store;
    this.notices = notices;
    this.finder = finder;
    this.readFile = readFile;
    this.looks = new Looks(finder, () => this.timelineChanged());
    this.#watch = watch;
    const problem = (said: { readonly message: string }) =>
      this.notices.news('error', said.message);
    this.catalog = new Catalog(store, {
      changed: () => {
        this.#tracesChanged();
        this.#watch.refresh();
      },
      purged: (connection) => this.#purged(connection),
      problem,
    });
    this.intake = new Intake((trace) => this.#onGrown(trace));
    this.traces = new OpenTraces(this, problem, loadReader);
    this.writer = new Writer(store, {
      stored: (trace) => {
        this.catalog.stored(trace);
        this.live.stored(trace.connection, trace.last);
        this.tabs.tell({ type: 'stored', trace });
      },
      missing: (connection) => this.live.addAgain(connection),
      problem: (said) => this.#watch.problem('write', said),
    });
    this.#watch.behind = () => this.writer.behind;
    this.driving = new Driving({
      ...{ notebook: store, calls: this.calls, asks: this.asks },
      send: (command) => this.send(command),
      note: (text) => this.notices.news('warn', text),
      changed: (connection) => this.tabs.tell({ type: 'drive', connection }),
    });
    this.live = new Live({
      ...{ catalog: this.catalog, traces: this.traces, intake: this.intake },
      ...{ writer: this.writer, driving: this.driving },
      send: (command) => this.send(command),
      appeared: (connection) => this.notices.tell({ type: 'appeared', connection, mode: 'tap' }),
      news: (text) => this.notices.news('info', text),
    });
    const connections = connectionsApi(this);
    this.#session = new LinkSession(this, connections.start);
    this.#link = makeLink(this.#session);
    this.api = {
      connections: {
        ...connections,
        enter: async (code, token) => this.#link.enter(code, token),
        wake: async () => this.#link.wake(),
      },
      library: libraryApi(this),
      traces: annotationsApi(this),
      timeline: later<EngineApi['timeline']>(async () =>
        (await import('./timeline/api-timeline.ts')).timelineApi(this),
      ),
      sessions: later<EngineApi['sessions']>(async () =>
        (await import('./timeline/api-sessions.ts')).sessionsApi(this),
      ),
      restore: later<EngineApi['restore']>(async () =>
        (await import('./restore/api-restore.ts')).restoreApi(this),
      ),
      findings: later<EngineApi['findings']>(async () =>
        (await import('./findings/api-findings.ts')).findingsApi(this),
      ),
      fidelity: later<EngineApi['fidelity']>(() => this.fidelities()),
      performance: later<EngineApi['performance']>(
        async () => new (await import('./performance/performance.ts')).Performance(this),
      ),
      diff: later<EngineApi['diff']>(async () => new (await import('./diff/diffs.ts')).Diffs(this)),
      runs: later<EngineApi['runs']>(async () => new (await import('./runs/runs.ts')).Runs(this)),
      finds: later<EngineApi['finds']>(
        async () => new (await import('./library/trace-finds.ts')).TraceFinds(this),
      ),
      minimise: later<EngineApi['minimise']>(
        async () => new (await import('./runs/minimiser.ts')).Minimiser(this),
      ),
    };
  }

  /** One for findings and page: a restore is compared once. If loading fails, the next call tries again. */
  fidelities(): Promise<Fidelities> {
    this.#fidelities ??= import('./fidelity/fidelities.ts').then(
      (loaded) => new loaded.Fidelities(this, (runs) => this.catalog.judged(runs)),
      (error: unknown) => {
        this.#fidelities = undefined;
        throw error;
      },
    );
    return this.#fidelities;
  }

  /** Takes its place among the tabs of this page. */
  join(): void {
    // What is kept in this window only is nobody else's to write.
    if (this.store.problem?.kind === 'memory') this.writer.enable(true);
    this.tabs = joinTabs((message) => this.#heard(message));
    void this.#tidy();
  }

  /** Only a tab with a link leads: another could neither store nor answer. */
  linked(open: boolean): void {
    if (open) {
      this.writer.enable(this.store.problem?.kind === 'memory');
      return this.#leadership.seek();
    }
    this.#leadership.yield();
    this.driving.lead(false);
    // The writer goes on with what it has: what came is kept, and nothing is stored twice.
  }

  send(command: PageCommand): boolean {
    if (!this.#session.isOpen) return false;
    this.#link.command(command);
    return true;
  }

  timelineChanged(): void {
    this.notices.soon('timeline', () => {
      const trace = this.looks.shown === undefined ? undefined : this.traces.get(this.looks.shown);
      const look = trace && this.looks.known(trace);
      return look && { type: 'timeline', state: look.state() };
    });
  }

  #onGrown(trace: OpenTrace): void {
    this.live.grown(trace);
    this.checks.grown(trace);
    this.#grown.add(trace);
    this.#tracesChanged();
    if (trace.connection === this.looks.shown) this.timelineChanged();
  }

  #tracesChanged(): void {
    this.notices.soon('traces', () => {
      for (const { connection, index, runs } of this.#grown)
        this.catalog.know(connection, {
          ...{ events: index.length, facts: index.facts(), sessions: runs },
        });
      this.#grown.clear();
      this.traces.keep();
      this.checks.refresh();
      return { type: 'traces', traces: this.catalog.summaries() };
    });
  }

  #lead(): void {
    this.writer.enable(true);
    this.driving.lead(true);
  }

  /** Takes away what a tab that ended had begun to read. */
  async #tidy(): Promise<void> {
    for (const { connection, name } of this.catalog.unfinished()) {
      if (await isBeingRead(connection)) continue;
      await this.catalog.remove(connection);
      this.notices.news('warn', `Reading \`${name}\` was broken off. Open the file again.`);
    }
  }

  #heard(message: TabMessage): void {
    switch (message.type) {
      case 'stored':
        this.catalog.stored(message.trace);
        this.writer.storedElsewhere(message.trace.connection, message.trace.last);
        return this.live.stored(message.trace.connection, message.trace.last);
      case 'traces':
        return void this.traces.ready().then(() => this.catalog.load());
      case 'annotated':
        return void this.#annotatedElsewhere(message.connection);
      case 'drive':
        return void this.driving.recall(message.connection);
    }
  }

  async #annotatedElsewhere(connection: ConnectionId): Promise<void> {
    const trace = this.traces.get(connection);
    if (!trace) return;
    const problem = await recallAnnotations(trace, this.store);
    if (problem) this.notices.news('error', problem.message);
    showAnnotations(this, trace);
  }

  #purged(connection: ConnectionId): void {
    this.live.forget(connection);
    this.traces.close(connection);
    this.writer.retry();
    this.#watch.refresh();
  }
}
