// Values of options that several commands take, and a sentence for what is wrong with one.
import type { JsonObject } from '../../acp/message.ts';
import { ID_MARK, readDocumentedCursor } from '../../acp/replay-cursors.ts';
import { UsageError } from '../command.ts';

export function oneOf<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} ${text} is not one of ${allowed.join(', ')}.`);
}

export function protocolOf(text: string | undefined): 1 | 2 | undefined {
  if (text === undefined) return undefined;
  if (text === '1' || text === '2') return text === '1' ? 1 : 2;
  throw new UsageError(`--protocol ${text} is not a version. Give 1 or 2.`);
}

/** A replay cursor as an agent documents it. */
export function cursorOf(text: string): JsonObject {
  const cursor = readDocumentedCursor(text);
  if (cursor !== undefined) return cursor;
  throw new UsageError(
    `--cursor ${text} is no cursor. Give a JSON object with a type, and ${ID_MARK} for the id it names: {"type":"_message","messageId":"${ID_MARK}"}`,
  );
}
