// Notes of a conversation: turn ends, changes of mode, compactions, exits; one quiet line each.
import { arr, get, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { contentPart, textOf } from '../facts/content-parts.ts';
import { compactionWords, type Words } from '../sessions/conversation-words.ts';
import { add, change, find, freshKey, lastOf } from './items.ts';
import { patchedMeta } from './meta.ts';
import type { Draft, NoteBody, Place } from './state.ts';

/** The same line twice running is one. */
export function note(draft: Draft, words: Words, place: Place): void {
  const last = lastOf(draft, 'note');
  if (last?.item.body.text === words.text) change(draft, last, last.item.body, place);
  else add(draft, freshKey(draft, place.seq), { type: 'note', ...words }, place);
}

/** Its first frame fixes its place; later ones patch it there. */
export function compaction(draft: Draft, variant: string, update: JsonObject, place: Place): void {
  const id = str(update, 'compactionId');
  if (id === undefined) return;
  const key = `c:${id}`;
  const known = find(draft, key, 'note');
  const before = known?.item.body.compaction;
  let { status, summary, error, meta } = before ?? {
    status: 'in_progress',
    summary: '',
    error: undefined,
    meta: undefined,
  };
  if (variant === 'compaction_summary_chunk') {
    summary += textOf([contentPart(get(update, 'content'))]);
  } else {
    status = str(update, 'status') ?? status;
    if (get(update, 'summary') !== undefined)
      summary = textOf(arr(update, 'summary').map(contentPart));
    if (get(update, 'error') !== undefined) error = str(update, 'error');
    meta = patchedMeta(meta, update, draft.version);
  }
  const words = compactionWords(status, summary, error);
  const body: NoteBody = { type: 'note', ...words, compaction: { status, summary, error, meta } };
  if (known) change(draft, known, body, place);
  else add(draft, key, body, place);
}
