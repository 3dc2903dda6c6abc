// An editor in its place: made when its code is loaded, kept at one with what it shows while it is on the
// page, and taken away with its element.

interface EditorHost<Editor> {
  /** Undefined while it is not on the page. */
  readonly editor: Editor | undefined;
  /** Puts the editor into an element; the answer takes it away. */
  readonly attach: (parent: HTMLElement) => () => void;
}

/** `follow` says in effects what the editor shows, for as long as it is there. */
export function editorHost<Editor extends { destroy(): void }>(
  load: () => Promise<(parent: HTMLElement) => Editor>,
  follow: (editor: Editor) => void,
): EditorHost<Editor> {
  let editor: Editor | undefined;
  return {
    get editor() {
      return editor;
    },
    attach(parent) {
      let unfollow: (() => void) | undefined;
      let gone = false;
      void load().then((create) => {
        if (gone) return;
        const made = (editor = create(parent));
        unfollow = $effect.root(() => follow(made));
      });
      return () => {
        gone = true;
        unfollow?.();
        editor?.destroy();
        editor = undefined;
      };
    },
  };
}
