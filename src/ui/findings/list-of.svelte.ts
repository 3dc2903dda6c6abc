// The one list of findings of the page: made by the first place that shows it, and there for the next.
import { FindingList } from '../../state/findings/finding-list.svelte.ts';
import { keptWith } from '../../state/kept.svelte.ts';

export const listOf = keptWith((app) => (app.findings.list = new FindingList(app)));
