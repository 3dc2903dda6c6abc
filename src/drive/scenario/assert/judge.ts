// Whether an assertion holds of a record, what was seen, and the frames that show it.
import type { FidelityWindow } from '../../../model/fidelity/report/report.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { formatCount, formatBytes } from '../../../lib/format.ts';
import { formatSpan } from '../../../lib/format-time.ts';
import { known } from '../../../lib/time.ts';
import { NO_SESSION } from '../../../model/query/fields.ts';
import { termsIn, type FieldTerm } from '../../../model/query/query.ts';
import { isAtLeast, SEVERITIES } from '../../../rules/finding.ts';
import type { Finder } from '../../../model/query/find.ts';
import { type Which, MEASURES, type AskedMeasure, type Measure } from './arguments.ts';
import {
  FIDELITY_ORDER,
  queriesIn,
  type Assertion,
  type Operator,
  type AssertedValue,
} from './assertion.ts';
import {
  MOST_FRAMES,
  nameOf,
  eventPlaces,
  rankOf,
  refOf,
  refs,
  Unanswered,
  type RunFrame,
  type AssertionContext,
  type AssertionSeen,
  type EventPlace,
} from './places.ts';
import type { RunRecord } from './record.ts';
import { EVT, REQ } from '../../../model/columns.ts';
import { lowered } from '../../../lib/sentence.ts';

export interface Judgement {
  readonly verdict: 'pass' | 'fail' | 'undecidable';
  /** What was seen, or why nothing can be said, as a clause. */
  readonly seen: string;
  /** Those it rests on, the first of many. */
  readonly frames: readonly RunFrame[];
  /** It asks of a connection or a session that the run does not have, and so of nothing. */
  readonly asksOfNothing?: true;
}

/** `finder`: for its queries; one that is stopped decides nothing. */
export async function judgeAssertion(
  assertion: Assertion,
  record: RunRecord,
  finder: Finder,
): Promise<Judgement> {
  try {
    return await judged(assertion, { record, finder });
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { verdict: 'undecidable', seen: error.message, frames: [] };
  }
}

async function judged(assertion: Assertion, context: AssertionContext): Promise<Judgement> {
  const absent = await absentIn(assertion, context);
  if (absent !== undefined)
    return { verdict: 'fail', seen: absent, frames: [], asksOfNothing: true };
  switch (assertion.kind) {
    case 'exists':
    case 'none': {
      const places = await eventPlaces(assertion.asked.query, context);
      const holds = places.length > 0 === (assertion.kind === 'exists');
      return {
        verdict: holds ? 'pass' : 'fail',
        seen: matchWords(places.length),
        frames: refs(places),
      };
    }
    case 'order': {
      const { holds, words, frames } = await orderSeen(assertion.all, context);
      return { verdict: holds ? 'pass' : 'fail', seen: words, frames };
    }
    case 'compare': {
      const left = await seenOf(assertion.left, context);
      const right = await seenOf(assertion.right, context);
      const frames = [...left.frames, ...right.frames].slice(0, MOST_FRAMES);
      const seen = [left.words, right.words].filter((words) => words !== '').join('; ');
      if (left.rank === undefined || right.rank === undefined)
        return {
          verdict: left.isMissing || right.isMissing ? 'fail' : 'undecidable',
          seen,
          frames,
        };
      const holds = compare(left.rank, assertion.operator, right.rank);
      return { verdict: holds ? 'pass' : 'fail', seen, frames };
    }
    default:
      return assertNever(assertion);
  }
}

/** A connection or session that it names and the run does not have, as a clause. */
async function absentIn(
  assertion: Assertion,
  context: AssertionContext,
): Promise<string | undefined> {
  const { record } = context;
  for (const term of queriesIn(assertion).flatMap(({ query }) => termsIn(query))) {
    if (term.kind !== 'field') continue;
    for (const value of term.values) {
      if (term.field === 'connection' && 'low' in value && value.low > record.traces.length)
        return `no connection ${value.low} in this run`;
      if (term.field !== 'session' || !('text' in value) || value.text === NO_SESSION) continue;
      const expr: FieldTerm = { ...term, values: [value] };
      const places = await eventPlaces([{ ...term, expr }], context);
      if (places.length === 0) return `no session ${value.text} in this run`;
    }
  }
  return undefined;
}

function compare(a: number | string, operator: Operator, b: number | string): boolean {
  switch (operator) {
    case '=':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

async function seenOf(value: AssertedValue, context: AssertionContext): Promise<AssertionSeen> {
  const { record } = context;
  switch (value.kind) {
    case 'number':
      return { rank: value.value, words: '', frames: [] };
    case 'word': {
      const order: readonly string[] = FIDELITY_ORDER;
      const rank = order.indexOf(value.text);
      return { rank: rank < 0 ? value.text : rank, words: '', frames: [] };
    }
    case 'count': {
      const places = await eventPlaces(value.asked.query, context);
      return { rank: places.length, words: matchWords(places.length), frames: refs(places) };
    }
    case 'frame':
      return frameSeen(value, context);
    case 'measure':
      return measureSeen(value, context);
    case 'fidelity':
      return fidelitySeen(value.which, record);
    case 'restore':
      return restoreSeen(value.which, record);
    case 'finding':
      return findingSeen(value.what, record);
    default:
      return assertNever(value);
  }
}

function matchWords(count: number): string {
  if (count === 0) return 'no frame matches';
  return count === 1 ? '1 frame matches' : `${formatCount(count)} frames match`;
}

async function frameSeen(
  { which, asked, at }: Extract<AssertedValue, { readonly kind: 'frame' }>,
  context: AssertionContext,
): Promise<AssertionSeen> {
  const { record } = context;
  const found = (await eventPlaces(asked.query, context)).at(which === 'first' ? 0 : -1);
  if (found === undefined) return nothing(asked);
  const frames = [refOf(found)];
  const name = nameOf(found, record);
  if (!at) return { rank: rankOf(found, record), words: `the ${which} is ${name}`, frames };
  const began = record.traces[0]?.began;
  const offset = found.connection === 1 ? 0 : (found.trace.began ?? NaN) - (began ?? NaN);
  if (Number.isNaN(offset))
    return { rank: undefined, words: 'these traces do not say when they began', frames };
  const rank = found.trace.index.columns.timeOf(found.place) + offset;
  if (known(rank) === undefined)
    return { rank: undefined, words: `the ${which} is ${name}, whose trace has no times`, frames };
  return { rank, words: `the ${which} is ${name}, at ${Math.round(rank)} ms`, frames };
}

function fidelitySeen(which: Which, record: RunRecord): AssertionSeen {
  const chosen = meant(which, record.fidelity(), record);
  const rankOf = ({ verdict }: FidelityWindow) =>
    FIDELITY_ORDER.findIndex((one) => one === verdict);
  const worst = chosen.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  if (worst === undefined) return noRestore(which);
  const rank = rankOf(worst);
  return {
    rank: rank < 0 ? undefined : rank,
    words: `${worst.verdict}: ${lowered(worst.sentence)}`,
    frames: [requestOf(worst, record)],
  };
}

function restoreSeen(which: Which, record: RunRecord): AssertionSeen {
  const chosen = meant(which, record.fidelity(), record);
  if (chosen.length === 0) return noRestore(which);
  // Several restores that did not end alike are equal to no word.
  const words = [...new Set(chosen.map(({ restored }) => restored))].join(', ');
  const frames = chosen.slice(0, MOST_FRAMES).map((restore) => requestOf(restore, record));
  return { rank: words, words, frames };
}

function noRestore(which: Which): AssertionSeen {
  const words = `no restore of ${whichWords(which)}`;
  return { rank: undefined, isMissing: true, words, frames: [] };
}

function requestOf({ connection, requestSeq }: FidelityWindow, { traces }: RunRecord): RunFrame {
  const at = traces.findIndex((trace) => trace.connection === connection);
  return { connection: at + 1, seq: requestSeq };
}

/** Those of the restores, which are all in the order of the run, that an assertion is about. */
function meant(
  which: Which,
  restores: readonly FidelityWindow[],
  record: RunRecord,
): FidelityWindow[] {
  switch (which.kind) {
    case 'last':
      return restores.slice(-1);
    case 'all':
      return [...restores];
    case 'session':
      return restores.filter(({ connection, session }) => {
        const trace = record.traces.find((one) => one.connection === connection);
        const chip = trace?.index.sessionNamed(session)?.facts.chip;
        return which.name === session || which.name === chip;
      });
    case 'frame':
      return restores.filter((restore) => {
        const { connection, seq } = requestOf(restore, record);
        return which.connection === connection && which.seq === seq;
      });
  }
}

function whichWords(which: Which): string {
  switch (which.kind) {
    case 'last':
    case 'all':
      return 'any session';
    case 'session':
      return which.name;
    case 'frame':
      return `c${which.connection}#${which.seq}`;
  }
}

function findingSeen(what: string, record: RunRecord): AssertionSeen {
  record.check();
  const floor = SEVERITIES.find((one) => one === what);
  const rule = what.endsWith('*')
    ? (id: string) => id.startsWith(what.slice(0, -1))
    : (id: string) => id === what;
  const found = record.traces.flatMap(({ findings }, at) =>
    findings
      .filter(({ verdict }) => verdict === 'fail')
      .filter((one) => (floor === undefined ? rule(one.rule) : isAtLeast(one.severity, floor)))
      .map((finding) => ({ connection: at + 1, finding })),
  );
  const told = found.slice(0, 3).map(({ finding }) => `${finding.rule}: ${finding.seen}`);
  const more = found.length > told.length ? `, and ${found.length - told.length} more` : '';
  return {
    rank: found.length,
    words: found.length === 0 ? 'no such finding' : `${told.join('; ')}${more}`,
    frames: found
      .flatMap(({ connection, finding }) => finding.seqs.map((seq) => ({ connection, seq })))
      .slice(0, MOST_FRAMES),
  };
}

async function measureSeen(
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

function nothing({ source }: AskedMeasure): AssertionSeen {
  const words = source === '' ? 'there is no frame' : `nothing matches ${source}`;
  return { rank: undefined, isMissing: true, words, frames: [] };
}

/** A frame for each query, each the first behind the one before; where there is none, why. */
async function orderSeen(
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
