// What the menu of a row offers for elsewhere: the frame at a terminal, in a test, and where its turn began.
import type { RowView } from '../../model/timeline/row-view.ts';
import type { App } from '../../state/app.svelte.ts';
import { exportName } from '../../trace/file-name.ts';
import type { MenuItem } from '../parts/menu-item.ts';

async function copyCommand(app: App, { seq }: RowView): Promise<void> {
  const file = exportName(app.current?.name ?? '');
  await app.sharing.copy(`acp-scope show ${file}#${seq}`);
  app.tell('info', `Copied what shows #${seq} of ${file}, as it is saved.`);
}

type CopyAs = (as: (line: string) => string) => Promise<void>;

/** As a line that every command reads out of a file ending in `.ndjson`. */
async function copyFixture(row: RowView, copyAs: CopyAs): Promise<void> {
  if (row.type !== 'frame' || row.from === undefined) return;
  const { seq, at, from, origin } = row;
  const { recorderLine } = await import('../../trace/import/recorder.ts');
  await copyAs(
    (text) => recorderLine({ type: 'frame', line: { text }, seq, at, from, origin }) ?? '',
  );
}

export function copiesElsewhere(app: App, row: RowView, copyAs: CopyAs): readonly MenuItem[] {
  if (row.type !== 'frame' || row.from === undefined) return [];
  return [
    { label: 'Copy as CLI command', run: () => void copyCommand(app, row) },
    { label: 'Copy as fixture', run: () => void copyFixture(row, copyAs) },
  ];
}

async function toBegin(app: App, { seq }: RowView): Promise<void> {
  const { toTurnOf } = await import('../../state/diff/diff-ways.ts');
  await toTurnOf(app, seq);
}

export function itsTurnBegins(app: App, row: RowView): readonly MenuItem[] {
  if (row.type !== 'frame' || row.session === undefined) return [];
  return [{ label: 'Beginning of its turn', run: () => void toBegin(app, row) }];
}
