// A turn that is caught in the middle: a long prompt in a session of its own, once it has begun.
import type { SentRequest, ScriptedConnection } from '../../scripted.ts';
import { askPrompt, endOfTurn, TurnWatch, updatesOf } from '../../turn.ts';
import type { SeenUpdate, Turn } from '../../turn.ts';
import { CannotAsk } from '../probe.ts';
import type { ProbeWorld } from '../world.ts';
import { giveAnother } from '../../../model/probe-texts.ts';

interface Running {
  readonly connection: ScriptedConnection;
  readonly sessionId: string;
  readonly prompt: SentRequest;
  /** Its turn had ended before it could be caught. */
  readonly isOver: boolean;
  /** Its turn has ended by now. */
  hasEnded(): boolean;
  end(): Promise<Turn>;
}

/** Sends the long prompt, and comes back when its turn has shown a sign of life. */
export async function startTurn(
  world: ProbeWorld,
  connection: ScriptedConnection,
  text = world.settings.texts.long,
): Promise<Running> {
  const { sessionId } = await world.create(connection);
  const from = connection.heard.length;
  const prompt = askPrompt(connection, sessionId, text);
  const hasBegun = () => updatesOf(connection.heard.slice(from), sessionId).some(isSignOfLife);
  // In v1 the answer is the end; in v2 an error is.
  const isAnswered = () =>
    answersTo(connection, prompt.id).some(({ isError }) => isError || world.version === 1);
  await connection.until(() => hasBegun() || isAnswered(), connection.turnPatience);
  const end = async () => endOfTurn(connection, sessionId, await prompt.answered, from);
  const ending = new TurnWatch(connection, ({ request }) => request.id.token === String(prompt.id));
  const hasEnded = () => ending.end !== undefined || connection.exit !== undefined;
  const isOver = world.version === 1 && isAnswered();
  return { connection, sessionId, prompt, isOver, hasEnded, end };
}

/** The agent is at work. */
function isSignOfLife({ variant }: SeenUpdate): boolean {
  return /^agent_|^tool_call/.test(variant);
}

/** The same, where its turn is not over yet; throws what it could not be: `cancelled`. */
export async function caught(world: ProbeWorld, what: string): Promise<Running> {
  const running = await startTurn(world, await world.bench());
  const { prompt, isOver } = running;
  if (!isOver) return running;
  throw new CannotAsk(
    `The turn was over before it could be ${what}. ${giveAnother('long')}`,
    await prompt.answered,
  );
}

/** Answers to a request so far: there is to be one. */
export function answersTo({ heard }: ScriptedConnection, id: number) {
  return heard.flatMap(({ frame: { from, seq }, message }) => {
    const isAnswer = message.kind === 'success' || message.kind === 'failure';
    if (from !== 'agent' || !isAnswer || message.id.token !== String(id)) return [];
    return [{ seq, isError: message.kind === 'failure' }];
  });
}
