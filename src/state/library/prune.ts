// Which traces a rule takes away, and which it would if they were not needed.
import type { TraceSummary } from '../../engine/messages.ts';
import { knownDate } from '../../lib/format-time.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { hasTag } from './tags.ts';

const DAY_MS = 86_400_000;
const MB = 1_000_000;

/** What goes fits all that is given; `keepTag` stays whatever it fits. */
export interface PruneRule {
  /** Begun longer ago. A trace that does not say when is never old. */
  readonly days?: number;
  readonly megabytes?: number;
  /** So many of those that came here last stay. */
  readonly newest?: number;
  readonly keepTag?: string;
}

/** As typed; an empty one is not asked. */
export interface PruneForm {
  readonly days: string;
  readonly megabytes: string;
  readonly newest: string;
  readonly keepTag: string;
}
type PruneNumber = Exclude<keyof PruneForm, 'keepTag'>;

export const PRUNE_FORM: PruneForm = { days: '30', megabytes: '', newest: '', keepTag: 'keep' };

const WHAT: Readonly<Record<PruneNumber, string>> = {
  days: 'a number of days, like 30',
  megabytes: 'a number of megabytes, like 100',
  newest: 'how many stay, as a whole number, like 20',
};

/** What is wrong with a number, as a sentence. */
export function pruneProblem(form: PruneForm, field: PruneNumber): string | undefined {
  const text = form[field].trim();
  const isNumber = field === 'newest' ? /^\d+$/ : /^\d+(\.\d+)?$/;
  return text === '' || isNumber.test(text) ? undefined : `Write ${WHAT[field]}, or nothing.`;
}

/** Undefined: something is wrong with it, or it asks for nothing. */
export function ruleOf(form: PruneForm): PruneRule | undefined {
  const fields = ['days', 'megabytes', 'newest'] as const;
  if (fields.some((field) => pruneProblem(form, field) !== undefined)) return undefined;
  const given = fields.filter((field) => form[field].trim() !== '');
  if (given.length === 0) return undefined;
  const keepTag = form.keepTag.trim();
  return {
    ...Object.fromEntries(given.map((field) => [field, Number(form[field])])),
    ...(keepTag !== '' && { keepTag }),
  };
}

interface Around {
  /** Epoch ms. */
  readonly now: number;
  /** The trace that this tab shows. */
  readonly here: ConnectionId | undefined;
  readonly elsewhere: readonly ConnectionId[];
}

export interface Pruned {
  readonly goes: readonly TraceSummary[];
  /** They fit the rule, and why they stay: `being recorded`. */
  readonly stays: readonly { readonly trace: TraceSummary; readonly why: string }[];
}

export function pruned(traces: readonly TraceSummary[], rule: PruneRule, around: Around): Pruned {
  const newest = new Set(traces.toSorted((a, b) => b.number - a.number).slice(0, rule.newest ?? 0));
  const goes: TraceSummary[] = [];
  const stays: { readonly trace: TraceSummary; readonly why: string }[] = [];
  for (const trace of traces) {
    if (newest.has(trace) || !isOld(trace, rule, around.now) || !isLarge(trace, rule)) continue;
    const why = whyStays(trace, rule, around);
    if (why === undefined) goes.push(trace);
    else stays.push({ trace, why });
  }
  return { goes, stays };
}

function isOld({ startedAt }: TraceSummary, { days }: PruneRule, now: number): boolean {
  if (days === undefined) return true;
  const began = knownDate(startedAt);
  return began !== undefined && began.getTime() < now - days * DAY_MS;
}

function isLarge({ stored }: TraceSummary, { megabytes }: PruneRule): boolean {
  return megabytes === undefined || stored > megabytes * MB;
}

function whyStays(
  { connection, state, tags = [] }: TraceSummary,
  { keepTag }: PruneRule,
  { here, elsewhere }: Around,
): string | undefined {
  if (state === 'running') return 'being recorded';
  if (keepTag !== undefined && hasTag(tags, keepTag)) return `tagged ${keepTag}`;
  if (connection === here) return 'open here';
  return elsewhere.includes(connection) ? 'open in another tab' : undefined;
}
