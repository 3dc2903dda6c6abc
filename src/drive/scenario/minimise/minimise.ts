// The smallest trace that still fails: parts are left out, first many at once and then one by one, as
// long as what is left fails (delta debugging, after Zeller and Hildebrandt).
import type { Assertion } from '../assert/assertion.ts';
import { judgeAssertion } from '../assert/judge.ts';
import { recordOf } from '../assert/record.ts';
import { closed, traceOf, unitsOf } from '../../../model/excerpt/units.ts';
import { indexedTrace } from '../../../model/indexed-trace.ts';
import type { Finder } from '../../../model/query/find.ts';
import { checkTrace } from '../../../rules/check-trace.ts';
import type { RemarksOf } from '../../../rules/steps.ts';
import type { TraceEvent } from '../../../trace/event.ts';

export interface MinimiseProgress {
  readonly tried: number;
  /** Parts that are left, of all. */
  readonly left: number;
  readonly of: number;
}

interface MinimiseOptions {
  /** Traces that are tried at most; 5000 where nothing is said. */
  readonly most?: number;
  readonly stop?: AbortSignal;
  /** Awaited between tries, for whoever has other things to do meanwhile. */
  readonly pause?: (now: MinimiseProgress) => Promise<void>;
}

export interface Minimised {
  readonly events: readonly TraceEvent[];
  /** Parts that can be left out, before and after. */
  readonly units: { readonly before: number; readonly after: number };
  readonly tried: number;
  /** With any one part less it no longer fails. False: it was stopped, or `most` were tried. */
  readonly isMinimal: boolean;
}

const MOST = 5000;

/** Undefined: the trace does not fail to begin with. `fails` is asked of whole traces. */
export async function minimiseTrace(
  events: readonly TraceEvent[],
  fails: Fails,
  { most = MOST, stop, pause }: MinimiseOptions = {},
): Promise<Minimised | undefined> {
  const trace = indexedTrace(events, 'c1');
  const { all: units } = unitsOf(trace.index);
  let kept = units.map((_, unit) => unit);
  if (!(await fails(traceOf(trace, units, kept)))) return undefined;
  let tried = 1;
  const isOver = () => tried >= most || stop?.aborted === true;
  let size = Math.ceil(kept.length / 2);
  let isMinimal = false;
  while (!isOver()) {
    let isSmaller = false;
    // From the end: what comes late is needed by least.
    for (let to = kept.length; to > 0 && !isOver(); to = Math.min(to, kept.length)) {
      const from = Math.max(0, to - size);
      const rest = closed(units, [...kept.slice(0, from), ...kept.slice(to)]);
      await pause?.({ tried, left: kept.length, of: units.length });
      tried++;
      if (await fails(traceOf(trace, units, rest))) {
        kept = rest;
        isSmaller = true;
      }
      to = from;
    }
    if (isOver()) break;
    if (size === 1 && !isSmaller) {
      isMinimal = true;
      break;
    }
    if (!isSmaller || size > kept.length) size = Math.max(1, Math.floor(size / 2));
    if (kept.length === 0) {
      isMinimal = true;
      break;
    }
  }
  return {
    events: traceOf(trace, units, kept),
    units: { before: units.length, after: kept.length },
    tried,
    isMinimal,
  };
}

// What a trace fails: an assertion, or a rule. Asked of many traces in a row, one after the other.

export type Fails = (events: readonly TraceEvent[]) => boolean | Promise<boolean>;

/** `remarksOf`: the schemas, for assertions about findings. `finder`: for its queries. */
export function failsAssertion(
  assertion: Assertion,
  remarksOf: RemarksOf | undefined,
  finder: Finder,
): Fails {
  return async (events) => {
    // A trace without what it asks of would be the smallest that fails.
    const record = recordOf([{ events }], remarksOf);
    const { verdict, asksOfNothing } = await judgeAssertion(assertion, record, finder);
    return verdict === 'fail' && asksOfNothing !== true;
  };
}

/** `rule`: its id. */
export function failsRule(rule: string, remarksOf: RemarksOf): Fails {
  return (events) =>
    checkTrace(events, { remarksOf }).findings.some(
      (finding) => finding.rule === rule && finding.verdict === 'fail',
    );
}
