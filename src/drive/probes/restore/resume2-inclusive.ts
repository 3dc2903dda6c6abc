// Family E, cursors of an agent's own: the protocol knows none, so they are what the agent documents
// and a person names, or what can be guessed from the ids and `_meta` of what it replays.
import { cursorNaming } from '../../../acp/replay-cursors.ts';
import { parseJson } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { CandidateFold } from '../../../model/restore/cursor-candidates.ts';
import { cursorFor } from '../../../model/restore/restore-shapes.ts';
import { itemIdOf, itemKindOf } from '../../../model/facts/variants.ts';
import { updatesOf, type SeenUpdate } from '../../turn.ts';
import { onDraft } from '../pages.ts';
import { fail, pass, skip, outcomeWords } from '../probe.ts';
import type { ProbeWorld } from '../world.ts';
import { isReplayed, restoredOf, type Restored, savedSession } from './restored.ts';

/** So many guesses; each is a request on one connection. */
const GUESSES = 4;

/** What was replayed last, and what it is called. */
interface Last {
  readonly id: string;
  readonly kind: string;
  /** Its frames. */
  readonly seqs: ReadonlySet<number>;
}

export const INCLUSIVE = {
  connections: 1,
  saved: 'reads',
  source: onDraft('session-setup', 'resuming-sessions'),
  sentence:
    'A cursor of the agent’s own (--cursor, else guessed) replays from what it names on, itself included.',
  async run(world: ProbeWorld) {
    const { sessionId } = await savedSession(world);
    const start = await restoredOf(world, 'start');
    const last = lastIn(start.history);
    if (last === undefined)
      return skip('Nothing with an id was replayed, so there is none to name.', start.answered);
    const connection = await world.connect('a');
    const cursors = cursorsFor(world, start, sessionId, last);
    for (const [place, cursor] of cursors.entries()) {
      const params = world.given({ sessionId, replayFrom: cursor });
      const answered = await world.provoke(connection, 'session/resume', params);
      const asked = JSON.stringify(cursor);
      if (answered.error && place < cursors.length - 1) continue;
      if (answered.error && world.settings.cursor !== undefined)
        return fail(
          `The cursor ${asked}, which the agent is said to know, ${outcomeWords(answered)}.`,
          answered,
        );
      if (answered.error)
        return skip(
          `The agent takes none of ${cursors.length} guessed cursors: ${asked} ${outcomeWords(answered)}. Give one that it documents: --cursor.`,
          answered,
        );
      const [first] = updatesOf(answered.window, sessionId).filter(isReplayed);
      const begins = first && itemIdOf(first.variant, first.update);
      if (begins === last.id)
        return pass(`From ${asked} the replay begins with what it names.`, answered);
      const told = first === undefined ? 'without it' : `with ${begins ?? 'what has no id'}`;
      return fail(
        `From ${asked}, which names ${last.id}, the replay begins ${told}; cursors are inclusive.`,
        answered,
      );
    }
    return skip('There is no cursor to try.');
  },
} as const;

function lastIn(history: readonly SeenUpdate[]): Last | undefined {
  const items = new Map<string, { id: string; kind: string; seqs: Set<number> }>();
  for (const { seq, variant, update } of history) {
    const id = itemIdOf(variant, update);
    const kind = itemKindOf(variant);
    if (id === undefined || kind === undefined) continue;
    const key = `${kind} ${id}`;
    const item = items.get(key) ?? { id, kind, seqs: new Set() };
    items.set(key, item);
    item.seqs.add(seq);
  }
  return [...items.values()].at(-1);
}

/** The one that is named; else guesses, the likeliest first. */
function cursorsFor(
  { settings }: ProbeWorld,
  { connection }: Restored,
  sessionId: string,
  { id, seqs }: Last,
): readonly Json[] {
  if (settings.cursor !== undefined) return [cursorNaming(settings.cursor, id)];
  const fold = new CandidateFold(sessionId);
  for (const { frame, message } of connection.heard)
    if (seqs.has(frame.seq)) fold.append(frame, message);
  return fold
    .list('', new Map())
    .reverse()
    .slice(0, GUESSES)
    .flatMap((candidate) => parseJson(cursorFor(candidate)) ?? []);
}
