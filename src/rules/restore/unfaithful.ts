// What a replay says of what was said live, and was never so: the comparison and the codes are those of
// the fidelity report (model/replay), so that what that calls corrupt is a finding.
import { RESTORES, type Version } from '../../acp/methods.ts';
import { LONGEST } from '../../model/facts/message-text.ts';
import { wantsAllHistory } from '../../model/facts/restore.ts';
import { toolOf } from '../../model/fold/tools.ts';
import {
  differencesOf,
  isCorrupt,
  whyWords,
  type FieldDifference,
} from '../../model/replay/compare-fields.ts';
import {
  EXTRA,
  judgeExtra,
  type ChildrenBack,
  type Ending,
  SaidBefore,
} from '../../model/replay/judge.ts';
import { messageFields, toolFields, toolInV1 } from '../../model/replay/fields.ts';
import type { NormalFields, FieldValue } from '../../model/replay/normal-form.ts';
import { pairItems, itemText, type Paired } from '../../model/replay/pair-items.ts';
import { messagesIn, saidLive } from '../../model/replay/pieces.ts';
import type { Seq } from '../../trace/event.ts';
import type { Connection, RestoreWindow, Session } from '../connection.ts';
import { wasCut } from '../children/child-facts.ts';
import { onAnswer } from '../listen.ts';
import { catalogue, fail, quote, type RuleFault, type Outcome } from '../rule.ts';
import { histories, type HistoryFacts, type HistoryItem, type ToolTold } from './history-facts.ts';
import { isBefore, historyItemWords, short } from './replay-compare.ts';
import { replayOf } from './replay.ts';
import { toldIn, wasBusy, type WindowTold, type WindowItem } from './window-facts.ts';

const WORDS = { user: 'prompt', agent: 'answer', thought: 'thought', tool: 'tool call' } as const;
/** What is compared. */
type Kind = keyof typeof WORDS;

interface Live extends Paired {
  readonly kind: Kind;
  readonly of: HistoryItem;
}

interface Replayed extends Paired {
  readonly kind: Kind;
  readonly seq: Seq;
  /** Of a tool call: its updates. */
  readonly told: WindowItem['told'];
}

/** One session of a restore: what was said of it live before, and what was said again. */
interface Sides {
  readonly history: HistoryFacts;
  readonly told: WindowTold;
  readonly live: readonly Live[];
  readonly replayed: readonly Replayed[];
  readonly pairings: ReturnType<typeof pairItems>;
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(WORDS, kind);
}

/** What the client's own terminals showed is not kept: the text of a call that names one is not compared. */
function fieldsOf(
  id: string,
  told: readonly ToolTold[],
  version: Version,
  inV1: boolean,
): NormalFields {
  const updates = told.filter(({ variant }) => variant !== 'session/request_permission');
  const tool = toolOf(id, updates, version);
  const fields = toolFields(inV1 ? toolInV1(tool) : tool, inV1 ? 1 : version, () => undefined);
  if (!tool.content.some(({ type }) => type === 'terminal')) return fields;
  return new Map([...fields].filter(([name]) => !SHOWN.has(name)));
}
const SHOWN: ReadonlySet<string> = new Set(['content', 'attachments', 'terminals', 'rawOutput']);

function textFields(text: string): NormalFields {
  return messageFields({ parts: text === '' ? [] : [{ type: 'text', text }] });
}

function sidesOf(window: RestoreWindow, session: Session, { version = 1 }: Connection): Sides {
  const history = histories.of(session.stored);
  const told = toldIn(window, session);
  const live = history.items.flatMap((of): Live[] => {
    const { kind, id, text, turn } = of;
    if (!of.live || !isKind(kind) || !isBefore(of, window)) return [];
    const its = of.version ?? version;
    const fields =
      kind === 'tool' ? fieldsOf(id ?? '', of.told ?? [], its, its !== version) : textFields(text);
    return [{ kind, id, turn: turn.number, fields, of }];
  });
  const isSaid = saidLive(live);
  let turn = 0;
  const replayed = told.items.flatMap((item): Replayed[] => {
    const { kind, id, first, text, chunks } = item;
    if (!isKind(kind)) return [];
    if (kind === 'user') turn++;
    if (kind === 'tool') {
      const isOther = live.some(({ of }) => of.version !== undefined && of.version !== version);
      const fields = fieldsOf(id ?? '', item.told, version, isOther);
      return [{ kind, id, turn, fields, seq: first, told: item.told }];
    }
    const runs = chunks.length < 2 ? [] : messagesIn(kind, chunks, isSaid);
    if (runs.length < 2)
      return [{ kind, id, turn, fields: textFields(text), seq: first, told: [] }];
    return runs.map((run) => {
      const fields = textFields(run.map((chunk) => chunk.text).join(''));
      return { kind, id, turn, fields, seq: run[0]?.seq ?? first, told: [] };
    });
  });
  return { history, told, live, replayed, pairings: pairItems(live, replayed) };
}

/** How the live turn of an item ended, as far as the traces tell. */
function endingOf(item: Live | undefined): Ending {
  const end = item?.of.turn.end;
  return { cut: end === 'open', cancelled: end === 'cancelled' };
}

/** All that was said live where a replayed item stands is known. */
function isKnownAfter(
  { history, live }: Sides,
  at: number,
  kind: string,
  connection: Connection,
): boolean {
  if (history.hasGap || connection.gaps > 0) return false;
  const [item, next] = [live[at], live[at + 1]];
  if (item === undefined) return history.isWhole;
  const there = item.of.where.connection;
  if (there !== (next?.of.where.connection ?? connection.id)) return false;
  const { cut, cancelled } = endingOf(item);
  const isLastOfTurn = next === undefined || next.turn !== item.turn;
  return kind === 'user' || !isLastOfTurn || !(cut || cancelled);
}

function saidOf({ of }: Live, { refused }: HistoryFacts): SaidBefore {
  const said = new SaidBefore();
  for (const { update } of of.told ?? []) said.take(update);
  said.isRefused = refused.has(of.id ?? '');
  return said;
}

/** What is worth a finding of what a replay says of an item that was said live. */
function corruptIn(
  item: Replayed,
  known: Live,
  { history, told }: Sides,
  { version = 1 }: Connection,
): readonly FieldDifference[] {
  const { kind, of } = known;
  if (kind === 'tool' ? of.told === undefined || told.toolRoom <= 0 : isLong(item) || isLong(known))
    return [];
  // A prompt may be shown in other words.
  if (kind === 'user' || history.room <= 0) return [];
  const versions = [of.version ?? version, version] as const;
  const said = () => saidOf(known, history);
  const found = differencesOf(known.fields, item.fields, endingOf(known), said, versions);
  return found.filter(isCorrupt);
}

function isLong(item: Paired): boolean {
  return itemText(item).length >= LONGEST;
}

/** Whether the children of a session came back whole, as far as is known of them. */
function childrenOf(window: RestoreWindow, connection: Connection): ChildrenBack {
  const all = connection.windows.children.below(window.session, true).map(({ session }) => {
    const sides = sidesOf(window, session, connection);
    if (sides.live.length > 0 && sides.pairings.some(({ b }) => b.length === 0)) return 'short';
    const isUnseen = sides.live.length === 0 && sides.replayed.length > 0;
    return isUnseen || wasCut(session.stored) ? 'unknown' : 'whole';
  });
  return all.includes('short') ? 'short' : all.includes('unknown') ? 'unknown' : 'whole';
}

/** What the fidelity of one session calls corrupt. Undefined: nothing was there to compare. */
function faultsIn(
  sides: Sides,
  window: RestoreWindow,
  connection: Connection,
): RuleFault[] | undefined {
  const { live, replayed, pairings } = sides;
  if (live.length === 0) return undefined;
  const isGuessed = window.wish !== 'whole' && window.wish !== 'retained';
  let before = -1;
  const faults: RuleFault[] = [];
  const add = (seen: string, { seq, ...more }: Partial<RuleFault> & { readonly seq: Seq }) =>
    faults.push(fail(seen, { ...more, seqs: [seq], method: 'session/update' }));
  for (const { a, b } of pairings) {
    const [i = -1] = a;
    const [mine, theirs] = [live[i], replayed[b[0] ?? -1]];
    if (mine) before = i;
    if (theirs === undefined) continue;
    if (mine === undefined) {
      const text = itemText(theirs);
      const { kind, fields } = theirs;
      const children = () => childrenOf(window, connection);
      const isKnown = !isGuessed && isKnownAfter(sides, before, kind, connection);
      const said = { kind, text, isEmpty: fields.size === 0 };
      const code = judgeExtra(said, endingOf(live[before]), children, isKnown);
      if (EXTRA[code].verdict !== 'corrupt') continue;
      const { seq } = theirs;
      add(`the ${WORDS[kind]} ${quote(short(text))}: ${EXTRA[code].why}`, { seq });
    } else {
      const [one, other] = [joined(live, a, mine), joined(replayed, b, theirs)];
      for (const found of corruptIn(other, one, sides, connection)) {
        const isError =
          wantsAllHistory(window) && connection.version === 1 && GRAVE.has(found.field);
        const severity = isError && mine.id !== undefined ? { severity: 'error' as const } : {};
        const seen = `${historyItemWords(mine.of, connection)}: ${wordsOf(found)}`;
        add(seen, { ...placeOf(theirs, found.field), ...severity });
      }
    }
  }
  return faults;
}

/** The update that said a field of a replayed item last, and where in it. */
function placeOf({ seq, told }: Replayed, field: string): { seq: Seq; pointer?: string } {
  const [name = ''] = field.split('.');
  const key = NAMED.has(name) ? name : 'content';
  const last = told.findLast(({ update }) => update[key] !== undefined);
  return last ? { seq: last.seq, pointer: `/params/update/${key}` } : { seq };
}
/** Fields of a tool call that stand under their own name; all others are of its content. */
const NAMED: ReadonlySet<string> = new Set([
  'status',
  'title',
  'kind',
  'rawInput',
  'rawOutput',
  'locations',
]);

const GRAVE: ReadonlySet<string> = new Set(['status', 'title', 'text']);

/** Several pieces as one message. */
function joined<I extends Paired>(items: readonly I[], places: readonly number[], first: I): I {
  if (places.length < 2) return first;
  const text = places.flatMap((at) => items[at] ?? []).map(itemText);
  return { ...first, fields: textFields(text.join('')) };
}

/** `the status, failed live and now completed, was never so live` */
function wordsOf(found: FieldDifference): string {
  const { field, before, after } = found;
  const [was, is] = [before, after].map(nameIn);
  const isNamed = was !== undefined && is !== undefined && !field.startsWith('text');
  return `the ${field}${isNamed ? `, ${was} live and now ${is},` : ''} ${whyWords(found)}`;
}

/** A value that a sentence can name. */
function nameIn(value: FieldValue | undefined): string | undefined {
  if (value?.type === 'word') return value.word;
  return value?.type === 'text' ? quote(short(value.text)) : undefined;
}

export const UNFAITHFUL = catalogue({
  'replay/unfaithful': {
    side: 'agent',
    severity: 'warning',
    clause: 'what a replay says was so: it says nothing of a message or tool call that never was',
    on: onAnswer<Outcome>(RESTORES, (step, connection) => {
      const window = replayOf(step)?.window;
      if (window === undefined || window.wish === 'none') return undefined;
      const all = [...window.branches.values()].map(({ session }) => {
        const isBusy = session === window.session && wasBusy(window);
        const sides = isBusy ? undefined : sidesOf(window, session, connection);
        return sides && sides.told.room > 0 ? faultsIn(sides, window, connection) : undefined;
      });
      const faults = all.flatMap((one) => one ?? []);
      if (faults.length > 0) return faults;
      return all.some((one) => one !== undefined) ? 'pass' : undefined;
    }),
  },
});
