// What ACP Scope's intercept did to messages of a session, for their places in its conversation.
import { str } from '../../acp/json.ts';
import { parseMessage, type Message } from '../../acp/message.ts';
import { sessionOf, updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import {
  otherSide,
  type ConnectionId,
  type Intercept,
  type InterceptDeed,
  type Line,
  type Seq,
} from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { EVT, FLAG, REQ } from '../columns.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { idWords } from '../timeline/digest.ts';
import { lineWords } from '../timeline/summary.ts';

export interface InterceptMark {
  readonly connection: ConnectionId;
  /** The frame that was sent; of a dropped message, the event with its line. */
  readonly seq: Seq;
  readonly did: 'added' | 'answered' | 'changed' | 'dropped' | 'sent again';
  /** Summary of the message as it was written; of an added message, as it was sent. */
  readonly words: string;
  /** The id of its message or tool call. */
  readonly item?: string;
}

/** What became of a line whose bytes are the intercept's; others were changed. */
const BY_DEED: Partial<Record<InterceptDeed, InterceptMark['did']>> = {
  inject: 'added',
  answer: 'answered',
  duplicate: 'sent again',
};

/** Returns the messages of a session that the intercept dropped, changed or added, in the order of the trace. */
export function interceptMarks(source: IndexedTrace, sessionId: string): readonly InterceptMark[] {
  const { index, connection, eventAt } = source;
  const { columns } = index;
  /** By event, the deed and the first event about the same line. */
  const deeds = new Map<Seq, Pick<Intercept, 'did'> & { readonly root: Intercept }>();
  const marks: InterceptMark[] = [];
  const mark = (seq: Seq, did: InterceptMark['did'], line: Line, session: string | undefined) => {
    if (session !== sessionId) return;
    const item = itemOf(parseMessage(lineText(line)));
    marks.push({ connection, seq, did, words: lineWords(lineText(line)), ...defined({ item }) });
  };
  for (let place = 0; place < index.length; place++) {
    const isDeed = columns.kind.get(place) === EVT && columns.nameOf(place) === 'intercept';
    if (!isDeed && !columns.has(place, FLAG.intercepted)) continue;
    const event = eventAt(place);
    if (event.type === 'intercept') {
      const { seq, of, did } = event;
      const root = (of && deeds.get(of)?.root) ?? event;
      deeds.set(seq, { did, root });
      if (did === 'drop' && root.line)
        mark(root.seq, 'dropped', root.line, sessionBefore(source, place, root));
    } else if (event.type === 'frame' && event.origin === 'intercept') {
      const { seq, of, line } = event;
      const { did: deed, root } = (of && deeds.get(of)) || {};
      const did = (deed && BY_DEED[deed]) ?? 'changed';
      const session =
        index.session(place)?.sessionId ?? (root && sessionBefore(source, place, root));
      mark(seq, did, did === 'added' ? line : (root?.line ?? line), session);
    }
  }
  return marks;
}

/** Returns the session of a line as it was written; a response belongs to the session of its request. */
function sessionBefore(
  { index }: IndexedTrace,
  place: number,
  { line, from }: Intercept,
): string | undefined {
  if (!line || !from) return undefined;
  const message = parseMessage(lineText(line));
  if (message.kind !== 'success' && message.kind !== 'failure') return sessionOf(message);
  const { columns } = index;
  const id = idWords(otherSide(from), message.id.token);
  for (let at = place - 1; at >= 0; at--)
    if (columns.kind.get(at) === REQ && columns.ids.text(columns.id.get(at)) === id)
      return index.session(at)?.sessionId;
  return undefined;
}

function itemOf(message: Message): string | undefined {
  const update = 'params' in message ? updateOf(message.params)?.update : undefined;
  return str(update, 'toolCallId') ?? str(update, 'messageId');
}
