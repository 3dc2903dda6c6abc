// What every view of a run does while it is shown: it looks at what can be run where another thing is
// looked at, and reads its report anew when the run has grown.
import { untrack } from 'svelte';
import type { RunForm } from './run-form.svelte.ts';

/** Called by a component as it is made. `seen`: by what it is another thing. */
export function heedRun(form: RunForm, seen: () => readonly unknown[]): void {
  const thing = $derived(seen().join(' '));
  $effect(() => {
    void thing;
    // It looks at more than it is to be done again for.
    untrack(() => void form.look());
  });
  $effect(() => {
    void form.run?.version;
    void form.run?.phase;
    untrack(() => void form.heed());
  });
}
