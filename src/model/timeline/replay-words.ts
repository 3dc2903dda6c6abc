// The figures of a replay window in words, alike in the timeline, the detail pane and `stats`.
import { formatBytes, count } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { known } from '../../lib/time.ts';
import { overhead, type ReplayFigures } from '../replay/replay-tally.ts';
import type { ReplayWindowView } from './row-view.ts';
import type { ItemKind } from '../facts/variants.ts';

const ITEMS: Readonly<Record<ItemKind, string>> = {
  user: 'user message',
  agent: 'agent message',
  thought: 'thought',
  tool: 'tool call',
  plan: 'plan',
  terminal: 'terminal',
  compaction: 'compaction',
  peer: 'session message',
};

/** `12 user messages`, `21 tool calls`, … in one order; only what came. Child sessions are last. */
export function itemsWords({ items, children = {} }: ReplayFigures): string[] {
  const below = countsOf(children).map((words) => `${words} of child sessions`);
  return [...countsOf(items), ...below];
}

function countsOf(items: ReplayFigures['items']): string[] {
  return (Object.keys(ITEMS) as ItemKind[]).flatMap((kind) => {
    const found = items[kind];
    return found === undefined ? [] : [count(found, ITEMS[kind])];
  });
}

/** `2 available_commands_update`, the most frequent first. */
export function othersWords({ others }: ReplayFigures): string[] {
  return Object.entries(others)
    .toSorted(([, a], [, b]) => b - a)
    .map(([variant, found]) => `${found} ${variant}`);
}

/** `first after 12 ms, last after 0.9 s, answer after 0.9 s`; what is not there or not known is left out. */
export function timesWords({ figures, outcome, took }: ReplayWindowView): string[] {
  const { toFirst, toLast } = figures;
  if (known(took) === undefined) return [];
  return [
    ...(toFirst === undefined ? [] : [`first after ${formatSpan(toFirst)}`]),
    ...(toLast === undefined ? [] : [`last after ${formatSpan(toLast)}`]),
    ...(outcome === 'answered' || outcome === 'rejected'
      ? [`answer after ${formatSpan(took)}`]
      : []),
  ];
}

/** `×12.3`: updates for each message and tool call. Undefined where there were none. */
export function overheadWords(figures: ReplayFigures): string | undefined {
  const times = overhead(figures);
  if (times === undefined) return undefined;
  return `×${times < 10 ? times.toFixed(1) : Math.round(times)}`;
}

/** All figures, a line each, for whoever points at the head of a window. */
export function windowTitle(window: ReplayWindowView): string {
  const { figures, updates, bytes } = window;
  const chunks = overheadWords(figures);
  return [
    `${count(updates, 'update')}, ${formatBytes(bytes)}`,
    itemsWords(figures).join(', '),
    othersWords(figures).join(', '),
    chunks === undefined ? '' : `${chunks} updates for each message and tool call`,
    timesWords(window).join(', '),
  ]
    .filter((line) => line !== '')
    .join('\n');
}
