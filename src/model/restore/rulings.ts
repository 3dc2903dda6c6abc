// How the permission requests of a trace were answered.
import { str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import { askedToolCall, optionsOf, rulingOf, type Ruling } from '../facts/permission.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { saidBy } from '../timeline/digest.ts';

/** Tool calls whose last permission request was denied or cancelled, with the frame of the response. */
export function deniedTools(source: IndexedTrace, sessionId: string): ReadonlyMap<string, Seq> {
  const { index, eventAt } = source;
  const denied = new Map<string, Seq>();
  for (let place = 0; place < index.length; place++) {
    if (index.columns.nameOf(place) !== 'session/request_permission') continue;
    const message = saidBy(eventAt(place));
    const id = message?.kind === 'request' && str(askedToolCall(message.params), 'toolCallId');
    const answer = index.columns.partnerOf(place);
    if (!id || answer === undefined || index.session(place)?.sessionId !== sessionId) continue;
    const ruling = rulingAt(source, place, message.params);
    if (ruling === 'rejected' || ruling === 'cancelled')
      denied.set(id, index.columns.seqOf(answer));
    else denied.delete(id);
  }
  return denied;
}

/** What became of the permission that the frame at this place asks for; undefined: it has no answer. */
export function rulingAt(
  { index, eventAt }: IndexedTrace,
  place: number,
  params: Json | undefined,
): Ruling | undefined {
  const answered = index.columns.partnerOf(place);
  const answer = answered === undefined ? undefined : saidBy(eventAt(answered));
  if (answer?.kind === 'failure') return 'error';
  return answer?.kind === 'success'
    ? rulingOf(optionsOf(params), answer.result, undefined)
    : undefined;
}
