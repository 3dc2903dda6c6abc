// One connection under a script's hand: what it sends, it says itself; what the agent asks of a
// client is answered by settings. Every frame is kept, so that a verdict can name those it rests on, unless
// who drives says what it needs.
import type { ClientName } from '../acp/capabilities.ts';
import { knownVersion } from '../acp/handshake.ts';
import {
  CODE,
  idKey,
  parseMessage,
  type Json,
  type JsonObject,
  type Message,
} from '../acp/message.ts';
import { HandshakeFold, handshakeView } from '../model/facts/handshake.ts';
import type { HandshakeView } from '../model/facts/facts-view.ts';
import { ActingClient, type ClientSurroundings } from './client.ts';
import { endedAtLast, LEAVE_MS, type Driven, type Ended } from './peer.ts';
import { eachHeard, type Answered, type Heard } from './heard.ts';
import type { PromptBudget } from './prompt-budget.ts';
import { DEFAULT_SETTINGS, type ClientSettings } from './settings.ts';
import { REAL_TIMERS, Waits, within, type Timers } from './timers.ts';
import { seq, type Frame, type Seq, type TraceEvent, type Transport } from '../trace/event.ts';
import { millis } from '../lib/time.ts';

/** A request on its way. */
export interface SentRequest {
  readonly id: number;
  readonly answered: Promise<Answered>;
}

export interface ScriptedOptions {
  readonly name: ClientName;
  readonly budget: PromptBudget;
  /** Nothing advertised, permissions rejected and elicitation cancelled, where not said otherwise. */
  readonly settings?: Partial<ClientSettings>;
  /** v1: say that child sessions are understood. */
  readonly subagents?: boolean;
  /** v1 `fs/*` and `terminal/*`, for a script that advertises them. */
  readonly host?: ClientSurroundings['host'];
  readonly timers?: Timers;
  /** How long an answer may take, in milliseconds, where a request does not say. */
  readonly patience?: number;
  /** The same for a turn. */
  readonly turnPatience?: number;
}

/** A client that offers nothing and touches nothing. */
const POSTURE: ClientSettings = {
  ...DEFAULT_SETTINGS,
  advertise: {
    readFiles: false,
    writeFiles: false,
    terminals: false,
    elicitForm: false,
    elicitUrl: false,
    terminalAuth: false,
    sessionExtras: false,
    subagents: false,
  },
  permission: 'reject',
  elicitation: 'cancel',
  handshake: false,
};

const PATIENCE_MS = 30_000;

const NO_HOST: ClientSurroundings['host'] = () =>
  Promise.resolve({ ok: false, error: { code: CODE.methodNotFound, message: 'Not offered.' } });

interface Placed extends Heard {
  readonly place: number;
}

export class ScriptedConnection {
  /** In the recorded order: all, unless `needed` says less. */
  readonly heard: Heard[] = [];
  /** The place before which nothing heard is asked for any more; the newest frame is kept in any case. */
  needed = 0;
  /** How many frames were let go of: the place of the first in `heard`. */
  #gone = 0;
  readonly timers: Timers;
  /** What the acting client wanted a person to know. */
  readonly notes: string[] = [];
  readonly #agent: Driven;
  readonly #client: ActingClient;
  readonly #options: ScriptedOptions;
  /** By key of the id: our request, and its first answer. */
  readonly #requests = new Map<string, Placed>();
  readonly #answers = new Map<string, Placed>();
  /** Why no answer will come. */
  readonly #refusals = new Map<string, string>();
  readonly #lost: Transport[] = [];
  readonly #waits: Waits;
  readonly #hello = new HandshakeFold();
  #handshake: HandshakeView | undefined;
  #exit: Ended | undefined;

  constructor(agent: Driven, options: ScriptedOptions) {
    this.#agent = agent;
    this.#options = options;
    this.timers = options.timers ?? REAL_TIMERS;
    this.#waits = new Waits(this.timers, () => this.#exit !== undefined);
    // Heard before the acting client hears, so that its answers stand behind what they answer.
    agent.receive((frame, message) => this.#take(frame, message));
    this.#client = new ActingClient(
      agent,
      { ...POSTURE, ...options.settings },
      {
        name: options.name,
        host: options.host ?? NO_HOST,
        note: (text) => this.notes.push(text),
      },
    );
    this.#client.act();
    agent.onRefused?.((of, why) => this.#refused(of, why));
    agent.onLost?.((event) => this.#lost.push(event));
    void agent.ended.then((exit) => {
      this.#exit = exit;
      this.#waits.stir();
    });
  }

  get trace(): string {
    return this.#agent.trace;
  }

  /** See `Driven`. */
  get isHttp(): boolean {
    return this.#agent.isHttp === true;
  }

  /** What both sides said in `initialize`; undefined before its result. */
  get handshake(): HandshakeView | undefined {
    return this.#handshake;
  }

  /** What it settled on; undefined before, and where it is neither. */
  get version(): 1 | 2 | undefined {
    return knownVersion(this.#handshake?.version);
  }

  /** How long a turn may take, in milliseconds, where nobody says. */
  get turnPatience(): number {
    return this.#options.turnPatience ?? this.#patience();
  }

  /** How the agent ended; undefined while it runs. */
  get exit(): Ended | undefined {
    return this.#exit;
  }

  /** The newest frame's. */
  get last(): Seq | undefined {
    return this.heard.at(-1)?.frame.seq;
  }

  /** How many frames were heard; a place is one of them, counted from 0. */
  get count(): number {
    return this.#gone + this.heard.length;
  }

  heardAt(place: number): Heard | undefined {
    return this.heard[place - this.#gone];
  }

  heardSince(place: number): readonly Heard[] {
    return this.heard.slice(Math.max(0, place - this.#gone));
  }

  /** What it heard as a trace, but for stderr; `until`: the first frame that does not count. */
  events(until: (heard: Heard) => boolean = () => false): readonly TraceEvent[] {
    const end = this.heard.findIndex(until);
    const heard = end < 0 ? this.heard : this.heard.slice(0, end);
    const behind = end < 0 ? Infinity : (this.heard[end]?.frame.seq ?? 0);
    const events: TraceEvent[] = [
      ...heard.map(({ frame }) => frame),
      ...this.#lost.filter((event) => event.seq < behind),
    ].sort((a, b) => a.seq - b.seq);
    const last = events.at(-1);
    if (!this.#exit || end >= 0) return events;
    const at = last?.at ?? millis(0);
    return [...events, { type: 'exit', seq: seq((last?.seq ?? 0) + 1), at, ...this.#exit }];
  }

  /** In the shape of the version asked for, advertising this and what the options say. */
  initialize(version: 1 | 2, capabilities: JsonObject = {}): Promise<Answered> {
    const { name, subagents } = this.#options;
    const clientCapabilities = { ...capabilities, ...(subagents && { subagents: {} }) };
    return this.request(
      'initialize',
      version === 1
        ? { protocolVersion: 1, clientCapabilities, clientInfo: { ...name } }
        : { protocolVersion: 2, info: { ...name }, capabilities },
    );
  }

  /** Resolves with its answer, or without one when the agent has ended or `patience` is over. */
  request(method: string, params: Json, patience?: number): Promise<Answered> {
    return this.ask(method, params, patience).answered;
  }

  /** Sends a request and goes on. Throws `BudgetSpent` for a prompt too many. */
  ask(method: string, params: Json, patience?: number): SentRequest {
    if (method === 'session/prompt') this.#options.budget.take();
    const from = this.count;
    const id = this.#client.request(method, params);
    return { id, answered: this.#answerTo(String(id), method, from, patience) };
  }

  notify(method: string, params: Json): void {
    this.#client.notify(method, params);
  }

  /** Sends exactly this, JSON or not. */
  line(text: string): void {
    const message = parseMessage(text);
    if (message.kind === 'request' && message.method === 'session/prompt')
      this.#options.budget.take();
    this.#agent.send(text, 'script');
  }

  /** The answer to an id of a line written by hand; `token` as it stands in the line. */
  answerTo(token: string, patience?: number): Promise<Answered> {
    return this.#answerTo(token, '', this.count, patience);
  }

  /** Other settings from now on, also for requests that wait. */
  change(settings: Partial<ClientSettings>): void {
    this.#client.change({ ...this.#client.settings, ...settings });
  }

  /** True once no frame came for `ms`; false where there was no such silence in `cap`. */
  async quiet(ms: number, cap = PATIENCE_MS): Promise<boolean> {
    const until = this.timers.now() + cap;
    while (this.#exit === undefined) {
      const { count } = this;
      const left = until - this.timers.now();
      if (left <= 0) return false;
      const stirred = await this.until(() => this.count > count, Math.min(ms, left));
      if (!stirred && left >= ms) return true;
    }
    return true;
  }

  /** The first frame, of those from place `from` on, that is meant. */
  async waitFor(
    meant: (heard: Heard) => boolean,
    cap = this.#patience(),
    from = this.count,
  ): Promise<Heard | undefined> {
    let next = from;
    let found: Heard | undefined;
    await this.until(() => {
      while (found === undefined && next < this.count) {
        const heard = this.heardAt(next++);
        for (const one of heard ? eachHeard(heard) : []) if (meant(one)) found ??= one;
      }
      return found !== undefined;
    }, cap);
    return found;
  }

  /** True once the test holds, asked again with each frame; false at `cap`, or when the agent ended. */
  until(test: () => boolean, cap = this.#patience()): Promise<boolean> {
    return this.#waits.until(test, cap);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.timers.later(ms, resolve));
  }

  /** Closes stdin; the agent may still speak. */
  endInput(): void {
    this.#agent.end();
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<Ended> {
    this.#agent.signal(signal);
    if (!(await within(this.timers, LEAVE_MS, this.#agent.ended))) this.#agent.signal('SIGKILL');
    return this.#agent.ended;
  }

  /** Closes stdin, and ends the agent where it does not end by itself. */
  async leave(): Promise<Ended> {
    this.#agent.end();
    return endedAtLast(this.#agent, this.timers);
  }

  #patience(): number {
    return this.#options.patience ?? PATIENCE_MS;
  }

  async #answerTo(
    token: string,
    method: string,
    from: number,
    patience = this.#patience(),
  ): Promise<Answered> {
    await this.until(() => this.#answers.has(token) || this.#refusals.has(token), patience);
    const request = this.#requests.get(token);
    const answer = this.#answers.get(token);
    const message = answer?.message;
    const refusal = answer ? undefined : this.#refusals.get(token);
    return {
      trace: this.trace,
      method,
      requestSeq: request?.frame.seq,
      answer: message?.kind === 'success' || message?.kind === 'failure' ? message : undefined,
      answerFrame: answer?.frame,
      answerSeq: answer?.frame.seq,
      result: message?.kind === 'success' ? message.result : undefined,
      error: message?.kind === 'failure' ? message.error : undefined,
      ...(refusal !== undefined && { refusal }),
      window: this.heardSince((request?.place ?? from - 1) + 1).filter(
        ({ frame }) => frame.from === 'agent' && frame.seq < (answer?.frame.seq ?? Infinity),
      ),
      after: answer ? answer.place + 1 : this.count,
    };
  }

  /** False: nobody waits for an answer to it. */
  #refused(of: Seq, why: string): boolean {
    for (const [token, { frame }] of this.#requests) {
      if (frame.seq !== of) continue;
      if (this.#answers.has(token)) return false;
      this.#refusals.set(token, why);
      this.#waits.stir();
      return true;
    }
    return false;
  }

  #take(frame: Frame, message: Message): void {
    const placed = { place: this.count, frame, message };
    this.heard.push(placed);
    this.#letGo();
    for (const one of eachHeard(placed)) this.#pair({ ...one, place: placed.place });
    // Behind the acting client, which hears this frame next.
    this.#waits.stir();
  }

  /** Notes a request of ours, or pairs an answer with it. */
  #pair(placed: Placed): void {
    const { frame, message } = placed;
    if (frame.from === 'client' && message.kind === 'request')
      this.#requests.set(idKey(message.id), placed);
    const isAnswer = message.kind === 'success' || message.kind === 'failure';
    if (frame.from !== 'agent' || !isAnswer) return;
    const key = idKey(message.id);
    if (!this.#answers.has(key)) this.#answers.set(key, placed);
    const { frame: asked, message: request } = this.#requests.get(key) ?? {};
    const isInitialize = request?.kind === 'request' && request.method === 'initialize';
    if (message.kind === 'success' && asked && isInitialize) {
      this.#hello.answer({ seq: asked.seq, request }, message, frame.seq);
      const { current } = this.#hello;
      this.#handshake = current && handshakeView(current);
    }
  }

  /** Half of what is kept at a time, as the rest is moved. */
  #letGo(): void {
    const spare = Math.min(this.needed, this.count - 1) - this.#gone;
    if (spare <= 0 || spare < this.heard.length / 2) return;
    this.heard.splice(0, spare);
    this.#gone += spare;
  }
}
