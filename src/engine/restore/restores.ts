// What came of the restores of a session on every connection of this browser: those in memory, and
// the stored ones of runs that were about it. What one trace knows of the session, another is judged by.
import { get } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import { saidText, type SeenUpdate } from '../../drive/turn.ts';
import type { Catalog } from '../library/catalog.ts';
import type { SessionRestore, AskedAfter } from '../messages.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { byBeginning } from '../traces/beginnings.ts';
import type { OpenTraces } from '../traces/open-traces.ts';
import { defined } from '../../lib/defined.ts';
import { CLIENT, ERR, FLAG, REQ } from '../../model/columns.ts';
import { contentParts, textOf } from '../../model/facts/content-parts.ts';
import { knowsIt } from '../../model/restore/knows-it.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import { errorWords } from '../../model/words.ts';
import type { ComparingParts } from '../findings/restore-comparing.ts';
import { resultsIn } from './window-detail.ts';

export interface RestoreLibrary extends ComparingParts {
  readonly catalog: Pick<Catalog, 'get' | 'about'>;
  readonly traces: Pick<OpenTraces, 'allWhole' | 'whole'>;
}

/** In the order they were sent. */
export async function restoresOf(
  library: RestoreLibrary,
  sessionId: string,
): Promise<readonly SessionRestore[]> {
  const { catalog, traces } = library;
  const about = catalog.about(sessionId);
  await Promise.all(about.map((connection) => traces.whole(connection)));
  const ofRun = new Set(about);
  const sent: { wall: number; result: SessionRestore }[] = [];
  for (const trace of byBeginning(await traces.allWhole(), catalog)) {
    const all = ofRun.has(trace.connection);
    const resultOf = await resultsIn(library, trace);
    const start = Date.parse(catalog.get(trace.connection)?.startedAt ?? '') || 0;
    const isMeant = ({ session, method }: WindowRecord) =>
      method !== 'session/fork' && (all || session.sessionId === sessionId);
    for (const window of trace.index.windowRecords.filter(isMeant)) {
      const result = resultOf(window);
      const run = catalog.get(trace.connection)?.group;
      const then = askedAfter(trace, window);
      const knows = then && knowsIt(then.said, run?.expects ?? '');
      const more = defined({ run, then: then && knows && { ...then, knows } });
      if (result) sent.push({ wall: start + window.at, result: { ...result, ...more } });
    }
  }
  return sent.toSorted((a, b) => a.wall - b.wall).map(({ result }) => result);
}

/** Undefined: the next thing asked of the session was no prompt, or nothing was. */
function askedAfter(
  { index, lines }: OpenTrace,
  { session, answer }: WindowRecord,
): AskedAfter | undefined {
  const { columns } = index;
  const isOurs = (place: number) => columns.session.get(place) === session.index + 1;
  if (answer < 0) return undefined;
  let prompt = answer + 1;
  while (
    prompt < columns.length &&
    !(isOurs(prompt) && columns.kind.get(prompt) === REQ && columns.side.get(prompt) === CLIENT)
  )
    prompt++;
  if (prompt >= columns.length || columns.nameOf(prompt) !== 'session/prompt') return undefined;
  const reply = columns.partnerOf(prompt);
  const failed = reply !== undefined && columns.kind.get(reply) === ERR;
  const updates: SeenUpdate[] = [];
  for (let place = prompt + 1; place < columns.length; place++) {
    if (isOurs(place) && columns.kind.get(place) === REQ && columns.side.get(place) === CLIENT)
      break;
    if (!isOurs(place) || !columns.has(place, FLAG.update)) continue;
    const message = saidBy(lines.event(place));
    const told = message?.kind === 'notification' ? updateOf(message.params) : undefined;
    if (told !== undefined)
      updates.push({ seq: columns.seqOf(place), variant: told.variant, update: told.update });
  }
  const asked = saidBy(lines.event(prompt));
  const refusal = failed ? saidBy(lines.event(reply)) : undefined;
  return defined({
    request: columns.seqOf(prompt),
    answer: reply === undefined ? undefined : columns.seqOf(reply),
    prompt: asked?.kind === 'request' ? textOf(contentParts(get(asked.params, 'prompt'))) : '',
    said: saidText(updates, 'agent'),
    refusal: refusal?.kind === 'failure' ? errorWords(refusal.error) : undefined,
  });
}
