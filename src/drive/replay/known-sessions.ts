// The sessions of a recording, and what each is set to, as far as its frames tell.
import { get, isObject, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { OPENERS, isMethodOf } from '../../acp/method-groups.ts';
import { requestOf, type Recorded, type RecordedFrame } from './recorded.ts';

export interface KnownSession {
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
