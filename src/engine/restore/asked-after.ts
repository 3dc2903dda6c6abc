// The prompt that followed a restore on its connection, with what the agent said to it.
import { get } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { saidText, type SeenUpdate } from '../../drive/turn.ts';
import { CLIENT, ERR, FLAG, REQ } from '../../model/columns.ts';
import { contentParts, textOf } from '../../model/facts/content-parts.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import { errorWords } from '../../model/words.ts';
import type { AskedAfter } from '../messages.ts';
import type { OpenTrace } from '../traces/open-trace.ts';

/** Undefined: the next thing asked of the session was no prompt, or nothing was. */
export function askedAfter(
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
    const message = messageAt(lines, place);
    const told = message?.kind === 'notification' ? updateOf(message.params) : undefined;
    if (told !== undefined)
      updates.push({ seq: columns.seqOf(place), variant: told.variant, update: told.update });
  }
  const asked = messageAt(lines, prompt);
  const refusal = failed ? messageAt(lines, reply) : undefined;
  return defined({
    request: columns.seqOf(prompt),
    answer: reply === undefined ? undefined : columns.seqOf(reply),
    prompt: asked?.kind === 'request' ? textOf(contentParts(get(asked.params, 'prompt'))) : '',
    said: saidText(updates, 'agent'),
    refusal: refusal?.kind === 'failure' ? errorWords(refusal.error) : undefined,
  });
}

function messageAt(lines: OpenTrace['lines'], place: number) {
  return saidBy(lines.event(place));
}
