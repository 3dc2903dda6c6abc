// JSON for a terminal. JSON escapes C0 control characters by itself, but leaves DEL and C1 as they are,
// and a terminal may obey those (U+009B is ESC and `[` in one).

const OBEYED = /[\u007f-\u009f]/g;

/** The value as a JSON document that holds no control character but line feeds; `indent` 0: on one line. */
export function safeJson(value: unknown, indent = 2): string {
  // Outside of strings JSON is ASCII, and there it has no DEL: each stands in a string.
  return JSON.stringify(value, undefined, indent).replace(
    OBEYED,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
