// What can be done with the findings of a frame, for the context menu of its row.
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { App } from '../../state/app.svelte.ts';
import type { MenuItem } from '../parts/menu-item.ts';

/** Findings that have entries of their own; the detail lists them all. */
const MOST = 4;

async function copy(app: App, found: readonly FrameFinding[]): Promise<void> {
  const { findingMarkdown } = await import('../../state/findings/finding-markdown.ts');
  const context = { trace: app.current?.name ?? '', against: app.findings.state?.words ?? '' };
  await navigator.clipboard.writeText(
    found.map((finding) => findingMarkdown(finding, context)).join('\n'),
  );
  app.tell('info', found.length === 1 ? 'Copied the finding.' : 'Copied the findings.');
}

/** Failures that count, worst first. */
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
