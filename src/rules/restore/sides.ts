// One session of a restore: what was known of it before beside what was said again, item by item, as the
// fidelity report pairs them (model/replay).
import type { Version } from '../../acp/methods.ts';
import { bare, LONGEST, textAfter } from '../../model/facts/message-text.ts';
import { toolCallOf } from '../../model/fold/tools.ts';
import {
  differencesOf,
  isCorrupt,
  unlessReworded,
  type FieldDifference,
} from '../../model/replay/compare-fields.ts';
import { OVER, SaidBefore, type Ending } from '../../model/replay/judge.ts';
import { messageFields, toolFields, toolInV1 } from '../../model/replay/fields.ts';
import type { NormalFields } from '../../model/replay/normal-form.ts';
import { itemText, pairItems, type Paired } from '../../model/replay/pair-items.ts';
import { messagesIn, saidLive } from '../../model/replay/pieces.ts';
import { ToldIds } from '../../model/replay/told-ids.ts';
import { lazy } from '../../lib/lazy.ts';
import type { Seq } from '../../trace/event.ts';
import { type Connection, type RestoreWindow, type Session, fact } from '../connection.ts';
import type { UpdateStep } from '../steps.ts';
import { histories, type HistoryFacts, type HistoryItem, type ToolTold } from './history-facts.ts';
import { toldIn, toldLate, type WindowTold, type WindowItem } from './window-facts.ts';

/** What is compared. */
export const COMPARED_WORDS = {
  user: 'prompt',
  agent: 'answer',
  thought: 'thought',
  tool: 'tool call',
  peer: 'message between sessions',
} as const;
type Kind = keyof typeof COMPARED_WORDS;

export interface Known extends Paired {
  readonly kind: Kind;
  readonly of: HistoryItem;
}

export interface Replayed extends Paired {
  readonly kind: Kind;
  readonly seq: Seq;
  /** Of a tool call: its updates. */
  readonly told: WindowItem['told'];
  readonly views: WindowItem['views'];
}

/** One session of a restore. */
export interface Sides {
  readonly history: HistoryFacts;
  readonly told: WindowTold;
  readonly twofold: Twofold;
  readonly known: readonly Known[];
  readonly replayed: readonly Replayed[];
  readonly pairings: ReturnType<typeof pairItems>;
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(COMPARED_WORDS, kind);
}

/** What the client's own terminals showed is not kept: the text of a call that names one is not compared. */
function fieldsOf(
  id: string,
  told: readonly ToolTold[],
  version: Version,
  inV1: boolean,
): NormalFields {
  const updates = told.filter(({ variant }) => variant !== 'session/request_permission');
  const tool = toolCallOf(id, updates, version);
  const fields = toolFields(inV1 ? toolInV1(tool) : tool, inV1 ? 1 : version, () => undefined);
  if (!tool.content.some(({ type }) => type === 'terminal')) return fields;
  return new Map([...fields].filter(([name]) => !SHOWN.has(name)));
}
const SHOWN: ReadonlySet<string> = new Set(['content', 'attachments', 'terminals', 'rawOutput']);

function textFields(text: string): NormalFields {
  return messageFields({ parts: text === '' ? [] : [{ type: 'text', text }] });
}

/** Said before the restore was asked for, in a replay too: what this one should hold. */
function isBefore({ where }: HistoryItem, { seq, session }: RestoreWindow): boolean {
  return where.connection !== session.connection.id || where.seq < seq;
}

/** What is compared of items that restore after restore is held against, and what it was made of. */
const compared = new WeakMap<
  HistoryItem,
  { readonly of: readonly unknown[]; readonly fields: NormalFields }
>();

function knownFields(item: HistoryItem, here: Version): NormalFields {
  const { id, text, title, told } = item;
  const of = [here, id, text, title, told?.length];
  const kept = compared.get(item);
  if (kept && of.every((part, at) => part === kept.of[at])) return kept.fields;
  const fields = makeFields(item, here);
  compared.set(item, { of, fields });
  return fields;
}

function makeFields(item: HistoryItem, here: Version): NormalFields {
  const { kind, id, text, title, told, live, version } = item;
  if (kind !== 'tool') return textFields(text);
  const its = version ?? here;
  const updates = live ? (told ?? []) : [{ variant: 'tool_call', update: { title: title ?? '' } }];
  return fieldsOf(id ?? '', updates, its, its !== here);
}

type Viewed = Pick<WindowItem, 'views'>;

/** Messages between sessions stand in the transcripts of both, and are one: the parent's counts. */
interface Twofold {
  isCountedAbove(item: Viewed): boolean;
  /** Another session of the tree told it live, or in the replay. */
  isSaidElsewhere(item: Viewed): boolean;
  isToldElsewhere(item: Viewed): boolean;
}

/** What the sessions of the tree of a window told of such messages: live, and in the replay. */
interface Tree {
  readonly said: ToldIds<Session>;
  readonly told: ToldIds<Session>;
}

function treeOf(window: RestoreWindow, { windows }: Connection): Tree {
  const below = windows.children.below(window.session, true);
  const tree = [window.session, ...below.map((one) => one.session)];
  const said = (one: Session) =>
    histories.of(one.stored).items.filter((item) => item.live && isBefore(item, window));
  return {
    said: new ToldIds(tree.map((one) => [one, said(one)])),
    told: new ToldIds(tree.map((one) => [one, toldIn(window, one).items])),
  };
}

function twofoldIn(window: RestoreWindow, session: Session, tree: () => Tree): Twofold {
  const { children } = session.connection.windows;
  const parent = session === window.session ? undefined : children.parentOf(session);
  return {
    isCountedAbove: ({ views }) =>
      parent !== undefined &&
      views.some((id) => tree().said.by(parent, id) || tree().told.by(parent, id)),
    isSaidElsewhere: ({ views }) => views.some((id) => tree().said.byOthers(session, id)),
    isToldElsewhere: ({ views }) => views.some((id) => tree().told.byOthers(session, id)),
  };
}

interface Answered {
  readonly of: RestoreWindow;
  readonly sides: Map<string, Sides>;
  readonly tree: () => Tree;
}

/** Of the window that was answered last: every rule that judges it reads the same sides. */
const answered = fact<Connection, { last: Answered | undefined }>(() => ({ last: undefined }));

/**
 * `live`: what was said live is compared; else what another replay told. Read as the window is answered;
 * `withLate`: what came since belongs to it.
 */
export function sidesOf(
  window: RestoreWindow,
  session: Session,
  connection: Connection,
  live = true,
  withLate = false,
): Sides {
  const kept = answered.of(connection);
  if (kept.last?.of !== window)
    kept.last = { of: window, sides: new Map(), tree: lazy(() => treeOf(window, connection)) };
  const { sides, tree } = kept.last;
  const key = `${session.id} ${live} ${withLate}`;
  const known =
    sides.get(key) ??
    makeSides(window, session, connection, live, withLate, twofoldIn(window, session, tree));
  sides.set(key, known);
  return known;
}

function makeSides(
  window: RestoreWindow,
  session: Session,
  { version = 1 }: Connection,
  live: boolean,
  withLate: boolean,
  twofold: Twofold,
): Sides {
  const history = histories.of(session.stored);
  const told = toldIn(window, session);
  const known = history.items.flatMap((of): Known[] => {
    const { kind, id, turn } = of;
    if (of.live !== live || !isKind(kind) || !isBefore(of, window)) return [];
    if (twofold.isCountedAbove(of)) return [];
    return [{ kind, id, turn: turn.number, fields: knownFields(of, version), of }];
  });
  const isSaid = saidLive(known);
  const isOther = known.some(({ of }) => of.version !== undefined && of.version !== version);
  let turn = 0;
  const items = withLate ? [...told.items, ...toldLate(window, session).items] : told.items;
  const replayed = items.flatMap((item): Replayed[] => {
    const { kind, id, first, spoke, text, chunks, views } = item;
    if (!isKind(kind) || twofold.isCountedAbove(item)) return [];
    if (kind === 'user') turn++;
    if (kind === 'tool') {
      const fields = fieldsOf(id ?? '', item.told, version, isOther);
      return [{ kind, id, turn, fields, seq: first, told: item.told, views }];
    }
    const runs = chunks.length < 2 ? [] : messagesIn(kind, chunks, isSaid);
    const piece = (said: string, seq = spoke): Replayed => {
      return { kind, id, turn, fields: textFields(said), seq, told: [], views };
    };
    if (runs.length < 2) return [piece(text)];
    return runs.map((run) => {
      const [began = run[0]] = run.filter((chunk) => chunk.text !== '');
      return piece(run.map((chunk) => chunk.text).join(''), began?.seq);
    });
  });
  return { history, told, twofold, known, replayed, pairings: pairItems(known, replayed) };
}

/** Only its begin is kept. */
export function isLong(item: Paired): boolean {
  return itemText(item).length >= LONGEST;
}

/** How the live turn of an item ended, as far as the traces tell. */
export function endingOf(item: Known | undefined): Ending {
  if (item === undefined) return OVER;
  const { cut, isAtWork, cancelled, declined, end } = item.of.turn;
  return { cut: cut || isAtWork, cancelled: cancelled || end === 'cancelled', declined };
}

function saidOf({ of }: Known, { asked }: HistoryFacts): SaidBefore {
  const said = new SaidBefore();
  for (const { update } of of.told ?? []) said.take(update);
  said.isRefused = asked.get(of.id ?? '') === false;
  return said;
}

/** What differs of what a replay says of an item that was said live, where all of it is kept. */
export function differencesIn(
  item: Replayed,
  known: Known,
  {
    history,
    told,
  }: { readonly history: HistoryFacts; readonly told: Pick<WindowTold, 'toolRoom'> },
  { version = 1 }: Connection,
): readonly FieldDifference[] {
  const { kind, of } = known;
  if (kind === 'tool' ? of.told === undefined || told.toolRoom <= 0 : isLong(item) || isLong(known))
    return [];
  if (history.room <= 0) return [];
  const versions = [of.version ?? version, version] as const;
  const said = () => saidOf(known, history);
  const found = differencesOf(known.fields, item.fields, endingOf(known), said, versions);
  return kind === 'user' && !of.echoed ? unlessReworded(found) : found;
}

/** Several pieces as one message; undefined: there is none. */
export function joinedPieces<I extends Paired>(pieces: readonly I[]): I | undefined {
  const [first] = pieces;
  if (first === undefined || pieces.length < 2) return first;
  return { ...first, fields: textFields(pieces.map(itemText).join('')) };
}

/**
 * What an update that came behind the end of a replay says of an item that was said live, and was never
 * so. Of a message it may be a piece.
 */
export function untrueIn(
  { variant, update, seq, item: kind }: UpdateStep,
  of: HistoryItem,
  history: HistoryFacts,
  connection: Connection,
): readonly FieldDifference[] {
  if (!of.live || kind === undefined || !isKind(kind)) return [];
  const version = connection.version ?? 1;
  const known: Known = { ...of, kind, turn: of.turn.number, fields: knownFields(of, version), of };
  const isTool = kind === 'tool';
  const text = isTool ? '' : textAfter('', variant, update);
  if (!isTool && bare(of.text).includes(bare(text))) return [];
  const isOther = of.version !== undefined && of.version !== version;
  const told = [{ variant, update, seq }];
  const fields = isTool ? fieldsOf(of.id ?? '', told, version, isOther) : textFields(text);
  const replayed: Replayed = { kind, id: of.id, turn: 0, fields, seq, told, views: of.views };
  const sides = { history, told: { toolRoom: 1 } };
  return differencesIn(replayed, known, sides, connection).filter(isCorrupt);
}
