// Config options as a session's answers list them, in either version.
import { arr, objects, str } from '../../../acp/json.ts';
import type { Json, JsonObject } from '../../../acp/message.ts';
import type { Answered } from '../../heard.ts';
import { selectChoices } from '../../../model/facts/session-state.ts';

/** An option set to what it is: a question about a session that costs nothing. */
export function sameSetting(
  version: 1 | 2,
  sessionId: string,
  result: Json,
): JsonObject | undefined {
  for (const option of arr(result, 'configOptions')) {
    const value = str(option, 'currentValue');
    if (value !== undefined) return setting(version, sessionId, option, value);
  }
  return undefined;
}

/** An option set to something else than it is. */
export function otherSetting(
  version: 1 | 2,
  sessionId: string,
  result: Json,
): JsonObject | undefined {
  for (const option of arr(result, 'configOptions')) {
    const now = str(option, 'currentValue');
    const other = selectChoices(option).find(({ value }) => value !== now);
    if (now !== undefined && other) return setting(version, sessionId, option, other.value);
  }
  return undefined;
}

/** The value an option has in a result. */
export function settingNow(version: 1 | 2, result: Json | undefined, id: string) {
  const option = objects(result, 'configOptions').find((one) => str(one, idKey(version)) === id);
  return str(option, 'currentValue');
}

function setting(
  version: 1 | 2,
  sessionId: string,
  option: Json,
  value: string,
): JsonObject | undefined {
  const configId = str(option, idKey(version));
  if (configId === undefined) return undefined;
  return { sessionId, configId, value, ...(version === 2 && { type: 'id' }) };
}

function idKey(version: 1 | 2): string {
  return version === 1 ? 'id' : 'configId';
}

// What an answer to session/list names.

export function listedSessions(answered: Answered): readonly JsonObject[] {
  return objects(answered.result, 'sessions');
}

export function entryOf(answered: Answered, sessionId: string): JsonObject | undefined {
  return listedSessions(answered).find((entry) => str(entry, 'sessionId') === sessionId);
}

export function sessionIdsOf(entries: readonly JsonObject[]): readonly string[] {
  return entries.flatMap((entry) => str(entry, 'sessionId') ?? []);
}

// Other spellings of a folder, for either kind of path.

function separatorOf(path: string): string {
  return path.includes('\\') ? '\\' : '/';
}

/** The same folder, with a separator at its end. */
export function withSlash(path: string): string {
  return path + separatorOf(path);
}

/** A folder in it, which need not exist. */
export function below(path: string, name: string): string {
  return withSlash(path) + name;
}

/** A folder that nobody has, on the same drive. */
export function unusedFolder(path: string, random: string): string {
  const drive = /^[A-Za-z]:/.exec(path)?.[0] ?? '';
  const separator = separatorOf(path);
  return [drive, 'acp-probe', `none-${random}`].join(separator);
}
