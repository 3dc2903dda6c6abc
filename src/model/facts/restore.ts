// What a restore request asks for: from which cursor, and whether any history is due. A fork asks for
// a new session with the history of another, which agents may replay like a load's.
import { get, str, jsonText } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { cursorIds } from '../restore/cursor-values.ts';

/**
 * What history a restore asks for. `whole`: v1 load. `retained`: v2 from the start. `none`: v1 resume,
 * and v2 without a cursor. `custom`: from a cursor of the agent's own. `unknown`: a cursor type that
 * the protocol keeps for itself. `malformed`: no cursor. `fork`: none is due, and some may come.
 */
export type HistoryWish =
  'whole' | 'retained' | 'none' | 'custom' | 'unknown' | 'malformed' | 'fork';

/** What became of one, as far as its frames tell. */
export type RestoreOutcome = 'open' | 'answered' | 'rejected' | 'incomplete';

export interface Restore {
  readonly method: 'session/load' | 'session/resume' | 'session/fork';
  readonly version: Version;
  readonly wish: HistoryWish;
  /** v2: `omitted`, or `replayFrom` as compact JSON. */
  readonly cursor: string | undefined;
  /** `replayFrom`, where it asks for history. */
  readonly from: Json | undefined;
  /** Ids it may name. */
  readonly ids: readonly string[];
  /** History may come. */
  readonly allowed: boolean;
}

/**
 * Undefined: the method restores nothing. `spoken`: the version of the connection; without a
 * handshake, only v2 has cursors.
 */
export function restoreOf(
  method: string,
  params: Json | undefined,
  spoken: number | undefined,
): Restore | undefined {
  if (method !== 'session/load' && method !== 'session/resume' && method !== 'session/fork')
    return undefined;
  const sent = get(params, 'replayFrom');
  const isV1 = method === 'session/load' || (spoken ?? (sent === undefined ? 1 : 2)) < 2;
  const version = isV1 ? 1 : 2;
  const wish = wishOf(method, version, sent);
  const from = wish === 'none' || wish === 'whole' || wish === 'fork' ? undefined : sent;
  const cursor = sent === undefined ? 'omitted' : jsonText(sent);
  return {
    method,
    version,
    wish,
    cursor: isV1 || wish === 'fork' ? undefined : cursor,
    from,
    ids: from === undefined ? [] : cursorIds(from),
    allowed: wish !== 'none',
  };
}

export function wishOf(method: string, version: Version, cursor: Json | undefined): HistoryWish {
  if (method === 'session/load') return 'whole';
  if (method === 'session/fork') return 'fork';
  if (version === 1 || cursor === undefined || cursor === null) return 'none';
  const type = str(cursor, 'type');
  if (type === undefined) return 'malformed';
  if (type === 'start') return 'retained';
  return type.startsWith('_') ? 'custom' : 'unknown';
}

/** All history, as far as the agent has it. */
export function wantsAllHistory({ wish }: Restore): boolean {
  return wish === 'whole' || wish === 'retained';
}
