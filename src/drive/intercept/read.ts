// Reads the rules of an intercept from their text: {"rules": [RULE | PRESET, …]}. Every problem is a
// sentence with its line and path, and none of the rules is in force before all can be read.
import {
  get,
  isArray,
  isObject,
  obj,
  parseJson,
  str,
  typeWords,
  type JsonPath,
} from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { parseQuery } from '../../model/query/parse.ts';
import { readPath } from '../../model/query/path.ts';
import { termsIn, type Query } from '../../model/query/query.ts';
import { checkFields } from '../scenario/file/check-shape.ts';
import { queryNames } from '../scenario/file/query-names.ts';
import { noJson, problemAt, type Tell, type TextProblem } from '../scenario/file/text-problem.ts';
import {
  type InterceptAction,
  type Injected,
  type KeyPath,
  type InterceptRule,
  ACTION_KINDS,
  ACTIONS,
  HOLD_MS,
  MOST_RULES,
  PRESETS,
  REORDER_MS,
} from './table.ts';

type RulesRead =
  | { readonly ok: true; readonly rules: readonly InterceptRule[] }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

/** What is known of a frame only after it crossed, or never on its way. */
const NOT_YET = new Set(['finding', 'sev', 'seq', 'near', 'connection']);
const EXAMPLE = '{"rules": [{"on": "side:agent method:session/prompt type:res", "drop": true}]}';

export function readRules(text: string): RulesRead {
  const value = parseJson(text);
  if (value === undefined)
    return { ok: false, problems: [noJson(text, `Rules are a JSON document, ${EXAMPLE}.`)] };
  const problems: TextProblem[] = [];
  const tell: Tell = (path, message) => void problems.push(problemAt(text, path, message));
  const rules = rulesIn(value, tell);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rules };
}

/** The rules of a document, of which the problems are told. */
function rulesIn(value: Json, tell: Tell): readonly InterceptRule[] {
  const list = get(value, 'rules');
  if (!isObject(value) || !isArray(list)) {
    tell(
      [],
      `Rules are a JSON document, ${EXAMPLE}; this is ${isObject(value) ? 'one without a list of rules' : typeWords(value)}.`,
    );
    return [];
  }
  checkFields(value, [], {}, ['rules'], tell, 'The document has');
  if (list.length === 0) tell(['rules'], `There is no rule. Write one: ${EXAMPLE}.`);
  const problem = tooManyRules(list.length);
  if (problem !== undefined) tell(['rules'], problem);
  return problem === undefined
    ? list.flatMap((one, at) => ruleIn(one, ['rules', at], tell) ?? [])
    : [];
}

/** A sentence; undefined: so many may be in force. */
export function tooManyRules(count: number): string | undefined {
  return count <= MOST_RULES
    ? undefined
    : `There are ${count} rules; at most ${MOST_RULES} are taken, as every frame waits for them. Leave some out, or make one of several with a query such as method:session/prompt,session/cancel.`;
}

/** Undefined: what is wrong with it was told. */
export function ruleIn(written: Json, path: JsonPath, tell: Tell): InterceptRule | undefined {
  const preset = PRESETS.find(({ name }) => name === written);
  if (typeof written === 'string' && !preset) {
    const names = PRESETS.map(({ name }) => name);
    tell(
      path,
      `There is no preset ${written}.${didYouMean(written, names)} They are ${names.join(', ')}.`,
    );
    return undefined;
  }
  const value = preset?.rule ?? written;
  let isFine = true;
  const told: Tell = (at, message) => {
    isFine = false;
    tell(at, message);
  };
  const keys = isObject(value) ? Object.keys(value) : [];
  const kinds = ACTION_KINDS.filter((kind) => keys.includes(kind));
  const [kind] = kinds;
  if (kinds.length > 1)
    told(
      path,
      `${kinds.join(' and ')} exclude each other: a rule does one thing. Write two rules.`,
    );
  else if (kind === undefined) {
    const odd = keys.find((key) => !Object.hasOwn(ACTIONS.drop.more, key));
    const words = odd === undefined ? '' : ` There is no ${odd}.${didYouMean(odd, ACTION_KINDS)}`;
    told(
      odd === undefined ? path : [...path, odd],
      `A rule is an object that says what is done: one of ${ACTION_KINDS.join(', ')}.${words}`,
    );
  } else {
    const { main, more } = ACTIONS[kind];
    checkFields(value, path, { [kind]: main, ...more }, [], told, `${kind} has`);
  }
  if (!isFine || !isObject(value)) return undefined;
  const source = str(value, 'on');
  const on = source === undefined ? [] : readQuery(source, [...path, 'on'], told);
  if (source === undefined)
    told(path, 'The rule says not of which frames: "on" is a query, such as side:agent update:*.');
  const action = actionIn(value, path, told);
  if (!isFine || on === undefined || action === undefined || source === undefined) return undefined;
  return {
    name: str(value, 'name') ?? preset?.name ?? source,
    ...{ on, action },
    times: countOf(value, 'times', Infinity),
    every: countOf(value, 'every', 1),
    skip: countOf(value, 'skip', 0),
  };
}

function countOf(value: JsonObject, key: string, otherwise: number): number {
  const found = value[key];
  return typeof found === 'number' ? found : otherwise;
}

function readQuery(source: string, path: JsonPath, tell: Tell): Query | undefined {
  const parsed = parseQuery(source);
  if (!parsed.ok) {
    tell(path, `The query cannot be read: ${parsed.problem.message}`);
    return undefined;
  }
  const late = termsIn(parsed.query).find(
    (term) => term.kind === 'field' && NOT_YET.has(term.field),
  );
  if (late) tell(path, `${late.source} is not known while a frame is on its way. Leave it out.`);
  const wrong = queryNames(parsed.query, 'to come').find(({ isWarning }) => !isWarning);
  if (wrong) tell(path, wrong.message);
  return parsed.query;
}

function actionIn(value: JsonObject, path: JsonPath, tell: Tell): InterceptAction | undefined {
  const kind = ACTION_KINDS.find((one) => Object.hasOwn(value, one)) ?? 'drop';
  const main = value[kind];
  const at = [...path, kind];
  switch (kind) {
    case 'hold':
      return { kind, deadline: countOf(value, 'deadline', HOLD_MS) };
    case 'drop':
    case 'cut':
      return { kind };
    case 'delay':
      return { kind, ms: Number(main) };
    case 'duplicate':
      return { kind, more: Number(main) };
    case 'truncate':
      return { kind, bytes: Number(main) };
    case 'reorder': {
      const deadline = countOf(value, 'deadline', REORDER_MS);
      if (main === true) return { kind, behind: undefined, deadline };
      if (typeof main === 'string') return { kind, behind: readQuery(main, at, tell), deadline };
      tell(at, 'reorder takes true, or a query: the frame it goes behind.');
      return undefined;
    }
    case 'edit':
      return editIn(main, at, tell);
    case 'inject':
      return injectIn(value, at, tell);
    case 'answer': {
      const key = isObject(main) && Object.hasOwn(main, 'error') ? 'error' : 'result';
      const answer = get(main, key);
      const keys = isObject(main) ? Object.keys(main) : [];
      if (answer !== undefined && keys.length === 1) return { kind, key, value: answer };
      tell(at, 'answer takes {"result": …} or {"error": {"code": -32603, "message": "…"}}.');
      return undefined;
    }
  }
}

function editIn(main: Json | undefined, path: JsonPath, tell: Tell): InterceptAction | undefined {
  const fields = { set: {}, remove: {}, replace: {}, line: {} };
  for (const key of isObject(main) ? Object.keys(main) : [])
    if (!Object.hasOwn(fields, key))
      tell(
        [...path, key],
        `edit has no field ${key}.${didYouMean(key, Object.keys(fields))} Fields are set, remove, replace, line.`,
      );
  const line = str(main, 'line');
  if (line?.includes('\n')) tell([...path, 'line'], 'A line has no line break. Remove it.');
  const set = Object.entries(obj(main, 'set') ?? {}).flatMap(([name, value]) => {
    const keys = keysOf(name, [...path, 'set', name], tell);
    return keys ? [{ keys, json: JSON.stringify(value) }] : [];
  });
  const removed = get(main, 'remove');
  const remove = (isArray(removed) ? removed : []).flatMap((name, at) => {
    const keys = keysOf(String(name), [...path, 'remove', at], tell);
    return keys ? [keys] : [];
  });
  const replace = Object.entries(obj(main, 'replace') ?? {}).map(([text, by]) => ({
    text,
    by: typeof by === 'string' ? by : JSON.stringify(by),
  }));
  if (line === undefined && set.length + remove.length + replace.length === 0)
    tell(
      path,
      'Nothing is edited: edit takes {"set": {"$.result.title": "other"}}, {"remove": ["$.result.title"]}, {"replace": {"this": "that"}} or {"line": "…"}.',
    );
  return { kind: 'edit', set, remove, replace, line };
}

function keysOf(name: string, path: JsonPath, tell: Tell): KeyPath | undefined {
  const read = name.startsWith('$') ? readPath(name, 0) : 0;
  const keys = typeof read === 'number' || read.to < name.length ? [] : read.path;
  const [first, ...rest] = keys.filter((step): step is string => typeof step === 'string');
  if (first !== undefined && rest.length + 1 === keys.length) return [first, ...rest];
  tell(
    path,
    `${name} is no path of keys. Write $.result.agentCapabilities.loadSession, or $.params["a b"].`,
  );
  return undefined;
}

function injectIn(value: JsonObject, path: JsonPath, tell: Tell): InterceptAction | undefined {
  const main = get(value, 'inject');
  const to = str(value, 'to') ?? 'agent';
  if (to !== 'agent' && to !== 'client')
    return void tell([...path.slice(0, -1), 'to'], `to is agent or client; this is ${to}.`);
  const what = injectedIn(main);
  if (what) return { kind: 'inject', what, to };
  tell(
    path,
    'inject takes {"request": METHOD, "params": {…}}, {"notify": METHOD, "params": {…}} or {"line": TEXT} without a line break.',
  );
  return undefined;
}

function injectedIn(main: Json | undefined): Injected | undefined {
  const text = str(main, 'line');
  if (text !== undefined) return text.includes('\n') ? undefined : { kind: 'line', text };
  for (const kind of ['request', 'notify'] as const) {
    const method = str(main, kind);
    if (method !== undefined) return { kind, method, params: get(main, 'params') ?? {} };
  }
  return undefined;
}
