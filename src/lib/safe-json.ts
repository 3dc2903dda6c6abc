// JSON to print. JSON itself escapes C0 control characters, but leaves DEL, C1 and all other characters
// that a terminal obeys or a reader does not see, and what the log of a CI obeys.
import { AS_ESCAPE, withoutCiCommands } from './print/ci-commands.ts';
import { replaceHidden } from './visible-text.ts';

/** The value as a JSON document in which nothing is hidden or obeyed; `indent` 0: on one line. */
export function safeJson(value: unknown, indent = 2): string {
  // Outside of strings JSON has none of these: each is in a string, where it may be escaped.
  const json = replaceHidden(JSON.stringify(value, undefined, indent), escaped);
  return withoutCiCommands(json, AS_ESCAPE);
}

/** Two escapes for a character outside of the first plane. */
const escaped = (char: string) => char.split('').map(AS_ESCAPE).join('');
