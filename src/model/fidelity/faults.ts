// What a replay violates of the clauses on history, each fault once, with its frames. The rules of
// `rules/restore` and the verdict of a restore read these faults; nothing else compares a replay.
import { isFinal } from '../../acp/update.ts';
import type { Seq } from '../../trace/event.ts';
import { updateText } from '../facts/content-parts.ts';
import { bare } from '../facts/message-text.ts';
import { isHistory, isMessageKind } from '../facts/variants.ts';
import type { Item } from '../fold/state.ts';
import { itemText } from '../replay/pair-items.ts';
import { syntheticText } from '../replay/texts.ts';
import {
  FaultBook,
  IN_GAP,
  isChildOf,
  type ComparedSession,
  type Difference,
  type SessionFaults,
} from './fault-book.ts';
import { itemPhrase, quotedShort } from './fault-words.ts';
import { itemFrames, spokeAt } from './item-frames.ts';
import { lateFaults } from './late-faults.ts';
import { FRAMES_MISSING } from './live-fold.ts';
import type { Numbered } from './normalize.ts';
import type { Numbering } from './numbering.ts';
import { APART } from './turns-apart.ts';
import { untrueFaults } from './untrue-faults.ts';

export function replayFaults(of: ComparedSession): SessionFaults {
  const book = new FaultBook(of.session);
  const { method, outcome } = of.window;
  if (method === 'session/fork' || outcome !== 'answered') return book;
  const { wish } = of.window;
  if (wish === 'whole' || wish === 'retained') {
    missing(of, book);
    if (!isChildOf(of)) {
      empty(of, book);
      userTurns(of, book);
    }
    order(of, book);
  }
  messageIds(of, book);
  if (wish !== 'none') {
    baselines(of, book);
    untrueFaults(of, book);
  }
  lateFaults(of, book);
  return book;
}

/** The request and its response. */
function ends({ window, isLost }: ComparedSession): Seq[] {
  const seqs = [window.seq, window.answerSeq] as Seq[];
  return isLost ? seqs.slice(1) : seqs;
}

// Items of history that did not come, or not whole.

interface MissingItem {
  readonly item: Numbered;
  /** Where some of the item came, and which of its fields are not whole. */
  readonly cut: { readonly seq: Seq; readonly fields: readonly string[] } | undefined;
  /** True if the item may have been a remark of the moment: it has no id, and others of its turn came. */
  readonly isRemark: boolean;
  /** True for a prompt, an ended tool call or a final answer of a turn that ended well. */
  readonly grave: boolean;
}

const MAX_NAMED = 3;

function missing(of: ComparedSession, book: FaultBook): void {
  const { window, replayed, live, earlier } = of;
  const rule = window.version === 1 ? 'replay/missing-history' : 'replay/missing-history-v2';
  // Nothing at all of a child: the agent did not keep the child's history.
  if (isChildOf(of) && !replayed.some(({ kind }) => isHistory(kind))) return;
  if (live.length + (earlier?.items.length ?? 0) === 0) return;
  book.judged.add(rule);
  const all = [...missingLive(of), ...missingEarlier(of)];
  const open = of.differences.filter(
    ({ kind, mine, theirs, field }) => kind === 'unknown' && mine && !theirs && !field,
  );
  if (all.length === 0 && open.length === 0) return;
  const sure = all.filter(({ isRemark }) => !isRemark);
  const chosen = sure.length > 0 ? sure : all;
  const cuts = chosen.flatMap(({ cut }) => cut?.seq ?? []);
  const seqs = [...new Set([...ends(of), ...cuts])].sort((a, b) => a - b);
  const at = { seqs, method: window.method };
  if (of.isLost) return book.add(rule, { ...IN_GAP, ...at });
  if (sure.length > 0) {
    const sorted = sure.toSorted((a, b) => Number(b.grave) - Number(a.grave));
    const words = missingWords(of, sorted);
    const missing = sorted.slice(0, MAX_NAMED).map(({ item }) => item.first);
    const isGrave = sure.some(({ grave }) => grave);
    const light = window.version === 1 && !isGrave ? ({ severity: 'warning' } as const) : {};
    const ofChild = isChildOf(of) ? OF_A_CHILD : {};
    return book.add(rule, { verdict: 'fail', seen: words, missing, ...light, ...ofChild, ...at });
  }
  const [first] = open;
  const seen =
    all.length > 0
      ? `${missingWords(of, all)}: without ids, nobody can tell a remark of the moment from what the agent should keep`
      : `${first ? first.item : 'an item'} did not come: ${first?.why ?? FRAMES_MISSING}`;
  const due =
    all.length > 0
      ? 'a recording of an agent that names its messages'
      : first?.why === APART.why
        ? APART.due
        : 'recordings with times, or of the whole session';
  book.add(rule, { verdict: 'undecidable', seen, due, ...at });
}

/** The history of a child session is best effort. */
const OF_A_CHILD = {
  severity: 'hint',
  due: 'a replay holds what the agent kept of a child session; it need not keep all',
} as const;

/** What the replay lacks of the live session. */
function missingLive(of: ComparedSession): MissingItem[] {
  const { live, turns, part, isLost } = of;
  const isCompacted = () =>
    part !== undefined && part.state.items.slice(0, part.state.items.length).some(isCompaction);
  const answers = finalAnswers(live);
  const isSure = (item: Numbered, came: Numbered) =>
    turns.endedWell(item) && isTorn(item, came, of.numbering);
  // A fork need not have all that its source has.
  const inherited = part?.inherited ?? 0;
  const isGrave = (item: Numbered) =>
    item.from > inherited && turns.endedWell(item) && isKept(item, answers) && !isCompacted();
  const isLoss = ({ verdict, why }: Difference) =>
    verdict === 'lossy' || (isLost && why === FRAMES_MISSING);
  return missingIn(of, of.numbering, isLoss, isGrave, isSure);
}

/** What the first replay had, and this one lacks. Which of the two is right is not known. */
function missingEarlier({ earlier, numbering }: ComparedSession): MissingItem[] {
  if (!earlier) return [];
  const isLoss = ({ verdict, mine, theirs }: Difference) => {
    if (verdict !== 'lossy' || !mine) return false;
    if (theirs) return mine.id !== undefined && mine.id === theirs.id;
    return mine.id !== undefined || syntheticText(mine.kind, itemText(mine)) === undefined;
  };
  return missingIn(
    { ...earlier, live: earlier.items },
    numbering,
    isLoss,
    () => false,
    () => false,
  );
}

/** Items that did not come, or not whole, in the order in which they were said. */
function missingIn(
  { live, pairings, differences }: Pick<ComparedSession, 'live' | 'pairings' | 'differences'>,
  numbering: Numbering,
  isLoss: (one: Difference) => boolean,
  isGrave: (item: Numbered) => boolean,
  isSure: (item: Numbered, came: Numbered) => boolean,
): MissingItem[] {
  const cuts = new Map<Numbered, { seq: Seq; fields: string[]; sure: boolean }>();
  const gone = new Set<Numbered>();
  for (const one of differences) {
    const { kind, field, mine, theirs } = one;
    if (mine === undefined || !isLoss(one)) continue;
    if (!theirs && !saysNothing(mine)) gone.add(mine);
    if (!theirs || !field || kind === 'lost id') continue;
    const known = cuts.get(mine) ?? {
      ...{ seq: spokeAt(theirs, numbering), fields: [] },
      sure: isSure(mine, theirs),
    };
    known.fields.push(field);
    cuts.set(mine, known);
  }
  const told = new Set(
    pairings.flatMap(({ a, b }) =>
      b.length === 0 ? [] : a.flatMap((at) => (live[at] ? turnKey(live[at]) : [])),
    ),
  );
  const named = new Set<string>();
  return [...new Set([...gone, ...cuts.keys()])]
    .sort((a, b) => a.from - b.from)
    .flatMap((item): MissingItem[] => {
      const key = turnKey(item);
      const cut = cuts.get(item);
      const isRemark = key !== '' && told.has(key) && cut?.sure !== true;
      // Without ids a turn counts as one item of each kind.
      if (key !== '' && !isRemark) {
        if (named.has(key)) return [];
        named.add(key);
      }
      return [{ item, cut, isRemark, grave: !cut && isGrave(item) }];
    });
}

/** Ways to cut a text at the ends of chunks that are followed. */
const MAX_WAYS = 64;

/** True if a chunk came in part: whole chunks may have been remarks of the moment. */
function isTorn(item: Numbered, came: Numbered, numbering: Numbering): boolean {
  const chunks = itemFrames(item, numbering).map(({ update }) => bare(updateText(update)));
  const text = bare(itemText(came));
  // Frames are known of the first message alone, if several messages were merged.
  if (chunks.join('') !== bare(itemText(item))) return false;
  const ends = new Set([0]);
  for (const chunk of chunks) {
    for (const end of [...ends]) if (text.startsWith(chunk, end)) ends.add(end + chunk.length);
    if (ends.size > MAX_WAYS) return false;
  }
  return !ends.has(text.length);
}

/** Without an id, a message is known by its kind and turn alone. */
function turnKey({ kind, id, turn }: Numbered): string {
  return id !== undefined || kind === 'user' ? '' : `${kind} ${turn}`;
}

function saysNothing(item: Numbered): boolean {
  if (item.kind === 'tool') return false;
  const isGreeting = item.turn === 0 && item.id === undefined && item.kind !== 'user';
  return isGreeting || bare(itemText(item)) === '';
}

function isCompaction({ body }: Item): boolean {
  return body.type === 'note' && body.compaction !== undefined;
}

/** True if every agent that keeps a session keeps this item. */
function isKept(item: Numbered, answers: ReadonlySet<Numbered>): boolean {
  const { kind, id, fields } = item;
  // Commands of the agent are seldom part of what it stores.
  if (kind === 'user') return !itemText(item).startsWith('/');
  const status = fields.get('status');
  if (kind === 'tool') return status?.type === 'word' && isFinal(status.word);
  return id !== undefined && answers.has(item);
}

/** The last agent message of each turn. */
function finalAnswers(live: readonly Numbered[]): ReadonlySet<Numbered> {
  const last = new Map<number, Numbered>();
  for (const item of live) if (item.kind === 'agent') last.set(item.turn, item);
  return new Set(last.values());
}

function missingWords(of: ComparedSession, missing: readonly MissingItem[]): string {
  const gone = missing.filter(({ cut }) => !cut);
  const words = [...new Set([...gone, ...missing])].slice(0, MAX_NAMED).map(({ item, cut }) => {
    const whole = itemPhrase(item, of);
    if (!cut) return whole;
    // A message is nothing but its text.
    const what = isMessageKind(item.kind) ? 'text' : cut.fields.join(', ');
    return `${whole} came in #${cut.seq} without all of its ${what}`;
  });
  const rest = missing.length - words.length;
  return `${gone[0] ? 'missing: ' : ''}${words.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function empty(of: ComparedSession, book: FaultBook): void {
  const { replayed, live, earlier, window, isLost } = of;
  const rule = 'replay/empty';
  if (replayed.some(({ kind }) => isHistory(kind))) return void book.judged.add(rule);
  const known = [...live, ...(earlier?.items ?? [])].find(({ kind }) => isHistory(kind));
  if (known === undefined) return;
  const at = { seqs: ends({ ...of, isLost: false }), method: window.method };
  if (isLost) return book.add(rule, { ...IN_GAP, ...at });
  const seen = `nothing came, where ${itemPhrase(known, of)} is known`;
  book.add(rule, { verdict: 'fail', seen, ...at });
}

function userTurns(of: ComparedSession, book: FaultBook): void {
  const { replayed, window, isLost, live, part } = of;
  const rule = 'replay/user-turns-missing';
  const isSilent = part?.whole === true && !part.gap && !live.some(({ kind }) => kind === 'user');
  if (isSilent) return;
  const agents = replayed.filter(({ kind, late }) => kind === 'agent' && !late);
  if (agents.length === 0) return;
  if (replayed.some(({ kind }) => kind === 'user')) return void book.judged.add(rule);
  const at = { seqs: ends({ ...of, isLost: false }), method: window.method };
  if (isLost) return book.add(rule, { ...IN_GAP, ...at });
  const seen = `${agents.length} of the agent’s messages and none of the user’s`;
  book.add(rule, { verdict: 'fail', seen, ...at });
}

/** Items that stand elsewhere than live, or than in the first replay. */
function order(of: ComparedSession, book: FaultBook): void {
  const rule = 'replay/order';
  const pairs = [...of.pairings, ...(of.earlier?.pairings ?? [])];
  if (pairs.some(({ a, b }) => a.length > 0 && b.length > 0)) book.judged.add(rule);
  const moved = [...of.differences, ...(of.earlier?.differences ?? [])].filter(
    ({ kind }) => kind === 'moved',
  );
  const isUntrue = moved.some(({ verdict }) => verdict === 'corrupt');
  const told = moved.filter(({ verdict }) => verdict === (isUntrue ? 'corrupt' : 'lossy'));
  const [first] = told;
  if (!first?.mine) return;
  const rest = told.length > 1 ? `; and ${told.length - 1} more` : '';
  book.add(rule, {
    verdict: 'fail',
    seen: `${itemPhrase(first.mine, of)} ${first.why}${rest}`,
    ...(isUntrue ? {} : { severity: 'hint' as const }),
    seqs: told.flatMap(({ theirs }) => (theirs ? spokeAt(theirs, of.numbering) : [])),
    method: 'session/update',
  });
}

/** Messages that begin with a chunk: a client that holds them appends the text to what it has. */
function baselines(of: ComparedSession, book: FaultBook): void {
  const { window, replayed, baseless, numbering, isLost } = of;
  const rule = 'replay/chunks-without-reset';
  // Updates of a running session may be live.
  if (window.version !== 2 || isLost || window.root.busy) return;
  if (window.root.workedAt !== undefined) return;
  for (const { kind, id, late, from, first } of replayed) {
    if (!isMessageKind(kind) || id === undefined || late) continue;
    book.judged.add(rule);
    if (!baseless.has(`m:${kind}:${id}`)) continue;
    const { source, place } = numbering.at(from);
    book.add(rule, {
      verdict: 'fail',
      seen: `\`${source.index.columns.nameOf(place)}\` is the first of ${quotedShort(id)}`,
      pointer: '/params/update',
      seqs: [first.seq],
      method: 'session/update',
    });
  }
}

function messageIds(of: ComparedSession, book: FaultBook): void {
  const { replayed, live, window } = of;
  const method = 'session/update';
  if (window.version === 1) {
    const rule = 'replay/message-id-missing';
    const messages = replayed.filter(({ kind, late }) => isMessageKind(kind) && !late);
    if (messages.length === 0 || isChildOf(of)) return;
    book.judged.add(rule);
    const had = live.find(({ kind, id }) => kind === 'agent' && id !== undefined);
    const melted = of.differences.flatMap(({ kind, verdict, mine, theirs, why }) =>
      kind === 'merged' && verdict === 'lossy' && mine && theirs ? [{ mine, theirs, why }] : [],
    );
    const isWithout = had !== undefined && messages.every(({ id }) => id === undefined);
    const [first] = melted;
    if (!isWithout && first === undefined) return;
    const seen = [
      isWithout &&
        `no message has an id, where ${quotedShort(had.id ?? '')} had one as it came live`,
      first && `${itemPhrase(first.mine, of)}: ${first.why}`,
    ];
    const told = isWithout ? messages : melted.map(({ theirs }) => theirs);
    return book.add(rule, {
      verdict: 'fail',
      // An agent without ids cannot tell neighbours apart.
      severity: had === undefined ? 'hint' : 'warning',
      seen: seen.filter(Boolean).join('; '),
      due: isWithout
        ? 'a replay names messages by the ids they had'
        : 'a replay has the messages one by one, as they came live',
      seqs: told.map((item) => item.first.seq),
      method,
    });
  }
  const rule = 'replay/message-id-unstable';
  if (!live.some(({ kind, id }) => isMessageKind(kind) && id !== undefined)) return;
  if (!replayed.some(({ kind, late }) => isHistory(kind) && !late)) return;
  book.judged.add(rule);
  const renamed = of.differences.flatMap(({ kind, verdict, mine, theirs }) => {
    if (kind !== 'lost id' || verdict !== 'lossy' || !mine || theirs?.id === undefined) return [];
    const words = bare(itemText(mine));
    const isSame = words === bare(itemText(theirs)) && words !== '';
    return isSame && isMessageKind(mine.kind) ? [{ mine, theirs }] : [];
  });
  const pointer = '/params/update/messageId';
  const words = ({ mine, theirs }: (typeof renamed)[number]) =>
    `${quotedShort(theirs.id ?? '')} for ${itemPhrase(mine, of)}, which was ${quotedShort(mine.id ?? '')}`;
  const prompts = renamed.filter(({ mine }) => mine.kind === 'user');
  for (const one of prompts)
    book.add(rule, {
      ...{ verdict: 'fail', seen: words(one), pointer, method },
      seqs: [one.theirs.first.seq],
    });
  const [first, ...others] = renamed;
  // Only of a prompt the protocol says that its id stays; others are named once, and never beside a prompt.
  if (prompts.length > 0 || first === undefined) return;
  const rest = others.length > 0 ? `; and ${others.length} more` : '';
  book.add(rule, {
    ...{ verdict: 'fail', severity: 'warning', pointer, method },
    seen: `${words(first)}${rest}`,
    due: 'a replay names messages by the ids they had',
    seqs: renamed.map(({ theirs }) => theirs.first.seq),
  });
}
