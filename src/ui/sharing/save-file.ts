// Files out of the page.
import { count } from '../../lib/format.ts';
import type { App } from '../../state/app.svelte.ts';
import type { ConnectionId } from '../../trace/event.ts';

/** Asks how much of the trace is to be saved as a file, its marks behind it. */
export function saveTrace(app: App, connection: ConnectionId): void {
  const name = app.traces.find((trace) => trace.connection === connection)?.name ?? '';
  app.sharing.ask({ connection, name });
}

/** A text as a file, without its secrets. */
export async function saveText(app: App, name: string, text: string, type: string): Promise<void> {
  const plain = await app.sharing.plain(text);
  saveFile(name, new Blob([plain.text], { type }));
  if (plain.places > 0)
    app.tell('info', `Saved without ${count(plain.places, 'secret')}.`, {
      label: plain.places === 1 ? 'Save with it' : 'Save with them',
      run: () => saveFile(name, new Blob([text], { type })),
    });
}

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
