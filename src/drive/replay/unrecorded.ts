// What an agent made from a recording answers where the recording has no such request: restores
// and lists are made from what it does have, all else is refused with a sentence.
import { CODE, type Json, type JsonObject } from '../../acp/message.ts';
import { capabilityAt, isYes, shutGate } from '../../acp/gate.ts';
import { get, str, isObject, objects } from '../../acp/json.ts';
import { OPENERS, isMethodOf } from '../../acp/methods.ts';
import { updateOf } from '../../acp/update.ts';
import { updateLine } from '../../acp/lines.ts';
import { differenceWords } from './differences.ts';
import { isFullReplay, rebuildHistory } from './history.ts';
import type { Nearest } from './matcher.ts';
import { type Recorded, type RecordedFrame, requestOf } from './recorded.ts';
import { count } from '../../lib/format.ts';

export type Unrecorded =
  /** `lines`: said before the answer, in the recording's names. */
  | {
      readonly kind: 'made';
      readonly lines: readonly string[];
      readonly result: JsonObject;
      /** One sentence: what it was made from. */
      readonly sentence: string;
    }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly message: string;
      readonly data?: JsonObject;
      readonly sentence: string;
    };

interface UnrecordedOptions {
  readonly recorded: Recorded;
  /** Whether the frame has been said on this connection: by us, or by the client to us. */
  readonly wasSaid: (frame: RecordedFrame) => boolean;
  /** Whether its whole history was told on this connection, without a recorded restore. */
  readonly isRebuilt: (session: string) => boolean;
  /** What the live client said of itself. */
  readonly clientCapabilities: JsonObject;
}

/** `params`: in the recording's names. */
export function answerUnrecorded(
  method: string,
  params: Json | undefined,
  nearest: Nearest | undefined,
  options: UnrecordedOptions,
): Unrecorded {
  const { version } = options.recorded;
  if (version !== undefined) {
    if (method === 'session/list') return list(params, options) ?? refusal(method, nearest);
    const restores = version === 1 ? method === 'session/load' : false;
    if (restores || method === 'session/resume') return restore(method, params, nearest, options);
    if (method === 'session/close') return close(params, options) ?? refusal(method, nearest);
  }
  return refusal(method, nearest);
}

function refusal(method: string, nearest: Nearest | undefined): Unrecorded {
  const sentence = why(method, nearest);
  const data = nearest && { 'acp-scope': { recorded: { seq: nearest.frame.seq } } };
  const code = nearest ? CODE.internalError : CODE.methodNotFound;
  return { kind: 'refused', code, message: sentence, sentence, ...(data && { data }) };
}

function why(method: string, nearest: Nearest | undefined): string {
  if (!nearest) return `The recording has no ${method}, so nothing is known to answer it with.`;
  const { frame, differences, isTaken } = nearest;
  if (isTaken && differences.length === 0)
    return `The recording has no further ${method} like this one: #${frame.seq} was asked already.`;
  const seq = isTaken ? `#${frame.seq}, asked already,` : `#${frame.seq}`;
  return `The recording has no ${method} with these params; nearest is ${seq} where ${differenceWords(differences)}.`;
}

function list(params: Json | undefined, options: UnrecordedOptions): Unrecorded | undefined {
  if (!offers(options.recorded, 'session/list')) return undefined;
  const cursor = get(params, 'cursor');
  if (typeof cursor === 'string')
    return refuse(
      CODE.invalidParams,
      `The recording has no session/list with the list cursor ${JSON.stringify(cursor)}.`,
    );
  const cwd = str(params, 'cwd');
  const sessions = [...knownSessions(options.recorded).values()]
    .filter(({ isReal, info }) => isReal && str(info, 'cwd') !== undefined)
    .filter(({ info }) => cwd === undefined || str(info, 'cwd') === cwd)
    .map(({ info }) => info);
  return {
    kind: 'made',
    lines: [],
    result: { sessions },
    sentence: `session/list was not recorded so: answered with the ${count(sessions.length, 'session')} that the recording knows.`,
  };
}

function restore(
  method: string,
  params: Json | undefined,
  nearest: Nearest | undefined,
  options: UnrecordedOptions,
): Unrecorded {
  const { recorded } = options;
  const version = recorded.version ?? 1;
  if (!offers(recorded, method)) return refusal(method, nearest);
  const sessionId = str(params, 'sessionId') ?? '';
  const session = sessionNamed(sessionId, options);
  if (!session?.isReal) {
    const sentence = `The recording knows no session ${JSON.stringify(sessionId)}.`;
    return { ...refuse(CODE.notFound, sentence), data: { sessionId } };
  }
  const cursor = version === 2 ? get(params, 'replayFrom') : undefined;
  const isStart = str(cursor, 'type') === 'start';
  if (cursor !== undefined && cursor !== null && !isStart)
    return refuse(
      CODE.invalidParams,
      `The recording has no session/resume with the replay cursor ${JSON.stringify(cursor)}.`,
    );
  const state = version === 2 ? [idleLine(sessionId)] : [];
  const name = `${method} of ${sessionId} was not recorded so`;
  if (!isFullReplay(method, params))
    return {
      kind: 'made',
      lines: state,
      result: session.setup,
      sentence: `${name}: answered with what the session is set to, without history.`,
    };
  const compactions =
    version === 2 || isYes(capabilityAt(options.clientCapabilities, 'session.compaction'));
  const counts = countsFor(sessionId, options);
  const history = rebuildHistory(recorded, { session: sessionId, version, counts, compactions });
  const cut = history.isCut ? ' What was said before the recording began is missing.' : '';
  return {
    kind: 'made',
    lines: [...history.lines, ...state],
    result: session.setup,
    sentence: `${name}: the history replay is rebuilt from ${history.from ?? 'no frames: nothing was said'}.${cut}`,
  };
}

function close(params: Json | undefined, options: UnrecordedOptions): Unrecorded | undefined {
  const sessionId = str(params, 'sessionId') ?? '';
  if (!offers(options.recorded, 'session/close')) return undefined;
  if (!sessionNamed(sessionId, options)?.isReal) return undefined;
  const sentence = `session/close of ${sessionId} was not recorded: answered with success.`;
  return { kind: 'made', lines: [], result: {}, sentence };
}

function sessionNamed(sessionId: string, options: UnrecordedOptions): KnownSession | undefined {
  const all = knownSessions(options.recorded).get(sessionId);
  const now = knownSessions(options.recorded, countsFor(sessionId, options)).get(sessionId);
  return all && { ...all, setup: now?.setup ?? all.setup };
}

/** Of a session that lives on this connection, what has been said; else all that was recorded. */
function countsFor(
  sessionId: string,
  { recorded, wasSaid, isRebuilt }: UnrecordedOptions,
): (frame: RecordedFrame) => boolean {
  if (isRebuilt(sessionId)) return () => true;
  const lives = recorded.frames.some(
    (frame) => frame.session === sessionId && frame.from === 'client' && wasSaid(frame),
  );
  return lives ? wasSaid : () => true;
}

function refuse(code: number, message: string) {
  return { kind: 'refused', code, message, sentence: message } as const;
}

function offers({ version, agentCapabilities }: Recorded, method: string): boolean {
  const offered = { agentCapabilities, clientCapabilities: {}, authMethods: [] };
  return shutGate(method, 'client', version ?? 1, offered) === undefined;
}

function idleLine(sessionId: string): string {
  return updateLine(sessionId, { sessionUpdate: 'state_update', state: 'idle' });
}

// The sessions of a recording, and what each is set to, as far as its frames tell.

interface KnownSession {
  readonly sessionId: string;
  /** What a list says of it: the agent's own entry, or what can be told from elsewhere. */
  info: JsonObject;
  /** What the answer to a restore says: modes, config options, commands. */
  setup: JsonObject;
  /** A client opened it here, or a list named it: it can be asked for. */
  isReal: boolean;
}

const SETUP_KEYS = ['modes', 'configOptions', 'availableCommands'] as const;

/** By id, in the order in which the recording names them. `counts`: which frames are looked at. */
export function knownSessions(
  recorded: Recorded,
  counts: (frame: RecordedFrame) => boolean = () => true,
): ReadonlyMap<string, KnownSession> {
  const known = new Map<string, KnownSession>();
  const of = (sessionId: string) => {
    const found = known.get(sessionId);
    if (found) return found;
    const made: KnownSession = { sessionId, info: { sessionId }, setup: {}, isReal: false };
    known.set(sessionId, made);
    return made;
  };
  for (const frame of recorded.frames) {
    if (!counts(frame)) continue;
    if (frame.session !== undefined) take(of(frame.session), frame, recorded);
    if (frame.message.kind === 'success' && methodOf(frame, recorded) === 'session/list')
      for (const info of objects(frame.message.result, 'sessions')) listed(info, of);
  }
  return known;
}

function listed(info: JsonObject, of: (sessionId: string) => KnownSession): void {
  const sessionId = str(info, 'sessionId');
  if (sessionId === undefined) return;
  const session = of(sessionId);
  session.info = { ...session.info, ...info };
  session.isReal = true;
}

function take(session: KnownSession, frame: RecordedFrame, recorded: Recorded): void {
  const { message } = frame;
  if (message.kind === 'notification') return updated(session, message.params);
  if (message.kind !== 'success' || frame.from !== 'agent' || frame.pair === undefined) return;
  const request = requestOf(recorded.frames[frame.pair]);
  if (!request) return;
  const { method, params } = request;
  if (isMethodOf(OPENERS, method)) {
    session.isReal = true;
    const cwd = str(params, 'cwd');
    if (cwd !== undefined) session.info = { ...session.info, cwd };
    for (const key of SETUP_KEYS) set(session, key, get(message.result, key));
  }
  if (method === 'session/set_mode') mode(session, get(params, 'modeId'));
  if (method === 'session/set_config_option')
    set(session, 'configOptions', get(message.result, 'configOptions'));
}

function updated(session: KnownSession, params: Json | undefined): void {
  const read = updateOf(params);
  switch (read?.variant) {
    case 'current_mode_update':
      return mode(session, get(read.update, 'currentModeId'));
    case 'config_option_update':
      return set(session, 'configOptions', get(read.update, 'configOptions'));
    case 'session_info_update':
      for (const key of ['title', 'updatedAt']) {
        const value = get(read.update, key);
        if (value !== undefined) session.info = { ...session.info, [key]: value };
      }
      return;
  }
}

function mode(session: KnownSession, currentModeId: Json | undefined): void {
  const modes = session.setup['modes'];
  if (isObject(modes) && typeof currentModeId === 'string')
    set(session, 'modes', { ...modes, currentModeId });
}

function set(session: KnownSession, key: (typeof SETUP_KEYS)[number], value: Json | undefined) {
  if (value !== undefined) session.setup = { ...session.setup, [key]: value };
}

function methodOf({ pair }: RecordedFrame, { frames }: Recorded): string | undefined {
  return pair === undefined ? undefined : requestOf(frames[pair])?.method;
}
