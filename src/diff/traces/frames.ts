// The view `frames`: every frame is an entry, compared as it stands. Chunks of one message in a row
// get one token together, because where a text is cut says nothing.
import { isObject, parseJson, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { isChunk } from '../../acp/update.ts';
import { uint32 } from '../../lib/growable.ts';
import { type Columns, ERR, FLAG, REQ, RES } from '../../model/columns.ts';
import { saidAt } from '../../model/indexed-trace.ts';
import type { TraceIndex } from '../../model/trace-index.ts';
import { otherSide, type Side, type TraceEvent } from '../../trace/event.ts';
import type { Ignoring } from './ignore.ts';
import { toldWhen, type LaneEntry, type DiffLane, type LaneMaking, sectionsOf } from './lane.ts';
import type { MessageChunk } from './tokens.ts';
import { wireOrder } from './wire-order.ts';

export async function framesOf(making: LaneMaking): Promise<DiffLane> {
  const { source, takes, ignoring, pause, tokens, eachChunk, apart } = making;
  const { index, eventAt, textAt } = source;
  const { columns } = index;
  const sections = sectionsOf(source);
  const { places: order, crossed } = wireOrder(index);
  /** Of each entry. */
  const places = uint32();
  const chunks: (string | undefined)[] = [];
  const section = (at: number) => sections.at[places.get(at)] ?? 0;
  const weakOf = weakNames(index, apart);
  let done = 0;
  for (const place of order) {
    if (done++ % 500 === 0) await pause();
    if (columns.fromOf(place) === undefined || !takes(place)) continue;
    const of = columns.nameOf(place);
    const text = textAt?.(place);
    const whole = () => (text === undefined ? frameValue(eventAt(place)) : lineValue(text));
    if (ignoring.drops(of, whole)) continue;
    if (columns.kind.get(place) === REQ) sections.take(place, saidAt(source, place));
    const value =
      text === undefined
        ? strippedFrame(eventAt(place), of, ignoring)
        : ignoring.strip(of, lineValue(text), text);
    const weak = weakOf(place);
    const chunk = eachChunk || !columns.has(place, FLAG.update) ? undefined : chunkOf(of, value);
    places.push(place);
    chunks.push(chunk?.text);
    if (chunk) tokens.addChunk(weak, chunk);
    else tokens.add(weak, value, askerOf(columns, place));
  }
  tokens.end();
  sections.finish();
  const again = ignoring.again();
  const read = ({ first, of, value }: LaneEntry) =>
    value ?? strippedFrame(eventAt(first), of, again);
  const entry = (at: number): LaneEntry | undefined => {
    if (at < 0 || at >= places.length) return undefined;
    const first = places.get(at);
    const of = columns.nameOf(first);
    const asker = askerOf(columns, first);
    return {
      of,
      weak: weakOf(first),
      first,
      last: first,
      frames: 1,
      spans: false,
      section: section(at),
      ...(asker && { asker }),
      loose: isChunk(of),
      movable: !isChunk(of),
    };
  };
  const joined = (from: number, to: number): LaneEntry | undefined => {
    const first = entry(from);
    if (!first || to - from === 1) return first;
    const value = withText(read(first), chunks.slice(from, to).join(''));
    return { ...first, last: places.get(to - 1), frames: to - from, value, movable: true };
  };
  const { length } = places;
  const chunk = (at: number) => chunks[at];
  return { source, length, entry, section, sections: sections.list, crossed, read, chunk, joined };
}

const WHEN = ['', ' replayed', ' late'];

/** By the place of a frame: its name, kind and side, as one text. */
function weakNames(index: TraceIndex, apart: boolean): (place: number) => string {
  const { columns } = index;
  const known: string[] = [];
  return (place) => {
    const kind = columns.kind.get(place);
    const when = apart ? toldWhen(index, place) : '';
    const isAnswer = kind === RES || kind === ERR;
    const number =
      columns.name.get(place) * 64 +
      (columns.side.get(place) & 1) +
      kind * 2 +
      WHEN.indexOf(when) * 16;
    return (known[number] ??=
      `${columns.fromOf(place) ?? ''} ${isAnswer ? RES : kind} ${columns.nameOf(place)}${when}`);
  };
}

/** Who asked what an id names; undefined: the frame has none. */
function askerOf(columns: Columns, place: number): Side | undefined {
  const kind = columns.kind.get(place);
  const from = columns.fromOf(place);
  if (kind === REQ || from === undefined) return from;
  return kind === RES || kind === ERR ? otherSide(from) : undefined;
}

function strippedFrame(event: TraceEvent, of: string, ignoring: Ignoring): Json {
  const line = event.type === 'frame' && 'text' in event.line ? event.line.text : '';
  return ignoring.strip(of, frameValue(event), line);
}

/** The JSON of a line, with all its keys; a line that is no object stands under `line`. */
export function frameValue(event: TraceEvent): Json {
  if (event.type !== 'frame') return null;
  return 'text' in event.line ? lineValue(event.line.text) : { base64: event.line.base64 };
}

/** The same of a line by its text. */
export function lineValue(text: string): Json {
  const value = parseJson(text);
  if (value === undefined) return { line: text };
  return isObject(value) ? value : { line: value };
}

/** Undefined: it is no chunk of text, or says more than one does. */
function chunkOf(of: string, value: Json): MessageChunk | undefined {
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
