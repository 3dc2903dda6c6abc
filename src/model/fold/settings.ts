// What a session is set to: mode, config options, commands, title, usage. Each value keeps the frame
// that said it last; a change of mode or option also stands in the conversation as a note.
import { get, isObject, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { quiet } from '../sessions/conversation-words.ts';
import type { ConfigOption } from '../facts/facts-view.ts';
import { commandsOf, configOf, modesOf } from '../facts/session-state.ts';
import { usageOf } from '../facts/usage.ts';
import { patchedMeta } from './meta.ts';
import { note } from './items.ts';
import type { Draft, FoldedFrame, Said } from './state.ts';

/** What an answer to new, load, resume or fork says. It is a beginning, not a change. */
export function begin(draft: Draft, result: Json | undefined, place: FoldedFrame): void {
  const modes = modesOf(get(result, 'modes'));
  if (modes) draft.modes = { value: modes, seq: place.seq };
  const config = configOf(result, draft.version);
  if (config) draft.config = kept(draft.config, config, place);
  commands(draft, result, place);
}

export function mode(draft: Draft, current: string | undefined, place: FoldedFrame): void {
  const { modes } = draft;
  if (current === undefined || current === modes?.value.current) return;
  const available = modes?.value.available ?? [];
  draft.modes = { value: { available, current }, seq: place.seq };
  const name = available.find(({ id }) => id === current)?.name ?? current;
  note(draft, quiet(`Mode: ${name}`), place);
}

/** A complete list; each option whose value is another one than before is a note. */
export function options(draft: Draft, holder: Json | undefined, place: FoldedFrame): void {
  const config = configOf(holder, draft.version);
  if (!config) return;
  const before = new Map(draft.config.map(({ value }) => [value.id, configOptionWords(value)]));
  draft.config = kept(draft.config, config, place);
  for (const option of config) {
    const words = configOptionWords(option);
    const then = before.get(option.id);
    if (words !== undefined && then !== undefined && then !== words)
      note(draft, quiet(words), place);
  }
}

/** The frame that gave an option its value stays, also where the list is sent again. */
function kept(
  before: readonly Said<ConfigOption>[],
  now: readonly ConfigOption[],
  { seq }: FoldedFrame,
): readonly Said<ConfigOption>[] {
  return now.map((value) => {
    const same = before.find(({ value: { id } }) => id === value.id);
    const isSame = same && JSON.stringify(same.value.value) === JSON.stringify(value.value);
    return { value, seq: isSame ? same.seq : seq };
  });
}

/** `Model: Opus`; undefined where it has no value to show. */
export function configOptionWords({
  name,
  value,
  options: choices,
}: ConfigOption): string | undefined {
  if (typeof value === 'boolean') return `${name}: ${value ? 'on' : 'off'}`;
  if (typeof value === 'number') return `${name}: ${value}`;
  if (typeof value !== 'string') return undefined;
  return `${name}: ${choices.find((choice) => choice.value === value)?.name ?? value}`;
}

export function commands(draft: Draft, holder: Json | undefined, { seq }: FoldedFrame): void {
  const value = commandsOf(holder);
  if (value) draft.commands = { value, seq };
}

/** `session_info_update`, or the entry of a list answer. Omitted: as it was; null: cleared. */
export function addInfo(draft: Draft, holder: Json | undefined, { seq }: FoldedFrame): void {
  const patched = (key: string, before: Said<string> | undefined) => {
    const value = str(holder, key);
    if (get(holder, key) === null) return undefined;
    return value === undefined || value === before?.value ? before : { value, seq };
  };
  draft.title = patched('title', draft.title);
  draft.updatedAt = patched('updatedAt', draft.updatedAt);
  if (draft.version === 2 && isObject(holder) && get(holder, '_meta') !== undefined) {
    const meta = patchedMeta(draft.meta?.value, holder, draft.version);
    draft.meta = meta && { value: meta, seq };
  }
  const cwd = str(holder, 'cwd');
  if (cwd !== undefined && cwd !== draft.cwd?.value) draft.cwd = { value: cwd, seq };
}

/** A snapshot; v2 leaves out a cost that is as it was. */
export function usage(draft: Draft, update: JsonObject, { seq }: FoldedFrame): void {
  const told = usageOf(update);
  if (!told) return;
  const isKept = draft.version === 2 && get(update, 'cost') === undefined;
  const before = isKept ? draft.usage?.value.cost : undefined;
  draft.usage = { value: { ...told, ...(before && !told.cost && { cost: before }) }, seq };
}

/** Its entry in an answer to `session/list`. */
export function listed(draft: Draft, result: Json | undefined, place: FoldedFrame): void {
  const entry = objects(result, 'sessions').find(
    (session) => str(session, 'sessionId') === draft.sessionId,
  );
  if (entry) addInfo(draft, entry, place);
}
