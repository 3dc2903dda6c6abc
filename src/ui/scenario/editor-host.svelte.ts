// The editor of a scenario in its place: made when its code is loaded, kept at one with the form while it
// is on the page.
import { untrack } from 'svelte';
import type { ScenarioForm } from '../../state/runs/scenario.svelte.ts';
import type { ScenarioEditor } from './editor.ts';

export class ScenarioEditorHost {
  readonly #form: ScenarioForm;
  #editor: ScenarioEditor | undefined;

  constructor(form: ScenarioForm) {
    this.#form = form;
  }

  show(line: number): void {
    this.#editor?.show(line);
  }

  /** Puts the editor into an element; the answer takes it away. */
  readonly attach = (parent: HTMLElement): (() => void) => {
    const form = this.#form;
    let remove: (() => void) | undefined;
    let gone = false;
    void import('./editor.ts').then(({ createScenarioEditor }) => {
      if (gone) return;
      const editor = createScenarioEditor({
        parent,
        text: untrack(() => form.source),
        words: () => form.words,
        onedit: (text) => form.edit(text),
      });
      this.#editor = editor;
      const unfollow = $effect.root(() => {
        $effect(() => {
          void form.stamp;
          editor.put(untrack(() => form.source));
        });
        $effect(() => {
          const { plan } = form;
          if (plan?.ok) editor.tell(plan.warnings, 'warning');
          else editor.tell(plan?.problems ?? [], 'error');
        });
      });
      remove = () => {
        unfollow();
        editor.destroy();
        this.#editor = undefined;
      };
    });
    return () => {
      gone = true;
      remove?.();
    };
  };
}
