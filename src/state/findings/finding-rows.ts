// The list of findings as rows: by rule, worst first; then what was set aside, and what this trace
// cannot decide, by the recording that would.
import { grouped } from '../../lib/grouped.ts';
import { wordsFit } from '../../lib/nearest.ts';
import type { FindingView } from '../../engine/findings/finding-messages.ts';
import type { AtFault } from '../../rules/finding.ts';

type Severity = FindingView['severity'];

export interface FindingFilters {
  /** Words that must all stand somewhere in a finding. */
  readonly text: string;
  readonly without: ReadonlySet<Severity>;
  readonly side: AtFault | 'all';
  readonly verdict: 'all' | 'failed' | 'suppressed' | 'undecidable';
  readonly session: string | 'all';
}

export const NO_FILTERS: FindingFilters = {
  text: '',
  without: new Set(),
  side: 'all',
  verdict: 'all',
  session: 'all',
};

interface Row {
  readonly key: string;
  readonly level: number;
}
interface FindingRow extends Row {
  readonly type: 'finding';
  readonly finding: FindingView;
}
/** Several findings of one rule. */
interface RuleRow extends Row {
  readonly type: 'rule';
  readonly open: boolean;
  readonly lead: FindingView;
  readonly sides: readonly AtFault[];
  readonly findings: number;
  readonly frames: number;
}
/** What does not count: set aside, or not decided. */
interface AsideRow extends Row {
  readonly type: 'suppressed' | 'undecidable';
  readonly open: boolean;
  readonly findings: number;
}
/** Undecided findings that the same recording would decide. */
interface NeedsRow extends Row {
  readonly type: 'needs';
  readonly open: boolean;
  readonly due: string;
  readonly findings: number;
}
export type ListRow = FindingRow | RuleRow | AsideRow | NeedsRow;

const FAILED = 'failed';
/** More findings of a rule than this begin closed, and so do those that are hints at most. */
const MOST_OPEN = 8;

/** `toggled`: rows a person opened (true) or closed (false), by key. */
export function findingRows(
  findings: readonly FindingView[],
  filters: FindingFilters,
  toggled: ReadonlyMap<string, boolean>,
): readonly ListRow[] {
  const shown = findings.filter((finding) => findingFits(finding, filters));
  const failed = shown.filter(({ verdict, suppressed }) => verdict === 'fail' && !suppressed);
  const suppressed = shown.filter((finding) => finding.suppressed !== undefined);
  const undecided = shown.filter(({ verdict }) => verdict === 'undecidable');
  const isSought = filters.text.trim() !== '';
  const isOpen = (key: string, begins: boolean) => toggled.get(key) ?? (begins || isSought);

  const rows: ListRow[] = [];
  const byRule = (list: readonly FindingView[], level: number, section: string): void => {
    for (const [rule, group] of grouped(list, (finding) => finding.rule)) {
      const [lead] = group;
      if (!lead) continue;
      if (group.length === 1) {
        rows.push(findingRow(lead, level));
        continue;
      }
      const key = `${section} ${rule}`;
      const isWeighty = lead.verdict === 'fail' && lead.severity !== 'hint';
      const open = isOpen(key, group.length <= MOST_OPEN && isWeighty);
      const sides = [...new Set(group.map(({ side }) => side))];
      const frames = group.reduce((sum, one) => sum + one.frames, 0);
      rows.push({ type: 'rule', key, level, open, lead, sides, findings: group.length, frames });
      if (open) for (const finding of group) rows.push(findingRow(finding, level + 1));
    }
  };

  byRule(failed, 1, FAILED);
  if (suppressed.length > 0) {
    const open = isOpen('suppressed', filters.verdict === 'suppressed');
    rows.push({
      type: 'suppressed',
      key: 'suppressed',
      level: 1,
      open,
      findings: suppressed.length,
    });
    if (open) byRule(suppressed, 2, 'suppressed');
  }
  if (undecided.length > 0) {
    const open = isOpen('undecidable', filters.verdict === 'undecidable');
    rows.push({
      type: 'undecidable',
      key: 'undecidable',
      level: 1,
      open,
      findings: undecided.length,
    });
    if (open)
      for (const [due, group] of grouped(undecided, (finding) => finding.due)) {
        const key = `needs ${due}`;
        const isNeedOpen = isOpen(key, false);
        rows.push({ type: 'needs', key, level: 2, open: isNeedOpen, due, findings: group.length });
        if (isNeedOpen) byRule(group, 3, key);
      }
  }
  return rows;
}

/** By row: which of the rows beside it it is, from 1 on, and how many they are. */
export interface TreePlaces {
  readonly at: Uint32Array;
  readonly of: Uint32Array;
}

export function findingPlaces(rows: readonly ListRow[]): TreePlaces {
  const at = new Uint32Array(rows.length);
  const of = new Uint32Array(rows.length);
  /** Rows beside one another that are being counted, by level. */
  const beside: number[][] = [];
  const close = (level: number): void => {
    for (const family of beside.splice(level)) for (const i of family) of[i] = family.length;
  };
  rows.forEach(({ level }, i) => {
    close(level);
    const family = (beside[level - 1] ??= []);
    at[i] = family.push(i);
  });
  close(0);
  return { at, of };
}

/** The rows that must be open for a finding to be seen. */
export function rowsAround({ verdict, suppressed, due, rule }: FindingView): readonly string[] {
  if (verdict === 'undecidable') return ['undecidable', `needs ${due}`, `needs ${due} ${rule}`];
  return suppressed ? ['suppressed', `suppressed ${rule}`] : [`${FAILED} ${rule}`];
}

/** Whether the filter lets a finding through. */
export function findingFits(finding: FindingView, filters: FindingFilters): boolean {
  const { rule, verdict, severity, side, session, method, seen, due, suppressed } = finding;
  if (filters.side !== 'all' && filters.side !== side) return false;
  if (filters.session !== 'all' && filters.session !== (session ?? '')) return false;
  if (filters.without.has(severity)) return false;
  const is = verdict === 'undecidable' ? verdict : suppressed ? 'suppressed' : 'failed';
  if (filters.verdict !== 'all' && filters.verdict !== is) return false;
  return wordsFit(filters.text, [rule, method, session, seen, due, suppressed?.reason]);
}

export function sessionsIn(findings: readonly FindingView[]): readonly string[] {
  return [...new Set(findings.flatMap(({ session }) => session ?? []))];
}

function findingRow(finding: FindingView, level: number): FindingRow {
  return { type: 'finding', key: finding.key, level, finding };
}
