// The one list of findings of the page: made by the first place that shows it, and there for the next.
import type { App } from '../../state/app.svelte.ts';
import { FindingList } from '../../state/finding-list.svelte.ts';

export function listOf(app: App): FindingList {
  const { findings } = app;
  // What is derived in a component ends with it; this outlives the place that asks first.
  if (!findings.list) $effect.root(() => void (findings.list = new FindingList(app)));
  return findings.list ?? new FindingList(app);
}
