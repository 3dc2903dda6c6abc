// Two ways in which the saved session was seen, held against each other: live and replayed, replayed
// twice, restored in two ways.
import { replayedItems, difference } from '../../replayed-items.ts';
import { indexedTrace } from '../../../model/indexed-trace.ts';
import { asSentence } from '../../../lib/sentence.ts';
import { str } from '../../../acp/json.ts';
import { saidText, type SeenUpdate } from '../../turn.ts';
import { isMessage, type Saved, type Restored } from './restored.ts';
import { quoted } from '../probe.ts';

export interface TextFault {
  /** A sentence. */
  readonly why: string;
  /** It did not come back, or without the word it is about. */
  readonly isGone: boolean;
}

/** What of the saved turn a replay lacks; none: it is all there. */
export function missingText(
  { prompt, marker, turn }: Saved,
  replayed: readonly SeenUpdate[],
): readonly TextFault[] {
  const user = plain(saidText(replayed, 'user'));
  const agent = plain(saidText(replayed, 'agent'));
  const live = plain(turn.text);
  const faults: TextFault[] = [];
  if (user === '') faults.push({ why: 'The user message is missing.', isGone: true });
  else if (!user.includes(plain(prompt)))
    faults.push({ why: `The user message differs: ${quoted(user)}.`, isGone: false });
  // Agents put one-off remarks into message chunks and do not replay them: the answer counts.
  const isAnswer = live.includes(marker);
  if (agent === '' && live !== '')
    faults.push({ why: 'The agent’s message is missing.', isGone: true });
  else if (!agent.includes(isAnswer ? marker : live))
    faults.push({
      why: `The agent’s message differs: live ${quoted(live)}, replayed ${quoted(agent)}.`,
      isGone: isAnswer,
    });
  return faults;
}

/** How two replays of one history differ, as sentences; `ids`: whether theirs count. */
export function replayDifferences(one: Restored, two: Restored, ids = true): readonly string[] {
  const [first, second] = [one, two].map(({ connection, answered }) => {
    const items = replayedItems(
      indexedTrace(connection.events(), connection.trace),
      answered.requestSeq,
    );
    return ids ? items : items.map((item) => ({ ...item, id: undefined }));
  });
  const fault = difference(first ?? [], second ?? []);
  return fault === undefined ? [] : [asSentence(fault)];
}

/** Messages without an id, by their variants. */
export function withoutId(updates: readonly SeenUpdate[]): readonly SeenUpdate[] {
  return updates.filter((seen) => isMessage(seen) && str(seen.update, 'messageId') === undefined);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
