// The relay: agents it starts, recordings it finds, and the pages that follow them. It parses no bytes that
// it passes. Every command of a page is answered here.
import { realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { assertNever } from '../lib/assert-never.ts';
import { isUrl } from '../lib/program-name.ts';
import {
  LINK_VERSION,
  type InterceptCall,
  type Misbehaviour,
  type Launch,
  type PageCommand,
  type Problem,
} from '../link/messages.ts';
import type { ConnectionId } from '../trace/event.ts';
import { lineBytes } from '../trace/line.ts';
import type { Agent } from './agents/agent.ts';
import { LeftPrograms } from './agents/left-programs.ts';
import { shownWords, startTarget } from './agents/target.ts';
import type { Approvals } from './approval/approvals.ts';
import { isSame, withFolders, type SettledLaunch } from './approval/facets.ts';
import { answerOf, Host } from './host/host.ts';
import type { LoadIntercept } from './intercept.ts';
import { callFault, Intercepts, lineFault, WHOLE_ONLY } from './intercepts.ts';
import { LentTraces, sweep, lentFolder } from './lent-traces.ts';
import { PageLink, type RelayCommand } from './page.ts';
import { findPresets } from './agents/presets.ts';
import { RunFolder } from './run-folder.ts';
import { SPOOL_LIMITS } from './spool/disk.ts';
import { Recorder } from './spool/recorder.ts';
import { Recording, tooMany } from './spool/recording.ts';
import { Recordings } from './spool/recordings.ts';
import { newRecording } from './spool/spool.ts';
import { prepareState } from './state-folder.ts';
import { isOpenToPages, isSteerable, NOT_INTERCEPTED, steer } from './steering.ts';
import { UnfinishedMessages } from './unfinished.ts';

/** How long a disk that refuses may hold up our end. */
const CLOSE_MS = 1000;
/** How long a start that is under way may. */
const LATE_MS = 4000;

export interface RelayOptions {
  /** The product's. */
  readonly version: string;
  /** An existing, private folder: see state-folder.ts. */
  readonly state: string;
  readonly approvals: Approvals;
  /** How a person runs `acp-scope` here: argv. */
  readonly command: readonly string[];
  /** argv of the bundled agent. */
  readonly bundled: readonly string[];
  /** Its named faults, for a person to choose from. */
  readonly misbehaviours: readonly Misbehaviour[];
  /** What the rules of an intercept are read and kept by. */
  readonly intercept: LoadIntercept;
  /** Named on the command line: the first page starts it. */
  readonly startNow?: Launch;
  /** A fault of our own, caught where only one thing fails by it. */
  readonly onFault: (error: unknown) => void;
}

type Of<T extends PageCommand['type']> = Extract<PageCommand, { readonly type: T }>;

export class Relay {
  readonly #options: RelayOptions;
  readonly #recordings: Recordings<PageLink>;
  /** Each with what is made for it here, which goes with it. */
  readonly #pages = new Map<PageLink, PageThings>();
  readonly #realState: string;
  readonly #intercepts: Intercepts;
  readonly #left = new LeftPrograms();
  readonly #unfinished = new UnfinishedMessages();
  #startNow: Launch | undefined;
  #closing = false;
  /** Programs that were approved, until they run: one that starts while we close is ended. */
  readonly #starting = new Set<Promise<unknown>>();

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#startNow = options.startNow;
    this.#intercepts = new Intercepts(options.intercept);
    this.#realState = realpathSync(options.state);
    this.#recordings = new Recordings({
      state: options.state,
      pages: () => this.#pages.keys(),
      onFault: options.onFault,
    });
    sweep(lentFolder(options.state));
  }

  /** Resolves when the recordings that are there already are known. */
  open(): Promise<void> {
    return this.#recordings.open();
  }

  /** A page's socket, let in by the guard. */
  welcome(socket: WebSocket, wire: Socket): void {
    new PageLink(socket, wire, {
      onHello: (page) => this.#greet(page),
      onCommand: (page, command) => this.#take(page, command),
      recording: (connection) => this.#recordings.get(connection),
      onAck: (page, recording, seq) => this.#recordings.acked(page, recording, seq),
      onClose: (page) => this.#gone(page),
      unfinished: this.#unfinished,
      left: this.#left,
      onFault: this.#options.onFault,
    });
  }

  /**
   * Ends every agent we started, with all of its events in the spool; or, of a disk that refuses
   * them, what the spool lacks, as sentences.
   */
  async close(): Promise<readonly string[]> {
    this.#closing = true;
    this.#recordings.close();
    for (const made of this.#pages.values()) clear(made);
    const known = this.#recordings.all();
    const late = delay(LATE_MS, undefined, { ref: false });
    await Promise.all([
      Promise.race([Promise.allSettled(this.#starting), late]),
      ...known.map((recording) => recording.end(CLOSE_MS)),
    ]);
    return known.flatMap(({ owned }) => owned?.agent.recorder.shortfall ?? []);
  }

  #greet(page: PageLink): void {
    const { version, command, state } = this.#options;
    const folder = new RunFolder([...command, 'canary-mcp']);
    this.#pages.set(page, { folder, lent: new LentTraces(state), lastCalls: new WeakMap() });
    page.tell({
      type: 'welcome',
      protocol: LINK_VERSION,
      version,
      home: homedir(),
      cwd: process.cwd(),
      command,
      connections: this.#recordings.infos(),
      ...(this.#startNow && { startNow: this.#startNow }),
    });
  }

  #take(page: PageLink, command: RelayCommand): void {
    switch (command.type) {
      case 'start':
        return page.guard(this.#start(page, command), command);
      case 'send':
        return this.#send(page, command);
      case 'stop':
        return this.#stop(page, command);
      case 'intercept':
        return page.guard(this.#intercept(page, command), command);
      case 'forget':
        return this.#recordings.forget(command.connection);
      case 'presets':
        return page.guard(this.#presets(page, command), command);
      case 'host':
        return page.guard(this.#host(page, command), command);
      case 'folder':
        return this.#folder(page, command);
      case 'lend':
        return this.#lend(page, command);
      default:
        assertNever(command);
    }
  }

  async #start(page: PageLink, asking: Of<'start'>): Promise<void> {
    const { request, launch: asked } = asking;
    const launch = withFolders(asked);
    if (isSame(asked, this.#startNow)) this.#startNow = undefined;
    const checked = await this.#options.approvals.check(
      launch,
      () => page.tell({ type: 'confirming', request, argv: launch.argv, cwd: launch.cwd }),
      page.closed,
    );
    if (!checked.ok) return page.tell({ type: 'problem', request, problem: checked.problem });
    if (page.closed.aborted || this.#closing) return;
    const problem = tooMany(this.#starting.size, this.#recordings.all());
    if (problem) return page.tell({ type: 'problem', request, problem });
    const begun = this.#begin(page, { ...asking, launch }, checked.settled);
    this.#starting.add(begun);
    const recording = await begun.finally(() => this.#starting.delete(begun));
    if (!recording?.owned) return;
    const { agent, host } = recording.owned;
    // A disk that refuses its last events holds up its end in the record, and no more.
    await Promise.all([
      agent.exited.then((exit) => {
        this.#left.note(recording.id, exit, agent.mark);
        return host.end();
      }),
      agent.ended.then(() => this.#recordings.ended(recording)),
    ]);
  }

  /** Starts what was approved: it runs and is known to all pages, or the page is told why not. */
  async #begin(
    page: PageLink,
    { request, launch, withPage, rules }: Of<'start'>,
    { target, roots, terminals }: SettledLaunch,
  ): Promise<Recording | undefined> {
    const { state, version } = this.#options;
    const { cwd, name } = launch;
    const { connection, path } = newRecording(state);
    const argv = shownWords(target);
    const started = await startTarget(target, () => {
      return new Recorder({
        ...{ path, connection, tool: `acp-scope ${version}`, name, mode: 'drive', argv, cwd },
        makeFolder: () => prepareState(state).ok,
        limits: SPOOL_LIMITS,
        // As long as we run, the disk may come to its senses, and pages are given what waits.
        patience: Infinity,
        ...this.#recordings.callsOf(connection, path),
      });
    });
    if (!started.ok) return void page.tell({ type: 'problem', request, problem: started.problem });
    const { agent } = started;
    if (this.#closing) return void (await agent.kill());
    if (withPage) page.takesAlong(agent);
    const host = new Host({ roots, terminals, cwd: target.realCwd, closed: this.#realState });
    const recording = Recording.of(connection, launch, path, { agent, host });
    this.#recordings.begun(recording);
    const problem = rules && (await this.#intercepts.call(agent, { op: 'on', rules }));
    if (problem) page.tell({ type: 'problem', connection, problem });
    page.tell({ type: 'started', request, connection });
    return recording;
  }

  #send(page: PageLink, { connection, line, origin, split }: Of<'send'>): void {
    const bytes = lineBytes(line);
    const tell = (problem: Problem | undefined) => {
      if (problem) page.tell({ type: 'problem', connection, problem });
    };
    tell(
      lineFault(bytes) ??
        this.#owned(connection, (agent) => {
          if (!split) return agent.send(bytes, origin);
          if (!agent.sendSplit) return WHOLE_ONLY;
          page.guard(agent.sendSplit(bytes, split.bytes, split.ms, origin).then(tell), {
            connection,
          });
          return undefined;
        }),
    );
  }

  #stop(page: PageLink, { connection, how }: Of<'stop'>): void {
    const problem = this.#owned(connection, (agent) => {
      if (how === 'end') agent.end();
      else if (how === 'kill') page.guard(agent.kill(), { connection });
      else if (how === 'cut') agent.cut();
      else agent.signal(how);
      return undefined;
    });
    if (problem) page.tell({ type: 'problem', connection, problem });
  }

  /** Makes the calls of a page to the intercept of one connection in the order in which the page sent them. */
  #intercept(page: PageLink, asking: Of<'intercept'>): Promise<void> {
    const recording = this.#recordings.get(asking.connection);
    const lastCalls = this.#pages.get(page)?.lastCalls;
    const before = recording && lastCalls?.get(recording);
    const call = () => this.#callIntercept(page, asking, recording);
    // A call that failed was answered; the next call does not depend on it.
    const done = before ? before.then(call, call) : call();
    if (recording) lastCalls?.set(recording, done);
    return done;
  }

  async #callIntercept(
    page: PageLink,
    { request, connection, call }: Of<'intercept'>,
    recording: Recording | undefined,
  ): Promise<void> {
    const problem =
      recording && isSteerable(recording)
        ? await this.#steer(page, request, recording, call)
        : await this.#owned(connection, (agent) => this.#intercepts.call(agent, call));
    if (problem) page.tell({ type: 'problem', request, connection, problem });
    else page.tell({ type: 'intercepted', request });
  }

  /** An editor's session is no page's to change, unless a person said so. */
  async #steer(
    page: PageLink,
    request: number,
    recording: Recording,
    call: InterceptCall,
  ): Promise<Problem | undefined> {
    const { facts, path } = recording;
    const fault = isUrl(facts.argv) ? NOT_INTERCEPTED : callFault(call);
    if (fault) return fault;
    if (!(await isOpenToPages(path))) {
      const ask = () => page.tell({ type: 'confirming', request, tap: facts.name });
      const problem = await this.#options.approvals.checkSteering(facts, ask, page.closed);
      if (problem) return problem;
    }
    // It may have ended meanwhile.
    return isSteerable(recording) ? steer(path, call) : this.#owned(facts.id, () => undefined);
  }

  async #presets(page: PageLink, { request }: Of<'presets'>): Promise<void> {
    const { bundled, misbehaviours } = this.#options;
    page.tell({ type: 'presets', request, presets: await findPresets(bundled, misbehaviours) });
  }

  async #host(page: PageLink, { request, connection, call }: Of<'host'>): Promise<void> {
    const host = this.#recordings.get(connection)?.owned?.host;
    await answerOf(host, call, (result) => page.answer({ type: 'host', request, result }));
  }

  #folder(page: PageLink, { request, call }: Of<'folder'>): void {
    const answer = this.#pages.get(page)?.folder.call(call);
    if (!answer) return;
    if ('problem' in answer) page.tell({ type: 'problem', request, problem: answer.problem });
    else page.tell({ type: 'folder', request, answer });
  }

  #lend(page: PageLink, { request, call }: Of<'lend'>): void {
    const answer = this.#pages.get(page)?.lent.call(call);
    if (!answer) return;
    if ('problem' in answer) page.tell({ type: 'problem', request, problem: answer.problem });
    else page.tell({ type: 'lent', request, ...answer });
  }

  #gone(page: PageLink): void {
    const made = this.#pages.get(page);
    this.#pages.delete(page);
    if (made) clear(made);
  }

  #owned<T>(connection: ConnectionId, use: (agent: Agent) => T) {
    const recording = this.#recordings.get(connection);
    if (recording?.owned) return use(recording.owned.agent);
    return {
      code: 'ended',
      message: recording
        ? 'This connection belongs to an editor or to an earlier run; the relay can only show it.'
        : 'This connection has ended and left the relay. Start the agent again.',
    } as const;
  }
}

/** What the relay made for a page. */
interface PageThings {
  readonly folder: RunFolder;
  readonly lent: LentTraces;
  /** The last call of the page to the intercept of each recording. */
  readonly lastCalls: WeakMap<Recording, Promise<void>>;
}

function clear({ folder, lent }: PageThings): void {
  folder.clear();
  lent.clear();
}
