// What can be done with a row, by what a person wants: filter by the cell under the pointer, compare,
// restore, go to another row, copy.
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { FieldWithValue } from '../../model/query/vocabulary.ts';
import type { RowView } from '../../model/timeline/row-view.ts';
import type { App } from '../../state/app.svelte.ts';
import type { MenuItem } from '../parts/menu-item.ts';
import { rowName } from './columns.ts';
import { filterItems, interceptItems } from './row-cell.ts';
import { copiesElsewhere, itsTurnBegins } from './row-elsewhere.ts';
import { resumeFrom } from '../../state/restore/open.ts';

type Form = (line: string, indented: (json: string) => string) => string;
async function copyLine(app: App, row: RowView, as: Form = (line) => line): Promise<void> {
  const member = row.type === 'frame' ? row.member : undefined;
  const line = (await app.timeline.frame(row.seq, member))?.line;
  if (!line) return app.tell('warn', `#${row.seq} has no line to copy.`);
  if (!('text' in line))
    return app.tell('warn', `#${row.seq} is not UTF-8: export the trace to keep its bytes.`);
  const { prettyJson } = await import('../../lib/json-text.ts');
  await app.sharing.copy(line.text, undefined, (text) => as(text, prettyJson));
  app.tell('info', `Copied #${row.seq}.`);
}

function marking({ marks }: App, row: RowView): MenuItem[] {
  if (row.type !== 'frame') return [];
  if (row.mark === undefined)
    return [{ label: 'Mark…', icon: 'mark', keys: 'M', run: () => void marks.toggle(row.seq) }];
  return [
    { label: 'Label of the mark…', icon: 'mark', run: () => void marks.edit(row.seq) },
    { label: 'Take the mark off', keys: 'M', run: () => void marks.toggle(row.seq) },
  ];
}

/** The session of the frame, as a client should believe it after the frame. */
function stateHere(app: App, row: RowView): MenuItem[] {
  if (row.type !== 'frame') return [];
  const session = app.facts?.sessions.find(({ chip }) => chip !== '' && chip === row.session);
  if (!session) return [];
  const { sessionId, chip } = session;
  return [
    { label: 'Show state here', keys: 'S', run: () => app.showState(sessionId, row.seq) },
    { label: `Session ${chip}, history and restores`, run: () => void app.showSession(sessionId) },
  ];
}

async function withMarked(app: App, { seq }: RowView): Promise<void> {
  const { compareWithMarked } = await import('../../state/diff/diff-ways.ts');
  await compareWithMarked(app, seq);
}

async function itsTurn(app: App, { seq }: RowView): Promise<void> {
  const { compareTurn } = await import('../../state/diff/diff-ways.ts');
  await compareTurn(app, seq);
}

export interface RowKnown {
  readonly findings: readonly FrameFinding[];
  /** What a query finds it by. */
  readonly values: readonly FieldWithValue[];
  /** The column under the pointer; absent when the menu was opened by key. */
  readonly column?: string | undefined;
}

export function rowMenu(
  app: App,
  row: RowView,
  { findings, values, column }: RowKnown,
): MenuItem[] {
  const isMessage = row.type === 'frame' && row.from !== undefined && row.kind !== 'bad';
  return [
    ...filterItems(app, row, values, column),
    ...interceptItems(app, row, values),
    ...ruled([
      ...(isMessage
        ? [
            { label: 'Compare with marked', run: () => void withMarked(app, row) },
            { label: 'Compare its turn with another', run: () => void itsTurn(app, row) },
          ]
        : []),
    ]),
    ...ruled([
      ...(isMessage
        ? [
            {
              label: 'Restore from here…',
              icon: 'pin' as const,
              keys: 'R',
              run: () => void resumeFrom(app, row.seq),
            },
          ]
        : []),
      ...stateHere(app, row),
      ...editing(app, row),
      ...marking(app, row),
    ]),
    ...ruled([
      ...more('Finding', findingMenu(app, findings)),
      ...more('Go to', places(app, row)),
      { label: 'Copy', icon: 'copy', items: copies(app, row) },
    ]),
  ];
}

/** Returns what can be done with the selected row. */
export async function selectedActions(app: App): Promise<readonly MenuItem[]> {
  const row = app.timeline.selectedView()?.row;
  return row ? rowMenu(app, row, await knownOf(app, row)) : [];
}

/** Reads what the menu of a row depends on. */
export async function knownOf({ findings, timeline }: App, row: RowView): Promise<RowKnown> {
  const [found, values] = await Promise.all([
    row.findings ? findings.on(row.seq) : [],
    timeline.valuesOf(row.seq),
  ]);
  return { findings: found, values };
}

/** A rule above the first of them. */
const ruled = (items: readonly MenuItem[]): MenuItem[] =>
  items.map((item, i) => (i === 0 ? { ...item, rule: true } : item));
const more = (label: string, items: readonly MenuItem[]): MenuItem[] =>
  items.length > 0 ? [{ label, items }] : [];

function editing(app: App, row: RowView): MenuItem[] {
  if (row.type !== 'frame' || row.from === undefined || !app.canSend) return [];
  const run = () => void app.editAndSend(row.seq);
  return [{ label: 'Edit and send', icon: 'edit', keys: 'E', run }];
}

function places(app: App, row: RowView): MenuItem[] {
  const { timeline } = app;
  const hasPartner = row.type === 'frame' && row.id !== undefined && !row.waits;
  const partner = () => void timeline.jumpToPartner();
  const head = () => void timeline.jumpToWindow(-1);
  return [
    ...(hasPartner ? [{ label: 'Other frame of the exchange', keys: 'X', run: partner }] : []),
    ...(row.tapes.length > 0 && row.type !== 'window'
      ? [{ label: 'Head of this replay window', keys: '[', run: head }]
      : []),
    ...itsTurnBegins(app, row),
  ];
}

function copies(app: App, row: RowView): MenuItem[] {
  const isFrame = row.type === 'frame' && row.from !== undefined;
  const line = (label: string, as?: Form) => ({ label, run: () => void copyLine(app, row, as) });
  return [
    ...(isFrame || row.type === 'window' ? [line('Copy the line')] : []),
    ...(isFrame && row.kind !== 'bad'
      ? [
          line('Copy as indented JSON', (text, indented) => indented(text)),
          line(
            'Copy as Markdown',
            (text, indented) => `${rowName(row)}\n\n\`\`\`json\n${indented(text)}\n\`\`\`\n`,
          ),
        ]
      : []),
    ...copiesElsewhere(app, row, (as) => copyLine(app, row, as)),
    { label: 'Copy the summary', run: () => void app.sharing.copy(rowName(row)) },
  ];
}

/** Findings that have entries of their own; the detail lists them all. */
const MOST = 4;

async function copy(app: App, found: readonly FrameFinding[]): Promise<void> {
  const { findingMarkdown } = await import('../../state/findings/finding-markdown.ts');
  const context = { trace: app.current?.name ?? '', against: app.findings.state?.words ?? '' };
  await app.sharing.copy(found.map((finding) => findingMarkdown(finding, context)).join('\n'));
  app.tell('info', found.length === 1 ? 'Copied the finding.' : 'Copied the findings.');
}

/** What can be done with the findings of a frame: failures that count, worst first. */
export function findingMenu(app: App, found: readonly FrameFinding[]): MenuItem[] {
  const counting = found.filter(({ verdict, suppressed }) => verdict === 'fail' && !suppressed);
  if (counting.length === 0) return [];
  const { findings } = app;
  const named = counting.slice(0, MOST);
  return [
    ...named.map(({ key, rule }): MenuItem => ({
      label: `Show finding ${rule}`,
      run: () => findings.show(key),
    })),
    ...named.map(({ key, rule }): MenuItem => ({
      label: `Evidence of ${rule}…`,
      run: () => app.sharing.askEvidence({ finding: key }),
    })),
    ...named.map(({ key, rule }): MenuItem => ({
      label: `Suppress ${rule}…`,
      run: () => findings.askWhy(key),
    })),
    {
      label: `Copy the ${counting.length === 1 ? 'finding' : 'findings'} as Markdown`,
      icon: 'copy',
      run: () => void copy(app, counting),
    },
  ];
}
