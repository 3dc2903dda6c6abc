// The way to the Session view with a restore request filled in, from wherever a session is shown.
import type { CursorField } from '../../model/restore/cursor-fields.ts';
import type { Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';

/** The restore form of this page. */
export const restoreForm = keptWith(async (app) => {
  const { RestoreForm } = await import('./restore.svelte.ts');
  return new RestoreForm(app);
});

/** Opens the restore form for a session; `cursor`: with this value of a frame as the cursor. */
export async function restoreSession(
  app: App,
  sessionId: string | undefined,
  cursor?: CursorField,
): Promise<void> {
  const form = await restoreForm(app);
  if (sessionId !== undefined) form.choose(sessionId);
  if (cursor) form.useCandidate(cursor);
  app.view = 'session';
}

/** Opens the restore form with the likeliest cursor of the frame, or the nearest before it. */
export async function resumeFrom(app: App, seq: Seq): Promise<void> {
  const line = await app.lineOf(seq);
  if (!line) return;
  await restoreSession(app, line.sessionId);
  await (await restoreForm(app)).resumeFrom(seq, line.text);
}
