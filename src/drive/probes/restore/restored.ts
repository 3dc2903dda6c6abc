// The saved session restored in a fresh process, and what came back: read by all probes that judge
// one and the same way of restoring.
import { get, isArray, str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { FROM_START } from '../../../acp/replay-cursors.ts';
import {
  CannotAsk,
  wantsSignIn,
  at,
  pass,
  warn,
  type ProbeVerdict,
  outcomeWords,
  quotedPlain,
} from '../probe.ts';
import { entryOf } from '../setup/config-options.ts';
import type { ProbeWorld } from '../world.ts';
import type { ScriptedConnection } from '../../scripted.ts';
import type { Answered } from '../../heard.ts';
import { updatesOf, type SeenUpdate, takeTurn, type Turn } from '../../turn.ts';
import { FLAG } from '../../../model/columns.ts';
import { itemKindOf, isMessageKind } from '../../../model/facts/variants.ts';
import { indexedTrace, type IndexedTrace } from '../../../model/indexed-trace.ts';
import { fidelityOf } from '../../../model/fidelity/fidelity.ts';
import type { RestoreResult } from '../../../model/restore/restore-results.ts';
import { connectionId } from '../../../trace/event.ts';

/** v1: load, resume. v2: resume with that `replayFrom`. */
export type How = 'load' | 'resume' | 'omit' | 'null' | 'start';

export interface Restored extends Replayed {
  readonly how: How;
  readonly connection: ScriptedConnection;
  readonly answered: Answered;
  /** What the restore form says of it; undefined: it was not sent. */
  readonly told: RestoreResult | undefined;
}

interface Replayed {
  /** The session's updates between request and answer. */
  readonly window: readonly SeenUpdate[];
  /** Those of them that are history. */
  readonly history: readonly SeenUpdate[];
  /** What came after the answer, while nothing runs: history, or work that goes on. */
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
  how: How,
): Promise<Restored> {
  const method = how === 'load' ? 'session/load' : 'session/resume';
  const cursor = how === 'start' ? { replayFrom: FROM_START } : how === 'null' && NO_CURSOR;
  const params = world.given({ sessionId, ...cursor });
  const answered = await connection.request(method, params);
  await world.quiet(connection);
  const told = toldOf(world, connection, answered);
  return { how, connection, answered, told, ...replayedBy(connection, answered, sessionId) };
}

/** A restore as the restore form judges it, all connections before it read too. */
export function toldOf(
  { opened }: ProbeWorld,
  connection: ScriptedConnection,
  { requestSeq }: Answered,
): RestoreResult | undefined {
  const at = opened.findIndex((one) => one.connection === connection);
  const sources = opened
    .slice(0, at + 1)
    .map((one, n) => ({ ...indexedBy(one.connection), began: n * APART }));
  const window = sources[at]?.index.windowRecords.find(({ seq }) => seq === requestSeq);
  if (window === undefined) return undefined;
  const only = { connection: connectionId(connection.trace), id: window.id };
  return fidelityOf(sources, { window: only }).windows[0]?.result;
}

/** Between the beginnings of two connections, ms: more than a probe takes. */
const APART = 3_600_000;

/** What is read of a connection that is recorded. */
export type RecordedConnection = Pick<ScriptedConnection, 'version' | 'trace' | 'events'>;

export function indexedBy(connection: RecordedConnection): IndexedTrace {
  return indexedTrace(connection.events(), connection.trace);
}

const NO_CURSOR = { replayFrom: null };

/** Throws where it brought no result; `see`: the probe that judges that. */
export function mustBeRestored(see: string, ...all: readonly Restored[]): void {
  if (all.every(({ answered }) => answered.result !== undefined)) return;
  throw new CannotAsk(
    `The shared session is not restored at all: see ${see}.`,
    ...all.map(({ answered }) => answered),
  );
}

/** What a restore brought so far. */
export function replayedBy(
  connection: ScriptedConnection,
  answered: Answered,
  sessionId: string,
): Replayed {
  const window = updatesOf(answered.window, sessionId);
  const history = replayedIn(window);
  const late = placed(connection, sessionId, ['late']).filter(
    ({ seq }) => answered.requestSeq !== undefined && seq > answered.requestSeq,
  );
  return { window, history, late, all: [...history, ...late] };
}

/** A session's updates that are of a restore: in its window, or behind its end. */
export function placed(
  connection: ScriptedConnection,
  sessionId: string,
  as: readonly ('replay' | 'late')[],
): readonly SeenUpdate[] {
  const { columns } = indexedBy(connection).index;
  return connection.heard.flatMap((heard, place) =>
    as.some((flag) => columns.has(place, FLAG[flag])) ? updatesOf([heard], sessionId) : [],
  );
}

/** The saved session restored in a fresh process, which then ended: once for each way and round. */
export function restoredOf(world: ProbeWorld, how: How, round = 1): Promise<Restored> {
  return world.shared(`${how}-${round}`, async () => {
    const { sessionId } = await savedSession(world);
    const connection = await world.connect(`${how}-${round}`);
    const restored = await restoreOn(world, connection, sessionId, how);
    await connection.leave();
    if (wantsSignIn(restored.answered))
      throw new CannotAsk('The agent wants a sign-in first (−32000), so nothing can be restored.');
    return restored;
  });
}

/** The history among the updates of a restore: an agent that marks the end of its replay sends live updates after it. */
export function replayedIn(window: readonly SeenUpdate[]): readonly SeenUpdate[] {
  const end = window.findIndex(({ variant }) => variant === 'replay_complete');
  const before = window.slice(0, Math.max(0, end)).filter(isReplayed);
  // A marker that nothing precedes may be in the wrong place.
  return before.length > 0 ? before : window.filter(isReplayed);
}

/** History by rules.md: conversation and what belongs to it, no settings and no state. */
export function isReplayed({ variant }: SeenUpdate): boolean {
  return variant === 'plan' || itemKindOf(variant) !== undefined;
}

export function isMessage({ variant }: SeenUpdate): boolean {
  return isMessageKind(itemKindOf(variant));
}

/** The snapshots of the session's state, in order. */
export function statesIn(window: readonly SeenUpdate[]) {
  return window.flatMap(({ seq, variant, update }) =>
    variant === 'state_update' ? [{ seq, state: str(update, 'state') ?? '' }] : [],
  );
}

/** The messages of a window under their ids, in the order they began. */
export function messagesOf(window: readonly SeenUpdate[]) {
  const messages: { kind: string; id: string | undefined; seqs: SeenUpdate['seq'][] }[] = [];
  for (const seen of window) {
    if (!isMessage(seen)) continue;
    const kind = itemKindOf(seen.variant) ?? '';
    const id = str(seen.update, 'messageId');
    // What has no id goes on with the message right before it.
    const same = (id === undefined ? messages.slice(-1) : messages).find(
      (one) => one.kind === kind && one.id === id,
    );
    if (same) same.seqs.push(seen.seq);
    else messages.push({ kind, id, seqs: [seen.seq] });
  }
  return messages;
}

/** v2: whether an update empties its message before chunks rebuild it. */
export function isReset({ variant, update }: SeenUpdate): boolean {
  const content = get(update, 'content');
  const isEmpty = content === null || (isArray(content) && content.length === 0);
  return isEmpty && /^(user|agent)_(message|thought)$/.test(variant);
}

// The session that a run makes for its probes: one prompt whose answer is a word nobody could guess,
// then the process ends. Who restores it later must find that word.

export interface Saved {
  readonly sessionId: string;
  readonly marker: string;
  /** The text of its one prompt. */
  readonly prompt: string;
  readonly made: Answered;
  /** Of `session/new`. */
  readonly result: Json;
  readonly turn: Turn;
  /** The connection that made it; its process has ended. */
  readonly live: ScriptedConnection;
  /** Whether session/list named it before its prompt; undefined: it could not be asked. */
  readonly listedAtFirst: boolean | undefined;
}

/** The session with one prompt in it, whose process has ended. */
export function savedOf(world: ProbeWorld): Promise<Saved> {
  return world.shared('saved', async () => {
    const { texts, random, cwd, pause = 0 } = world.settings;
    const live = await world.connect('session');
    const { sessionId, made, result } = await world.create(live);
    const isShut = world.shut('session/list') !== undefined;
    const list = isShut ? undefined : await live.request('session/list', { cwd });
    const listedAtFirst = list && entryOf(list, sessionId) !== undefined;
    const marker = `PROBE-${random()}`;
    const prompt = texts.marker.replaceAll('$MARKER', marker);
    const turn = await takeTurn(live, sessionId, prompt);
    await world.quiet(live);
    await live.leave();
    if (pause > 0) await live.pause(pause);
    const isTaken = turn.prompt.result !== undefined;
    world.isAugust = world.version === 2 && isTaken && turn.messageId === undefined;
    return { sessionId, marker, prompt, made, result, turn, live, listedAtFirst };
  });
}

/** The saved session, where its turn came to an end: only then is there something to restore. */
export async function savedSession(world: ProbeWorld): Promise<Saved> {
  const saved = await savedOf(world);
  if (saved.turn.end !== undefined && saved.turn.prompt.answer?.kind === 'success') return saved;
  throw new CannotAsk(
    'The shared session has no finished turn (see prompt/turn), so there is nothing to restore.',
  );
}

/** The same, and a new process to ask for it in. */
export async function savedAgain(world: ProbeWorld) {
  const saved = await savedSession(world);
  return { ...saved, connection: await world.connect('a') };
}

// Whether the agent still knows the word of the saved session: asked twice at most, since a model may
// not say it although it knows.

/** Prompts that `recalls` sends at most. */
export const RECALL_PROMPTS = 2;

export async function recalls(
  world: ProbeWorld,
  connection: ScriptedConnection,
  { sessionId, marker }: Saved,
): Promise<ProbeVerdict> {
  let said = '';
  for (let round = 1; round <= RECALL_PROMPTS; round++) {
    const turn = await takeTurn(connection, sessionId, world.settings.texts.recall);
    const { prompt, end, text } = turn;
    const told = `The prompt after the restore ${outcomeWords(prompt)}`;
    if (end === undefined || !prompt.answer) return warn(`${told} and its turn did not end.`, turn);
    if (prompt.error) return warn(`${told}. Expected: a turn.`, turn);
    if (text.includes(marker))
      return pass('Asked for the word of the first turn, it said it.', turn);
    said = text;
  }
  return warn(
    `Asked twice for the word of the first turn (${marker}), it said ${quotedPlain(said)}: the context is lost, or the model did not obey.`,
    at(connection, connection.last),
  );
}
