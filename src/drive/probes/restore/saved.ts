// The session that a run makes for its probes: one prompt whose answer is a word nobody could guess,
// then the process ends. Who restores it later must find that word.
import type { Json } from '../../../acp/message.ts';
import { objects, str } from '../../../acp/json.ts';
import { resultOf } from '../../answered.ts';
import type { Answered, ScriptedConnection } from '../../scripted.ts';
import { takeTurn, type Turn } from '../../turn.ts';
import { CannotAsk } from '../probe.ts';
import type { ProbeWorld } from '../world.ts';

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
  return world.shared('saved', () => makeSaved(world));
}

async function makeSaved(world: ProbeWorld): Promise<Saved> {
  const { texts, random, turnPatience, cwd, pause = 0 } = world.settings;
  const live = await world.connect('session');
  const { sessionId, made, result } = await world.create(live);
  const listedAtFirst = await isListed(world, live, sessionId, cwd);
  const marker = `PROBE-${random()}`;
  const prompt = texts.marker.replaceAll('$MARKER', marker);
  const turn = await takeTurn(live, sessionId, prompt, turnPatience);
  await world.quiet(live);
  await live.leave();
  if (pause > 0) await live.pause(pause);
  const isTaken = resultOf(turn.prompt) !== undefined;
  world.isAugust = world.version === 2 && isTaken && turn.messageId === undefined;
  return { sessionId, marker, prompt, made, result, turn, live, listedAtFirst };
}

/** The saved session, where its turn came to an end: only then is there something to restore. */
export async function savedSession(world: ProbeWorld): Promise<Saved> {
  const saved = await savedOf(world);
  if (saved.turn.end !== undefined && saved.turn.prompt.answer?.kind === 'success') return saved;
  throw new CannotAsk(
    'The shared session has no finished turn (see prompt/turn), so there is nothing to restore.',
  );
}

async function isListed(
  world: ProbeWorld,
  connection: ScriptedConnection,
  sessionId: string,
  cwd: string,
): Promise<boolean | undefined> {
  if (world.shut('session/list') !== undefined) return undefined;
  const result = resultOf(await connection.request('session/list', { cwd }));
  return objects(result, 'sessions').some((entry) => str(entry, 'sessionId') === sessionId);
}
