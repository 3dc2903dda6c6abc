// Where a restore did what was due in its order and its answer, and yet not all came back as it was
// said live: what that is worth by the protocol. v1: "The Agent MUST replay the entire conversation
// to the Client". v2 says "all retained conversation history", and an agent need not retain all.
import type { LedgerRow } from './ledger.ts';
import { COMPARED_KINDS } from '../sessions/compare-terms.ts';
import { REPLAY_SEVERITY, type ReplayFault, type ReplayRule } from '../replay/faults.ts';
import type { ItemDifference, FidelityWindow, FidelityKind, KindScore } from './report/report.ts';
import { count } from '../../lib/format.ts';
import type { Shortfall } from '../restore/restore-verdict.ts';
import { thingOf } from './report/sentence.ts';

/** As due, before it was compared. */
type Judged = Pick<
  FidelityWindow,
  'due' | 'restored' | 'variant' | 'verdict' | 'differences' | 'faults' | 'unjudged' | 'children'
>;

/** What conversations are made of; modes and the like are settings. */
export const CONVERSATION: ReadonlySet<string> = new Set([
  ...['user', 'agent', 'thought', 'peer', 'tool', 'plan', 'terminal'],
]);

/** Undefined: nothing is short, or the restore was not as due to begin with. */
export function shortfallOf(judged: Judged): Shortfall | undefined {
  const { due, restored, variant, verdict, differences, faults } = judged;
  // A restore that had to be rejected has nothing to compare.
  const isCompared = restored !== 'rejected-as-due';
  if (due === true && isCompared && verdict === 'undecidable')
    return contradiction(faults) ?? openShortfall(judged);
  if (due !== true || (verdict !== 'lossy' && verdict !== 'corrupt')) return undefined;
  const short = differences.filter((one) => one.verdict === 'lossy' || one.verdict === 'corrupt');
  const words = saidOf(short);
  const found = faults.flatMap((one) => (one.verdict === 'fail' ? severityOf(one) : []));
  const weight = WEIGHTS.find((one) => found.includes(one)) ?? 'hint';
  const isWhole = weight !== 'hint' && variant === 'v1 load';
  return { weight, words: isWhole ? `${words}; v1 makes the entire conversation due` : words };
}

/** Rules that a replay can violate by what it replays alone, or by an earlier replay. */
const WITHOUT_LIVE: ReadonlySet<ReplayRule> = new Set([
  ...(['replay/unfaithful', 'replay/missing-history', 'replay/user-turns-missing'] as const),
]);

/** The worst that the replay violates although no comparison with the live session decides. */
function contradiction(faults: readonly ReplayFault[]): Shortfall | undefined {
  const found = faults.filter(({ rule, verdict }) => verdict === 'fail' && WITHOUT_LIVE.has(rule));
  for (const weight of ['error', 'warning'] as const) {
    const fault = found.find((one) => severityOf(one) === weight);
    if (fault) return { weight, words: fault.seen };
  }
  return undefined;
}

/** Undefined: no trace holds the live session, so nothing contradicts what was replayed. */
function openShortfall({ unjudged, differences, children }: Judged): Shortfall | undefined {
  if (unjudged === 'nothing known') return undefined;
  const open = things(differences.filter((one) => one.verdict === 'undecidable'));
  const below = children.filter((one) => one.verdict === 'undecidable').length;
  const said = [open > 0 && count(open, 'item'), below > 0 && count(below, 'child session')].filter(
    Boolean,
  );
  const words = `${said.join(' and ') || 'part of the history'} cannot be judged`;
  return { weight: 'open', words };
}

/** The worst first. */
const WEIGHTS: readonly Shortfall['weight'][] = ['error', 'warning', 'hint'];

function severityOf({ rule, severity }: ReplayFault): Shortfall['weight'] {
  return severity ?? REPLAY_SEVERITY[rule];
}

function saidOf(short: readonly ItemDifference[]): string {
  const of = (fits: (one: ItemDifference) => boolean) => things(short.filter(fits));
  const isOther = ({ kind, live }: ItemDifference) =>
    kind !== 'missing' && kind !== 'lost id' && live !== undefined;
  const lost = of(({ kind }) => kind === 'missing');
  const renamed = of(({ kind }) => kind === 'lost id');
  const other = of(isOther);
  const strange = of(({ live }) => live === undefined);
  return [
    lost > 0 && `${count(lost, 'item')} did not come back`,
    other > 0 && `${count(other, 'item')} came back otherwise`,
    renamed > 0 && `${count(renamed, 'item')} came back under other ids`,
    strange > 0 && `${count(strange, 'item')} came that nobody said`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Each once, however many of its fields differ. */
function things(differences: readonly ItemDifference[]): number {
  return new Set(differences.map(thingOf)).size;
}

// How much of each kind came back, in figures.

const NONE: KindScore = {
  live: 0,
  replayed: 0,
  equal: 0,
  cosmetic: 0,
  lossy: 0,
  corrupt: 0,
  undecidable: 0,
  score: undefined,
};

/** Kinds that neither side has are left out; the others stand in the order of a report. */
export function scoresOf(rows: readonly LedgerRow[]): Partial<Record<FidelityKind, KindScore>> {
  const scores = new Map<FidelityKind, KindScore>();
  for (const { of, verdict, lives, replays, isOpen } of rows) {
    if (isOpen) continue;
    const before = scores.get(of) ?? NONE;
    scores.set(of, {
      ...before,
      live: before.live + lives,
      replayed: before.replayed + replays,
      [verdict]: before[verdict] + Math.max(lives, replays),
    });
  }
  return Object.fromEntries(
    COMPARED_KINDS.flatMap((kind) => {
      const score = scores.get(kind);
      return score ? [[kind, { ...score, score: shareOf(score) }]] : [];
    }),
  );
}

/** What cannot be decided counts neither way. */
function shareOf({ equal, cosmetic, lossy, corrupt }: KindScore): number | undefined {
  const good = equal + cosmetic;
  const all = good + lossy + corrupt;
  return all === 0 ? undefined : Math.round((good / all) * 1000) / 1000;
}
