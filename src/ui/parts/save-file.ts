// Files out of the page.
import type { App } from '../../state/app.svelte.ts';
import type { ConnectionId } from '../../trace/event.ts';

/** The trace as a file, its marks behind it. */
export async function saveTrace(app: App, connection: ConnectionId): Promise<void> {
  const { name, blob } = await app.library.file(connection);
  saveFile(name, blob);
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
