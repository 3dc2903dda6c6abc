// What the probes of one run share: how to reach the agent, what it advertised, one session with a
// prompt in it, one connection for small questions, and how history came back, so that nothing that
// costs a prompt or a process is done twice.
import type { ClientName } from '../../acp/capabilities.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { capabilityAt, isYes, shutGate, type Offered } from '../../acp/gate.ts';
import { str } from '../../acp/json.ts';
import { ScriptedConnection, type ScriptedOptions } from '../scripted.ts';
import type { Answered } from '../heard.ts';
import type { Launcher } from '../peer.ts';
import type { PromptBudget } from '../prompt-budget.ts';
import type { ClientSettings } from '../settings.ts';
import type { Timers } from '../timers.ts';
import {
  type Pages,
  CannotAsk,
  evidenceOf,
  outcomeWords,
  wantsSignIn,
  type Evidence,
  type ProbeVerdict,
  type Spot,
} from './probe.ts';
import { defined } from '../../lib/defined.ts';
import type { ProbeTexts } from '../../model/probe-texts.ts';

export interface ProbeSettings {
  readonly launcher: Launcher;
  readonly name: ClientName;
  readonly budget: PromptBudget;
  /** Folders that exist, absolute, with no link in them: for sessions, and another one. */
  readonly cwd: string;
  readonly otherCwd: string;
  /** Milliseconds without a frame that count as silence. */
  readonly quiet: number;
  /** How long an answer may take, and how long a turn. */
  readonly patience: number;
  readonly turnPatience: number;
  /** How long the shared session rests, once its process has ended, before it is restored. */
  readonly pause?: number;
  readonly texts: ProbeTexts;
  /** v2: a cursor that the agent documents, `$ID` in it for what it names. */
  readonly cursor?: JsonObject;
  /** Signs in with this method on each connection. */
  readonly auth?: string;
  /** v1: say that child sessions are understood. */
  readonly subagents?: boolean;
  /** Six letters or so, never the same: makes words that no model says by chance. */
  readonly random: () => string;
  readonly timers?: Timers;
}

/** A turn may take so many times as long as an answer. */
export const TURN_TIMES = 4;

/** How long silence, an answer and a turn are waited for where a person says nothing else. */
export const PROBE_WAITS = { quiet: 750, patience: 30_000, turnPatience: 30_000 * TURN_TIMES };

export interface Probe {
  readonly id: string;
  readonly versions: readonly (1 | 2)[];
  /** What is asked, and what is due: one sentence. */
  readonly sentence: string;
  /** Where the protocol says so. */
  readonly source: Pages;
  /** Methods that must be open to us: what is not advertised is not asked. */
  readonly needs?: readonly string[];
  /** Prompts it sends at most, the shared session's not counted. */
  readonly prompts: number;
  /** Processes it starts at most, the shared ones not counted. */
  readonly connections: number;
  /**
   * Uses the session that the run makes and prompts once. `prompts`: adds to it, so it runs after
   * all that only read it. `ends`: takes it away, so it runs last.
   */
  readonly saved?: 'reads' | 'prompts' | 'ends';
  /** Left out unless it is asked for, because it would do this: a clause behind "it". */
  readonly optIn?: string;
  /** Cannot be asked over stdio, for this reason. */
  readonly elsewhere?: string;
  run(world: ProbeWorld): Promise<ProbeVerdict>;
}

/** Of probes with this in common, each by its id; one that says nothing of prompts or processes needs none. */
export function family<S extends Partial<Probe>>(shared: S) {
  return (
    probes: Readonly<
      Record<string, Omit<Probe, 'id' | 'prompts' | 'connections' | keyof S> & Partial<Probe>>
    >,
  ): readonly Probe[] =>
    Object.entries(probes).map(
      // What a probe has not of its own, it has of its family.
      ([id, probe]) => ({ id, prompts: 0, connections: 0, ...shared, ...probe }) as Probe,
    );
}

/** A connection of the run, and what is wrong in it on purpose. */
export interface ProbeConnection {
  readonly connection: ScriptedConnection;
  /** The probe it was opened for. */
  readonly probe: string;
  /** Seqs of requests that we broke on purpose, and of their answers. */
  readonly provoked: Set<number>;
  /** All of it was broken on purpose, or cut off by us. */
  cut: boolean;
}

export class ProbeWorld {
  readonly version: 1 | 2;
  readonly offered: Offered;
  readonly settings: ProbeSettings;
  /** Every connection of the run, in the order they were opened. */
  readonly opened: ProbeConnection[] = [];
  /** Sessions in a state that the protocol leaves open: what rules say of them is not told. */
  readonly oddSessions = new Set<string>();
  /** The agent gave no session before a sign-in. */
  wantsSignIn = false;
  /**
   * An agent of v2's August draft, which answers a prompt without a messageId. What SDK 2.4.0 brought
   * is not held against it. Known once the shared session is.
   */
  isAugust = false;
  /** Named in traces that are opened from now on. */
  probe = 'run';
  #bench: ScriptedConnection | undefined;
  shown: readonly Evidence[] = [];
  /** Rules whose findings a probe has told. */
  readonly told = new Set<string>();
  readonly #shared = new Map<string, Promise<unknown>>();

  constructor(version: 1 | 2, offered: Offered, settings: ProbeSettings) {
    this.version = version;
    this.offered = offered;
    this.settings = settings;
  }

  /** What keeps a method from being asked, as a sentence. */
  shut(method: string): string | undefined {
    const gate = shutGate(method, 'client', this.version, this.offered);
    return gate && `The agent does not advertise ${gate.words}, so ${method} is not asked.`;
  }

  /** A new process; nothing is said to it yet. */
  async open(
    part: string,
    settings?: Partial<ClientSettings>,
    subagents = this.settings.subagents,
  ): Promise<ScriptedConnection> {
    const label = [...this.probe.split('/'), part].join('-');
    const connection = await launchFor(this.settings, label, defined({ settings, subagents }));
    this.opened.push({ connection, probe: this.probe, provoked: new Set(), cut: false });
    return connection;
  }

  /** A new process whose handshake is done. */
  async connect(
    part: string,
    settings?: Partial<ClientSettings>,
    subagents?: boolean,
    capabilities: JsonObject = {},
  ): Promise<ScriptedConnection> {
    const connection = await this.open(part, settings, subagents);
    const answered = await connection.initialize(this.version, capabilities);
    if (connection.version === this.version) {
      await this.#signIn(connection);
      return connection;
    }
    const how = connection.exit ? 'and the agent ended' : outcomeWords(answered);
    throw new CannotAsk(`initialize ${how}, so nothing more could be asked.`);
  }

  /** The connection for small questions; a new one where the last has ended. */
  async bench(): Promise<ScriptedConnection> {
    if (this.#bench === undefined || this.#bench.exit !== undefined)
      this.#bench = await this.#asShared(() => this.connect('small-questions'));
    return this.#bench;
  }

  /** Ends the processes that were started for a probe; what is shared goes on. */
  leaveProbe(): Promise<void> {
    return this.#leave(({ connection }) => connection !== this.#bench);
  }

  leaveAll(): Promise<void> {
    return this.#leave(() => true);
  }

  async #signIn(connection: ScriptedConnection): Promise<void> {
    const { auth: methodId } = this.settings;
    if (methodId === undefined) return;
    const method = this.version === 1 ? 'authenticate' : 'auth/login';
    const answered = await connection.request(method, { methodId });
    if (answered.result === undefined)
      throw new CannotAsk(`${method} with ${methodId} ${outcomeWords(answered)}.`);
  }

  async #leave(isMeant: (opened: ProbeConnection) => boolean): Promise<void> {
    const running = this.opened.filter((one) => one.connection.exit === undefined && isMeant(one));
    await Promise.all(running.map(({ connection }) => connection.leave()));
  }

  /** What several probes look at, made by the first that asks for it. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T> {
    // Who gives a name gives the type with it.
    const known = this.#shared.get(name) as Promise<T> | undefined;
    const made = known ?? this.#asShared(make);
    this.#shared.set(name, made);
    return made;
  }

  /** Asks for a session; without one there is nothing to probe. */
  async create(
    connection: ScriptedConnection,
    more: JsonObject = {},
  ): Promise<{ readonly sessionId: string; readonly made: Answered; readonly result: Json }> {
    const made = await connection.request('session/new', this.given(more));
    const { result } = made;
    const sessionId = str(result, 'sessionId');
    if (sessionId !== undefined && result !== undefined) return { sessionId, made, result };
    this.wantsSignIn ||= wantsSignIn(made);
    const advice = this.wantsSignIn ? ' The agent wants a sign-in first.' : '';
    throw new CannotAsk(`session/new ${outcomeWords(made)}, so there is no session.${advice}`);
  }

  /** A session of its own on the connection for small questions. */
  async session() {
    const connection = await this.bench();
    return { connection, ...(await this.create(connection)) };
  }

  /** What each new, load and resume names, with what is peculiar to this one. */
  given(more: JsonObject = {}): JsonObject {
    return { cwd: this.settings.cwd, mcpServers: [], ...more };
  }

  /** Sends what is wrong on purpose: what rules find in it is not told. */
  async provoke(
    connection: ScriptedConnection,
    method: string,
    params: Json,
    patience?: number,
  ): Promise<Answered> {
    const answered = await connection.request(method, params, patience);
    this.provoked(connection, answered);
    return answered;
  }

  provoked(connection: ScriptedConnection, answered: Answered): void {
    const { requestSeq, answerSeq, window } = answered;
    const known = this.#openedAs(connection)?.provoked;
    for (const seq of [requestSeq, answerSeq, ...window.map(({ frame }) => frame.seq)])
      if (seq !== undefined) known?.add(seq);
  }

  /** Nothing in this connection counts against the agent but what the probe itself says. */
  provokedAll(connection: ScriptedConnection): void {
    const opened = this.#openedAs(connection);
    if (opened) opened.cut = true;
  }

  #openedAs(connection: ScriptedConnection): ProbeConnection | undefined {
    return this.opened.find((one) => one.connection === connection);
  }

  /** Whether the handshake says yes to a capability. */
  advertises(path: string): boolean {
    return isYes(capabilityAt(this.offered.agentCapabilities, path));
  }

  /** What a verdict of this probe rests on that names no frames. */
  show(...spots: readonly Spot[]): void {
    this.shown = evidenceOf(spots);
  }

  /** Silence for as long as counts. */
  quiet(connection: ScriptedConnection): Promise<boolean> {
    return connection.quiet(this.settings.quiet);
  }

  async #asShared<T>(make: () => Promise<T>): Promise<T> {
    const { probe } = this;
    this.probe = 'shared';
    try {
      return await make();
    } finally {
      this.probe = probe;
    }
  }
}

/** The agent started, or why it cannot be: throws `CannotAsk`. */
export async function launchFor(
  { launcher, name, budget, patience, turnPatience, timers }: ProbeSettings,
  label: string,
  more: Pick<ScriptedOptions, 'settings' | 'subagents'>,
): Promise<ScriptedConnection> {
  const launched = await launcher.launch({ label });
  if (!launched.ok) throw new CannotAsk(launched.message);
  const options = { name, budget, patience, turnPatience, ...defined({ timers }), ...more };
  return new ScriptedConnection(launched.agent, options);
}
