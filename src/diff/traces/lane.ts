// One side of a comparison: its entries in order, whatever the view makes of the trace.
import { get } from '../../acp/json.ts';
import type { Json, Message } from '../../acp/message.ts';
import type { Ignoring } from './ignore.ts';
import type { DiffSection } from './report/report.ts';
import type { Tokens } from './tokens.ts';
import type { EventTest } from '../../model/query/match.ts';
import { FLAG, CLIENT, NTF, REQ } from '../../model/columns.ts';
import { contentParts, textOf } from '../../model/facts/content-parts.ts';
import { saidAt, type IndexedTrace } from '../../model/indexed-trace.ts';
import type { TraceIndex } from '../../model/trace-index.ts';
import { quoted } from '../../model/words.ts';
import type { Side } from '../../trace/event.ts';

/** A frame, a step of the story, an item of a state. Places are those of the index. */
export interface LaneEntry {
  /** What it is called in reports and ignore rules. */
  readonly of: string;
  /** Equal for what may be compared field by field. */
  readonly weak: string;
  readonly first: number;
  readonly last: number;
  readonly frames: number;
  /** From first to last is a time that says something. */
  readonly spans: boolean;
  /** Where that time began, if before its first frame. */
  readonly began?: number;
  /** Place in the sections of its lane. */
  readonly section: number;
  /** What is compared; absent: `Lane.read` gives it. */
  readonly value?: Json;
  /** Who asked what the root's `id` names. */
  readonly asker?: Side;
  /** Of one kind alone is not enough to be the same thing, changed: texts, tool calls. */
  readonly loose: boolean;
  /** Moved says something of it: it is no mere piece of a text. */
  readonly movable: boolean;
}

/** What a lane is made of, and how. */
export interface LaneMaking {
  readonly source: IndexedTrace;
  /** Whether an event is compared. */
  readonly takes: EventTest;
  readonly ignoring: Ignoring;
  readonly tokens: Tokens;
  readonly pause: () => Promise<void>;
  /** View `frames`: each chunk of a text for itself. */
  readonly eachChunk: boolean;
  /** What was replayed is not what was said live, nor what came late. */
  readonly apart: boolean;
  /** Only what a history replay can hold is compared: facts of a session as they are at the end. */
  readonly history: boolean;
}

/** Which of the three it is; empty: live. */
export function toldWhen({ columns }: TraceIndex, place: number): '' | ' replayed' | ' late' {
  if (columns.has(place, FLAG.replay)) return ' replayed';
  return columns.has(place, FLAG.late) ? ' late' : '';
}

export interface DiffLane {
  readonly source: IndexedTrace;
  /** How many entries it has. */
  readonly length: number;
  readonly entry: (at: number) => LaneEntry | undefined;
  /** As in the entry, which need not be made for it. */
  readonly section: (at: number) => number;
  readonly sections: readonly DiffSection[];
  /** Its entries do not stand in the order of their frames: see wire-order.ts. */
  readonly crossed: boolean;
  /** Ids mean the same on both sides: what was said live is held against what was replayed. */
  readonly byId?: boolean;
  /** What is compared of an entry, without what is left out. */
  readonly read: (entry: LaneEntry) => Json;
  /** What the chunk at a place adds to its message; undefined: it is no chunk, or says more. */
  readonly chunk: (at: number) => string | undefined;
  /** These entries, chunks of one message in a row, as one. */
  readonly joined: (from: number, to: number) => LaneEntry | undefined;
}

/** A lane of entries that hold what is compared. */
export function listLane(
  source: IndexedTrace,
  entries: readonly LaneEntry[],
  sections: readonly DiffSection[],
  crossed = false,
): DiffLane {
  const entry = (at: number) => entries[at];
  return {
    source,
    length: entries.length,
    entry,
    section: (at) => entries[at]?.section ?? 0,
    sections,
    crossed,
    read: ({ value }) => value ?? null,
    chunk: () => undefined,
    joined: entry,
  };
}

/** An entry of a lane that holds what is compared; of one frame, unless said otherwise. */
export function newEntry(
  entry: Pick<LaneEntry, 'of' | 'weak' | 'first' | 'section' | 'value'> & Partial<LaneEntry>,
): LaneEntry {
  const { first: last } = entry;
  return { last, frames: 1, spans: false, loose: false, movable: false, ...entry };
}

/** Stretches of a trace as a person tells it: the start, each turn, each restore. */
interface Sections {
  readonly list: readonly DiffSection[];
  /** By place: the section of each event. */
  readonly at: Uint32Array;
  /** By their numbers, the section of each turn, and the place where it begins. */
  readonly turns: readonly { readonly turn: number; readonly section: number; readonly begin: number }[]; // prettier-ignore
  /** Who reads a frame anyway gives the section that it begins its words. */
  readonly take: (place: number, message: Message | undefined) => void;
  /** Reads what begins the other sections. */
  readonly finish: () => void;
}

export function sectionsOf(source: IndexedTrace): Sections {
  const { columns, length } = source.index;
  const list: DiffSection[] = [{ name: 'Start', words: '' }];
  /** By the place of its prompt: a section without words. */
  const wordless = new Map<number, { words: string }>();
  /** By number of the session, as its frames may lie between those of another: its section, and its last prompt. */
  const current = new Map<number, number>();
  const prompts = new Map<number, number>();
  const cancelled = new Set<number>();
  const turns = new Map<number, { turn: number; section: number; begin: number }>();
  let restores = 0;
  /** A child session has turns of its own: they are no turns of the conversation with its parent. */
  let [ownTurns, childTurns] = [0, 0];
  const begin = (session: number, section: DiffSection) => {
    current.set(session, list.length);
    list.push(section);
  };
  const at = Uint32Array.from({ length }, (_, place) => {
    const session = columns.session.get(place);
    const turn = columns.turn.get(place);
    const kind = columns.side.get(place) === CLIENT ? columns.kind.get(place) : undefined;
    const method = kind === undefined ? '' : columns.nameOf(place);
    if (kind === NTF && method === 'session/cancel') cancelled.add(session);
    if (kind === REQ && method === 'session/prompt') prompts.set(session, place);
    else if (kind === REQ && columns.window.get(place) > 0)
      begin(session, { name: `Restore ${++restores}`, words: method });
    if (turn > 0 && !turns.has(turn)) {
      const prompt = prompts.get(session);
      const record = source.index.sessionByNumber(session);
      const isOfChild = record !== undefined && source.index.children.of(record) !== undefined;
      const name = isOfChild ? `Child turn ${++childTurns}` : `Turn ${++ownTurns}`;
      const section = { name, words: '' };
      // One that was sent into the turn before, and neither answered in it nor sent to follow its cancel, was of that.
      if (
        prompt !== undefined &&
        (cancelled.has(session) || (columns.partnerOf(prompt) ?? place) >= place)
      )
        wordless.set(prompt, section);
      turns.set(turn, { turn, section: list.length, begin: place });
      begin(session, section);
      prompts.delete(session);
      cancelled.delete(session);
    }
    const own = session === 0 ? undefined : current.get(session);
    return own ?? list.length - 1;
  });
  const take = (place: number, message: Message | undefined) => {
    if (columns.kind.get(place) !== REQ) return;
    const section = wordless.get(place);
    if (section) section.words = promptWords(message);
    wordless.delete(place);
  };
  const finish = () => {
    for (const place of wordless.keys()) take(place, saidAt(source, place));
  };
  return { list, at, turns: [...turns.values()].sort((a, b) => a.turn - b.turn), take, finish };
}

function promptWords(message: Message | undefined): string {
  if (message?.kind !== 'request') return '';
  return quoted(textOf(contentParts(get(message.params, 'prompt'))));
}
