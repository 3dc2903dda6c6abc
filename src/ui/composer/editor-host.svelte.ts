// The editor in its place: made when its code is loaded, kept at one with the composer while it is
// on the page, and taken away with its element.
import { untrack } from 'svelte';
import type { Composer } from '../../state/connections/composer.svelte.ts';
import type { AssistContext } from './assist.ts';
import type { Diagnosis } from './diagnose.ts';
import type { Editor } from './editor.ts';

export interface EditorFacts {
  readonly context: AssistContext;
  readonly diagnoses: readonly Diagnosis[];
}

export class EditorHost {
  readonly #composer: Composer;
  readonly #facts: () => EditorFacts;
  #editor: Editor | undefined;

  constructor(composer: Composer, facts: () => EditorFacts) {
    this.#composer = composer;
    this.#facts = facts;
  }

  select(from: number, to: number): void {
    this.#editor?.select(from, to);
  }

  /** Puts the editor into an element; the answer takes it away. */
  readonly attach = (parent: HTMLElement): (() => void) => {
    let remove: (() => void) | undefined;
    let gone = false;
    void import('./editor.ts').then(({ createEditor }) => {
      if (gone) return;
      const composer = this.#composer;
      const editor = createEditor({
        parent,
        text: composer.text,
        label: 'Message to send',
        context: () => this.#facts().context,
        onedit: (text) => composer.edit(text),
        onsend: () => void composer.send(),
      });
      this.#editor = editor;
      const unfollow = $effect.root(() => this.#follow(editor));
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

  /** What the editor shows of the composer. */
  #follow(editor: Editor): void {
    const composer = this.#composer;
    $effect(() => {
      void composer.stamp;
      editor.put(untrack(() => composer.text));
    });
    $effect(() => editor.setRaw(composer.kind === 'raw'));
    $effect(() => editor.tell(this.#facts().diagnoses));
    $effect(() => {
      if (!composer.summoned) return;
      editor.focus();
      composer.arrived();
    });
  }
}
