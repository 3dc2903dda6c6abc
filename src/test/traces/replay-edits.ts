// One edit of one item of a replayed history, of every kind that an agent can get wrong: left out, told
// twice, too late, elsewhere, in other words. What is edited is picked by numbers from outside.
import { get, isArray, isObject, num, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { millis } from '../../lib/time.ts';
import { isHistory, itemIdOf, itemKindOf, type ItemKind } from '../../model/facts/variants.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import { seq, type Frame, type TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

const GAP = 'Some recorded child history is unavailable or incomplete.';

/** What becomes of the frames of an item; `other`: those of another one. */
interface Item {
  readonly kind: ItemKind;
  readonly id: string | undefined;
  readonly session: string;
  readonly places: readonly number[];
}

type Make = (item: Item, replay: Replay, at: number) => readonly TraceEvent[] | undefined;

interface Replay {
  readonly events: readonly TraceEvent[];
  readonly items: readonly Item[];
  readonly request: number;
  readonly answer: number;
  /** Of the root. */
  readonly session: string;
  readonly version: number;
}

const EDITS = {
  dropped: ({ places }, { events }) => events.filter((_, at) => !places.includes(at)),
  'dropped in part': ({ places }, { events }) =>
    places.length < 2 ? undefined : events.toSpliced(places.at(-1) ?? 0, 1),
  late: ({ places }, replay) => moved(replay, places, replay.answer + 1),
  'told late again': ({ places }, replay) => copied(replay, places, replay.answer + 1),
  'told again': ({ places }, replay) => copied(replay, places, (places.at(-1) ?? 0) + 1),
  'told again at the end': ({ places }, replay) => copied(replay, places, replay.answer),
  'moved to the end': ({ places }, replay) => moved(replay, places, replay.answer),
  'moved behind another': (item, replay, at) => {
    const other = replay.items[at % replay.items.length];
    const to = (other?.places.at(-1) ?? 0) + 1;
    return other === item ? undefined : moved(replay, item.places, to);
  },
  otherwise: (item, replay) => reworded(item, replay, () => 'It was another day, and other work'),
  shortened: (item, replay) =>
    reworded(item, replay, (text) => text.slice(0, Math.floor(text.length / 2))),
  'shortened in its midst': (item, replay) =>
    reworded(item, replay, (text) => {
      const third = Math.floor(text.length / 3);
      return text.slice(0, third) + text.slice(2 * third);
    }),
  lengthened: (item, replay) => reworded(item, replay, (text) => `${text} And more was done`),
  emptied: (item, replay) => reworded(item, replay, () => ''),
  'under another id': (item, replay) =>
    item.id === undefined ? undefined : renamed(item, replay, `${item.id}-other`),
  'with other results': (item, replay) =>
    item.kind !== 'tool'
      ? undefined
      : changed(item, replay, (update) =>
          Object.hasOwn(update, 'status')
            ? { ...update, status: update['status'] === 'failed' ? 'completed' : 'failed' }
            : update,
        ),
  'a piece more': (item, replay) => piece(item, replay, (item.places.at(-1) ?? 0) + 1),
  'a piece more at the end': (item, replay) => piece(item, replay, replay.answer),
  'nobody said it': (item, replay) =>
    told(
      replay,
      item.places[0] ?? 0,
      item.session,
      whole(replay, 'agent_message', 'nobody', 'What nobody ever said in this session'),
    ),
  'a gap that is none': (item, replay) =>
    told(replay, item.places[0] ?? 0, item.session, whole(replay, 'agent_thought', 'gap', GAP)),
  'a gap that is none, late': (_, replay) =>
    told(replay, replay.answer + 1, replay.session, whole(replay, 'agent_thought', 'gap', GAP)),
} as const satisfies Readonly<Record<string, Make>>;

export type Edit = keyof typeof EDITS;
export const EDIT_NAMES = Object.keys(EDITS) as readonly Edit[];

/** A message of its own: v1 has chunks alone, and in v2 a replay begins with all of it. */
function whole({ version }: Replay, name: string, messageId: string, text: string): JsonObject {
  const part = { type: 'text', text };
  return version === 1
    ? { sessionUpdate: `${name}_chunk`, messageId, content: part }
    : { sessionUpdate: name, messageId, content: [part] };
}

const NAMES: Readonly<Partial<Record<ItemKind, string>>> = {
  user: 'user_message',
  agent: 'agent_message',
  thought: 'agent_thought',
};

function piece({ kind, id, session }: Item, replay: Replay, to: number) {
  const name = NAMES[kind];
  if (name === undefined) return undefined;
  return told(replay, to, session, {
    sessionUpdate: `${name}_chunk`,
    ...(id === undefined ? {} : { messageId: id }),
    content: { type: 'text', text: ' And a piece that was never said' },
  });
}

/** Undefined: there is nothing to edit so. */
export function edited(
  events: readonly TraceEvent[],
  edit: Edit,
  which: number,
  where: number,
): { readonly events: readonly TraceEvent[]; readonly what: string } | undefined {
  const replay = replayIn(events);
  const item = replay?.items[which % Math.max(1, replay.items.length)];
  if (!replay || !item) return undefined;
  const make: Make = EDITS[edit];
  const made = make(item, replay, where);
  const first = events[item.places[0] ?? 0];
  return made && { events: counted(made), what: `${item.kind} ${item.id ?? ''} #${first?.seq}` };
}

/** The last restore that was answered, and what it told. */
function replayIn(events: readonly TraceEvent[]): Replay | undefined {
  const messages = events.map((event) => (event.type === 'frame' ? messageOf(event) : undefined));
  const request = messages.findLastIndex(
    (one) =>
      one?.kind === 'request' &&
      /^session\/(load|resume)$/.test(one.method) &&
      messages.some((other) => other?.kind === 'success' && other.id.token === one.id.token),
  );
  const asked = messages[request];
  if (asked?.kind !== 'request') return undefined;
  const answer = messages.findIndex(
    (one, at) => at > request && one?.kind === 'success' && one.id.token === asked.id.token,
  );
  const items: { kind: ItemKind; id: string | undefined; session: string; places: number[] }[] = [];
  for (let place = request + 1; place < answer; place++) {
    const message = messages[place];
    const read = message?.kind === 'notification' ? updateOf(message.params) : undefined;
    const kind = itemKindOf(read?.variant ?? '');
    if (read === undefined || kind === undefined || !isHistory(kind)) continue;
    const session =
      message?.kind === 'notification' ? (str(message.params, 'sessionId') ?? '') : '';
    const id = itemIdOf(read.variant, read.update);
    const last = items.findLast((one) => one.session === session);
    const known =
      id === undefined
        ? last?.kind === kind && last.id === undefined
          ? last
          : undefined
        : items.find((one) => one.session === session && one.kind === kind && one.id === id);
    if (known) known.places.push(place);
    else items.push({ kind, id, session, places: [place] });
  }
  const hello = messages.find((one) => one?.kind === 'success');
  const version = hello?.kind === 'success' ? (num(hello.result, 'protocolVersion') ?? 1) : 1;
  return { events, items, request, answer, session: str(asked.params, 'sessionId') ?? '', version };
}

/** Frames are missing behind the last restore that was answered. */
export function withGap(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const { request = 0 } = replayIn(events) ?? {};
  const lost = { type: 'gap', seq: seq(1), at: millis(0), count: 1, reason: 'lost' } as const;
  return counted(events.toSpliced(request + 1, 0, { ...lost, at: events[request]?.at ?? lost.at }));
}

function counted(events: readonly TraceEvent[]): readonly TraceEvent[] {
  return events.map((event, at) => ({ ...event, seq: seq(at + 1) }));
}

function framesAt({ events }: Replay, places: readonly number[]): readonly TraceEvent[] {
  return places.flatMap((place) => events[place] ?? []);
}

function copied(replay: Replay, places: readonly number[], to: number): readonly TraceEvent[] {
  return replay.events.toSpliced(to, 0, ...framesAt(replay, places));
}

function moved(replay: Replay, places: readonly number[], to: number): readonly TraceEvent[] {
  return copied(replay, places, to).filter(
    (_, at) =>
      !places.includes(at < to ? at : at - places.length) || (at >= to && at < to + places.length),
  );
}

function told(
  { events }: Replay,
  to: number,
  sessionId: string,
  update: JsonObject,
): readonly TraceEvent[] {
  const before = events[to - 1];
  const line = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
  const frame: Frame = {
    type: 'frame',
    seq: seq(1),
    ...(before?.at === undefined ? {} : { at: before.at }),
    from: 'agent',
    origin: 'peer',
    line: { text: JSON.stringify(line) },
  } as Frame;
  return events.toSpliced(to, 0, frame);
}

function changed(
  { places }: Item,
  { events }: Replay,
  change: (update: JsonObject) => JsonObject,
): readonly TraceEvent[] | undefined {
  let isChanged = false;
  const made = events.map((event, at): TraceEvent => {
    if (!places.includes(at) || event.type !== 'frame') return event;
    const json = JSON.parse(lineText(event.line)) as { params: { update: JsonObject } };
    const update = change(json.params.update);
    isChanged ||= update !== json.params.update;
    json.params.update = update;
    return { ...event, line: { text: JSON.stringify(json) } };
  });
  return isChanged ? made : undefined;
}

function renamed(item: Item, replay: Replay, id: string) {
  const key = item.kind === 'tool' ? 'toolCallId' : 'messageId';
  return changed(item, replay, (update) => ({ ...update, [key]: id }));
}

/** All of its text in its first frame that has some; of a tool call its title. */
function reworded(item: Item, replay: Replay, words: (text: string) => string) {
  if (item.kind === 'tool')
    return changed(item, replay, (update) =>
      typeof update['title'] === 'string' ? { ...update, title: words(update['title']) } : update,
    );
  let all = '';
  changed(item, replay, (update) => {
    all += textsIn(update['content']).join('');
    return update;
  });
  if (all.length < 8) return undefined;
  let isTold = false;
  return changed(item, replay, (update) => {
    if (textsIn(update['content']).length === 0) return update;
    const text = isTold ? '' : words(all);
    isTold = true;
    return { ...update, content: withText(update['content'], text) };
  });
}

function textsIn(content: Json | undefined): string[] {
  if (isArray(content)) return content.flatMap(textsIn);
  const text = get(content, 'text');
  return typeof text === 'string' ? [text] : [];
}

/** The first text is this one; the others are empty. */
function withText(content: Json | undefined, text: string): Json {
  if (isArray(content)) return content.map((one, at) => withText(one, at === 0 ? text : ''));
  return isObject(content) && typeof content['text'] === 'string'
    ? { ...content, text }
    : (content ?? null);
}
