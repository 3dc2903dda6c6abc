// The report of all restores of a session, in the form of where it is to go.
import type { SessionRestore } from '../../engine/messages.ts';
import type { ReportDocument } from '../../report/document.ts';
import type { App } from '../../state/app.svelte.ts';
import type { MenuItem } from '../parts/menu-item.ts';
import { sessionView } from './session-view.svelte.ts';

export function restoreReports(app: App): readonly MenuItem[] {
  if (!app.session) return [];
  const markdown = () => import('../../report/markdown.ts').then((it) => it.markdownReport);
  const text = () => import('../../report/text.ts').then((it) => it.textReport);
  return [
    {
      label: 'Copy report of the restores as Markdown',
      icon: 'copy',
      run: () => void app.sharing.report(async () => reportOf(app, await markdown())),
    },
    {
      label: 'Copy report of the restores as text',
      run: () => void app.sharing.report(async () => reportOf(app, await text())),
    },
  ];
}

/** Returns the table of all restores below the names of the session; empty before the first restore. */
async function reportOf(app: App, as: (report: ReportDocument) => string): Promise<string> {
  const { hub, form } = await sessionView(app);
  if (hub.restores.length === 0) return '';
  const { resultsDocument } = await import('./results.ts');
  const frameOf = ({ connection, window }: SessionRestore) => {
    const trace = app.traces.find((one) => one.connection === connection);
    return `c${trace?.number ?? '?'}#${window.request}`;
  };
  const rows = hub.restores.map(({ restore }) => restore);
  const strips = await hub.comparedNow();
  const answerOf = ({ connection, window }: SessionRestore) =>
    strips.find((one) => one.connection === connection && one.request === window.request)?.answer;
  const { choice } = form;
  const head = [choice?.chip, choice?.title, hub.sessionId].filter(Boolean).join(' · ');
  return `${head}\n\n${as(resultsDocument(rows, frameOf, answerOf))}`;
}
