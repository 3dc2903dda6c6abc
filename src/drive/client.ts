// The client of one connection: shakes hands and answers the agent by the settings a person chose,
// and leaves the rest to a person. All it knows comes from the frames, its own among them, so after
// a reload it knows the same again and answers nothing twice.
import { initializeParams, type ClientName } from '../acp/capabilities.ts';
import { nearestVersion, offerFor, protocolVersionIn } from '../acp/handshake.ts';
import {
  CODE,
  idKey,
  type Json,
  type JsonObject,
  type Message,
  type Request,
  type RequestId,
} from '../acp/message.ts';
import { get, str } from '../acp/json.ts';
import { errorLine, notificationLine, requestLine, resultLine } from '../acp/lines.ts';
import { permissionSelected, cancelResult, verdictOn, type Settled } from './policy.ts';
import type { Peer } from './peer.ts';
import type { ClientSettings } from './settings.ts';
import { REAL_TIMERS } from './timers.ts';
import { Exchanges } from '../model/facts/exchanges.ts';
import { messagesOfFrame } from '../model/timeline/digest.ts';
import type { Frame, Seq } from '../trace/event.ts';

// The agent's requests that have no answer yet, as the frames tell. Ids may be reused, also while
// one is open: answers then go to the oldest.

interface Open {
  readonly from: 'agent';
  readonly seq: Seq;
  readonly request: Request;
  /** An answer is on its way, and has not come back as a frame. */
  sent: boolean;
  /** What it asks is being done. */
  working: boolean;
  /** Left open on purpose. */
  left: boolean;
  /** Cancelled by who asked, or with its turn: due is an answer that says so. */
  withdrawn: boolean;
  /** An answer has crossed. */
  answered: boolean;
}

/** So many requests for a permission wait for a person; more would hide what is asked in a flood. */
const MOST_QUEUED = 100;
const FLOOD = `More than ${MOST_QUEUED} permission requests of this agent wait for you. Until you have answered some, each further one is answered cancelled.`;

class OpenRequests {
  readonly #exchanges = new Exchanges<Open>();

  add(seq: Seq, request: Request): Open {
    const open: Open = {
      ...{ from: 'agent', seq, request, sent: false, working: false },
      ...{ left: false, withdrawn: false, answered: false },
    };
    this.#exchanges.ask(open);
    return open;
  }

  answered(id: RequestId): void {
    const open = this.#exchanges.answer('client', id);
    if (open) open.answered = true;
  }

  /** Those without an answer on its way, oldest first. */
  waiting(): readonly Open[] {
    return [...this.#exchanges.of('agent')]
      .filter(({ sent }) => !sent)
      .sort((a, b) => a.seq - b.seq);
  }

  /** Undefined also where an answer is on its way. */
  at(seq: Seq): Open | undefined {
    return this.waiting().find((open) => open.seq === seq);
  }

  /** What was on its way may be lost; frames will tell. */
  forgetSent(): void {
    for (const open of this.#exchanges.of('agent')) open.sent = false;
  }
}

/** What came of a call on this machine: ACP's result object, which is JSON, or the error due. */
type HostAnswer =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: { readonly code: number; readonly message: string } };

/** What the client cannot do by itself. */
export interface ClientSurroundings {
  readonly name: ClientName;
  /** v1 `fs/*` and `terminal/*`, confined by whoever does them. */
  host(method: string, params: Json | undefined): Promise<HostAnswer>;
  /** A sentence a person should read. */
  note(text: string): void;
}

export class ActingClient {
  readonly #peer: Peer;
  readonly #around: ClientSurroundings;
  readonly #open = new OpenRequests();
  #settings: ClientSettings;
  /** Requests for a permission that a person is to answer, and may have by now. */
  readonly #queued = new Set<Open>();
  #flooded = false;
  #settled: Settled = { version: 1, clientCapabilities: {} };
  #acting = false;
  #spoken = false;
  #lastId = -1;
  #initialize: string | undefined;
  #hello: Json | undefined;

  constructor(peer: Peer, settings: ClientSettings, around: ClientSurroundings) {
    this.#peer = peer;
    this.#settings = settings;
    this.#around = around;
    peer.receive((frame, message) => this.#take(frame, message));
  }

  get settings(): ClientSettings {
    return this.#settings;
  }

  /** Takes effect for requests that come, and for those a person had not answered yet. */
  change(settings: ClientSettings): void {
    this.#settings = settings;
    if (this.#acting) this.#review();
  }

  /** All frames so far have been received: from now on, act. What is still open is looked at. */
  act(): void {
    if (this.#acting) return;
    this.#acting = true;
    if (!this.#spoken && this.#settings.handshake) this.#shakeHands();
    this.#review();
  }

  /** Frames may be missing from now on (the link is lost): wait for `act`. */
  pause(): void {
    this.#acting = false;
    this.#open.forgetSent();
  }

  /** The id the next request should carry. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Returns the id it carries. */
  request(method: string, params: Json): number {
    const id = ++this.#lastId;
    this.#send(requestLine(id, method, params));
    return id;
  }

  notify(method: string, params: Json): void {
    this.#send(notificationLine(method, params));
  }

  /** A person's answer. False: that request is answered, or there is none. */
  answer(seq: Seq, result: JsonObject): boolean {
    const open = this.#open.at(seq);
    if (open) this.#result(open, result);
    return open !== undefined;
  }

  /** Answers a request for a permission with this option. */
  select(seq: Seq, optionId: string): boolean {
    return this.answer(seq, permissionSelected(optionId));
  }

  refuse(seq: Seq, code: number, message: string): boolean {
    const open = this.#open.at(seq);
    if (open) this.#error(open, code, message);
    return open !== undefined;
  }

  /** Does what the request asks, as a person allowed. */
  allow(seq: Seq): boolean {
    const open = this.#open.at(seq);
    if (open) void this.#host(open);
    return open !== undefined;
  }

  /** Stays open on purpose, also when the turn is cancelled. */
  leaveOpen(seq: Seq): boolean {
    const open = this.#open.at(seq);
    if (open) open.left = true;
    return open !== undefined;
  }

  /** Says cancelled, in the words of its method. */
  cancel(seq: Seq): boolean {
    const open = this.#open.at(seq);
    if (open) this.#sayCancelled(open);
    return open !== undefined;
  }

  #take(frame: Frame, message: Message): void {
    // Messages in an array are answered as any others: an agent that sends one must not wait for ever.
    for (const one of messagesOfFrame(frame, message))
      if (frame.from === 'client') this.#heardOurs(one);
      else this.#heardAgent(frame.seq, one);
  }

  #heardOurs(message: Message): void {
    this.#spoken = true;
    if (message.kind === 'success' || message.kind === 'failure') this.#open.answered(message.id);
    if (message.kind === 'request') this.#heardRequest(message);
    if (message.kind === 'notification' && message.method === 'session/cancel')
      this.#cancelled(str(message.params, 'sessionId'));
  }

  #heardRequest({ id, method, params }: Request): void {
    const number = id.type === 'number' ? Number(id.token) : NaN;
    if (Number.isSafeInteger(number)) this.#lastId = Math.max(this.#lastId, number);
    if (method !== 'initialize') return;
    this.#initialize = idKey(id);
    this.#hello = params;
  }

  #heardAgent(seq: Seq, message: Message): void {
    switch (message.kind) {
      case 'request': {
        const open = this.#open.add(seq, message);
        if (this.#acting) this.#decide(open);
        return;
      }
      case 'notification':
        if (message.method === '$/cancel_request')
          this.#withdrawn(get(message.params, 'requestId'));
        return;
      case 'success':
        if (idKey(message.id) === this.#initialize) this.#agreed(message.result);
        return;
      case 'failure':
      case 'invalid':
        return;
    }
  }

  /** Speak what the agent answered: its word decides which of its requests exist. */
  #agreed(result: Json): void {
    const version = nearestVersion(protocolVersionIn(result));
    this.#settled = { version, clientCapabilities: offerFor(this.#hello, version) };
  }

  #shakeHands(): void {
    const { ask, advertise } = this.#settings;
    this.#spoken = true;
    this.request('initialize', initializeParams(ask, advertise, this.#around.name));
  }

  #review(): void {
    for (const open of this.#open.waiting()) this.#decide(open);
  }

  /** `hasWaited`: the delay of the settings is over. */
  #decide(open: Open, hasWaited = false): void {
    if (open.left || open.sent || open.working) return;
    if (open.withdrawn) return this.#cancel(open);
    const verdict = verdictOn(open.request, this.#settings, this.#settled);
    switch (verdict.kind) {
      case 'result':
        if (verdict.after !== undefined && !hasWaited) return this.#later(open, verdict.after);
        this.#result(open, verdict.result);
        if (verdict.note !== undefined) this.#around.note(verdict.note);
        return;
      case 'error':
        return this.#error(open, verdict.code, verdict.message);
      case 'host':
        void this.#host(open);
        return;
      case 'person':
        return this.#queue(open);
      case 'never':
        return;
    }
  }

  /** Decides again after this time, by the settings of then; a person may answer before. */
  #later(open: Open, ms: number): void {
    open.working = true;
    REAL_TIMERS.later(ms, () => {
      open.working = false;
      if (this.#acting && this.#open.at(open.seq) === open) this.#decide(open, true);
    });
  }

  /** It waits in its place, unless too many do. */
  #queue(open: Open): void {
    if (open.request.method !== 'session/request_permission') return;
    for (const one of this.#queued)
      if (one.answered || one.sent || one.left) this.#queued.delete(one);
    if (this.#queued.has(open)) return;
    if (this.#queued.size < MOST_QUEUED) {
      this.#flooded = false;
      this.#queued.add(open);
      return;
    }
    if (!this.#flooded) this.#around.note(FLOOD);
    this.#flooded = true;
    this.#sayCancelled(open);
  }

  /** v1: a client that cancels a turn must answer the turn's permission requests cancelled. */
  #cancelled(sessionId: string | undefined): void {
    if (this.#settled.version !== 1) return;
    for (const open of this.#open.waiting()) {
      const { method, params } = open.request;
      if (method === 'session/request_permission' && str(params, 'sessionId') === sessionId)
        this.#withdraw(open);
    }
  }

  /** The agent no longer wants the answer, but one is still due. */
  #withdrawn(requestId: Json | undefined): void {
    const open = this.#open
      .waiting()
      .find(({ request }) => JSON.parse(request.id.token) === requestId);
    if (open) this.#withdraw(open);
  }

  #withdraw(open: Open): void {
    open.withdrawn = true;
    if (this.#acting) this.#cancel(open);
  }

  #cancel(open: Open): void {
    const { permission, elicitation } = this.#settings;
    const { method } = open.request;
    const policy =
      method === 'session/request_permission'
        ? permission
        : method === 'elicitation/create' && elicitation;
    if (!open.left && !open.sent && policy !== 'never') this.#sayCancelled(open);
  }

  #sayCancelled(open: Open): void {
    const result = cancelResult(open.request.method);
    if (result) this.#result(open, result);
    else this.#error(open, CODE.requestCancelled, 'Request cancelled');
  }

  async #host(open: Open): Promise<void> {
    if (open.working) return;
    open.working = true;
    const answer = await this.#around.host(open.request.method, open.request.params);
    open.working = false;
    // Withdrawn, or answered by hand, while it was done.
    if (open.sent || !this.#open.at(open.seq)) return;
    if (answer.ok) this.#result(open, answer.result);
    else this.#error(open, answer.error.code, answer.error.message);
  }

  #result(open: Open, result: Readonly<Record<string, unknown>>): void {
    open.sent = true;
    this.#send(resultLine(open.request.id, result));
  }

  #error(open: Open, code: number, message: string): void {
    open.sent = true;
    this.#send(errorLine(open.request.id, { code, message }));
  }

  #send(line: string): void {
    this.#peer.send(line, 'script');
  }
}
