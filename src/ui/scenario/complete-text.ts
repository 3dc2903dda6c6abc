// Completion inside a text of a scenario: queries, assertions and `$names`, by what stands before the
// cursor.
import type { ScenarioWord, ScenarioWords } from '../../engine/runs/scenario-messages.ts';

export interface TextOption {
  readonly label: string;
  readonly doc: string;
}

export interface TextOptions {
  /** Characters before the cursor that the option replaces. */
  readonly back: number;
  readonly options: readonly TextOption[];
}

type Words = Pick<ScenarioWords, 'calls' | 'takes' | 'fields'>;

/** `before`: the query up to the cursor. */
export function inQuery(before: string, { fields }: Words): TextOptions {
  const term = /(?:^|\s)-?(\S*)$/.exec(before)?.[1] ?? '';
  const colon = term.indexOf(':');
  if (colon < 0)
    return fitting(
      term,
      fields.map(({ name, doc }) => ({ label: `${name}:`, doc })),
    );
  const field = fields.find(({ name }) => name === term.slice(0, colon));
  const typed = term.slice(Math.max(colon, term.lastIndexOf(',')) + 1);
  return fitting(typed, plain(field?.values ?? []));
}

/** `before`: the assertion up to the cursor. */
export function inAssertion(before: string, words: Words): TextOptions {
  const open = /\b([a-z]+)\(([^()]*)$/.exec(before);
  if (open?.[1] !== undefined) {
    const [, name, inner = ''] = open;
    const takes = words.takes[name];
    return takes === undefined ? inQuery(inner, words) : fitting(inner.trimStart(), plain(takes));
  }
  const compared = /\b([a-z]+)\([^()]*\)\s*(?:[=<>!]=?)\s*([\w-]*)$/.exec(before);
  if (compared) {
    const call = words.calls.find(({ name }) => name === compared[1]);
    return fitting(compared[2] ?? '', plain(call?.values ?? []));
  }
  const word = /^\s*(\w*)$/.exec(before)?.[1];
  if (word === undefined) return { back: 0, options: [] };
  const calls = words.calls.map(({ name, doc }: ScenarioWord) => ({ label: `${name}(`, doc }));
  return fitting(word, calls);
}

/** Names that have a value before this place: `text` is the scenario up to it. */
export function namesBefore(text: string, before: string): TextOptions {
  const typed = /(?:^|\$\{)\$?(\w*)$/.exec(before)?.[1];
  if (typed === undefined || !before.includes('$')) return { back: 0, options: [] };
  const captured = [...text.matchAll(/"\$([A-Za-z_]\w*)"\s*:/g)].flatMap(([, name]) => name ?? []);
  const isInside = before.endsWith(`\${${typed}`);
  const docs: Readonly<Record<string, string>> = {
    cwd: 'The folder the agent is started in.',
    sessionId: 'Of the last answer that named a session.',
  };
  const options = [...new Set(['cwd', 'sessionId', ...captured])].map((name) => ({
    label: isInside ? name : `$${name}`,
    doc: docs[name] ?? 'Captured by a step.',
  }));
  return fitting(isInside ? typed : `$${typed}`, options);
}

function plain(values: readonly string[]): TextOption[] {
  return values.map((label) => ({ label, doc: '' }));
}

function fitting(typed: string, options: readonly TextOption[]): TextOptions {
  const low = typed.toLowerCase();
  return {
    back: typed.length,
    options: options.filter(({ label }) => label.toLowerCase().startsWith(low)),
  };
}
