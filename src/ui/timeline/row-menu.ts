// What can be done with a row, for its context menu. Values are named: `Filter by status: failed`.
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { QueryField } from '../../model/query/fields.ts';
import type { FieldWithValue } from '../../model/query/vocabulary.ts';
import type { RowView } from '../../model/timeline/row-view.ts';
import type { App } from '../../state/app.svelte.ts';
import { termValue } from '../../state/timeline/query-terms.ts';
import type { MenuItem } from '../parts/menu-item.ts';
import { rowName } from './columns.ts';
import { copiesElsewhere, itsTurnBegins } from './row-elsewhere.ts';
import { resumeFrom } from '../../state/restore/open.ts';

/** Values that are worth hiding; the others are looked for. */
const EXCLUDED: readonly QueryField[] = ['method', 'update', 'status', 'kind', 'session'];

export function filters(
  { timeline }: App,
  row: RowView,
  values: readonly FieldWithValue[],
): readonly MenuItem[] {
  if (row.type !== 'frame') return [];
  const item = (
    word: string,
    not: string,
    rule: boolean,
    [field, value]: FieldWithValue,
  ): MenuItem => ({
    label: field === 'near' ? 'Filter: near this frame' : `${word} ${field}: ${value}`,
    rule,
    run: () => void timeline.addTerm(`${not}${field}:${termValue(value)}`),
  });
  const excluded = values.filter(([field]) => EXCLUDED.includes(field));
  return [
    ...values.map((value, i) => item('Filter by', '', i === 0, value)),
    ...excluded.map((value, i) => item('Exclude', '-', i === 0, value)),
  ];
}

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
}

export function rowMenu(app: App, row: RowView, { findings, values }: RowKnown): MenuItem[] {
  const { timeline } = app;
  const isFrame = row.type === 'frame' && row.from !== undefined;
  const isMessage = isFrame && row.kind !== 'bad';
  return [
    ...(isMessage
      ? [
          {
            label: 'Resume from here…',
            icon: 'pin' as const,
            keys: 'R',
            run: () => void resumeFrom(app, row.seq),
          },
        ]
      : []),
    ...stateHere(app, row),
    ...(isFrame && app.canSend
      ? [
          {
            label: 'Edit and send',
            icon: 'edit' as const,
            keys: 'E',
            run: () => void app.editAndSend(row.seq),
          },
        ]
      : []),
    ...marking(app, row),
    ...(isMessage
      ? [
          { label: 'Compare with marked', run: () => void withMarked(app, row) },
          { label: 'Compare its turn with another', run: () => void itsTurn(app, row) },
        ]
      : []),
    ...(row.type === 'frame' && row.id !== undefined && !row.waits
      ? [
          {
            label: 'Other frame of the exchange',
            keys: 'X',
            run: () => void timeline.jumpToPartner(),
          },
        ]
      : []),
    ...(row.tapes.length > 0 && row.type !== 'window'
      ? [
          {
            label: 'Head of this replay window',
            keys: '[',
            run: () => void timeline.jumpToWindow(-1),
          },
        ]
      : []),
    ...itsTurnBegins(app, row),
    ...findingMenu(app, findings),
    ...filters(app, row, values),
    ...(isFrame || row.type === 'window'
      ? [
          {
            label: 'Copy the line',
            icon: 'copy' as const,
            rule: true,
            run: () => void copyLine(app, row),
          },
        ]
      : []),
    ...(isMessage
      ? [
          {
            label: 'Copy as indented JSON',
            run: () => void copyLine(app, row, (line, indented) => indented(line)),
          },
          {
            label: 'Copy as Markdown',
            run: () =>
              void copyLine(
                app,
                row,
                (line, indented) => `${rowName(row)}\n\n\`\`\`json\n${indented(line)}\n\`\`\`\n`,
              ),
          },
        ]
      : []),
    ...copiesElsewhere(app, row, (as) => copyLine(app, row, as)),
    {
      label: 'Copy the summary',
      run: () => void app.sharing.copy(rowName(row)),
    },
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
    ...named.map(({ key, rule }, i): MenuItem => ({
      label: `Show finding ${rule}`,
      rule: i === 0,
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
