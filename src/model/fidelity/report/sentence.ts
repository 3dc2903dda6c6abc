// What a client that trusts the replay would get wrong, in one sentence, and what items and settings are
// called there.
import { count } from '../../../lib/format.ts';
import { KIND_WORDS } from '../../sessions/compare-terms.ts';
import type {
  ItemDifference,
  FidelityKind,
  FidelityVerdict,
  WhyUndecidable,
  RowSide,
} from './report.ts';
import type { FieldValue, NormalFact, NormalItem } from '../../replay/normal-form.ts';
import { itemText } from '../../replay/pair-items.ts';
import { excerpt, sharedPart, textChange, type ChangePiece } from '../../text-change.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { oneLine, quoted } from '../../words.ts';
import { lowered } from '../../../lib/sentence.ts';

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
  /** `replay_complete` came; some history came. */
  readonly isMarked: boolean;
  readonly came: boolean;
  /** What the replay speaks. */
  readonly version: 1 | 2;
}

/** Why a whole replay cannot be judged, and what would decide it. */
export const UNDECIDABLE_WORDS = {
  'nothing known':
    'no live part of this session is in these traces. A trace in which it was prompted would decide it.',
  'other children':
    'child sessions were live, and only one of the two clients takes child sessions. A restore by a client that takes child sessions as the client of the live session did would decide it.',
  'frames missing': 'frames are missing before the answer. A further restore would decide it.',
} as const satisfies Readonly<Record<WhyUndecidable, string>>;

export const NONE_ASKED = 'No history was asked for, and none came.';

export function sentenceOf(told: SentenceFacts): string {
  const main = mainSentence(told);
  const words = told.isFork ? ofFork(told, main) : main;
  return [words, ...unsaid(told), ...renamed(told), ...apart(told)].join(' ');
}

/** Sentences on what no row of the comparison shows: what the traces leave open, and what the version cannot express. */
export function notesOf(told: SentenceFacts): string {
  const isOpen = told.verdict === 'undecidable' && told.refused === undefined;
  const open = isOpen ? [undecided(told)] : [];
  return [...open, ...unsaid(told), ...renamed(told), ...apart(told)].join(' ');
}

/** What came of it is compared for whoever wants to know. */
function ofFork({ verdict, nothingDue }: SentenceFacts, main: string): string {
  if (nothingDue && verdict === 'equal')
    return 'A fork need not replay, and this fork replayed no history.';
  return `A fork need not replay. Compared with its source: ${lowered(main)}`;
}

function mainSentence(told: SentenceFacts): string {
  const { refused, isMarked, came } = told;
  if (refused === undefined) return comparedSentence(told);
  if (isMarked)
    return `The restore was refused after its history had come: ${refused}. ${comparedSentence(told)}`;
  const why = came ? 'before its history was complete' : 'so nothing was to be replayed';
  return `The restore was refused${came ? ' ' : ', '}${why}: ${refused}.`;
}

function comparedSentence(told: SentenceFacts): string {
  const { verdict, differences, nothingDue } = told;
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
      return `A client that trusts it ${wordList(clausesOf(differences))}.`;
  }
}

/** What was lost between two versions, which is nobody's fault. */
function unsaid({ differences, version }: SentenceFacts): string[] {
  const open = differences.filter(({ kind }) => kind === 'cannot say');
  const whole = counted(open.filter(({ field, live }) => field === undefined && live));
  const ids = counted(open.filter(({ field }) => field !== undefined));
  const things = [whole, ids === '' ? '' : `the id of ${ids}`].filter((words) => words !== '');
  return things.length === 0 ? [] : [`v${version} cannot say ${wordList(things)}.`];
}

/** What was not compared beside what was. */
function apart({ verdict, unjudged }: SentenceFacts): string[] {
  const isKnown = verdict === 'lossy' || verdict === 'corrupt';
  if (!isKnown || unjudged !== 'other children') return [];
  return [`Child sessions and their turns were not compared: ${UNDECIDABLE_WORDS[unjudged]}`];
}

/** Ids of messages that v1 lets change. */
function renamed({ differences }: SentenceFacts): string[] {
  const things = counted(
    differences.filter(({ kind, verdict }) => kind === 'lost id' && verdict === 'cosmetic'),
  );
  return things === '' ? [] : [`Without the ids they had live came ${things}; v1 leaves it open.`];
}

function undecided({ differences, unjudged, came }: SentenceFacts): string {
  if (unjudged === 'other children' && came)
    return `What can be judged is as it was live. The rest cannot be judged: ${UNDECIDABLE_WORDS[unjudged]}`;
  if (unjudged !== undefined) return `It cannot be judged: ${UNDECIDABLE_WORDS[unjudged]}`;
  const open = differences.filter((one) => one.verdict === 'undecidable');
  const of = (fits: (one: ItemDifference) => boolean) => counted(open.filter(fits));
  const isWhole = ({ field }: ItemDifference) => field === undefined;
  const extra = open.filter((one) => isWhole(one) && one.live === undefined);
  const extras = counted(extra);
  const [awaited = '', goesOn = ''] = [false, true].map((came) =>
    of((one) => isWhole(one) && one.live !== undefined && (one.replayed !== undefined) === came),
  );
  const part = of(({ field }) => field !== undefined);
  const clauses = [
    ...(extras === ''
      ? []
      : [`whether ${extras} ${extra.length === 1 ? 'was' : 'were'} said live before it`]),
    ...(awaited === '' ? [] : [`whether ${awaited} would have come`]),
    ...(goesOn === '' ? [] : [`whether ${goesOn} came late`]),
    ...(part === '' ? [] : [`the whole of ${part}`]),
  ];
  const so = came ? 'What can be judged is as it was live; the' : 'No history came, and the';
  return `${so} traces do not tell ${wordList(clauses)}: ${open[0]?.why ?? ''}.`;
}

const isLost = (one: ItemDifference) => one.verdict === 'lossy';
const isWrong = (one: ItemDifference) => one.verdict === 'corrupt';

/** Said by nobody, as far as the traces know. */
export function isStrange({ kind, verdict }: Pick<ItemDifference, 'kind' | 'verdict'>): boolean {
  return verdict === 'corrupt' && (kind === 'extra' || kind === 'synthetic');
}

function clausesOf(differences: readonly ItemDifference[]): string[] {
  const faults = differences.filter((one) => isLost(one) || isWrong(one));
  const clauses: string[] = [];
  const say = (words: string, fits: (one: ItemDifference) => boolean, tail = '') => {
    const things = counted(faults.filter(fits));
    if (things !== '') clauses.push(`${words} ${things}${tail}`);
  };
  const isStatus = (one: ItemDifference) => isWrong(one) && one.field === 'status';
  // What nobody said is counted as that alone, as in the figures, and not as late too.
  const strange = new Set(faults.filter(isStrange).map(thingOf));
  const isTwice = ({ kind }: ItemDifference) => kind === 'unasked' || kind === 'no baseline';
  const isOther = ({ kind }: ItemDifference) => kind === 'changed' || kind === 'moved';
  say('loses', (one) => isLost(one) && one.kind === 'missing');
  say('loses part of', (one) => isLost(one) && (one.kind === 'changed' || one.kind === 'orphan'));
  say(
    'mistakes',
    (one) => one.kind === 'late' && !strange.has(thingOf(one)),
    ' of the past for new',
  );
  say('loses the place of', (one) => isLost(one) && one.kind === 'moved');
  say(
    'loses the boundaries of',
    (one) => isLost(one) && (one.kind === 'merged' || one.kind === 'split'),
  );
  say('cannot tell by id', (one) => one.kind === 'lost id');
  say('shows', (one) => isWrong(one) && isTwice(one), ' twice');
  say('shows', isStrange, ' that nobody said');
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
  return wordList([...things].map(([kind, set]) => thingsOf(kind, set.size)));
}

/** What a difference is about, the same for each of its fields. */
export function thingOf({ of, item, live, replayed }: ItemDifference): string {
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
      wordList([...of].map(([before, n]) => count(n, `${before} tool call`))),
    ]),
  );
}

export function wordList(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `tool call call_1 “Read notes.txt”`, `agent message “The tool said…”`: an id alone says nothing to a person. */
export function itemName(item: NormalItem): string {
  const [one] = KIND_WORDS[item.kind];
  const { id, kind } = item;
  const isNamed = (kind === 'tool' || kind === 'terminal') && id !== undefined;
  const text = oneLine(itemText(item), 60);
  const name = isNamed ? `${one} ${oneLine(id, 60)}` : one;
  return text === '' ? name : `${name} “${text}”`;
}

/** What the item says, in one line. */
function itemWords(item: NormalItem): string {
  switch (item.kind) {
    case 'user':
    case 'agent':
    case 'thought':
    case 'peer': {
      const others = item.fields.has('attachments') ? ' · with attachments' : '';
      return `${quoted(itemText(item)) || 'no text'}${others}`;
    }
    case 'tool':
      return oneLine(itemText(item)) || itemName(item);
    case 'plan':
      return `plan · ${entries(item.fields.get('entries'))}`;
    case 'terminal':
      return `terminal · ${oneLine(itemText(item)) || (item.id ?? '')}`;
    default:
      return assertNever(item.kind);
  }
}

function saysTheSame(one: NormalItem, other: NormalItem): boolean {
  const text = itemText(one);
  const isBare = !one.fields.has('attachments') && !other.fields.has('attachments');
  return text !== '' && isBare && text === itemText(other) && one.kind === other.kind;
}

function entries(value: FieldValue | undefined): string {
  const list = value?.type === 'json' && Array.isArray(value.value) ? value.value : [];
  return `${list.length} ${list.length === 1 ? 'entry' : 'entries'}`;
}

/** `like`: the other side of its row. */
export function rowSide(
  item: NormalItem,
  pieces: number,
  like?: { readonly item: NormalItem; readonly side: RowSide },
): RowSide {
  const { first, last, frames } = item;
  const isLike = like !== undefined && saysTheSame(like.item, item);
  return {
    frame: first,
    last,
    frames,
    words: isLike ? like.side.words : itemWords(item),
    pieces: pieces > 1 ? pieces : undefined,
    tool:
      item.kind === 'tool'
        ? { kind: word(item, 'kind') ?? 'other', status: word(item, 'status') ?? 'pending' }
        : undefined,
  };
}

function word({ fields }: NormalItem, name: string): string | undefined {
  const value = fields.get(name);
  return value?.type === 'word' ? value.word : undefined;
}

/** `mode`, `config option effort`. */
export function factName({ kind, name }: NormalFact): string {
  return kind === name ? kind : `${KIND_WORDS[kind][0]} ${oneLine(name, 60)}`;
}

export function factSide({ frame, kind, words }: NormalFact): RowSide {
  const isNamed = kind === 'config' || kind === 'commands';
  return { frame, last: frame, frames: 1, words: oneLine(isNamed ? words : `${kind} ${words}`) };
}

// The two values of a field as a report shows them: what differs, with some of what stands beside it;
// or each from its beginning, where they have little in common.

const SHOWN = 160;
/** Texts that share less are shown one beside the other. */
const ALIKE = 0.3;

export function shownValue(value: FieldValue | undefined): string | undefined {
  return value && oneLine(valueText(value), SHOWN);
}

/** Undefined: they have little in common, or one is absent. */
export function shownChange(
  before: FieldValue | undefined,
  after: FieldValue | undefined,
): Required<Pick<ItemDifference, 'before' | 'after' | 'change'>> | undefined {
  if (!before || !after || before.type === 'word' || after.type === 'word') return undefined;
  const whole = textChange(valueText(before), valueText(after));
  if (sharedPart(whole) < ALIKE) return undefined;
  const change = excerpt(whole);
  const without = (how: ChangePiece['how']) =>
    oneLine(change.map((piece) => (piece.how === how ? '' : piece.text)).join(''), SHOWN);
  return { before: without('new'), after: without('gone'), change };
}

/** All of both values; JSON with a line each. */
export function wholeChange({ values }: Pick<ItemDifference, 'values'>): ChangePiece[] {
  const [before, after] = (values ?? []).map((value) => (value ? valueText(value, 2) : ''));
  return textChange(before ?? '', after ?? '');
}

function valueText(value: FieldValue, indent?: number): string {
  switch (value.type) {
    case 'text':
      return value.text;
    case 'word':
      return value.word;
    case 'json':
      return typeof value.value === 'string'
        ? value.value
        : JSON.stringify(value.value, null, indent);
  }
}
