// Two ways in which the saved session was seen, held against each other: live and replayed, replayed
// twice, restored in two ways.
import { replayedItems, difference } from '../../replayed-items.ts';
import { indexedTrace } from '../../../model/indexed-trace.ts';
import { asSentence } from '../../../lib/sentence.ts';
import { str } from '../../../acp/json.ts';
import { saidText, type SeenUpdate } from '../../turn.ts';
import { isMessage, type Saved, type Restored } from './restored.ts';
import { quotedPlain } from '../probe.ts';

/**
 * What of the saved turn a replay lacks, as sentences; empty: it is all there. `isGone`: something did
 * not come back, or without the word it is about.
 */
export function missingText(
  { prompt, marker, turn }: Saved,
  replayed: readonly SeenUpdate[],
): { readonly why: string; readonly isGone: boolean } {
  const user = plain(saidText(replayed, 'user'));
  const agent = plain(saidText(replayed, 'agent'));
  const live = plain(turn.text);
  // Agents put one-off remarks into message chunks and do not replay them: the answer counts.
  const isAnswer = live.includes(marker);
  const isLost = agent === '' && live !== '';
  const isOther = !agent.includes(isAnswer ? marker : live);
  const faults = [
    user === ''
      ? 'The user message is missing.'
      : !user.includes(plain(prompt)) && `The user message differs: ${quotedPlain(user)}.`,
    isLost
      ? 'The agent’s message is missing.'
      : isOther &&
        `The agent’s message differs: live ${quotedPlain(live)}, replayed ${quotedPlain(agent)}.`,
  ];
  return {
    why: faults.filter(Boolean).join(' '),
    isGone: user === '' || isLost || (isOther && isAnswer),
  };
}

/** How two replays of one history differ, a sentence; `ids`: whether theirs count. Undefined: not at all. */
export function replayDifference(one: Restored, two: Restored, ids = true): string | undefined {
  const [first = [], second = []] = [one, two].map(({ connection, answered }) => {
    const trace = indexedTrace(connection.events(), connection.trace);
    const items = replayedItems(trace, answered.requestSeq);
    return ids ? items : items.map((item) => ({ ...item, id: undefined }));
  });
  const fault = difference(first, second);
  return fault && asSentence(fault);
}

/** Messages without an id, by their variants. */
export function withoutId(updates: readonly SeenUpdate[]): readonly SeenUpdate[] {
  return updates.filter((seen) => isMessage(seen) && str(seen.update, 'messageId') === undefined);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
