// What a restore request asks for: which session, from which cursor, and whether any history is due.
// A fork asks for a new session with the history of another, which agents may replay like a load's.
import { get } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { cursorIds } from '../restore/cursor-values.ts';
import { isStart, jsonText, type PinRecord, type Pins } from '../timeline/pins.ts';
import type { SessionRecord } from './sessions.ts';

export interface Wish {
  /** Of a fork: the one it comes from, until the new one is known. */
  readonly session: SessionRecord;
  readonly method: 'session/load' | 'session/resume' | 'session/fork';
  readonly version: 1 | 2;
  /** v2: `omitted`, or `replayFrom` as compact JSON. */
  readonly cursor: string | undefined;
  /** History may come: v1 load, v2 resume with a cursor, and a fork, which makes none due. */
  readonly allowed: boolean;
  readonly pin: PinRecord | undefined;
  /** Ids the cursor may name, and the first events of the items that had them before. */
  readonly ids: readonly string[];
  readonly targets: readonly number[];
  readonly isStart: boolean;
}

export interface Restore extends Wish {
  /** Event index of the request, its time and its seq. */
  readonly request: number;
  readonly at: number;
  readonly seq: number;
}

/** `spoken`: the version of the connection; without a handshake, only v2 has cursors. `at`: now. */
export function restoreOf(
  method: Wish['method'],
  params: Json | undefined,
  session: SessionRecord,
  spoken: number | undefined,
  pins: Pins,
  at: number,
): Wish {
  const cursor = get(params, 'replayFrom');
  const isLoad = method === 'session/load';
  const version = isLoad || (spoken ?? (cursor === undefined ? 1 : 2)) < 2 ? 1 : 2;
  const isFork = method === 'session/fork';
  const asks = version === 2 && !isFork && cursor !== undefined && cursor !== null;
  const ids = asks ? cursorIds(cursor) : [];
  const sent = cursor === undefined ? 'omitted' : jsonText(cursor);
  return {
    session,
    method,
    version,
    cursor: version === 1 || isFork ? undefined : sent,
    allowed: isLoad || isFork || asks,
    pin: asks ? pins.sent(session, cursor, at) : undefined,
    ids,
    targets: session.items.find(ids),
    isStart: asks && isStart(cursor),
  };
}
