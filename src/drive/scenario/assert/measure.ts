// What `max`, `min` and `order` see in the frames that their queries match.
import { formatBytes } from '../../../lib/format-bytes.ts';
import { formatSpan } from '../../../lib/format-time.ts';
import { known } from '../../../lib/time.ts';
import { EVT, REQ } from '../../../model/columns.ts';
import { MEASURES, type AskedMeasure, type Measure } from './arguments.ts';
import type { AssertedValue } from './assertion.ts';
import {
  nameOf,
  eventPlaces,
  rankOf,
  refOf,
  refs,
  type AssertionContext,
  type EventPlace,
  type AssertionSeen,
} from './places.ts';

export async function measureSeen(
  { which, measure, asked }: Extract<AssertedValue, { readonly kind: 'measure' }>,
  context: AssertionContext,
): Promise<AssertionSeen> {
  const places = await eventPlaces(asked.query, context);
  if (places.length === 0) return nothing(asked);
  let best: { readonly place: EventPlace; readonly value: number } | undefined;
  for (const place of places) {
    const value = measured(place, measure);
    if (value === undefined) continue;
    if (best === undefined || (which === 'max' ? value > best.value : value < best.value))
      best = { place, value };
  }
  if (best === undefined)
    return {
      ...{ rank: undefined, isMissing: true, frames: refs(places) },
      words: `no frame that matches has a ${measure}`,
    };
  const name = nameOf(best.place, context.record);
  const said = which === 'max' ? 'greatest' : 'least';
  const words =
    best.value === Infinity
      ? `${name} has no answer`
      : `the ${said} ${measure} is ${measureWords(measure, best.value)}, of ${name}`;
  return { rank: best.value, words, frames: [refOf(best.place)] };
}

/** In milliseconds or bytes; a request without an answer takes for ever. Undefined: it has none. */
function measured({ place, trace: { index } }: EventPlace, measure: Measure): number | undefined {
  const { columns } = index;
  switch (measure) {
    case 'latency': {
      const isOpen = columns.kind.get(place) === REQ && columns.partnerOf(place) === undefined;
      return isOpen ? Infinity : columns.latencyOf(place);
    }
    case 'gap':
      return place === 0 ? undefined : known(columns.at.get(place) - columns.at.get(place - 1));
    case 'size':
      return columns.kind.get(place) === EVT ? undefined : columns.size.get(place);
  }
}

function measureWords(measure: Measure, value: number): string {
  return MEASURES[measure] === 'time' ? formatSpan(value) : formatBytes(value);
}

export function nothing({ source }: AskedMeasure): AssertionSeen {
  const words = source === '' ? 'there is no frame' : `nothing matches ${source}`;
  return { rank: undefined, isMissing: true, words, frames: [] };
}

/** A frame for each query, each the first behind the one before; where there is none, why. */
export async function orderSeen(
  all: readonly AskedMeasure[],
  context: AssertionContext,
): Promise<Pick<AssertionSeen, 'words' | 'frames'> & { readonly holds: boolean }> {
  const found: EventPlace[] = [];
  let last = -1;
  for (const asked of all) {
    const places = await eventPlaces(asked.query, context);
    const next = places.find((place) => rankOf(place, context.record) > last);
    const before = found.at(-1);
    if (next === undefined) {
      const isLate = before !== undefined && places.length > 0;
      const after = isLate ? ` after ${nameOf(before, context.record)}` : '';
      return {
        ...{ holds: false, words: `nothing matches ${asked.source}${after}` },
        frames: refs(found),
      };
    }
    found.push(next);
    last = rankOf(next, context.record);
  }
  const names = found.map((place) => nameOf(place, context.record));
  return { holds: true, words: `in this order: ${names.join(' ')}`, frames: refs(found) };
}
