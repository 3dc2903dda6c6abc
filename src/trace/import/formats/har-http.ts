// JSON-RPC over HTTP in the entries of a HAR file: the client posts messages, and the agent answers in the body or on event
// streams. Events without a time are ordered by requests and responses.
import { SseParser } from '../../../lib/net/sse.ts';
import { joined } from '../../../lib/bytes.ts';
import { defined } from '../../../lib/defined.ts';
import { decodeLossy, encodeUtf8, fromBase64 } from '../../../lib/utf8.ts';
import type { Line, Side, Via } from '../../event.ts';
import { lineOf } from '../../line.ts';
import { rpcPart, type RpcPart } from '../../one-way.ts';
import { isRpc } from '../found-message.ts';
import { odd, type ImportedPiece } from '../format.ts';
import { isList, readJson, type JsonRecord } from '../json-record.ts';

/** A body or an event that the agent sends. */
interface Heard {
  readonly bytes: Uint8Array;
  /** Milliseconds; undefined if the file has no time of the event. */
  readonly at: number | undefined;
  readonly via: Pick<Via, 'id' | 'event'>;
  /** The file ends within the event. */
  readonly isCut?: true;
}

/** An entry with a message. */
interface Exchange {
  readonly url: string;
  /** `Acp-Connection-Id`, as sent or else as received. */
  readonly connection: string | undefined;
  readonly session: string | undefined;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly status: number;
  /** The body that the client posted. */
  readonly sent: string | undefined;
  readonly heard: readonly Heard[];
  /** A stream of events whose content is not in the file. */
  readonly isHollow: boolean;
}

/** A connection: its URL, and its messages in order. */
type Connection = readonly ImportedPiece[];

/** Returns the connections over HTTP, the oldest first; none if no entry holds a JSON-RPC message. */
export function httpConnections(entries: readonly JsonRecord[]): readonly Connection[] {
  const exchanges = entries
    .flatMap((entry) => exchangeOf(entry) ?? [])
    .sort((a, b) => a.began - b.began);
  const known = new Map<string, string>();
  const groups = new Map<string, Exchange[]>();
  // The first request has no id of the connection, and a response without headers does not name it: a later entry does.
  for (const one of exchanges.toReversed()) {
    if (one.connection !== undefined) known.set(one.url, one.connection);
    const key = one.connection ?? known.get(one.url) ?? one.url;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(one);
  }
  return [...groups.values()]
    .map((group) => group.reverse())
    .sort(([a], [b]) => (a?.began ?? 0) - (b?.began ?? 0))
    .map((group) => new ConnectionOrder(group).pieces());
}

/** Undefined: neither side sends a message in it. */
function exchangeOf(entry: JsonRecord): Exchange | undefined {
  const [request, response] = [entry.record('request'), entry.record('response')];
  const url = request?.text('url');
  if (!request || url === undefined) return undefined;
  const method = request.text('method')?.toUpperCase();
  const sent = method === 'POST' ? request.record('postData')?.text('text') : undefined;
  const isSent = sent !== undefined && isMessage(sent);
  if (method !== 'GET' && !isSent) return undefined;
  const content = response?.record('content');
  const isStream = /^\s*text\/event-stream\b/i.test(
    content?.text('mimeType') ?? headerIn(response, 'content-type') ?? '',
  );
  if (!isSent && !isStream) return undefined;
  const began = Date.parse(entry.text('startedDateTime') ?? '');
  const took = entry.number('time') ?? 0;
  const start = Number.isNaN(began) ? 0 : began;
  const ended = start + (took > 0 ? took : 0);
  const body = bodyOf(content);
  const whole: readonly Heard[] = body ? [{ bytes: body, at: ended, via: {} }] : [];
  const heard = isStream ? eventsOf(entry, body) : whole;
  const connection =
    headerIn(request, 'acp-connection-id') ?? headerIn(response, 'acp-connection-id');
  // A page may have streams of other servers.
  if (!isSent && connection === undefined && !heard.some(isOfMessage)) return undefined;
  return {
    url: url.split(/[?#]/, 1)[0] ?? url,
    connection,
    session: headerIn(request, 'acp-session-id'),
    began: start,
    status: response?.number('status') ?? 0,
    sent: isSent ? sent : undefined,
    heard,
    isHollow: isStream && body === undefined && heard.length === 0,
  };
}

function isOfMessage({ bytes }: Heard): boolean {
  return isMessage(decodeLossy(bytes));
}

function isMessage(text: string): boolean {
  const json = readJson(text);
  return isList(json) ? json.some(({ record }) => isRpc(record)) : isRpc(json);
}

function headerIn(head: JsonRecord | undefined, name: string): string | undefined {
  const header = head
    ?.items('headers')
    .find(({ record }) => record?.text('name')?.toLowerCase() === name);
  return header?.record?.text('value');
}

/** Undefined: the file does not have it. */
function bodyOf(content: JsonRecord | undefined): Uint8Array | undefined {
  const text = content?.text('text');
  if (text === undefined || text === '') return undefined;
  return content?.text('encoding') === 'base64' ? fromBase64(text) : encodeUtf8(text);
}

/** The events of a stream: with times if a tool listed them, otherwise out of its body. */
function eventsOf(entry: JsonRecord, body: Uint8Array | undefined): readonly Heard[] {
  const listed = entry.items('_eventSourceMessages').flatMap(({ record }): Heard[] => {
    const seconds = record?.number('time');
    const data = record?.text('data');
    if (data === undefined) return [];
    // In whole microseconds: a product of seconds may be a little before its millisecond.
    const at = seconds === undefined ? undefined : Math.round(seconds * 1e6) / 1e3;
    const via = viaOf(record?.text('eventId'), record?.text('eventName'));
    return [{ bytes: encodeUtf8(data), at, via }];
  });
  if (listed.length > 0 || !body) return listed;
  const parser = new SseParser();
  const whole = parser.push(body);
  const rest = parser.end();
  return [...whole, ...(rest ? [rest] : [])].map((event) => ({
    bytes: joined(event.data),
    at: undefined,
    via: viaOf(event.id, event.event),
    ...(event === rest && { isCut: true as const }),
  }));
}

function viaOf(id: string | undefined, event: string | undefined): Heard['via'] {
  return {
    ...(id !== undefined && id !== '' && { id }),
    ...(event !== undefined && event !== '' && { event }),
  };
}

/**
 * The place of a piece: after how many posts, then by time, then by rank. Posts are the last of their slot, so the n-th,
 * from 0, has the slot n.
 */
interface Place {
  readonly slot: number;
  readonly time: number;
  readonly rank: number;
}

const UPDATE = 0;
const RESPONSE = 1;

function compare(a: Place, b: Place): number {
  return a.slot - b.slot || a.time - b.time || a.rank - b.rank;
}

/** Numbers by the id of a message, each taken once and in order. */
class Turns {
  readonly #of = new Map<string, number[]>();
  readonly #taken = new Map<string, number>();

  add(id: string, value: number): void {
    const values = this.#of.get(id);
    if (values) values.push(value);
    else this.#of.set(id, [value]);
  }

  take(id: string): number | undefined {
    const at = this.#taken.get(id) ?? 0;
    this.#taken.set(id, at + 1);
    return this.#of.get(id)?.[at];
  }
}

/** Orders the messages of one connection. */
class ConnectionOrder {
  readonly #exchanges: readonly Exchange[];
  /** When each post began, ascending. */
  readonly #posts: readonly number[];
  /** The posts of the client's requests, and of its responses. */
  readonly #asked = new Turns();
  readonly #answered = new Turns();
  /** The first post of each session. */
  readonly #first = new Map<string, number>();
  readonly #items: { readonly place: Place; readonly piece: ImportedPiece }[] = [];
  /** The streams are those of ACP. */
  readonly #isAcp: boolean;
  #isConcluded = false;

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
    this.#isAcp = exchanges.some(({ connection }) => connection !== undefined);
    const posts = exchanges.filter(({ sent }) => sent !== undefined);
    this.#posts = posts.map(({ began }) => began);
    for (const [at, { sent = '', session }] of posts.entries()) {
      const { id, isRequest, isResponse } = rpcPart(sent);
      if (isRequest) this.#asked.add(id, at);
      if (isResponse) this.#answered.add(id, at);
      if (session !== undefined && !this.#first.has(session)) this.#first.set(session, at);
    }
  }

  pieces(): readonly ImportedPiece[] {
    let post = 0;
    for (const exchange of this.#exchanges)
      this.#add(exchange, exchange.sent === undefined ? undefined : post++);
    const [first] = this.#exchanges;
    return [
      { type: 'start', argv: [first?.url ?? ''], at: first?.began },
      ...(this.#isConcluded ? [CONCLUDED] : []),
      ...this.#items.sort((a, b) => compare(a.place, b.place)).map(({ piece }) => piece),
    ];
  }

  /** `post`: which of the posts it is. */
  #add(exchange: Exchange, post: number | undefined): void {
    const { sent, began, status, session, heard, isHollow } = exchange;
    if (sent !== undefined && post !== undefined) {
      const place = { slot: post, time: Infinity, rank: UPDATE };
      this.#put(place, this.#frame('client', { text: sent }, began, exchange));
      if (status >= 300 && !isHollow && !heard.some(isOfMessage))
        this.#put(place, { type: 'refused', status });
    }
    const start = {
      slot: Math.max(this.#before(began), (post ?? -1) + 1),
      time: began,
      rank: UPDATE,
    };
    if (isHollow) this.#put(start, HOLLOW);
    const first = session === undefined ? undefined : this.#first.get(session);
    const places = this.#placesOf(heard, start, (first ?? -1) + 1);
    for (const [i, one] of heard.entries()) {
      const piece = isOfMessage(one)
        ? this.#frame('agent', lineOf(one.bytes), one.at, exchange, one.via)
        : lacking(one);
      this.#put(places[i] ?? start, piece);
    }
  }

  #put(place: Place, piece: ImportedPiece): void {
    this.#items.push({ place, piece });
  }

  #frame(
    from: Side,
    line: Line,
    at: number | undefined,
    { sent, session }: Exchange,
    more: Pick<Via, 'id' | 'event'> = {},
  ): ImportedPiece {
    const got = session === undefined ? 'connection' : 'session';
    const stream = sent === undefined ? got : 'post';
    const via = { stream, ...defined({ session }), ...more } as const;
    return { type: 'frame', from, line, at, ...(this.#isAcp && { via }) };
  }

  /** How many posts began before this millisecond. */
  #before(time: number): number {
    let [low, high] = [0, this.#posts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#posts[middle] ?? Infinity) < Math.floor(time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The places of messages that came one after the other, from `start` on; without times, from the slot `first` on. */
  #placesOf(heard: readonly Heard[], start: Place, first: number): readonly Place[] {
    const parts = heard.map(({ bytes }) => rpcPart(decodeLossy(bytes)));
    const bounds = parts.map((part) => this.#boundsOf(part));
    // A message without a time comes after the request that the next response answers, and before its own response.
    let [after, before] = [-1, Infinity];
    const concluded = bounds
      .toReversed()
      .map((bound) => {
        after = bound.after ?? after;
        before = Math.min(before, bound.before ?? Infinity);
        return { after, before };
      })
      .reverse();
    let last = start;
    let least = first;
    return heard.map(({ at }, i) => {
      const { after = -1, before } = bounds[i] ?? {};
      const { after: next = -1, before: most = Infinity } = concluded[i] ?? {};
      const rank = parts[i]?.isResponse ? RESPONSE : UPDATE;
      this.#isConcluded ||= at === undefined;
      const slot =
        at === undefined
          ? Math.min(Math.max(last.slot, least, next + 1), most)
          : Math.max(this.#before(at), after + 1);
      const time = at ?? Math.max(start.time, this.#posts[slot - 1] ?? 0);
      const place = { slot, time, rank };
      last = compare(place, last) < 0 ? { ...last, rank: Math.max(last.rank, rank) } : place;
      // The next message waits for the client's response.
      if (before !== undefined) least = Math.max(least, before + 1);
      return last;
    });
  }

  /** The post that is before a message of the agent, and the one that is after it. */
  #boundsOf({ id, isRequest, isResponse }: RpcPart): {
    readonly after?: number | undefined;
    readonly before?: number | undefined;
  } {
    if (isResponse) return { after: this.#asked.take(id) };
    return isRequest ? { before: this.#answered.take(id) } : {};
  }
}

/** Returns the piece that replaces an event or body without a message. */
function lacking({ bytes, isCut }: Heard): ImportedPiece {
  if (isCut)
    return { type: 'gap', count: 1, reason: 'the file ends within this event', hole: 'cut' };
  return odd('a body or event without a JSON-RPC message', decodeLossy(bytes));
}

const CONCLUDED: ImportedPiece = {
  type: 'gap',
  count: 1,
  reason:
    'events of the streams have no time in the file: which came first is concluded from requests and responses',
  hole: 'order',
};

const HOLLOW: ImportedPiece = {
  type: 'gap',
  count: 1,
  reason: 'the file does not have what came on this stream of events',
};
