// An agent made from a recording: what a client asks is found in it, and what the agent said then
// is said again, under the client's ids and in its folders. Lines in, lines out; what was not as
// recorded is noted, and never passed over.
import { offerFor } from '../../acp/handshake.ts';
import {
  CODE,
  eachMessage,
  parseMessage,
  type Failure,
  type Invalid,
  type Json,
  type JsonObject,
  type Message,
  type Notification,
  type Request,
  type RequestId,
  type Success,
} from '../../acp/message.ts';
import { get, isObject, str } from '../../acp/json.ts';
import { RESTORES, isMethodOf } from '../../acp/methods.ts';
import type { Line } from '../../trace/event.ts';
import { errorLine, resultLine } from '../../acp/lines.ts';
import type { Timers } from '../timers.ts';
import { AgentNotes, compareAnswer, isChoice, ClientRequests, OurRequests } from './agent-notes.ts';
import { agentReport, type AgentReport } from './agent-report.ts';
import { Bindings, type Folders } from './bindings.ts';
import { withToken } from '../adapt/line-edit.ts';
import { knownSessions, answerUnrecorded, type Unrecorded } from './unrecorded.ts';
import type { Strictness, ReplaySpeed } from './strictness.ts';
import { Matcher, type FoundMatch, type Nearest } from './matcher.ts';
import { differenceWords, type ReplayNote } from './differences.ts';
import { requestOf, type Recorded, type RecordedFrame } from './recorded.ts';
import { Speaker } from './speaker.ts';

export interface ReplayAgentOptions {
  readonly recorded: Recorded;
  readonly strictness: Strictness;
  readonly speed: ReplaySpeed;
  readonly timers: Timers;
  /** A line of the agent, without its 0x0A. */
  readonly say: (line: Line) => void;
  /** What is noted, as it is. */
  readonly note: (note: ReplayNote) => void;
}

export class ReplayAgent {
  readonly #options: ReplayAgentOptions;
  readonly #bindings: Bindings;
  readonly #matcher: Matcher;
  readonly #speaker: Speaker;
  readonly #notes: AgentNotes;
  /** Places of frames that crossed again: ours, and the client's that were found. */
  readonly #crossed = new Set<number>();
  readonly #asked: ClientRequests;
  readonly #ours = new OurRequests();
  /** Answers that are due before their request came, by its place. */
  readonly #early = new Map<number, RecordedFrame>();
  /** Sessions whose whole history was told without a recorded restore. */
  readonly #rebuilt = new Set<string>();
  readonly #matched = { requests: 0, notifications: 0, answers: 0 };
  #clientCapabilities: JsonObject = {};

  constructor(options: ReplayAgentOptions) {
    const { recorded, strictness, speed, timers } = options;
    this.#options = options;
    this.#notes = new AgentNotes(strictness, options.note);
    this.#asked = new ClientRequests(recorded);
    this.#bindings = new Bindings(recorded.frames.flatMap(({ session }) => session ?? []));
    this.#matcher = new Matcher({ recorded, bindings: this.#bindings, strictness });
    const say = (frame: RecordedFrame) => this.#say(frame);
    this.#speaker = new Speaker({ recorded, speed, timers, say });
  }

  /** Which folder stands for which, as far as is known. */
  get folders(): Folders {
    return this.#bindings.folders;
  }

  /** The client is there: what the agent said before it was asked anything. */
  begin(): void {
    this.#speaker.begin();
  }

  /** A line of the client, without its 0x0A. */
  take(line: string): void {
    const message = parseMessage(line);
    let isEmpty = true;
    for (const one of eachMessage(message, () => line)) {
      isEmpty = false;
      this.#take(line, one);
    }
    // Nothing in the array is a message.
    if (isEmpty && message.kind === 'invalid') this.#invalid(line, message);
  }

  #take(line: string, message: Message): void {
    switch (message.kind) {
      case 'request':
        return this.#request(message);
      case 'notification':
        return this.#notification(message);
      case 'success':
      case 'failure':
        return this.#answer(message);
      case 'invalid':
        return this.#invalid(line, message);
    }
  }

  /** The client is gone: what is due is said, and nothing more comes. */
  end(): AgentReport {
    this.#speaker.finish();
    return this.report();
  }

  report(): AgentReport {
    const { recorded, strictness } = this.#options;
    return agentReport({
      recorded,
      strictness,
      matched: this.#matched,
      notes: this.#notes.all,
      crossed: this.#crossed,
      open: this.#ours.open,
    });
  }

  #request({ id, method, params }: Request): void {
    if (method === 'initialize') this.#clientCapabilities = offerFor(params, 1);
    const match = this.#matcher.request(method, params);
    if (match.kind === 'none' || this.#isPast(match)) {
      const nearest = match.kind === 'none' ? match.nearest : undefined;
      if (isMethodOf(RESTORES, method)) this.#bindFolder(params);
      const said = this.#inRecordedWords(params);
      const answer = answerUnrecorded(method, said, nearest, {
        recorded: this.#options.recorded,
        wasSaid: ({ place }) => this.#crossed.has(place),
        isRebuilt: (session) => this.#rebuilt.has(session),
        clientCapabilities: this.#clientCapabilities,
      });
      return this.#unrecorded(id, method, said, answer, nearest);
    }
    this.#found(match, method);
    const { frame } = match;
    this.#matched.requests++;
    this.#asked.take(frame, id);
    this.#cued(frame);
    const early = this.#early.get(frame.place);
    this.#early.delete(frame.place);
    if (early) this.#say(early);
  }

  #notification({ method, params }: Notification): void {
    const match = this.#matcher.notification(method, this.#asked.recordedParams(params), (frame) =>
      this.#isUnderWay(frame),
    );
    if (match.kind === 'none') {
      const why = match.nearest
        ? `the nearest is #${match.nearest.frame.seq}, where ${differenceWords(match.nearest.differences)}`
        : 'the recording has none here';
      const sentence = `The client sent ${method}, and ${why}: it goes on as recorded.`;
      const { frame, differences } = match.nearest ?? {};
      return this.#notes.add(this.#notes.mild, method, sentence, frame, differences);
    }
    this.#found(match, method);
    this.#matched.notifications++;
    this.#cued(match.frame);
  }

  #answer(message: Success | Failure): void {
    const ours = this.#ours.answered(message.id);
    if (!ours) {
      const sentence = `The client answered ${message.id.token}, which it was not asked.`;
      return this.#notes.add('mismatch', undefined, sentence, undefined);
    }
    const method = requestOf(ours)?.method ?? '';
    const frame = ours.pair === undefined ? undefined : this.#options.recorded.frames[ours.pair];
    if (!frame) {
      const sentence = `The client answered ${method} #${ours.seq}, which the recorded client did not: nothing is known to follow.`;
      return this.#notes.add('mismatch', method, sentence, ours);
    }
    this.#bindTerminal(method, frame, message);
    const differences = compareAnswer(frame, message, this.#bindings, this.#options.strictness);
    if (differences.length > 0) {
      const sentence = `The client answered ${method} #${ours.seq} otherwise: ${differenceWords(differences)}. It goes on as recorded.`;
      const kind = isChoice(method, differences)
        ? this.#notes.mild
        : this.#notes.strictly('tolerated');
      this.#notes.add(kind, method, sentence, frame, differences);
    } else this.#matched.answers++;
    this.#cued(frame);
  }

  #invalid(line: string, { reason, why }: Invalid): void {
    const frame = this.#matcher.line(line);
    if (frame) return this.#cued(frame);
    const sentence = `The client sent a line that is no message, and that the recording does not have: ${why}.`;
    this.#notes.add('mismatch', undefined, sentence, undefined);
    const code = reason === 'not-json' ? CODE.parseError : CODE.invalidRequest;
    this.#write(errorLine({ token: 'null' }, { code, message: why }));
  }

  /** What was found is what it is held to be from now on. */
  #found({ frame, ties, differences, how }: FoundMatch, method: string): void {
    for (const { kind, recorded, live } of ties) {
      if (kind === 'folder') this.#bindings.folders.bind(recorded, live);
      else this.#bindings.sessions.bind(recorded, live);
    }
    if (how === 'again') {
      const sentence = `${method} #${frame.seq} was asked once more: the same is said again.`;
      return this.#notes.add('tolerated', method, sentence, frame);
    }
    if (differences.length === 0) return;
    const what =
      how === 'next'
        ? `${method} is not in the recording, and was taken for #${frame.seq}`
        : `${method} #${frame.seq} was asked with other words that do not matter`;
    const sentence = `${what}: ${differenceWords(differences)}.`;
    this.#notes.add('tolerated', method, sentence, frame, differences);
  }

  #unrecorded(
    id: RequestId,
    method: string,
    params: Json | undefined,
    answer: Unrecorded,
    nearest: Nearest | undefined,
  ): void {
    const { frame, differences } = nearest ?? {};
    if (answer.kind === 'refused') {
      this.#notes.add('mismatch', method, answer.sentence, frame, differences);
      const { code, message, data } = answer;
      return this.#write(errorLine(id, { code, message, ...(data && { data }) }));
    }
    const session = get(params, 'sessionId');
    if (answer.lines.length > 0 && typeof session === 'string') this.#rebuilt.add(session);
    this.#notes.add(this.#notes.strictly('rebuilt'), method, answer.sentence, frame, differences);
    for (const line of answer.lines) this.#write(this.#bindings.toLive(line));
    this.#write(this.#bindings.toLive(resultLine(id, answer.result)));
  }

  /** A restore that is asked once more, after more was said than it told. */
  #isPast({ how, frame }: FoundMatch): boolean {
    if (how !== 'again' || frame.session === undefined) return false;
    if (!isMethodOf(RESTORES, requestOf(frame)?.method)) return false;
    return this.#options.recorded.frames.some(
      (one) =>
        one.session === frame.session &&
        one.place > frame.place &&
        this.#crossed.has(one.place) &&
        requestOf(one)?.method === 'session/prompt',
    );
  }

  /** The last request of the client before it, of the same session, has come. */
  #isUnderWay(frame: RecordedFrame): boolean {
    const { frames } = this.#options.recorded;
    for (let at = frame.place - 1; at >= 0; at--) {
      const before = frames[at];
      if (before?.from === 'client' && before.session === frame.session && requestOf(before))
        return this.#crossed.has(at);
    }
    return true;
  }

  #cued(frame: RecordedFrame): void {
    this.#crossed.add(frame.place);
    this.#speaker.cued(frame);
  }

  #say(frame: RecordedFrame): void {
    const { message, line, pair, place } = frame;
    if (message.kind === 'success' || message.kind === 'failure') {
      const token = pair === undefined ? message.id.token : this.#asked.tokenAt(pair);
      if (token === undefined && pair !== undefined) return void this.#early.set(pair, frame);
      return this.#utter(frame, token ?? message.id.token);
    }
    if (message.kind === 'request') return this.#utter(frame, this.#ours.ask(frame, message.id));
    if (message.kind === 'notification') return this.#utter(frame, undefined);
    this.#crossed.add(place);
    this.#options.say(line);
  }

  /** Says the frame under the live names; as it stands where nothing has another. */
  #utter({ place, text, message }: RecordedFrame, token: string | undefined): void {
    this.#crossed.add(place);
    let line = this.#bindings.toLive(text);
    if (token !== undefined && 'id' in message && message.id.token !== token)
      line = withToken(line, ['id'], token);
    // A question of the agent may name the client's request that it asks for.
    const named = message.kind === 'request' ? this.#asked.namedIn(message.params) : undefined;
    if (named !== undefined) line = withToken(line, ['params', 'requestId'], named);
    this.#write(line);
  }

  /** A restore that is not in the recording names the folder of a session that is. */
  #bindFolder(params: Json | undefined): void {
    const named = this.#bindings.recordedWords('sessionId', str(params, 'sessionId') ?? '');
    const session = knownSessions(this.#options.recorded).get(named ?? '');
    const [was, is] = [str(session?.info, 'cwd'), str(params, 'cwd')];
    if (was !== undefined && is !== undefined) this.#bindings.folders.bind(was, is);
  }

  /** A terminal of the client: it names it. */
  #bindTerminal(method: string, frame: RecordedFrame, { ...message }: Success | Failure): void {
    if (method !== 'terminal/create' || frame.message.kind !== 'success') return;
    const recorded = get(frame.message.result, 'terminalId');
    const live = message.kind === 'success' ? get(message.result, 'terminalId') : undefined;
    if (typeof recorded === 'string' && typeof live === 'string')
      this.#bindings.of('terminalId')?.bind(recorded, live);
  }

  #inRecordedWords(params: Json | undefined): Json | undefined {
    if (!isObject(params)) return params;
    return Object.fromEntries(
      Object.entries(params).map(([key, value]) => [
        key,
        typeof value === 'string' ? (this.#bindings.recordedWords(key, value) ?? value) : value,
      ]),
    );
  }

  #write(text: string): void {
    this.#options.say({ text });
  }
}
