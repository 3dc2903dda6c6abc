// Completion in a scenario: the fields of the place, what each is for, methods, and the params of a
// method from the protocol's schemas.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { get, isArray, parseJson, str } from '../../acp/json.ts';
import { methodsOf } from '../../acp/methods.ts';
import type { ScenarioWord } from '../../drive/scenario/assert/assertion-words.ts';
import type { ScenarioWords } from '../../engine/runs/scenario-messages.ts';
import { placeAt, treeTo, type JsonPlace } from '../composer/place.ts';

export async function completeScenario(
  { state, pos, explicit }: CompletionContext,
  words: ScenarioWords | undefined,
): Promise<CompletionResult | null> {
  const text = state.doc.toString();
  const place = placeAt(treeTo(state, pos), text, pos);
  if (!words || !place || (place.from === place.to && !explicit && place.at === 'key')) return null;
  const inText = text[place.from] === '"' && place.at === 'value' && pos > place.from;
  const before = inText ? text.slice(place.from + 1, pos) : '';
  const told = inText ? textOptions(place, before, text, words) : undefined;
  if (told && told.options.length > 0)
    return {
      from: pos - told.back,
      to: pos,
      options: told.options.map(({ label, doc }) => ({
        label,
        type: 'enum',
        ...(doc !== '' && { info: doc }),
      })),
      filter: false,
    };
  const rest = state.sliceDoc(place.to, place.to + 40);
  const options =
    place.at === 'key'
      ? (await keysAt(place, text, words)).map((word) => keyOption(word, /^\s*:/.test(rest)))
      : valuesAt(place, words);
  const typed = state.sliceDoc(place.from, pos).replaceAll('"', '').toLowerCase();
  const fitting = options.filter(({ label }) => label.toLowerCase().includes(typed));
  // Ours, because the editor's own filter would look for the closing quote too.
  return fitting.length === 0
    ? null
    : { from: place.from, to: place.to, options: fitting, filter: false };
}

/** Undefined: the text is none that has words of its own. */
function textOptions(
  { path, from }: JsonPlace,
  before: string,
  text: string,
  words: ScenarioWords,
): TextOptions | undefined {
  const [list] = path;
  const last = path.at(-1);
  // Written with escapes, it is another text than the one that stands there.
  if (before.includes('\\')) return undefined;
  if (list === 'assert' && (path.length === 2 || last === 'that'))
    return inAssertion(before, words);
  if (list !== 'steps') return undefined;
  const names = namesBefore(text.slice(0, from), before);
  if (names.options.length > 0) return names;
  return last === 'expect' && path.length === 3 ? inQuery(before, words) : undefined;
}

function keyOption({ name, doc }: ScenarioWord, hasColon: boolean): Completion {
  return {
    label: JSON.stringify(name),
    displayLabel: name,
    apply: JSON.stringify(name) + (hasColon ? '' : ': '),
    type: 'property',
    ...(doc !== '' && { info: doc }),
  };
}

async function keysAt(
  place: JsonPlace,
  text: string,
  words: ScenarioWords,
): Promise<readonly ScenarioWord[]> {
  const found = (await fieldsOf(place, text, words)) ?? [];
  return found.filter(({ name }) => !place.taken.includes(name));
}

async function fieldsOf(
  { path, taken }: JsonPlace,
  text: string,
  { head, steps, faults, rules }: ScenarioWords,
): Promise<readonly ScenarioWord[] | undefined> {
  const [list, at, key] = path;
  if (list === undefined) return head;
  if (path.at(-1) === 'fault') return faults;
  if (path.at(-2) === 'intercept') return rules;
  if (list !== 'steps' || typeof at !== 'number') return undefined;
  if (key === 'params') return paramsAt(text, at, path.slice(3));
  if (path.length !== 2) return undefined;
  const kind = taken.find((name) => Object.hasOwn(steps, name));
  if (kind !== undefined) return steps[kind]?.fields;
  return Object.entries(steps).map(([name, { doc }]) => ({ name, doc, values: [] }));
}

/** What the schema lets stand in the params of a step; nothing while the text is broken. */
async function paramsAt(
  text: string,
  at: number,
  path: readonly (string | number)[],
): Promise<readonly ScenarioWord[]> {
  const value = parseJson(text);
  const steps = get(value, 'steps');
  const step = isArray(steps) ? steps[at] : undefined;
  const request = str(step, 'request');
  const method = request ?? str(step, 'notify');
  if (method === undefined) return [];
  const { fieldsAt } = await import('../../acp/schema/lookup.ts');
  const fields = await fieldsAt({
    version: get(value, 'protocol') === 1 ? 1 : 2,
    from: 'client',
    method,
    part: request === undefined ? 'notification' : 'params',
    path,
    value: get(step, 'params'),
  });
  return fields.map(({ name, description }) => ({ name, doc: description ?? '', values: [] }));
}

const METHOD_OF: Readonly<Record<string, 'client' | 'agent'>> = {
  request: 'client',
  notify: 'client',
  answer: 'agent',
};

function valuesAt({ path }: JsonPlace, { head, steps }: ScenarioWords): readonly Completion[] {
  const [list, , key] = path;
  const last = path.at(-1);
  if (list === 'steps' && path.length === 3 && typeof key === 'string') {
    const side = METHOD_OF[key];
    if (side) {
      const kind = key === 'notify' ? 'notification' : 'request';
      const names = ([1, 2] as const).flatMap((version) =>
        methodsOf(version, side).flatMap((method) => (method.kind === kind ? method.name : [])),
      );
      return [...new Set(names)].map((name) => option(JSON.stringify(name)));
    }
  }
  const fields = list === 'steps' ? Object.values(steps).flatMap((step) => step.fields) : head;
  const values = fields.flatMap(({ name, values: all }) => (name === last ? all : []));
  return [...new Set(values)].map(option);
}

function option(label: string): Completion {
  return { label, type: 'enum' };
}

// Completion inside a text of a scenario: queries, assertions and `$names`, by what stands before the
// cursor.

interface TextOption {
  readonly label: string;
  readonly doc: string;
}

interface TextOptions {
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
    // Behind a comma and a space stands a query, in whatever call.
    const isQuery = takes === undefined || /,\s/.test(inner);
    return isQuery ? inQuery(inner, words) : fitting(inner.trimStart(), plain(takes));
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
