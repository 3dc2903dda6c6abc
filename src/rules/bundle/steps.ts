// The events of an evidence bundle as lines of a story: chunks of one message in one line, what is left out
// said where it is left out.
import { count } from '../../lib/format-count.ts';
import { FLAG } from '../../model/columns.ts';
import { indexedTrace } from '../../model/indexed-trace.ts';
import { digestsOf } from '../../model/timeline/row-builder.ts';
import type { Seq, Side, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

export interface BundleStep {
  /** The first and the last of its events. */
  readonly from: Seq;
  readonly to: Seq;
  /** Who sent it; undefined: it crossed in neither direction. */
  readonly side: Side | undefined;
  /** The method, of an answer its request's, or the event. */
  readonly name: string;
  readonly summary: string;
  /** The exact line, of one frame. */
  readonly line?: string;
  /** One of those the bundle is about. */
  readonly isWanted: boolean;
}

/** What crossed and was said, in order. */
export function stepsOf(
  events: readonly TraceEvent[],
  wanted: readonly Seq[],
): readonly BundleStep[] {
  const { index, eventAt } = indexedTrace(events, 'c1');
  const { columns } = index;
  const digest = digestsOf(index, eventAt);
  const asked = new Set(wanted);
  const steps: BundleStep[] = [];
  let run: { readonly key: string; readonly first: BundleStep; texts: string[] } | undefined;
  for (const [place, event] of events.entries()) {
    const { summary, text } = digest(place);
    const step = stepOf(event, columns.nameOf(place), summary, asked.has(event.seq));
    const isChunk = text !== undefined && columns.has(place, FLAG.update) && !step.isWanted;
    const key = `${columns.nameOf(place)} ${columns.session.get(place)}`;
    if (isChunk && run?.key === key) {
      run.texts.push(text);
      steps[steps.length - 1] = joined(run.first, step, run.texts);
      continue;
    }
    run = isChunk ? { key, first: step, texts: [text] } : undefined;
    steps.push(step);
  }
  return steps;
}

function stepOf(event: TraceEvent, name: string, summary: string, isWanted: boolean): BundleStep {
  const place = { from: event.seq, to: event.seq, isWanted };
  switch (event.type) {
    case 'frame':
      return { ...place, side: event.from, name, summary, line: lineText(event.line) };
    case 'gap': {
      if (event.omitted !== true) return { ...place, side: undefined, name, summary };
      return {
        ...place,
        side: undefined,
        name: '…',
        summary: `${count(event.count, 'event')} left out`,
      };
    }
    case 'start':
    case 'stderr':
    case 'exit':
    case 'mark':
    case 'suppress':
    case 'transport':
    case 'intercept':
      return { ...place, side: undefined, name, summary };
  }
}

function joined(first: BundleStep, { to }: BundleStep, texts: readonly string[]): BundleStep {
  const { from, side, name, isWanted } = first;
  return {
    ...{ from, to, side, name: `${texts.length} × ${name}`, isWanted },
    summary: texts.join(''),
  };
}
