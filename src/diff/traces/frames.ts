// The view `frames`: every frame is an entry, compared as it stands.
import { isObject, parseJson } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isChunk } from '../../acp/update.ts';
import { ERR, REQ, RES } from '../../model/columns.ts';
import type { Test } from '../../model/query-match.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import type { Ignoring } from './ignore.ts';
import type { Entry, Lane } from './lane.ts';
import type { DiffSource } from './report.ts';
import { Sections } from './sections.ts';

export async function framesOf(
  source: DiffSource,
  takes: Test,
  ignoring: Ignoring,
  pause: () => Promise<void>,
  take: (entry: Entry, value: Json) => void,
): Promise<Lane> {
  const { index } = source;
  const { columns } = index;
  const entries: Entry[] = [];
  /** By name, kind and side. */
  const weak: string[] = [];
  const sections = new Sections(source);
  for (let place = 0; place < index.length; place++) {
    if (place % 500 === 0) await pause();
    const section = sections.at(place);
    const from = columns.fromOf(place);
    if (from === undefined || !takes(place)) continue;
    const of = columns.nameOf(place);
    if (ignoring.drops(of)) continue;
    const kind = columns.kind.get(place);
    const sort = columns.name.get(place) * 16 + kind * 2 + (from === 'client' ? 0 : 1);
    const isAnswer = kind === RES || kind === ERR;
    const other = from === 'client' ? 'agent' : 'client';
    const asker = isAnswer ? other : kind === REQ ? from : undefined;
    const entry: Entry = {
      of,
      weak: (weak[sort] ??= `${from} ${isAnswer ? RES : kind} ${of}`),
      first: place,
      last: place,
      frames: 1,
      spans: false,
      section,
      ...(asker && { asker }),
      loose: isChunk(of),
      movable: !isChunk(of),
    };
    entries.push(entry);
    take(entry, strippedFrame(source, place, of, ignoring));
  }
  const quiet = ignoring.again();
  return {
    source,
    entries,
    sections: sections.list,
    read: ({ first, of }) => strippedFrame(source, first, of, quiet),
  };
}

function strippedFrame(source: DiffSource, place: number, of: string, ignoring: Ignoring): Json {
  const event = source.eventAt(place);
  const line = event.type === 'frame' && 'text' in event.line ? event.line.text : '';
  return ignoring.strip(of, frameValue(event), line);
}

/** The JSON of a line, with all its keys; a line that is no object stands under `line`. */
function frameValue(event: TraceEvent): Json {
  if (event.type !== 'frame') return null;
  if (!('text' in event.line)) return { base64: event.line.base64 };
  const value = parseJson(event.line.text);
  if (value === undefined) return { line: lineText(event.line) };
  return isObject(value) ? value : { line: value };
}
