// The one list of findings of the page: made by the first place that shows it.
import type { App } from '../../state/app.svelte.ts';
import { FindingList } from '../../state/finding-list.svelte.ts';

export function listOf(app: App): FindingList {
  return (app.findings.list ??= new FindingList(app));
}
