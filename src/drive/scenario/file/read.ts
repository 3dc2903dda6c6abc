// Reads a scenario from its text: one JSON document, or steps one a line, as scripts were before.
// Every problem is a sentence with its line and path; what is read without one can be run.
import { jsonFault } from '../../../acp/json-fault.ts';
import {
  get,
  isArray,
  isObject,
  obj,
  parseJson,
  str,
  typeWords,
  type JsonPath,
} from '../../../acp/json.ts';
import type { Json, JsonObject } from '../../../acp/message.ts';
import { parseAssertion } from '../assert/assertion.ts';
import { checkFields, checkStep } from './check-shape.ts';
import { pointerOf } from '../../../acp/json-pointer.ts';
import { unknownNames } from './names.ts';
import { lineAt, noJson, problemAt, type Tell, type TextProblem } from './text-problem.ts';
import { ruleIn, tooManyRules } from '../../intercept/read.ts';
import { methodMeant, methodWarning, queryNames } from './query-names.ts';
import { injectedBy, type Assert, type Scenario, type ScenarioStep } from './scenario.ts';
import { interceptionOf, stepOf, versionIn } from './step-of.ts';
import { HEAD, LIST_DOCS, STEP_KINDS } from './table.ts';
import {
  COLON,
  COMMA,
  OPEN_BRACE,
  QUOTE,
  isClose,
  isOpen,
  skipSpace,
  skipToken,
} from '../../../lib/json-scan.ts';
import { parseQuery } from '../../../model/query/parse.ts';

type ScenarioRead =
  | {
      readonly ok: true;
      readonly scenario: Scenario;
      /** What may be a slip of the pen, and hinders nothing. */
      readonly warnings: readonly TextProblem[];
    }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

export function readScenario(text: string): ScenarioRead {
  if (text.trim() === '')
    return broken({
      line: 1,
      pointer: '',
      message: 'The file is empty. A scenario is one JSON document, {"steps": […]}.',
    });
  const value = parseJson(text);
  // `intercept` is a step, and a list of the document.
  const isDocument =
    isObject(value) &&
    (Object.hasOwn(value, 'steps') || !STEP_KINDS.some((kind) => Object.hasOwn(value, kind)));
  if (!isDocument && (value === undefined ? isLines(text) : isObject(value)))
    return readLines(text);
  if (value === undefined)
    return broken(noJson(text, 'A scenario is one JSON document, {"steps": […]}.'));
  if (!isObject(value))
    return broken({
      line: 1,
      pointer: '',
      message: `A scenario is a JSON document, {"steps": […]}; this is ${typeWords(value)}.`,
    });
  return readDocument(value, text);
}

function readDocument(value: JsonObject, text: string): ScenarioRead {
  const problems: TextProblem[] = [];
  const tell: Tell = (path, message) => void problems.push(problemAt(text, path, message));
  for (const { key, at } of doubledKeys(text))
    problems.push({ line: lineAt(text, at), pointer: '', message: doubledWords(key) });
  checkFields(value, [], HEAD, Object.keys(LIST_DOCS), tell, 'A scenario has');
  if (get(value, 'steps') === undefined)
    tell([], 'A scenario needs steps: {"steps": [{"request": "session/new", …}]}.');
  const lists = { steps: list('steps'), assert: list('assert'), intercept: list('intercept') };
  function list(key: keyof typeof LIST_DOCS): readonly Json[] {
    const found = get(value, key);
    if (found === undefined || isArray(found)) return found ?? [];
    tell([key], `${key} takes a list; this is ${typeWords(found)}.`);
    return [];
  }
  for (const [at, step] of lists.steps.entries()) checkWhole(step, ['steps', at], tell);
  checkRules(lists.intercept, ['intercept'], tell);
  const assertHints: Hint[] = [];
  const asserts = lists.assert.flatMap((one, at) => {
    const path = ['assert', at];
    const hint = (message: string) => void assertHints.push({ path, message });
    return readAssert(one, path, tell, hint) ?? [];
  });
  for (const { path, message } of unknownNames(lists.steps)) tell(['steps', ...path], message);
  if (problems.length === 0 && Object.values(lists).every((all) => all.length === 0))
    tell([], 'Nothing is done here and nothing asked: steps and assert are empty. Add a step.');
  if (problems.length > 0) return { ok: false, problems };
  const hints = [
    ...lists.steps.flatMap((step, at) => stepHints(step, ['steps', at])),
    ...assertHints,
  ];
  return {
    ok: true,
    warnings: hints.map(({ path, message }) => problemAt(text, path, message)),
    scenario: {
      name: str(value, 'name'),
      protocol: versionIn(value),
      capabilities: obj(value, 'capabilities'),
      subagents: get(value, 'subagents') === true,
      handshake: get(value, 'handshake') !== false,
      intercept: lists.intercept.length > 0 ? interceptionOf(lists.intercept) : undefined,
      steps: lists.steps.flatMap((step) => stepOf(step) ?? []),
      asserts,
    },
  };
}

/** One that begins as lines of JSON do. */
function isLines(text: string): boolean {
  const first = text.split('\n').find((line) => !isSkipped(line));
  return first === undefined || parseJson(first) !== undefined;
}

function isSkipped(line: string): boolean {
  return line.trim() === '' || line.trimStart().startsWith('#');
}

/** A step a line; `#` begins a comment. */
function readLines(text: string): ScenarioRead {
  const problems: TextProblem[] = [];
  const values: Json[] = [];
  const numbers: number[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (isSkipped(line)) continue;
    const tell = (path: JsonPath, message: string) =>
      void problems.push({ line: at + 1, pointer: pointerOf(path), message });
    const value = parseJson(line);
    if (value === undefined) tell([], `This is no step: ${jsonFault(line)?.what ?? 'not JSON'}.`);
    else {
      for (const { key } of doubledKeys(line)) tell([], doubledWords(key));
      checkWhole(value, [], tell);
      values.push(value);
      numbers.push(at + 1);
    }
  }
  const told = ([at, ...path]: JsonPath, message: string): TextProblem => ({
    line: numbers[Number(at)] ?? 1,
    pointer: pointerOf(path),
    message,
  });
  problems.push(...unknownNames(values).map(({ path, message }) => told(path, message)));
  if (values.length === 0 && problems.length === 0)
    problems.push(told([], 'The file holds no step, only comments. Write one: {"wait": 100}.'));
  if (problems.length > 0) return { ok: false, problems };
  // Scripts had no clock: a request waits as long as the agent takes.
  const steps = values
    .flatMap((value) => stepOf(value) ?? [])
    .map((step) => (step.kind === 'request' ? { ...step, within: step.within ?? Infinity } : step));
  const hints = values.flatMap((value, at) => stepHints(value, [at]));
  return {
    ok: true,
    scenario: scenarioOf(steps),
    warnings: hints.map(({ path, message }) => told(path, message)),
  };
}

/** Steps and nothing else. */
function scenarioOf(steps: readonly ScenarioStep[]): Scenario {
  return {
    name: undefined,
    protocol: undefined,
    capabilities: undefined,
    subagents: false,
    handshake: true,
    intercept: undefined,
    steps,
    asserts: [],
  };
}

/** A new session may start MCP servers first, which may have to be fetched. */
const NEW_MS = 300_000;

/** What a person expects who gives no script: a session and one prompt. */
export function promptScenario(texts: readonly string[]): Scenario {
  const request = (method: string, within: number, params: Json): ScenarioStep => ({
    kind: 'request',
    ...{ method, params, capture: [], within, wait: true, fault: undefined, mustSucceed: true },
  });
  return scenarioOf([
    request('session/new', NEW_MS, { cwd: '$cwd', mcpServers: [] }),
    ...texts.map((text) =>
      request('session/prompt', Infinity, {
        sessionId: '$sessionId',
        prompt: [{ type: 'text', text }],
      }),
    ),
  ]);
}

function doubledWords(key: string): string {
  return `${key} stands twice in one object, and only the last would count. Keep one.`;
}

function broken(problem: TextProblem): ScenarioRead {
  return { ok: false, problems: [problem] };
}

function checkWhole(step: Json, path: JsonPath, tell: Tell): void {
  checkStep(step, path, tell);
  checkRules(get(step, 'intercept'), [...path, 'intercept'], tell);
}

function checkRules(rules: Json | undefined, path: JsonPath, tell: Tell): void {
  const list = isArray(rules) ? rules : [];
  const problem = tooManyRules(list.length);
  if (problem !== undefined) return tell(path, problem);
  for (const [at, one] of list.entries()) {
    const rule = ruleIn(one, [...path, at], tell);
    // What a run costs is agreed to before it.
    if (rule && injectedBy(rule) === Infinity)
      tell([...path, at], 'This rule sends prompts without end. Say how many: "times": 1.');
  }
}

function readAssert(
  value: Json,
  path: JsonPath,
  tell: Tell,
  hint: (message: string) => void,
): Assert | undefined {
  const source = typeof value === 'string' ? value : str(value, 'that');
  if (source === undefined) {
    tell(
      path,
      `An assertion is a text, or {"that": TEXT, "name": TEXT}; this is ${typeWords(value)}.`,
    );
    return undefined;
  }
  for (const key of isObject(value) ? Object.keys(value) : [])
    if (key !== 'that' && key !== 'name')
      tell([...path, key], `An assertion has no field ${key}. Fields are that, name.`);
  const parsed = parseAssertion(source);
  if (parsed.ok) {
    for (const { message } of parsed.warnings) hint(message);
    return { source, name: str(value, 'name'), assertion: parsed.assertion };
  }
  const { message, from } = parsed.problem;
  tell(
    typeof value === 'string' ? path : [...path, 'that'],
    `At character ${from + 1} of ${JSON.stringify(source)}: ${message}`,
  );
  return undefined;
}

// Keys that stand twice in one object: JSON.parse takes the last and says nothing.

interface DoubledKey {
  readonly key: string;
  /** Where the later one stands, in UTF-16 units. */
  readonly at: number;
}

/** Of a text that is JSON. */
function doubledKeys(text: string): readonly DoubledKey[] {
  const found: DoubledKey[] = [];
  /** The keys of what is open; undefined: an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const code = text.charCodeAt(at);
    if (isOpen(code)) open.push(code === OPEN_BRACE ? new Set() : undefined);
    else if (isClose(code)) open.pop();
    if (code !== QUOTE) {
      at = code === COMMA || code === COLON ? at + 1 : skipToken(text, at);
      continue;
    }
    const end = skipToken(text, at);
    if (text.charCodeAt(skipSpace(text, end)) === COLON) {
      const key = JSON.parse(text.slice(at, end)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) found.push({ key, at });
      keys?.add(key);
    }
    at = end;
  }
  return found;
}

// What may be a slip of the pen in a scenario that can be run: methods and updates that ACP does not
// know. Extensions exist, so it is told and hinders nothing.

interface Hint {
  readonly path: JsonPath;
  readonly message: string;
}

function stepHints(step: Json, path: JsonPath): readonly Hint[] {
  if (!isObject(step)) return [];
  return Object.keys(step).flatMap((key) => {
    const said = str(step, key);
    const message = said === undefined ? undefined : hintOn(key, said);
    return message === undefined ? [] : [{ path: [...path, key], message }];
  });
}

function hintOn(key: string, said: string): string | undefined {
  switch (key) {
    case 'answer':
      return methodWarning(said);
    case 'request':
    case 'notify':
      // To send what nobody knows is a test too.
      return methodMeant(said) === undefined ? undefined : methodWarning(said);
    case 'expect': {
      if (said.includes('${')) return undefined;
      const parsed = parseQuery(said);
      return parsed.ok ? queryNames(parsed.query, 'to come')[0]?.message : undefined;
    }
    default:
      return undefined;
  }
}
