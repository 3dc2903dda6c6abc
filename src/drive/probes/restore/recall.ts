// Whether the agent still knows the word of the saved session: asked twice at most, since a model may
// not say it although it knows.
import type { ScriptedConnection } from '../../scripted.ts';
import { takeTurn } from '../../turn.ts';
import { at, pass, warn, type ProbeVerdict } from '../probe.ts';
import type { Saved } from './saved.ts';
import { answerWords, quoted } from '../words.ts';
import type { ProbeWorld } from '../world.ts';

/** Prompts that `recalls` sends at most. */
export const RECALL_PROMPTS = 2;

export async function recalls(
  world: ProbeWorld,
  connection: ScriptedConnection,
  { sessionId, marker }: Saved,
): Promise<ProbeVerdict> {
  const { texts, turnPatience } = world.settings;
  let said = '';
  for (let round = 1; round <= RECALL_PROMPTS; round++) {
    const turn = await takeTurn(connection, sessionId, texts.recall, turnPatience);
    const spot = at(connection, turn.prompt, turn.end);
    if (turn.end === undefined || !turn.prompt.answer)
      return warn(
        `The prompt after the restore ${answerWords(turn.prompt)} and its turn did not end.`,
        spot,
      );
    if (turn.prompt.answer.kind === 'failure')
      return warn(`The prompt after the restore ${answerWords(turn.prompt)}; a turn is due.`, spot);
    if (turn.text.includes(marker))
      return pass('Asked for the word of the first turn, it said it.', spot);
    said = turn.text;
  }
  return warn(
    `Asked twice for the word of the first turn (${marker}), it said ${quoted(said)}: the context is lost, or the model did not obey.`,
    at(connection, connection.last),
  );
}
