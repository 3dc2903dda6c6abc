// The keys of the timeline, and those of the detail beside it: what they do, and how the sheet of keys
// names them.
import { tick } from 'svelte';
import type { App } from '../../state/app.svelte.ts';
import { focusPlace } from '../parts/focus.ts';
import { LIST_KEYS, type MovesInList, type PlaceKey } from '../parts/list-keys.ts';
import { resumeFrom } from '../../state/restore/open.ts';
import { swapTimes } from './columns.ts';
import { isHead } from '../../state/timeline/timeline-rows.ts';

interface InTimeline extends MovesInList {
  readonly app: App;
  /** Opens the menu of the selected row. */
  menu(): void;
  /** Opens the menu of the columns. */
  columns(): void;
}

async function open({ app }: InTimeline): Promise<unknown> {
  const { timeline } = app;
  const now = timeline.selectedView()?.row;
  const closed =
    now?.type === 'fold' ||
    (now && isHead(now) && !now.open) ||
    (now?.type === 'frame' && now.run?.open === false);
  return now && closed ? timeline.toggle(now.key) : timeline.step(1);
}

async function close({ app }: InTimeline): Promise<unknown> {
  const { timeline } = app;
  const now = timeline.selectedView();
  if (!now) return timeline.step(0);
  const { row, index } = now;
  const isOpen = (isHead(row) && row.open) || (row.type === 'frame' && row.run?.open === true);
  if (isOpen) return timeline.toggle(row.key);
  if (row.type === 'frame' && row.inRun) return timeline.selectRow(headOf(app, index));
  const head = timeline.view?.heads.findLast(({ from, to }) => from < index && index <= to);
  return timeline.selectRow(head ? head.from : index - 1);
}

/** The head of the opened run that this row belongs to. */
function headOf(app: App, index: number): number {
  for (let i = index - 1; i >= 0; i--) {
    const row = app.timeline.row(i);
    if (!row || (row.type === 'frame' && row.run?.open)) return i;
  }
  return 0;
}

/** What is begun with the selected frame; the keys that follow do not wait for its end. */
function withSelected(
  { timeline }: App,
  run: (seq: NonNullable<App['timeline']['selected']>) => unknown,
): void {
  if (timeline.selected !== undefined) void run(timeline.selected);
}

export const TIMELINE_KEYS: readonly PlaceKey<InTimeline>[] = [
  ...LIST_KEYS.slice(0, -1),
  { keys: ['End'], does: 'Last row, and follow the live end', run: toEnd },
  {
    keys: ['⇧J', '⇧↓'],
    does: 'Select the next row too',
    run: ({ app }) => app.timeline.stretch(1),
  },
  {
    keys: ['⇧K', '⇧↑'],
    does: 'Select the previous row too',
    run: ({ app }) => app.timeline.stretch(-1),
  },
  { keys: ['→'], does: 'Open a turn, run, fold or replay window', run: open },
  { keys: ['←'], does: 'Close it, or go to its head', run: close },
  {
    keys: ['⇧←'],
    does: 'Fold all turns and replay windows',
    run: ({ app }) => app.timeline.foldAll(true),
  },
  {
    keys: ['⇧→'],
    does: 'Unfold all turns and replay windows',
    run: ({ app }) => app.timeline.foldAll(false),
  },
  { keys: ['↵'], does: 'To the detail of the frame', run: toDetail },
  {
    keys: ['X'],
    does: 'Other frame of the exchange',
    run: ({ app }) => app.timeline.jumpToPartner(),
  },
  { keys: ['['], does: 'Replay window before', run: ({ app }) => app.timeline.jumpToWindow(-1) },
  { keys: [']'], does: 'Next replay window', run: ({ app }) => app.timeline.jumpToWindow(1) },
  { keys: ['N'], does: 'Next finding', run: ({ app }) => app.findings.step(1) },
  { keys: ['⇧N'], does: 'Finding before', run: ({ app }) => app.findings.step(-1) },
  { keys: ['G'], does: 'Go to a frame by its number', run: ({ app }) => (app.goTo = '#') },
  { keys: ['F'], does: 'Follow the live end, or hold', run: toggleFollow },
  {
    keys: ['H'],
    does: 'Filter by the query, or highlight its matches',
    run: ({ app: { timeline } }) => timeline.setQuery(timeline.query, !timeline.lights),
  },
  { keys: ['T'], does: 'Time since the start, or since the row above', run: swap },
  {
    keys: ['C'],
    does: 'Columns: show, hide, size, sort',
    run: ({ columns }) => columns(),
  },
  {
    keys: ['R'],
    does: 'Restore from here',
    run: ({ app }) => withSelected(app, (seq) => resumeFrom(app, seq)),
  },
  {
    keys: ['E'],
    does: 'Edit and send',
    run: ({ app }) => withSelected(app, (seq) => app.canSend && app.editAndSend(seq)),
  },
  {
    keys: ['M'],
    does: 'Mark with a label, or take the mark off',
    run: ({ app }) => withSelected(app, (seq) => app.marks.toggle(seq)),
  },
  {
    keys: ['Esc'],
    does: 'Select one frame only, then none: back to the connection',
    run: ({ app: { timeline } }) =>
      timeline.several.seqs.length > 0 ? timeline.several.clear() : timeline.select(undefined),
  },
  { keys: ['⇧F10'], alsoKey: 'ContextMenu', does: 'Menu of the row', run: ({ menu }) => menu() },
];

async function toEnd({ app }: InTimeline): Promise<void> {
  const { timeline } = app;
  await timeline.selectRow(Infinity);
  if (app.isGrowing) timeline.follow = true;
}

function toggleFollow({ app: { timeline, isGrowing } }: InTimeline): void {
  timeline.follow = isGrowing && !timeline.follow;
}

function swap({ app: { prefs } }: InTimeline): void {
  prefs.columns = swapTimes(prefs.columns);
}

function toDetail({ app }: InTimeline): void {
  app.panes.detailOpen = true;
  void tick().then(() => focusPlace('detail'));
}

/** Of the detail pane. Each has a button too. */
export const DETAIL_KEYS: readonly Pick<PlaceKey<never>, 'keys' | 'does'>[] = [
  { keys: ['D'], does: 'What the schema says of the field, in the tree' },
  { keys: ['X'], does: 'To the other frame of the exchange' },
  { keys: ['E'], does: 'Edit and send' },
  { keys: ['R'], does: 'Resume from this value' },
  { keys: ['⌘C'], does: 'Copy the value, in the tree' },
];
