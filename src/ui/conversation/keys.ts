// The keys of the conversation, which move the playhead.
import type { App } from '../../state/app.svelte.ts';
import { inText, isKey } from '../../state/keys.ts';
import type { Playback } from '../../state/conversation/playback.svelte.ts';

interface ConversationKey {
  readonly keys: readonly string[];
  readonly does: string;
  run(playback: Playback): unknown;
}

export const CONVERSATION_KEYS: readonly ConversationKey[] = [
  { keys: ['Space'], does: 'Play, or pause', run: (playback) => playback.toggle() },
  { keys: [','], does: 'Playhead a frame back', run: (playback) => playback.step(-1) },
  { keys: ['.'], does: 'Playhead a frame on', run: (playback) => playback.step(1) },
  { keys: ['<'], does: 'Playhead an item back', run: (playback) => playback.stepItem(-1) },
  { keys: ['>'], does: 'Playhead an item on', run: (playback) => playback.stepItem(1) },
  { keys: ['N'], does: 'To the next finding', run: (playback) => playback.stepFinding(1) },
  { keys: ['⇧N'], does: 'To the finding before', run: (playback) => playback.stepFinding(-1) },
  { keys: ['L'], does: 'Playhead to the live end', run: (playback) => playback.toLive() },
];

/** Whether the key was one of ours. A button in focus takes its own Space. */
export function conversationKey(app: App, playback: Playback, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || inText(event) || !app.prefs.letterKeys) return false;
  const found = CONVERSATION_KEYS.find(({ keys }) => keys.some((key) => isKey(event, key)));
  if (!found) return false;
  const target = event.target instanceof Element ? event.target : undefined;
  if (event.key === ' ' && target?.closest('button, input, summary, a')) return false;
  void found.run(playback);
  return true;
}
