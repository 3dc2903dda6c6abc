// One change in one frame of a recording, of every kind that a frame can have: another value, a frame
// left out, one said twice, two that change places. What to change is picked by numbers from outside.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { isTimeKey } from '../../model/time-key.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import type { Frame, Seq, Side, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

export const CHANGES = ['value', 'out', 'twice', 'swap'] as const;
export type Change = (typeof CHANGES)[number];

/** Which frame, and which value in it; numbers that are taken modulo what there is. */
export interface Pick {
  readonly frame: number;
  readonly value: number;
}

export interface Changed {
  readonly events: readonly TraceEvent[];
  /** The frame; of two that change places both. */
  readonly seqs: readonly Seq[];
  readonly method: string | undefined;
  readonly variant: string | undefined;
  /** `params/update/title`; of a whole frame nothing. */
  readonly path: string;
}

/**
 * Fields that a change would not show in: names have aliases, and a tag makes another frame. Times are
 * not compared either.
 */
const NAMES =
  /Id$|\/id$|\/cwd$|Cursor$|\/cursor$|protocolVersion$|sessionUpdate$|\/(?:info|agentInfo|clientInfo)\/version$|\/kind$|\/type$/;

/** Undefined: there is nothing to change so. `from`: whose frames may change. */
export function changed(
  events: readonly TraceEvent[],
  change: Change,
  from: Side,
  pick: Pick,
): Changed | undefined {
  const places = events.flatMap((event, place) =>
    event.type === 'frame' && event.from === from && mayChange(event, events[place + 1], change)
      ? [place]
      : [],
  );
  const place = places[pick.frame % Math.max(1, places.length)];
  const event = place === undefined ? undefined : events[place];
  if (place === undefined || event?.type !== 'frame') return undefined;
  const json = JSON.parse(lineText(event.line)) as JsonObject;
  const { method, params } = json;
  const update = isObject(params) ? params['update'] : undefined;
  const variant = isObject(update) ? update['sessionUpdate'] : undefined;
  const base = {
    seqs: [event.seq],
    method: typeof method === 'string' ? method : undefined,
    variant: typeof variant === 'string' ? variant : undefined,
    path: '',
  };
  switch (change) {
    case 'value': {
      const paths = valuesIn(json).filter(
        (path) => !NAMES.test(path.join('/')) && !isTimeKey(String(path.at(-1))),
      );
      const path = paths[pick.value % Math.max(1, paths.length)];
      if (!path) return undefined;
      const text = JSON.stringify(withOther(json, path));
      return {
        ...base,
        path: path.join('/'),
        events: events.with(place, { ...event, line: { text } }),
      };
    }
    case 'out':
      return { ...base, events: events.toSpliced(place, 1) };
    case 'twice':
      return { ...base, events: events.toSpliced(place, 0, event) };
    case 'swap': {
      const next = events[place + 1];
      if (next?.type !== 'frame') return undefined;
      const swapped = events
        .with(place, { ...event, line: next.line })
        .with(place + 1, { ...next, line: event.line });
      return { ...base, events: swapped, seqs: [event.seq, next.seq] };
    }
  }
}

function mayChange(frame: Frame, next: TraceEvent | undefined, change: Change): boolean {
  const message = messageOf(frame);
  const { kind } = message;
  if (kind === 'invalid') return false;
  if (change === 'value') return true;
  // Answers cannot come twice or not at all without a client that waits for them.
  if (kind !== 'notification') return false;
  // Without its announcement a child is none, and all that it says is no part of its parent's restore.
  if (change === 'out' && updateOf(message.params)?.variant === 'subagent_update') return false;
  if (change !== 'swap') return true;
  if (next?.type !== 'frame' || next.from !== frame.from) return false;
  return messageOf(next).kind === 'notification' && lineText(next.line) !== lineText(frame.line);
}

type Path = readonly (string | number)[];

function valuesIn(json: JsonObject): readonly Path[] {
  const found: Path[] = [];
  const left: [Path, Json][] = ['params', 'result', 'error'].flatMap((key): [Path, Json][] =>
    json[key] === undefined ? [] : [[[key], json[key]]],
  );
  for (let next = left.pop(); next; next = left.pop()) {
    const [path, value] = next;
    if (isArray(value)) value.forEach((item, at) => left.push([[...path, at], item]));
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) left.push([[...path, key], item]);
    else if (value !== null && path.length > 1) found.push(path);
  }
  return found.reverse();
}

function withOther(value: Json, path: Path): Json {
  const [key, ...rest] = path;
  if (key === undefined) return other(value);
  if (isArray(value)) return value.map((item, at) => (at === key ? withOther(item, rest) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === key ? withOther(item, rest) : item,
    ]),
  );
}

function other(value: Json): Json {
  if (typeof value === 'string') return `${value} otherwise`;
  return typeof value === 'number' ? value + 1 : value !== true;
}
