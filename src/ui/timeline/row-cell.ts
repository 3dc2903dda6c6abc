// What the menu of a row offers for the cell under the pointer: to filter by its value, and to intercept
// frames like it.
import { get, isObject, parseJson } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { QueryField } from '../../model/query/fields.ts';
import type { FieldWithValue } from '../../model/query/vocabulary.ts';
import type { FrameRow, RowView } from '../../model/timeline/row-view.ts';
import type { App } from '../../state/app.svelte.ts';
import { termValue } from '../../state/timeline/query-terms.ts';
import { wishFocus } from '../parts/focus.ts';
import type { MenuItem } from '../parts/menu-item.ts';

/** The fields whose values a column shows. */
const CELL_FIELDS: Readonly<Record<string, readonly QueryField[]>> = {
  g: ['window'],
  seq: ['near'],
  at: ['near'],
  delta: ['near'],
  arrow: ['side'],
  kind: ['type'],
  summary: ['status', 'kind', 'tool'],
  method: ['update', 'method'],
  session: ['session'],
  id: ['id'],
};
/** Fields with few values: worth hiding. The others are looked for. */
const EXCLUDED: readonly QueryField[] = ['method', 'update', 'status', 'kind', 'session', 'type'];
/** Fields that tell a frame from others while it is on its way. */
const ON_ITS_WAY: readonly QueryField[] = ['type', 'method', 'update', 'status', 'kind'];
/** A longer line is not copied into a rule. */
const MAX_MAPPED = 20_000;

const wordsOf = ([field, value]: FieldWithValue) =>
  field === 'near' ? 'near this frame' : `${field} ${value}`;

/** Returns the column of the cell that an event is on. */
export function cellUnder({ target }: Event): string | undefined {
  const cell = target instanceof Element ? target.closest('[role=gridcell]') : null;
  return cell?.classList[0];
}

/** Filters by what the cell shows, or by what the frame is about; then by all else. */
export function filterItems(
  { timeline }: App,
  row: RowView,
  values: readonly FieldWithValue[],
  column?: string,
): readonly MenuItem[] {
  if (row.type !== 'frame') return [];
  const all: readonly FieldWithValue[] = row.from ? [...values, ['side', row.from]] : values;
  const fields = (column !== undefined && CELL_FIELDS[column]) || [];
  const inCell = all.filter(([field]) => fields.includes(field));
  const first = inCell.length > 0 ? inCell : all.slice(0, 1);
  const rest = all.filter((value) => !first.includes(value));
  const isExcluded = ([field]: FieldWithValue) => EXCLUDED.includes(field);
  const term = (not: '' | '-', before: string) => (value: FieldWithValue) => ({
    label: `${before}${wordsOf(value)}`,
    run: () => void timeline.addTerm(`${not}${value[0]}:${termValue(value[1])}`),
  });
  const more = (label: string, items: readonly MenuItem[]) =>
    items.length > 0 ? [{ label, items }] : [];
  return [
    ...first.map(term('', 'Filter: ')),
    ...first.filter(isExcluded).map(term('-', 'Exclude: ')),
    ...more('Filter by', rest.map(term('', ''))),
    ...more('Exclude', rest.filter(isExcluded).map(term('-', ''))),
  ];
}

/** Rules for frames like this one, opened to be looked at before they are switched on. */
export function interceptItems(
  app: App,
  row: RowView,
  values: readonly FieldWithValue[],
): readonly MenuItem[] {
  if (!app.canIntercept || row.type !== 'frame' || row.from === undefined || row.kind === 'bad')
    return [];
  const terms = values.filter(([field]) => ON_ITS_WAY.includes(field));
  const on = [['side', row.from] as const, ...terms]
    .map(([field, value]) => `${field}:${termValue(value)}`)
    .join(' ');
  return [
    {
      label: 'Break here…',
      rule: true,
      run: () => void write(app, `break on ${row.method}`, { on, hold: true }),
    },
    { label: 'Map to…', run: () => void map(app, row, on) },
  ];
}

async function map(app: App, row: FrameRow, on: string): Promise<void> {
  const frame = await app.timeline.frame(row.seq, row.member);
  const text = frame?.line && 'text' in frame.line ? frame.line.text : '';
  await write(app, `map ${row.method}`, { on, ...mapping(text.length > MAX_MAPPED ? '' : text) });
}

/** Returns what replaces the frame: for a request its result, else its own content, ready to be edited. */
export function mapping(line: string): JsonObject {
  const message = parseJson(line);
  const isRequest = get(message, 'method') !== undefined && get(message, 'id') !== undefined;
  if (!isObject(message) || isRequest) return { answer: { result: {} } };
  const key = ['result', 'error', 'params'].find((one) => get(message, one) !== undefined);
  const set: Record<string, Json> = key === undefined ? {} : { [`$.${key}`]: message[key] ?? null };
  return { edit: { set } };
}

async function write(app: App, name: string, rule: JsonObject): Promise<void> {
  const { interceptOf } = await import('../../state/connections/intercept.svelte.ts');
  const rules = interceptOf(app);
  await rules.open(true);
  rules.add({ name, doc: '', rule });
  // The rules are in the pane of the connection, shown while no frame is selected.
  app.panes.detailOpen = true;
  wishFocus('rules');
  await app.timeline.select(undefined);
}
