// What a client that trusts the replay would get wrong, in one sentence.
import { count } from '../../../lib/format.ts';
import { KIND_WORDS } from '../../../model/sessions/compare-terms.ts';
import type { ItemDifference, FidelityKind, FidelityVerdict, WhyUndecidable } from './report.ts';

interface SentenceFacts {
  readonly verdict: FidelityVerdict;
  readonly differences: readonly ItemDifference[];
  /** Nothing was asked for, and nothing came. */
  readonly nothingDue: boolean;
  readonly unjudged: WhyUndecidable | undefined;
  /** Of a fork that was not refused. */
  readonly isFork: boolean;
  /** The restore was refused, and with which words. */
  readonly refused: string | undefined;
  /** What the replay speaks. */
  readonly version: 1 | 2;
}

/** Why a whole replay cannot be judged, and what would decide it. */
export const UNDECIDABLE_WORDS = {
  'nothing known':
    'no live part of this session is in these traces. A trace in which it was prompted would decide it.',
  'other children':
    'the session was lived with child sessions and restored without, or the other way round, so that one side tells as a tool call what the other tells as a session. A restore by a client that takes them as before would decide it.',
} as const satisfies Readonly<Record<WhyUndecidable, string>>;

export const NONE_ASKED = 'No history was asked for, and none came.';

export function sentenceOf(told: SentenceFacts): string {
  const main = mainSentence(told);
  const words = told.isFork ? ofFork(told, main) : main;
  return [words, ...unsaid(told), ...renamed(told)].join(' ');
}

/** What came of it is compared for whoever wants to know. */
function ofFork({ verdict, nothingDue }: SentenceFacts, main: string): string {
  if (nothingDue && verdict === 'equal')
    return 'Nothing is due from a fork, and no history came of it.';
  return `Nothing is due from a fork. Checked against its source: ${main.charAt(0).toLowerCase()}${main.slice(1)}`;
}

function mainSentence(told: SentenceFacts): string {
  const { verdict, differences, nothingDue, refused } = told;
  if (refused !== undefined)
    return `The restore was refused, so nothing was to be replayed: ${refused}.`;
  switch (verdict) {
    case 'equal':
      return nothingDue ? NONE_ASKED : 'A client that trusts it knows what was said live.';
    case 'cosmetic':
      if (differences.some(({ kind }) => kind === 'unasked'))
        return 'History came that was not asked for, under the ids it has: a client that trusts it gets nothing wrong.';
      return differences.every(({ kind }) => kind === 'cannot say')
        ? 'A client that trusts it knows what was said live, as far as its version can say it.'
        : 'A client that trusts it gets nothing wrong: only how it was said differs.';
    case 'undecidable':
      return undecided(told);
    case 'lossy':
    case 'corrupt':
      return `A client that trusts it ${listed(clausesOf(differences))}.`;
  }
}

/** What was lost between two versions, which is nobody's fault. */
function unsaid({ differences, version }: SentenceFacts): string[] {
  const open = differences.filter(({ kind }) => kind === 'cannot say');
  const whole = counted(open.filter(({ field, live }) => field === undefined && live));
  const ids = counted(open.filter(({ field }) => field !== undefined));
  const things = [whole, ids === '' ? '' : `the id of ${ids}`].filter((words) => words !== '');
  return things.length === 0 ? [] : [`v${version} cannot say ${listed(things)}.`];
}

/** Ids of messages that v1 lets change. */
function renamed({ differences }: SentenceFacts): string[] {
  const things = counted(
    differences.filter(({ kind, verdict }) => kind === 'lost id' && verdict === 'cosmetic'),
  );
  return things === '' ? [] : [`Without the ids they had live came ${things}; v1 leaves it open.`];
}

function undecided({ differences, unjudged }: SentenceFacts): string {
  if (unjudged !== undefined) return `It cannot be judged: ${UNDECIDABLE_WORDS[unjudged]}`;
  const open = differences.filter((one) => one.verdict === 'undecidable');
  const of = (fits: (one: ItemDifference) => boolean) => counted(open.filter(fits));
  const isWhole = ({ field }: ItemDifference) => field === undefined;
  const extra = open.filter((one) => isWhole(one) && one.live === undefined);
  const extras = counted(extra);
  const awaited = of((one) => isWhole(one) && one.live !== undefined);
  const part = of(({ field }) => field !== undefined);
  const clauses = [
    ...(extras === ''
      ? []
      : [`whether ${extras} ${extra.length === 1 ? 'was' : 'were'} said live before it`]),
    ...(awaited === '' ? [] : [`whether ${awaited} would have come`]),
    ...(part === '' ? [] : [`the whole of ${part}`]),
  ];
  return `What can be judged is as it was live; the traces do not tell ${listed(clauses)}: ${open[0]?.why ?? ''}.`;
}

const isLost = (one: ItemDifference) => one.verdict === 'lossy';
const isWrong = (one: ItemDifference) => one.verdict === 'corrupt';

function clausesOf(differences: readonly ItemDifference[]): string[] {
  const faults = differences.filter((one) => isLost(one) || isWrong(one));
  const clauses: string[] = [];
  const say = (words: string, fits: (one: ItemDifference) => boolean, tail = '') => {
    const things = counted(faults.filter(fits));
    if (things !== '') clauses.push(`${words} ${things}${tail}`);
  };
  const isStatus = (one: ItemDifference) => isWrong(one) && one.field === 'status';
  // What came late is counted as that alone, as in the figures.
  const late = new Set(faults.filter(({ kind }) => kind === 'late').map(thingOf));
  const isStrange = (one: ItemDifference) =>
    (one.kind === 'extra' || one.kind === 'synthetic') && !late.has(thingOf(one));
  const isTwice = ({ kind }: ItemDifference) => kind === 'unasked' || kind === 'no baseline';
  const isOther = ({ kind }: ItemDifference) => kind === 'changed' || kind === 'moved';
  say('loses', (one) => isLost(one) && one.kind === 'missing');
  say('loses part of', (one) => isLost(one) && (one.kind === 'changed' || one.kind === 'orphan'));
  say('mistakes', (one) => one.kind === 'late', ' of the past for new');
  say(
    'loses the place of',
    (one) => isLost(one) && ['moved', 'merged', 'split'].includes(one.kind),
  );
  say('cannot tell by id', (one) => one.kind === 'lost id');
  say('shows', (one) => isWrong(one) && isTwice(one), ' twice');
  say('shows', (one) => isWrong(one) && isStrange(one), ' that nobody said');
  for (const [words, things] of byStatus(faults.filter(isStatus)))
    clauses.push(`takes ${things} for ${words}`);
  say('believes what was not so of', (one) => isWrong(one) && !isStatus(one) && isOther(one));
  return clauses;
}

/** `2 tool calls and 1 agent message`: things, each once. */
function counted(differences: readonly ItemDifference[]): string {
  const things = new Map<FidelityKind, Set<string>>();
  for (const one of differences) {
    const known = things.get(one.of) ?? new Set();
    things.set(one.of, known.add(thingOf(one)));
  }
  return listed([...things].map(([kind, set]) => thingsOf(kind, set.size)));
}

function thingOf({ of, item, live, replayed }: ItemDifference): string {
  const frame = live ?? replayed;
  return `${of} ${frame?.connection} ${frame?.seq} ${item}`;
}

function thingsOf(kind: FidelityKind, size: number): string {
  const [one, many] = KIND_WORDS[kind];
  const isOne = kind === 'mode' || kind === 'commands' || kind === 'title' || kind === 'state';
  return isOne ? `the ${one}` : count(size, one, many);
}

/** `completed` → `1 failed tool call`. */
function byStatus(differences: readonly ItemDifference[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { before = '', after = '' } of differences) {
    const of = counts.get(after) ?? new Map<string, number>();
    counts.set(after, of.set(before, (of.get(before) ?? 0) + 1));
  }
  return new Map(
    [...counts].map(([after, of]) => [
      after,
      listed([...of].map(([before, n]) => count(n, `${before} tool call`))),
    ]),
  );
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
