// The view `frames`: every frame is an entry, compared as it stands. Chunks of one message in a row
// get one token together, because where a text is cut says nothing.
import { isObject, parseJson, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { isChunk } from '../../acp/update.ts';
import { uint32 } from '../../lib/growable.ts';
import { ERR, FLAG, REQ, RES } from '../../model/columns.ts';
import type { Test } from '../../model/query/query-match.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { otherSide, type Side, type TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import type { Ignoring } from './ignore.ts';
import { toldWhen, type Entry, type Lane, type LaneHow } from './lane.ts';
import type { DiffSection } from './report/report.ts';
import { Sections } from './lane.ts';
import type { Chunk, Tokens } from './tokens.ts';
import { wireOrder } from './wire-order.ts';

export async function framesOf(
  source: IndexedTrace,
  takes: Test,
  ignoring: Ignoring,
  pause: () => Promise<void>,
  tokens: Tokens,
  { eachChunk, apart }: LaneHow,
): Promise<Lane> {
  const { columns } = source.index;
  const sections = new Sections(source);
  const sectionOf = sections.all();
  const { places, crossed } = wireOrder(source.index);
  const lane = new Frames(source, sections.list, { crossed, apart }, ignoring.again());
  let done = 0;
  for (const place of places) {
    if (done++ % 500 === 0) await pause();
    const section = sectionOf[place] ?? 0;
    if (columns.fromOf(place) === undefined || !takes(place)) continue;
    const of = columns.nameOf(place);
    if (ignoring.drops(of, () => frameValue(source.eventAt(place)))) continue;
    const value = strippedFrame(source, place, of, ignoring);
    const weak = lane.weak(place);
    const chunk = eachChunk || !columns.has(place, FLAG.update) ? undefined : chunkOf(of, value);
    lane.push(place, section, chunk?.text);
    if (chunk) tokens.addChunk(weak, chunk);
    else tokens.add(weak, value, lane.asker(place));
  }
  tokens.end();
  return lane;
}

const WHEN = ['', ' replayed', ' late'];

class Frames implements Lane {
  readonly source: IndexedTrace;
  readonly sections: readonly DiffSection[];
  readonly crossed: boolean;
  readonly #apart: boolean;
  readonly #ignoring: Ignoring;
  readonly #places = uint32();
  readonly #sections = uint32();
  readonly #chunks: (string | undefined)[] = [];
  /** By name, kind and side. */
  readonly #weak: string[] = [];

  constructor(
    source: IndexedTrace,
    sections: readonly DiffSection[],
    { crossed, apart }: { readonly crossed: boolean; readonly apart: boolean },
    ignoring: Ignoring,
  ) {
    this.source = source;
    this.sections = sections;
    this.crossed = crossed;
    this.#apart = apart;
    this.#ignoring = ignoring;
  }

  get length(): number {
    return this.#places.length;
  }

  push(place: number, section: number, chunk: string | undefined): void {
    this.#places.push(place);
    this.#sections.push(section);
    this.#chunks.push(chunk);
  }

  section(at: number): number {
    return this.#sections.get(at);
  }

  chunk(at: number): string | undefined {
    return this.#chunks[at];
  }

  entry(at: number): Entry | undefined {
    if (at < 0 || at >= this.length) return undefined;
    const place = this.#places.get(at);
    const of = this.source.index.columns.nameOf(place);
    const asker = this.asker(place);
    return {
      of,
      weak: this.weak(place),
      first: place,
      last: place,
      frames: 1,
      spans: false,
      section: this.section(at),
      ...(asker && { asker }),
      loose: isChunk(of),
      movable: !isChunk(of),
    };
  }

  joined(from: number, to: number): Entry | undefined {
    const first = this.entry(from);
    if (!first || to - from === 1) return first;
    const text = this.#chunks.slice(from, to).join('');
    return {
      ...first,
      last: this.#places.get(to - 1),
      frames: to - from,
      value: withText(this.read(first), text),
      movable: true,
    };
  }

  read({ first, of, value }: Entry): Json {
    return value ?? strippedFrame(this.source, first, of, this.#ignoring);
  }

  weak(place: number): string {
    const { columns } = this.source.index;
    const kind = columns.kind.get(place);
    const when = this.#apart ? toldWhen(this.source.index, place) : '';
    const known =
      columns.name.get(place) * 64 +
      (columns.side.get(place) & 1) +
      kind * 2 +
      WHEN.indexOf(when) * 16;
    const isAnswer = kind === RES || kind === ERR;
    return (this.#weak[known] ??=
      `${columns.fromOf(place) ?? ''} ${isAnswer ? RES : kind} ${columns.nameOf(place)}${when}`);
  }

  /** Who asked what an id names; undefined: the frame has none. */
  asker(place: number): Side | undefined {
    const { columns } = this.source.index;
    const kind = columns.kind.get(place);
    const from = columns.fromOf(place);
    if (kind === REQ || from === undefined) return from;
    return kind === RES || kind === ERR ? otherSide(from) : undefined;
  }
}

function strippedFrame(source: IndexedTrace, place: number, of: string, ignoring: Ignoring): Json {
  const event = source.eventAt(place);
  const line = event.type === 'frame' && 'text' in event.line ? event.line.text : '';
  return ignoring.strip(of, frameValue(event), line);
}

/** The JSON of a line, with all its keys; a line that is no object stands under `line`. */
export function frameValue(event: TraceEvent): Json {
  if (event.type !== 'frame') return null;
  if (!('text' in event.line)) return { base64: event.line.base64 };
  const value = parseJson(event.line.text);
  if (value === undefined) return { line: lineText(event.line) };
  return isObject(value) ? value : { line: value };
}

/** Undefined: it is no chunk of text, or says more than one does. */
function chunkOf(of: string, value: Json): Chunk | undefined {
  if (!isChunk(of) || !hasKeys(value, ROOT)) return undefined;
  const { jsonrpc, method, params = null } = value;
  if (jsonrpc !== '2.0' || method !== 'session/update') return undefined;
  if (!hasKeys(params, PARAMS)) return undefined;
  const { sessionId, update = null } = params;
  if (!hasKeys(update, UPDATE) && !hasKeys(update, UPDATE_OF)) return undefined;
  const { content = null, messageId } = update;
  if (!hasKeys(content, CONTENT) || content['type'] !== 'text') return undefined;
  const text = str(content, 'text');
  if (typeof sessionId !== 'string' || text === undefined) return undefined;
  if (messageId !== undefined && typeof messageId !== 'string') return undefined;
  return { sessionId, messageId, text };
}

const ROOT: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'params']);
const PARAMS: ReadonlySet<string> = new Set(['sessionId', 'update']);
const UPDATE: ReadonlySet<string> = new Set(['sessionUpdate', 'content']);
const UPDATE_OF: ReadonlySet<string> = new Set(['sessionUpdate', 'content', 'messageId']);
const CONTENT: ReadonlySet<string> = new Set(['type', 'text']);

/** Exactly these. */
function hasKeys(value: Json, keys: ReadonlySet<string>): value is JsonObject {
  if (!isObject(value)) return false;
  let count = 0;
  for (const key in value) {
    if (!keys.has(key)) return false;
    count++;
  }
  return count === keys.size;
}

/** The same chunk with another text. */
function withText(value: Json, text: string): Json {
  if (!isObject(value)) return value;
  const params = isObject(value['params']) ? value['params'] : {};
  const update = isObject(params['update']) ? params['update'] : {};
  const content = { ...(isObject(update['content']) && update['content']), text };
  return { ...value, params: { ...params, update: { ...update, content } } };
}
