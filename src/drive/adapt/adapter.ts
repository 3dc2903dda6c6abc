// The adapter as decisions over lines: each line of the editor or the agent is handed on as it is,
// or something is done about it. It records what a session says, and answers restores that the
// agent cannot: v1 `session/load`, v2 `replayFrom` start. Bytes, processes and files are others'.
import {
  CODE,
  idKey,
  membersOf,
  parseMessage,
  type Failure,
  type Json,
  type JsonObject,
  type Message,
  type Notification,
  type Request,
  type Success,
} from '../../acp/message.ts';
import { capabilityAt, isYes } from '../../acp/gate.ts';
import { clientOffer } from '../../acp/handshake.ts';
import { get, str } from '../../acp/json.ts';
import type { Version } from '../../acp/methods.ts';
import { errorLine } from '../../acp/lines.ts';
import { updateOf } from '../../acp/update.ts';
import {
  PASS,
  sayAction,
  send,
  type AdapterAction,
  type Actions,
  type AskedOfHistory,
  type Own,
  type RestoreSeen,
  hold,
  letGo,
  AdapterWindows,
  type AdapterWindow,
} from './windows.ts';
import { type HistoryPort, AdaptRecording } from './recording.ts';
import { roleFor, type AdapterRole } from './role.ts';
import {
  answerLine,
  bareLine,
  rawRequestLine,
  textAt,
  withKey,
  withoutKey,
  withValue,
} from './line-edit.ts';

interface AdapterOptions {
  readonly history: HistoryPort;
  /** No other request on this connection has an id that begins so. */
  readonly idBase: string;
  /** A new unique id, for prompts that the agent gives none. */
  readonly uuid: () => string;
}

export class Adapter {
  readonly #history: HistoryPort;
  readonly #recording: AdaptRecording;
  readonly #idBase: string;
  #role: AdapterRole | undefined;
  #acp: Version = 1;
  #compactions = true;
  /** By the key of the editor's id, and by that of ours. */
  readonly #asked = new Map<string, AskedOfHistory>();
  readonly #own = new Map<string, Own>();
  #lastOwn = 0;
  readonly #windows = new AdapterWindows();

  constructor({ history, idBase, uuid }: AdapterOptions) {
    this.#history = history;
    this.#idBase = idBase;
    this.#recording = new AdaptRecording(history, uuid);
  }

  /** Nothing is left to do on this connection: no line needs to be read. */
  get isOut(): boolean {
    return this.#role?.kind === 'none';
  }

  /**
   * Whether the agent's next line has to be read before it goes on: something else may come of it,
   * or the editor may rely on what is done about it. Other lines are only noted.
   */
  get readsAgent(): boolean {
    if (this.#own.size > 0 || this.#windows.holding) return true;
    return [...this.#asked.values()].some(({ kind }) => kind !== 'prompt' && kind !== 'restore');
  }

  /** `line`: without its 0x0A. `gone`: it was too long to wait for its end, and went on. */
  fromEditor(line: string, gone = false): Actions {
    if (this.isOut || !mayBeMessage(line)) return PASS;
    const message = parseMessage(line);
    switch (message.kind) {
      case 'request':
        return this.#request(message, bareLine(line), gone);
      case 'notification':
        return gone ? PASS : this.#notified(message, bareLine(line));
      case 'success':
        this.#recording.editorAnswered(message);
        return PASS;
      case 'failure':
      case 'invalid':
        return PASS;
    }
  }

  /** The same for the agent. A line that has gone on is only noted. */
  fromAgent(line: string, gone = false): Actions {
    if (this.isOut || !mayBeMessage(line)) return PASS;
    const message = parseMessage(line);
    const isArray = message.kind === 'invalid' && message.reason === 'batch';
    return isArray ? this.#array(line, gone) : this.#said(message, line, gone);
  }

  /** An array of messages goes on as it is, unless something is to be done about one of them: then each alone. */
  #array(line: string, gone: boolean): Actions {
    const actions: AdapterAction[] = [];
    let isTouched = false;
    for (const { text, message } of membersOf(line)) {
      const said = this.#said(message, text, gone);
      isTouched ||= said[0]?.do !== 'pass' || said.slice(1).some((one) => one.do !== 'say');
      for (const one of said)
        if (one.do !== 'pass') actions.push(one);
        else if (!gone) actions.push(send('client', text));
    }
    if (gone) return [...PASS, ...actions];
    return isTouched ? actions : [...PASS, ...actions.filter((one) => one.do === 'say')];
  }

  #said(message: Message, line: string, gone: boolean): Actions {
    switch (message.kind) {
      case 'success':
      case 'failure':
        return this.#answered(message, line);
      case 'notification':
        return message.method === 'session/update' ? this.#updated(message, line, gone) : PASS;
      case 'request':
        this.#recording.agentAsked(message);
        return PASS;
      case 'invalid':
        return PASS;
    }
  }

  /** The agent has ended: what waited is not lost, and its sessions are free. */
  end(): Actions {
    this.#recording.end();
    return this.#windows.drain();
  }

  #request({ id, method, params }: Request, line: string, gone: boolean): Actions {
    const asked: AskedOfHistory | undefined =
      method === 'initialize'
        ? { kind: method, client: clientOffer(params, 1) ?? {} }
        : this.#role && this.#askedOf(method, params, line);
    if (asked) this.#asked.set(idKey(id), asked);
    const session = str(params, 'sessionId');
    const isOurs = method === 'session/load' && this.#role?.kind === 'load';
    return isOurs && session !== undefined && !gone ? this.#load(id.token, session, line) : PASS;
  }

  #askedOf(method: string, params: Json | undefined, line: string): AskedOfHistory | undefined {
    if (method === 'session/new') return { kind: 'new' };
    const session = str(params, 'sessionId');
    if (session === undefined) return undefined;
    switch (method) {
      case 'session/resume':
        return this.#resume(session, get(params, 'replayFrom'), line);
      case 'session/fork': {
        const recorded = this.#recording.has(session);
        const until = recorded ? this.#history.position(session) : undefined;
        return { kind: 'fork', from: session, until };
      }
      case 'session/prompt': {
        const prompt = this.#recording.prompted(session, textAt(line, ['params', 'prompt']));
        return prompt === undefined ? undefined : { kind: 'prompt', session, prompt };
      }
      case 'session/close':
        return { kind: 'close', session };
      case 'session/delete':
        return { kind: 'delete', session };
      default:
        return undefined;
    }
  }

  /** A `session/load` goes to the agent as a resume of ours. */
  #load(editorId: string, session: string, line: string): Actions {
    const claim = this.#history.claim(session);
    if (claim.kind === 'refused') {
      const why = `This session cannot be loaded: ${claim.why}`;
      return [
        send(
          'client',
          errorLine(
            { token: editorId },
            { code: CODE.internalError, message: `acp-scope adapt: ${why}` },
          ),
        ),
        sayAction(why),
      ];
    }
    const window = this.#window(session, true);
    return [send('agent', this.#ownResume(editorId, window, textAt(line, ['params'])))];
  }

  /** A resume goes on as it is. Asked for everything in v2, the agent may have nothing to tell. */
  #resume(session: string, replayFrom: Json | undefined, line: string): RestoreSeen {
    const fromStart = this.#acp === 2 && str(replayFrom, 'type') === 'start';
    const claim = fromStart ? this.#history.claim(session) : undefined;
    const holding = claim?.kind === 'ours' && claim.stored;
    const window = this.#window(session, holding);
    return { kind: 'restore', window, request: holding ? line : undefined };
  }

  #window(session: string, holding: boolean): AdapterWindow {
    const active = this.#recording.has(session);
    const until = active ? this.#history.position(session) : undefined;
    return this.#windows.open({ session, holding, until });
  }

  #ownResume(editorId: string, window: AdapterWindow, params: string | undefined): string {
    const id = `${this.#idBase}-${++this.#lastOwn}`;
    this.#own.set(JSON.stringify(id), { editorId, window });
    return rawRequestLine(id, 'session/resume', params);
  }

  /** The editor takes back a request that went out under an id of ours. */
  #notified({ method, params }: Notification, line: string): Actions {
    if (method !== '$/cancel_request' || this.#own.size === 0) return PASS;
    const path = ['params', 'requestId'];
    const given = get(params, 'requestId') === undefined ? undefined : textAt(line, path);
    for (const [id, { editorId }] of this.#own)
      if (given !== undefined && sameId(given, editorId))
        return [send('agent', withValue(line, path, id))];
    return PASS;
  }

  #answered(answer: Success | Failure, line: string): Actions {
    const key = idKey(answer.id);
    const own = this.#own.get(key);
    if (own) {
      this.#own.delete(key);
      const reply = send('client', answerLine(own.editorId, bareLine(line)));
      return this.#restored(own.window, answer, reply);
    }
    const asked = this.#asked.get(key);
    if (!asked) return PASS;
    this.#asked.delete(key);
    if (asked.kind === 'restore') return this.#resumed(asked, answer);
    if (asked.kind === 'prompt') {
      this.#recording.answered(asked.session, asked.prompt, answer);
      return PASS;
    }
    if (answer.kind === 'failure') return PASS;
    if (asked.kind === 'initialize') return this.#initialized(asked.client, answer.result, line);
    return [...PASS, ...this.#succeeded(asked, str(answer.result, 'sessionId'))];
  }

  /** What there is to say of it. */
  #succeeded(
    asked: Exclude<AskedOfHistory, { readonly kind: 'initialize' | 'restore' | 'prompt' }>,
    session: string | undefined,
  ): Actions {
    switch (asked.kind) {
      case 'new':
        return this.#begun(session, 'new');
      case 'fork': {
        const { from, until } = asked;
        if (session === undefined || until === undefined) return this.#begun(session, 'middle');
        return this.#claimed(session, () => this.#recording.fork(from, session, until, this.#acp));
      }
      case 'close':
        this.#recording.close(asked.session);
        return [];
      case 'delete':
        this.#recording.delete(asked.session);
        return [];
    }
  }

  #initialized(client: JsonObject, result: Json, line: string): Actions {
    const role = (this.#role = roleFor(result));
    if (role.kind === 'none')
      return [...PASS, sayAction(`${role.why} Everything is passed through as it is.`)];
    this.#acp = role.kind === 'load' ? 1 : 2;
    this.#compactions = this.#acp === 2 || isYes(capabilityAt(client, 'session.compaction'));
    if (role.kind === 'replay') return PASS;
    // Behind a byte order mark, if there is one.
    const at = line.indexOf('{');
    const edited = withKey(line.slice(at), ['result', 'agentCapabilities'], 'loadSession', 'true');
    return [send('client', line.slice(0, at) + edited)];
  }

  /** A restore that the editor asked of the agent has been answered. */
  #resumed({ window, request }: RestoreSeen, answer: Success | Failure): Actions {
    if (!window.holding) {
      this.#windows.close(window);
      if (answer.kind === 'failure') return PASS;
      return [...PASS, ...this.#begun(window.session, 'middle')];
    }
    const refused = answer.kind === 'failure' && answer.error.code === CODE.invalidParams;
    if (!refused || request === undefined) return this.#restored(window, answer, ...PASS);
    // It may take no cursor at all: the same restore without one.
    const params = textAt(withoutKey(request, ['params'], 'replayFrom'), ['params']);
    const editorId = textAt(request, ['id']) ?? 'null';
    return [send('agent', this.#ownResume(editorId, window, params))];
  }

  /** The answer to a restore whose updates waited: the history, what waited, the answer. */
  #restored(
    window: AdapterWindow,
    answer: Success | Failure,
    ...reply: readonly AdapterAction[]
  ): Actions {
    const { session, agentTells } = window;
    this.#windows.close(window);
    const held = letGo(window);
    if (answer.kind === 'failure') {
      if (!this.#recording.has(session)) this.#history.release(session);
      return [...held, ...reply];
    }
    const said = this.#begun(session, 'middle');
    if (agentTells) {
      const why = `The agent replays the history of ${session} by itself; nothing was added to it.`;
      return [...held, ...reply, ...said, sayAction(why)];
    }
    const until = window.until ?? this.#history.position(session);
    const replay = { session, until, acp: this.#acp, compactions: this.#compactions };
    return [{ do: 'replay', replay }, ...held, ...reply, ...said];
  }

  /** A session is active now; what there is to say of it. */
  #begun(session: string | undefined, begin: 'new' | 'middle'): Actions {
    if (session === undefined || this.#recording.has(session)) return [];
    return this.#claimed(session, () => this.#recording.begin(session, begin, this.#acp));
  }

  #claimed(session: string, begin: () => void): Actions {
    const claim = this.#history.claim(session);
    if (claim.kind === 'refused') {
      this.#recording.leave(session);
      return [sayAction(`What is said in session ${session} is not recorded: ${claim.why}`)];
    }
    begin();
    return [];
  }

  #updated({ params }: Notification, line: string, gone: boolean): Actions {
    const update = updateOf(params);
    const session = update?.sessionId;
    if (!update || session === undefined) return PASS;
    const window = this.#windows.of(session);
    // In a restore the agent tells what was, unless work goes on in the session.
    if (!window || this.#recording.isBusy(session)) this.#recording.updated(update, bareLine(line));
    return window?.holding === true && !gone ? hold(window, line, update, this.#acp) : PASS;
  }
}

/** Noise is told by its first character, without reading it: some agents log on stdout. */
function mayBeMessage(line: string): boolean {
  return /^[\ufeff \t]*[[{]/.test(line);
}

/** Two ids as they stand in lines: strings by what they say. */
function sameId(a: string, b: string): boolean {
  if (a === b) return true;
  return a.startsWith('"') && b.startsWith('"') && JSON.parse(a) === JSON.parse(b);
}
