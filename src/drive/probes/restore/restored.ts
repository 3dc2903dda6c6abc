// The saved session restored in a fresh process, and what came back: read by all probes that judge
// one and the same way of restoring.
import { get, str } from '../../../acp/json.ts';
import { FROM_START } from '../../../acp/replay-cursors.ts';
import type { Json, JsonObject } from '../../../acp/message.ts';
import { itemKindOf, isMessageKind } from '../../../model/facts/variants.ts';
import type { Answered, ScriptedConnection } from '../../scripted.ts';
import { updatesOf, type SeenUpdate } from '../../turn.ts';
import { askedOf, type Asked } from '../../../model/restore/clauses/clause.ts';
import { CannotAsk } from '../probe.ts';
import { savedSession } from './saved.ts';
import { wantsSignIn } from '../words.ts';
import type { ProbeWorld } from '../world.ts';

export interface RestoreWish {
  /** v1: load, resume. v2: resume with that `replayFrom`. */
  readonly how: 'load' | 'resume' | 'omit' | 'null' | 'start';
  /** Asked once more in another process, to compare. */
  readonly round?: number;
}

export interface Restored extends Replayed {
  readonly asked: Asked;
  readonly connection: ScriptedConnection;
  readonly answered: Answered;
}

export interface Replayed {
  /** The session's updates between request and answer. */
  readonly window: readonly SeenUpdate[];
  /** Those of them that are history. */
  readonly history: readonly SeenUpdate[];
  /** History that came after the answer, unasked. */
  readonly late: readonly SeenUpdate[];
  /** History, whenever it came. */
  readonly all: readonly SeenUpdate[];
}

/** The restore that asks for all history; throws where the agent does not advertise it. */
export function replaying(world: ProbeWorld): 'load' | 'start' {
  const how = world.version === 1 ? 'load' : 'start';
  const shut = world.shut(how === 'load' ? 'session/load' : 'session/resume');
  if (shut !== undefined) throw new CannotAsk(shut);
  return how;
}

/** Where the session is restored and the process goes on. */
export async function restoreOn(
  world: ProbeWorld,
  connection: ScriptedConnection,
  sessionId: string,
  how: RestoreWish['how'],
): Promise<Restored> {
  const { method, params } = restoreRequest(world, sessionId, how);
  const answered = await connection.request(method, params);
  await world.quiet(connection);
  const asked = askedOf(method, world.version, params, world.offered);
  return { asked, connection, answered, ...replayedBy(connection, answered, sessionId) };
}

/** What a restore brought so far. */
export function replayedBy(
  connection: ScriptedConnection,
  answered: Answered,
  sessionId: string,
): Replayed {
  const window = updatesOf(answered.window, sessionId);
  const history = window.filter(isReplayed);
  const late = updatesOf(connection.heard.slice(answered.after), sessionId).filter(isReplayed);
  return { window, history, late, all: [...history, ...late] };
}

function restoreRequest(
  world: ProbeWorld,
  sessionId: string,
  how: RestoreWish['how'],
): { readonly method: string; readonly params: JsonObject } {
  const params = world.given({ sessionId });
  if (how === 'load') return { method: 'session/load', params };
  const cursor: Json | undefined = how === 'start' ? FROM_START : how === 'null' ? null : undefined;
  return {
    method: 'session/resume',
    params: cursor === undefined ? params : { ...params, replayFrom: cursor },
  };
}

/** The saved session restored in a fresh process, which then ended: once for each wish. */
export function restoredOf(world: ProbeWorld, wish: RestoreWish): Promise<Restored> {
  return world.shared(JSON.stringify(wish), () => restoreSaved(world, wish));
}

async function restoreSaved(world: ProbeWorld, { how, round = 1 }: RestoreWish) {
  const { sessionId } = await savedSession(world);
  const connection = await world.connect(`${how}-${round}`);
  const restored = await restoreOn(world, connection, sessionId, how);
  await connection.leave();
  if (wantsSignIn(restored.answered))
    throw new CannotAsk('The agent wants a sign-in first (−32000), so nothing can be restored.');
  return restored;
}

/** History by rules.md: conversation and what belongs to it, no settings and no state. */
export function isReplayed({ variant }: SeenUpdate): boolean {
  return variant === 'plan' || itemKindOf(variant) !== undefined;
}

export function isMessage({ variant }: SeenUpdate): boolean {
  return isMessageKind(itemKindOf(variant));
}

/** The snapshots of the session's state, in order. */
export function statesIn(
  window: readonly SeenUpdate[],
): { seq: SeenUpdate['seq']; state: string }[] {
  return window.flatMap(({ seq, variant, update }) =>
    variant === 'state_update' ? [{ seq, state: str(update, 'state') ?? '' }] : [],
  );
}

/** The messages of a window under their ids, in the order they began. */
export function messagesOf(window: readonly SeenUpdate[]): {
  readonly kind: string;
  readonly id: string | undefined;
  readonly seqs: SeenUpdate['seq'][];
}[] {
  const messages: { kind: string; id: string | undefined; seqs: SeenUpdate['seq'][] }[] = [];
  for (const seen of window) {
    if (!isMessage(seen)) continue;
    const kind = itemKindOf(seen.variant) ?? '';
    const id = str(seen.update, 'messageId');
    const same =
      id === undefined
        ? lastOf(messages, kind)
        : messages.find((one) => one.kind === kind && one.id === id);
    if (same) same.seqs.push(seen.seq);
    else messages.push({ kind, id, seqs: [seen.seq] });
  }
  return messages;
}

function lastOf<T extends { readonly kind: string; readonly id: string | undefined }>(
  messages: readonly T[],
  kind: string,
): T | undefined {
  const last = messages.at(-1);
  return last?.kind === kind && last.id === undefined ? last : undefined;
}

/** v2: whether an update empties its message before chunks rebuild it. */
export function isReset({ variant, update }: SeenUpdate): boolean {
  const content = get(update, 'content');
  return /^(user|agent)_(message|thought)$/.test(variant) && (content === null || isEmpty(content));
}

function isEmpty(content: Json | undefined): boolean {
  return Array.isArray(content) && content.length === 0;
}
