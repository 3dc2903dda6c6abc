// Placeholders of the composer: names that stand for what the connection knows, so that one saved message fits
// every session. A placeholder is a whole string, `"$sessionId"`, and never a key.
export const PLACEHOLDERS = ['sessionId', 'cwd', 'lastMessageId'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values of the placeholders; an absent placeholder has no value yet. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>;

export interface Filled {
  /** The text with a value in place of each placeholder that has one. */
  readonly text: string;
  /** Placeholders in the text that got a value. */
  readonly used: readonly Placeholder[];
  /** Placeholders in the text that have no value. */
  readonly missing: readonly Placeholder[];
}

/** A string of JSON, and the colon behind a key. */
const STRING = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** Returns a JSON text with its placeholders filled in. Every other character stays. */
export function fillPlaceholders(json: string, values: PlaceholderValues): Filled {
  const used = new Set<Placeholder>();
  const missing = new Set<Placeholder>();
  const text = json.replace(STRING, (whole, string: string, colon?: string) => {
    const found = colon === undefined && PLACEHOLDERS.find((name) => string === `"$${name}"`);
    if (!found) return whole;
    const value = values[found];
    (value === undefined ? missing : used).add(found);
    return value === undefined ? whole : JSON.stringify(value);
  });
  return { text, used: [...used], missing: [...missing] };
}

const WHY: Readonly<Record<Placeholder, string>> = {
  sessionId: 'no session is selected. Create a session, or select one in the list of sessions',
  cwd: 'no folder is known here. Write the path of a folder',
  lastMessageId: 'no message of the session has an id yet. Send a prompt, or write an id',
};

/** Returns the sentence for placeholders that have no value. */
export function missingWords(missing: readonly Placeholder[]): string {
  return missing.map((name) => `$${name} has no value: ${WHY[name]}.`).join(' ');
}
