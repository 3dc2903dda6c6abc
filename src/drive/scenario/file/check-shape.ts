// A value held against the table of fields: every problem as a sentence with the path it is about.
import { get, isArray, isObject, typeWords, type JsonPath } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { parseQuery } from '../../../model/query/parse.ts';
import { mustMatch, termsIn } from '../../../model/query/query.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import { queryNames } from './query-names.ts';
import type { Tell } from './text-problem.ts';
import { MAX_COPIES, type StepField, type StepShape } from './shape.ts';
import { FAULTS, FAULT_KINDS, STEPS, STEP_KINDS } from './table.ts';

/** Kinds of rows that nobody sends. */
const NO_FRAME: ReadonlySet<string> = new Set(['std', 'evt']);

const RULE = '{"on": "side:client method:session/prompt", "drop": true}';
/** What files of before hold, and what takes its place. */
const BEFORE: ReadonlyMap<string, string> = new Map([
  ['faults', ` What befalls lines is written as rules: "intercept": [${RULE}].`],
  ['fault', ` What befalls lines from here on is written as rules: {"intercept": [${RULE}]}.`],
]);

const NAME = /^\$[A-Za-z_]\w*$/;

/** Of one step: which it is, and its fields. */
export function checkStep(value: Json, path: JsonPath, tell: Tell): void {
  checkTagged(value, path, STEPS, 'step', STEP_KINDS, tell);
}

/** Of an object of which one key says what it is. */
function checkTagged(
  value: Json | undefined,
  path: JsonPath,
  table: Readonly<Record<string, StepShape>>,
  what: string,
  kinds: readonly string[],
  tell: Tell,
): void {
  if (!isObject(value))
    return tell(
      path,
      `A ${what} is an object with one of ${kinds.join(', ')}; this is ${typeWords(value)}.`,
    );
  const keys = Object.keys(value);
  // `fault` is a step, and a field of others.
  const kind = kinds.find((one) => keys.includes(one));
  const shape = kind === undefined ? undefined : table[kind];
  if (kind === undefined || shape === undefined) {
    const [first = ''] = keys;
    const meant =
      BEFORE.get(first) ??
      keys.map((key) => didYouMean(key, kinds)).find((words) => words !== '') ??
      '';
    return tell(
      first === '' ? path : [...path, first],
      keys.length === 0
        ? `The ${what} is empty. It has one of ${kinds.join(', ')}.`
        : `There is no ${what} ${first}.${meant} A ${what} is one of ${kinds.join(', ')}.`,
    );
  }
  checkField(get(value, kind), [...path, kind], shape.main, tell);
  checkFields(value, path, shape.more, [kind], tell, `${kind} has`);
  for (const group of shape.either ?? []) {
    const both = group.filter((key) => keys.includes(key));
    if (both.length > 1)
      tell([...path, both[1] ?? ''], `${both.join(' and ')} exclude each other. Keep one.`);
  }
}

/** `besides`: keys that are known elsewhere; of several, they are told too. */
export function checkFields(
  value: Json,
  path: JsonPath,
  fields: Readonly<Record<string, StepField>>,
  besides: readonly string[],
  tell: Tell,
  owner: string,
): void {
  if (!isObject(value)) return;
  const known = [...Object.keys(fields), ...(besides.length > 1 ? besides : [])];
  for (const [key, item] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field) checkField(item, [...path, key], field, tell);
    else if (!besides.includes(key))
      tell(
        [...path, key],
        `${owner} no field ${key}.${BEFORE.get(key) ?? didYouMean(key, [...known, ...besides])} ${known.length === 0 ? 'It takes none.' : `Fields are ${known.join(', ')}.`}`,
      );
  }
}

function checkField(
  value: Json | undefined,
  path: JsonPath,
  { kind }: StepField,
  tell: Tell,
): void {
  const name = String(path.at(-1));
  const due = (words: string) => tell(path, `${name} takes ${words}; this is ${shown(value)}.`);
  switch (kind.is) {
    case 'json':
      return;
    case 'text':
      if (typeof value !== 'string' || value === '') due('a text');
      return;
    case 'line':
      if (typeof value !== 'string' || value.includes('\n')) due('a text without a line break');
      return;
    case 'query': {
      if (typeof value !== 'string' || value.trim() === '')
        return due('a query, such as side:agent update:tool_call');
      return checkQuery(value, path, tell);
    }
    case 'ms':
      if (typeof value !== 'number' || value < 0) due('milliseconds, 0 or more');
      return;
    case 'count':
      if (!isCount(value)) due('a whole number, 1 or more');
      return;
    case 'copies':
      if (!isCount(value) || value > MAX_COPIES) due(`a whole number, 1 to ${MAX_COPIES}`);
      return;
    case 'times':
      if (!isCount(value) && value !== 'all') due('a whole number, 1 or more, or "all"');
      return;
    case 'object':
      if (!isObject(value)) due('an object');
      return;
    case 'error': {
      const [code, message] = [get(value, 'code'), get(value, 'message')];
      if (!Number.isInteger(code) || typeof message !== 'string')
        due('an object with a whole number code and a text message');
      return;
    }
    case 'flag':
      if (typeof value !== 'boolean') due('true or false');
      return;
    case 'true':
      if (value !== true) due('true');
      return;
    case 'choice':
      if (!kind.of.some((one) => one === value))
        tell(
          path,
          `${name} is one of ${kind.of.join(', ')}; this is ${shown(value)}.${typeof value === 'string' ? didYouMean(value, kind.of.map(String)) : ''}`,
        );
      return;
    case 'captures':
      return checkCaptures(value, path, tell);
    case 'fault':
      return checkFault(value, path, tell);
    case 'rules':
      if (!isArray(value)) due('a list of rules and names of presets');
      return;
  }
}

function checkFault(value: Json | undefined, path: JsonPath, tell: Tell): void {
  const kinds = FAULT_KINDS.filter((kind) => isObject(value) && Object.hasOwn(value, kind));
  // What one of them has no field for may be the other's.
  if (kinds.length < 2) return checkTagged(value, path, FAULTS, 'fault', FAULT_KINDS, tell);
  tell(path, `${kinds.join(' and ')} exclude each other: a fault is one thing. Keep one.`);
}

function checkQuery(query: string, path: JsonPath, tell: Tell): void {
  const parsed = parseQuery(query.replace(/\$\{\w+\}/g, '1'));
  if (!parsed.ok) return tell(path, `The query cannot be read: ${parsed.problem.message}`);
  const events = mustMatch(parsed.query, 'type').find(({ values }) =>
    values.every((one) => 'text' in one && NO_FRAME.has(one.text)),
  );
  if (events)
    tell(path, `${events.source} is no frame, and only frames are expected. Ask in an assertion.`);
  const late = termsIn(parsed.query).find(
    (term) => term.kind === 'field' && (term.field === 'finding' || term.field === 'sev'),
  );
  if (late)
    tell(
      path,
      `${late.source} is known only when all is over. Ask for it in an assertion: finding(error) = 0.`,
    );
  const wrong = queryNames(query.includes('${') ? [] : parsed.query, 'to come').find(
    ({ isWarning, term }) => !isWarning && term !== late,
  );
  if (wrong) tell(path, wrong.message);
}

function checkCaptures(value: Json | undefined, path: JsonPath, tell: Tell): void {
  if (!isObject(value))
    return tell(path, `capture takes {"$name": "/json/pointer"}; this is ${shown(value)}.`);
  for (const [name, pointer] of Object.entries(value)) {
    if (!NAME.test(name))
      tell([...path, name], `${name} is no name. A name is $ and letters: $toolCallId.`);
    if (name === '$cwd')
      tell([...path, name], '$cwd is the folder the agent runs in. Take another name.');
    if (typeof pointer !== 'string' || !pointer.startsWith('/'))
      tell(
        [...path, name],
        `${name} takes a JSON pointer into the message, such as /result/sessionId; this is ${shown(pointer)}.`,
      );
  }
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

function shown(value: Json | undefined): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return typeWords(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
