// How the rows of a comparison look and read.
import type { DiffView, RowMark } from '../../../diff/traces/report/report.ts';
import type { AliasGroup, ShownRow } from '../../../engine/diff/diff-messages.ts';
import type { TraceSummary } from '../../../engine/messages.ts';
import { count } from '../../../lib/format.ts';
import { grouped } from '../../../lib/grouped.ts';
import type { ConnectionId } from '../../../trace/event.ts';
import { dayWords } from '../../rail/rail-words.ts';
import { ALIAS_WORDS } from '../../../model/sessions/compare-terms.ts';
import { agentName } from '../../../state/diff/proposed-pair.ts';
import { lastName } from '../words.ts';

/** What a mark is called where it is not its name. */
export const MARK_WORDS: Readonly<Partial<Record<RowMark, string>>> = {
  missing: 'only left',
  extra: 'only right',
};
const UNITS: Readonly<Record<DiffView, readonly [one: string, many: string]>> = {
  story: ['step', 'steps'],
  frames: ['frame', 'frames'],
  state: ['item', 'items'],
  handshake: ['part', 'parts'],
};

/** `118 steps`. */
export function unitWords(view: DiffView, number: number): string {
  return count(number, ...UNITS[view]);
}
/** `3 equal steps`. */
export function equalStepWords(view: DiffView, number: number): string {
  const [one, many] = UNITS[view];
  return count(number, `equal ${one}`, `equal ${many}`);
}

/** `22 tool calls`; of times, how many there are: they all have one name. */
export function groupWords({ kind, total, uses }: AliasGroup): string {
  return count(kind === 'time' ? uses : total, ...ALIAS_WORDS[kind]);
}

/** `S1`, `T1–T22`. */
export function groupName({ total, aliases }: AliasGroup): string {
  const [first] = aliases;
  const name = first?.name ?? '';
  return total < 2 ? name : `${name}–${name.replace(/\d+$/, '') || name}${total}`;
}

const ITEMS: Readonly<Record<string, string>> = {
  user: 'user message',
  agent: 'agent message',
  peer: 'message of another agent',
  tool: 'tool call',
};

/** What an item is, where there is none of it. */
export function absentWords(of: string): string {
  return ITEMS[of] ?? of;
}

/** What stands in a row's mark: its one field, or the name of the mark. */
export function diffMarkWords({ mark, fields }: ShownRow): string {
  const words = MARK_WORDS[mark] ?? mark;
  if (mark !== 'changed') return words;
  if (fields.length > 1) return count(fields.length, 'field');
  const name = lastName(fields[0]?.path ?? '');
  return name === '' || name === 'value' ? words : name;
}

/** The rule that leaves this field out, in any item of its lists. */
export function ruleFor(of: string, path: string): string {
  const isName = /^[\w$/.-]+$/.test(of);
  const anywhere = path.replace(/\[\d+\]/g, '[*]');
  return isName ? `${of}:${anywhere}` : anywhere;
}

/** `OpenCode 1.18.33 · v1 · 640 frames · yesterday`. */
export function sideWords(trace: TraceSummary, now: Date): string {
  const { agent, version, frames, startedAt, facts, name } = trace;
  const told = facts?.handshake?.agent;
  const who = told ? [told.name, told.version].filter(Boolean).join(' ') : agent;
  const parts = [
    who !== name && who,
    version !== undefined && `v${version}`,
    count(frames, 'frame'),
    dayWords(startedAt, now),
  ];
  return parts.filter((part) => part).join(' · ');
}

/** `Claude Agent: live-v2 and replay-v2`; traces of different agents by their names alone. */
export function pairWords(pair: readonly TraceSummary[]): string {
  const agents = new Set(pair.map(agentName));
  const [agent] = agents;
  const names = pair.map(({ name, number }) => name || `c${number}`).join(' and ');
  return agents.size === 1 && agent ? `${agent}: ${names}` : names;
}

/** Traces to choose from, the newest first, grouped as the rail does. */
export function tracePicks(
  traces: readonly TraceSummary[],
  chosen: TraceSummary | undefined,
  take: (connection: ConnectionId) => void,
) {
  const now = new Date();
  const group = ({ state, group, mode }: TraceSummary) =>
    state === 'running' ? 'Live' : (group?.title ?? (mode === 'file' ? 'Files' : 'Ended'));
  const picks = traces.toReversed().map((trace) => ({
    connection: trace.connection,
    label: `c${trace.number} ${trace.name}`,
    note: sideWords(trace, now),
    also: [trace.file, trace.note, ...(trace.tags ?? [])].join(' '),
    group: group(trace),
    checked: trace === chosen,
    run: () => take(trace.connection),
  }));
  return [...grouped(picks, (pick) => pick.group).values()].flat();
}

/** Of a latency bar, in px: as in the timeline. */
export function barWidth(ms: number): number {
  return Math.min(54, (54 * Math.log(1 + ms)) / Math.log(60_001));
}
