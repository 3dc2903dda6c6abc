// A turn that is caught in the middle: a long prompt in a session of its own, once it has begun.
import type { Seq } from '../../../trace/event.ts';
import type { Answered, Asked, ScriptedConnection } from '../../scripted.ts';
import { endOfTurn, TurnWatch, updatesOf, type Turn, askPrompt } from '../../turn.ts';
import { at, CannotAsk } from '../probe.ts';
import type { ProbeWorld } from '../world.ts';

export interface Running {
  readonly connection: ScriptedConnection;
  readonly sessionId: string;
  readonly prompt: Asked;
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
  const { turnPatience } = world.settings;
  const { sessionId } = await world.create(connection);
  const from = connection.heard.length;
  const prompt = askPrompt(connection, sessionId, text, turnPatience);
  let answered: Answered | undefined;
  void prompt.answered.then((answer) => (answered = answer));
  const hasBegun = () =>
    updatesOf(connection.heard.slice(from), sessionId).some(({ variant }) =>
      /^agent_|^tool_call/.test(variant),
    );
  await connection.until(() => hasBegun() || isAnswered(connection, prompt, from), turnPatience);
  const end = async () =>
    endOfTurn(connection, sessionId, answered ?? (await prompt.answered), from, turnPatience);
  const ending = new TurnWatch(connection, ({ request }) => request.id.token === String(prompt.id));
  const hasEnded = () => ending.end !== undefined || connection.exit !== undefined;
  const isOver = connection.version === 1 && isAnswered(connection, prompt, from);
  return { connection, sessionId, prompt, isOver, hasEnded, end };
}

/** The same, where its turn is not over yet; throws what it could not be: `cancelled`. */
export async function caught(world: ProbeWorld, what: string): Promise<Running> {
  const running = await startTurn(world, await world.bench());
  const { connection, prompt, isOver } = running;
  if (!isOver) return running;
  throw new CannotAsk(
    `The turn was over before it could be ${what}. Give another --long-prompt.`,
    at(connection, await prompt.answered),
  );
}

/** In v1 the answer is the end; in v2 an error is. */
function isAnswered(connection: ScriptedConnection, { id }: Asked, from: number): boolean {
  const isV1 = connection.version === 1;
  return connection.heard
    .slice(from)
    .some(
      ({ frame, message }) =>
        frame.from === 'agent' &&
        (message.kind === 'failure' || (isV1 && message.kind === 'success')) &&
        message.id.token === String(id),
    );
}

/** Answers to a request so far: there is to be one. */
export function answersTo(connection: ScriptedConnection, id: number): readonly Seq[] {
  return connection.heard.flatMap(({ frame, message }) =>
    frame.from === 'agent' &&
    (message.kind === 'success' || message.kind === 'failure') &&
    message.id.token === String(id)
      ? [frame.seq]
      : [],
  );
}
