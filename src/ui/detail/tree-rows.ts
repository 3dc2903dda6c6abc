// The rows of a JSON tree that are on screen: what is closed is not looked into, long containers
// show their children by the hundred, and levels past the deepest stay closed.
import type { JsonPath } from '../../acp/json.ts';
import { pathTerm } from '../../state/timeline/query-terms.ts';
import { pointerPart } from '../../acp/json-pointer.ts';
import type { FrameDetail } from '../../engine/messages.ts';
import type { App } from '../../state/app.svelte.ts';
import {
  jsonEntries,
  rootSpan,
  stringAt,
  type JsonEntry,
  type JsonKind,
  type LongSpans,
} from '../../lib/json-text.ts';
import type { Hit } from '../../model/redact/hits.ts';
import { hitsWithin, withoutHidden } from '../../model/redact/hidden.ts';
import type { MenuItem } from '../parts/menu-item.ts';

/** Nothing opens below this level; Raw shows it. */
export const DEEPEST = 512;
const PAGE = 100;
/** A string is cut to this on its row. */
const PREVIEW = 400;

export interface TreeRow {
  /** Stable while the text is the same; ours, never text of the agent alone. */
  readonly id: string;
  readonly depth: number;
  readonly path: JsonPath;
  /** Undefined for the root of a text that is no object or array, and in arrays. */
  readonly key: string | undefined;
  readonly index: number;
  readonly kind: JsonKind;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly openable: boolean;
  readonly open: boolean;
  readonly parent: string | undefined;
  /** What is secret in it; opened, it is shown. */
  readonly hidden: readonly Hit[];
}

/** Stands below the children shown of a long container. */
interface MoreRow {
  readonly id: string;
  readonly depth: number;
  readonly more: number;
  readonly parent: string;
}

export interface TreeState {
  /** Rows a person opened (true) or closed (false), by id. */
  readonly toggled: ReadonlyMap<string, boolean>;
  /** Pages of children shown, where more than one. */
  readonly pages: ReadonlyMap<string, number>;
  /** Rows that are open unless a person closed them, by id. */
  readonly opened?: ReadonlySet<string>;
  /** Secrets of the text. */
  readonly hidden?: readonly Hit[];
  /** Its long values, where they are known. */
  readonly long?: LongSpans;
}

export function treeRows(text: string, state: TreeState): (TreeRow | MoreRow)[] {
  const root = rootSpan(text, state.long);
  const rows: (TreeRow | MoreRow)[] = [];
  if (root.kind !== 'object' && root.kind !== 'array') {
    rows.push(rowOf(text, { ...root, key: undefined, index: 0 }, '$', [], 0, undefined, state));
    return rows;
  }
  // A stack of open containers instead of recursion.
  const stack = [level(text, root, '$', [], 0, state)];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = top.shown < top.limit ? top.entries.next() : undefined;
    if (!next || next.done) {
      const more = top.size - top.shown;
      if (more > 0) rows.push({ id: `${top.id}+`, depth: top.depth, more, parent: top.id });
      stack.pop();
      continue;
    }
    top.shown++;
    const entry = next.value;
    const step = entry.key ?? entry.index;
    const again = top.seen.has(step);
    top.seen.add(step);
    // `~d` never comes out of a pointer's token.
    const name = typeof step === 'number' ? step : pointerPart(step);
    const id = `${top.id}/${name}${again ? `~d${entry.index}` : ''}`;
    const row = rowOf(text, entry, id, [...top.path, step], top.depth, top.id, state);
    rows.push(row);
    if (row.open && row.size > 0)
      stack.push(level(text, entry, id, row.path, top.depth + 1, state));
  }
  return rows;
}

function level(
  text: string,
  span: Pick<JsonEntry, 'kind' | 'start' | 'end' | 'size'>,
  id: string,
  path: JsonPath,
  depth: number,
  state: TreeState,
) {
  const limit = (state.pages.get(id) ?? 1) * PAGE;
  const seen = new Set<string | number>();
  return {
    id,
    path,
    depth,
    limit,
    seen,
    shown: 0,
    size: span.size,
    entries: jsonEntries(text, span, state.long),
  };
}

function rowOf(
  text: string,
  entry: JsonEntry,
  id: string,
  path: JsonPath,
  depth: number,
  parent: string | undefined,
  state: TreeState,
): TreeRow {
  const { key, index, kind, start, end, size } = entry;
  const container = size > 0;
  const hidden = kind === 'string' ? hitsWithin(state.hidden ?? [], entry) : [];
  const openable = container
    ? depth < DEEPEST
    : hidden.length > 0 || (kind === 'string' && isLong(text, start, end));
  const open = openable && (state.toggled.get(id) ?? state.opened?.has(id) ?? false);
  return { id, depth, path, key, index, kind, start, end, size, openable, open, parent, hidden };
}

/** The room of a pane: lines of the tree, and characters on a line. */
export interface TreeRoom {
  readonly lines: number;
  readonly columns: number;
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();
/** Height of a line of the tree, and of a line in an opened string. */
const [LINE, TEXT_LINE] = [24, 17];
/** Characters of a string that opens by itself. */
const MAX_TEXT = 4000;

/**
 * Returns the ids of the rows to open so that the tree fills the room and fits it: containers level by level, then
 * long strings. A row that does not fit stays closed, and later rows may open.
 */
export function rowsToOpen(
  text: string,
  room: TreeRoom,
  state: Pick<TreeState, 'hidden' | 'long'> = {},
): ReadonlySet<string> {
  const opened = new Set<string>();
  const shown = () => treeRows(text, { ...state, toggled: NONE, pages: NONE, opened });
  let rows = shown();
  let left = room.lines - rows.length;
  const openIfFits = (row: TreeRow, lines: number): void => {
    if (lines > left) return;
    opened.add(row.id);
    left -= lines;
  };
  for (let depth = 0, before = -1; opened.size > before; depth++) {
    before = opened.size;
    for (const row of rows)
      if (!isMore(row) && row.depth === depth && row.size > 0 && row.openable)
        openIfFits(row, Math.min(row.size, PAGE) + (row.size > PAGE ? 1 : 0));
    if (opened.size > before) rows = shown();
  }
  for (const row of rows)
    if (!isMore(row) && row.kind === 'string' && row.openable && row.hidden.length === 0)
      openIfFits(row, textLines(text, row, room.columns));
  return opened;
}

/** Returns how many lines of the tree the block of an opened string takes. */
function textLines(text: string, { start, end, depth }: TreeRow, columns: number): number {
  if (end - start > MAX_TEXT) return Infinity;
  const width = Math.max(1, columns - 2 * depth);
  const lines = text.slice(start + 1, end - 1).split('\\n');
  const count = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
  return Math.ceil((count * TEXT_LINE) / LINE) + 1;
}

/** A string worth a block of its own: it breaks lines, or does not fit on its row. */
function isLong(text: string, start: number, end: number): boolean {
  return end - start > 60 || text.slice(start, end).includes('\\n');
}

export function isMore(row: TreeRow | MoreRow): row is MoreRow {
  return 'more' in row;
}

/** What stands on the row: the literal token, cut; or how much is inside. */
export function preview(text: string, row: TreeRow): string {
  if (row.kind === 'object') return `{${row.size}}`;
  if (row.kind === 'array') return `[${row.size}]`;
  if (row.hidden.length > 0) return withoutHidden(text, row.hidden, row).slice(0, PREVIEW);
  const token = text.slice(row.start, Math.min(row.end, row.start + PREVIEW));
  return row.end - row.start > PREVIEW ? `${token}…` : token;
}

/** `params.update.content[0].text`, keys that are no names in quotes. */
export function pathText(path: JsonPath): string {
  return path
    .map((step, i) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join('');
}

/**
 * The JSON text of a frame for its tree: the line itself where it is text, so that tokens stay as they
 * crossed. Undefined where the frame says no JSON.
 */
export function frameText(frame: FrameDetail): string | undefined {
  if (frame.value === undefined && !frame.long) return undefined;
  return frame.line && 'text' in frame.line ? frame.line.text : JSON.stringify(frame.value);
}

/** Copies what a value says: of a string its text, of all else its JSON. The frame tells what is secret in it. */
export function copyValue({ sharing }: App, text: string, row: TreeRow): Promise<void> {
  return sharing.copy(text, [row.start, row.end], (part) => valueText(part, row.kind));
}

/** What a string says, the JSON of everything else. */
export function valueText(json: string, kind: JsonKind): string {
  return kind === 'string' ? stringAt(json, 0, json.length) : json;
}

/** Longer values make no term. */
const LONGEST_TERM = 200;

/**
 * What can be done with a value: the copies first; then, where the value could be a cursor, the way to
 * the restore form; then, given `ask`, frames with the same value.
 */
export function treeMenu(
  text: string,
  row: TreeRow,
  resume: (() => void) | undefined,
  ask: ((term: string) => void) | undefined,
  app: App,
): readonly MenuItem[] {
  const list: MenuItem[] = [
    { label: 'Copy value', icon: 'copy', keys: '⌘C', run: () => void copyValue(app, text, row) },
    {
      label: 'Copy JSON',
      icon: 'copy',
      run: () => void app.sharing.copy(text, [row.start, row.end]),
    },
    {
      label: 'Copy path',
      icon: 'copy',
      run: () => void app.sharing.copy(`$.${pathText(row.path)}`),
    },
  ];
  if (resume) list.push({ label: 'Restore from here…', icon: 'pin', keys: 'R', run: resume });
  if (!ask || row.path.length === 0 || row.end - row.start > LONGEST_TERM) return list;
  const inside = pathText(row.path);
  const path = inside.startsWith('[') ? `$${inside}` : `$.${inside}`;
  const isValue = row.kind !== 'object' && row.kind !== 'array' && row.hidden.length === 0;
  const term = isValue ? pathTerm(path, text.slice(row.start, row.end)) : `${path} exists`;
  list.push({ label: `Filter by ${term}`, icon: 'find', rule: true, run: () => ask(term) });
  list.push({ label: `Exclude ${term}`, run: () => ask(`-${term}`) });
  return list;
}
