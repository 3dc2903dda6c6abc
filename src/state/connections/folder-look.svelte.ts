// What a person is told of a folder that they type: a warning and never more, for the agent may see other
// folders than the relay does.
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import type { Looked } from '../../link/messages.ts';
import type { App } from '../app.svelte.ts';

/** Nobody has typed for so long. */
const PAUSE_MS = 300;
const WARNINGS: Partial<Record<Looked, string>> = {
  missing: 'There is no such folder on this machine.',
  file: 'This is a file, and no folder.',
};

/** Of one field, as long as its component is there. */
export class FolderLook {
  warning = $state.raw<string | undefined>();

  /** `path`: undefined where the folder is not one of this machine. */
  constructor({ engine }: App, path: () => string | undefined) {
    $effect(() => {
      const at = path();
      this.warning = undefined;
      if (at === undefined || !isAbsolutePath(at)) return;
      let isOver = false;
      const timer = setTimeout(async () => {
        const looked = await engine.connections.look(at);
        if (!isOver) this.warning = WARNINGS[looked];
      }, PAUSE_MS);
      return () => {
        isOver = true;
        clearTimeout(timer);
      };
    });
  }
}
