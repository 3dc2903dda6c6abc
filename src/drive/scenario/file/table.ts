// Every field a scenario may have: what it holds and what it is for. The reader checks a file against
// this table, and the published schema is written from it, so that the two cannot drift.
import type { Json, JsonObject } from '../../../acp/message.ts';
import { ACTIONS, PRESETS } from '../../intercept/table.ts';
import {
  MAX_COPIES,
  type FieldKind,
  type PlainKind,
  type StepField,
  type StepShape,
} from './shape.ts';

const field = (is: PlainKind, doc: string): StepField => ({
  kind: { is },
  doc,
});
const choice = (of: readonly (string | number)[], doc: string): StepField => ({
  kind: { is: 'choice', of },
  doc,
});

const PARAMS = field('json', 'The params; `{}` where nothing is said.');
const FAULT = field('fault', 'What befalls this line on its way to the agent.');
const CAPTURE = field(
  'captures',
  'Names and the JSON pointer of their value in the message: `{"$tool": "/params/update/toolCallId"}`.',
);
const TIMES = field('times', 'How many times, or `"all"`; once where nothing is said.');

export const STEPS = {
  request: {
    doc: 'Sends a request and waits for its answer; in v2 a prompt also waits until the session is idle again. An error answer is an answer.',
    main: field('text', 'The method.'),
    more: {
      params: PARAMS,
      capture: CAPTURE,
      within: field('ms', 'Milliseconds it may take; 30000 where nothing is said.'),
      wait: field(
        'flag',
        'false: go on at once. So it is by itself where the fault lets no answer be expected (drop, reorder, truncate).',
      ),
      fault: FAULT,
    },
  },
  notify: {
    doc: 'Sends a notification.',
    main: field('text', 'The method.'),
    more: { params: PARAMS, fault: FAULT },
  },
  line: {
    doc: 'Sends exactly this line, JSON or not.',
    main: field('line', 'The line, without a line break.'),
    more: { fault: FAULT },
  },
  expect: {
    doc: 'Waits for a frame of the agent that the query matches, among those since the last line that a step sent, or since the frame expected last; with `side:` in the query also for one of the client that no step sent.',
    main: field('query', 'A query as in the page: `side:agent update:tool_call`.'),
    more: {
      nth: field(
        'count',
        'The frame of this number that matches; the first where nothing is said.',
      ),
      within: field('ms', 'Milliseconds it may take; 30000 where nothing is said.'),
      capture: CAPTURE,
    },
  },
  answer: {
    doc: 'How requests of the agent are answered: one that is held open by `never`, else the next that come.',
    main: field('text', 'The method of the request; may end in `*`.'),
    more: {
      result: field('json', 'The result to answer with.'),
      error: field('error', 'The error to answer with: `{"code", "message", "data"?}`.'),
      select: field('text', 'The kind or id of the permission option to choose: `reject_once`.'),
      times: TIMES,
      late: field('ms', 'Milliseconds the answer is late; other lines pass it.'),
      twice: field('true', 'The answer is sent two times.'),
      never: field('true', 'The request stays open, until a later `answer` names its method.'),
      wrong: choice(
        ['id', 'result', 'both'],
        'An answer under an id nobody asked with; with a result of no due type; with a result and an error.',
      ),
    },
    either: [
      ['result', 'error', 'select'],
      ['late', 'never'],
      ['twice', 'never'],
      ['wrong', 'never'],
    ],
  },
  quiet: {
    doc: 'Waits until no frame came for so long.',
    main: field('ms', 'Milliseconds without a frame.'),
    more: { within: field('ms', 'Milliseconds it may take; 30000 where nothing is said.') },
  },
  wait: {
    doc: 'Waits.',
    main: field('ms', 'Milliseconds.'),
    more: {},
  },
  kill: {
    doc: 'Ends the agent, and waits until it has ended.',
    main: choice(['SIGKILL', 'SIGTERM', 'stdin'], 'A signal, or the end of its stdin.'),
    more: {},
  },
  cut: {
    doc: 'Drops the pipe in both directions at once, and leaves the agent to notice.',
    main: field('true', 'true.'),
    more: {},
  },
  restart: {
    doc: 'Starts the agent again on a connection of its own, with a handshake; one that still runs is ended first.',
    main: field('true', 'true.'),
    more: {
      protocol: choice([1, 2], 'The version to ask for from now on.'),
      handshake: field('flag', 'false: send no `initialize`.'),
    },
  },
  intercept: {
    doc: 'What befalls frames of both sides from now on, also after a restart.',
    main: field(
      'rules',
      'Rules and presets of an intercept, in the place of those before; [] ends it.',
    ),
    more: {},
  },
} as const satisfies Readonly<Record<string, StepShape>>;

type StepKind = keyof typeof STEPS;
export const STEP_KINDS = Object.keys(STEPS) as readonly StepKind[];

export const FAULTS = {
  delay: {
    doc: 'The line goes out so much later; what we send meanwhile waits behind it.',
    main: field('ms', 'Milliseconds.'),
    more: {},
  },
  drop: { doc: 'The line is not sent.', main: field('true', 'true.'), more: {} },
  duplicate: {
    doc: 'The line is sent so many times more.',
    main: field('copies', `How many times more, up to ${MAX_COPIES}.`),
    more: {},
  },
  reorder: {
    doc: 'The line is sent right after our next one.',
    main: field('true', 'true.'),
    more: {},
  },
  truncate: {
    doc: 'Only the beginning of the line is sent, and a line feed.',
    main: field('count', 'Bytes that are sent; a character is not cut.'),
    more: {},
  },
  split: {
    doc: 'The line goes out in two writes.',
    main: field('count', 'Bytes in the first write.'),
    more: { pause: field('ms', 'Milliseconds between the two; 20 where nothing is said.') },
  },
} as const satisfies Readonly<Record<string, StepShape>>;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[];

/** The fields of the document itself, but for its lists. */
export const HEAD: Readonly<Record<string, StepField>> = {
  $schema: field('text', 'Where an editor finds this schema.'),
  name: field('text', 'What the scenario is called in reports.'),
  protocol: choice([1, 2], 'The version to ask for; the highest where nothing is said.'),
  handshake: field('flag', 'false: send no `initialize`; the steps do.'),
  capabilities: field('object', 'What the client says it can do, exactly as sent in `initialize`.'),
  subagents: field('flag', 'true: the client says in v1 that it takes child sessions.'),
};

export const LIST_DOCS: Readonly<Record<'steps' | 'assert' | 'intercept', string>> = {
  steps: 'What is done, in order. The first step that fails is the last.',
  assert: 'What must hold of the record: `count(update:tool_call) >= 1`.',
  intercept: 'What befalls frames of both sides: rules and presets, in force before the handshake.',
};

// The JSON schema of a scenario, written from the table of fields: docs/scenario.schema.json.

export function scenarioSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'ACP Scope scenario',
    type: 'object',
    required: ['steps'],
    additionalProperties: false,
    properties: {
      ...propertiesOf(HEAD),
      steps: list(LIST_DOCS.steps, { $ref: '#/$defs/step' }),
      assert: list(LIST_DOCS.assert, { $ref: '#/$defs/assert' }),
      intercept: { description: LIST_DOCS.intercept, ...typeOf({ is: 'rules' }) },
    },
    $defs: {
      step: { anyOf: Object.keys(STEPS).map((kind) => ({ $ref: `#/$defs/step.${kind}` })) },
      ...Object.fromEntries(
        Object.entries(STEPS).map(([kind, shape]) => [`step.${kind}`, objectOf(kind, shape)]),
      ),
      fault: { anyOf: Object.entries(FAULTS).map(([kind, shape]) => objectOf(kind, shape)) },
      rule: {
        anyOf: [
          { enum: PRESETS.map(({ name }) => name) },
          {
            type: 'object',
            required: ['on'],
            additionalProperties: false,
            properties: Object.assign(
              {},
              ...Object.entries(ACTIONS).map(([kind, { main, more }]) => ({
                ...propertiesOf({ [kind]: main }),
                ...propertiesOf(more),
              })),
            ) as JsonObject,
          },
        ],
      },
      assert: {
        anyOf: [
          {
            type: 'string',
            description: 'count(QUERY) = 21, none(QUERY), order(A, B), max(latency, QUERY) < 2s, …',
          },
          {
            type: 'object',
            required: ['that'],
            additionalProperties: false,
            properties: {
              that: { type: 'string', description: 'The assertion.' },
              name: { type: 'string', description: 'What it is called in reports.' },
            },
          },
        ],
      },
    },
  };
}

function list(description: string, items: JsonObject): JsonObject {
  return { type: 'array', description, items };
}

function objectOf(kind: string, { doc, main, more, either = [] }: StepShape): JsonObject {
  const exclusive = either.flatMap((group) =>
    group.flatMap((one, at) => group.slice(at + 1).map((other) => ({ required: [one, other] }))),
  );
  return {
    type: 'object',
    description: doc,
    required: [kind],
    additionalProperties: false,
    properties: { [kind]: schemaOf(main), ...propertiesOf(more) },
    ...(exclusive.length > 0 && { not: { anyOf: exclusive } }),
  };
}

function propertiesOf(fields: Readonly<Record<string, StepField>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

function schemaOf({ kind, doc }: StepField): Json {
  return { description: doc, ...typeOf(kind) };
}

function typeOf(kind: FieldKind): JsonObject {
  switch (kind.is) {
    case 'text':
    case 'query':
      return { type: 'string', minLength: 1 };
    case 'line':
      return { type: 'string', pattern: '^[^\\n]*$' };
    case 'ms':
      return { type: 'number', minimum: 0 };
    case 'count':
      return { type: 'integer', minimum: 1 };
    case 'copies':
      return { type: 'integer', minimum: 1, maximum: MAX_COPIES };
    case 'times':
      return { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }] };
    case 'json':
      return {};
    case 'object':
      return { type: 'object' };
    case 'error':
      return {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' } },
      };
    case 'flag':
      return { type: 'boolean' };
    case 'true':
      return { const: true };
    case 'choice':
      return { enum: kind.of };
    case 'captures':
      return {
        type: 'object',
        propertyNames: { pattern: '^\\$[A-Za-z_]\\w*$' },
        additionalProperties: { type: 'string', pattern: '^/' },
      };
    case 'fault':
      return { $ref: '#/$defs/fault' };
    case 'rules':
      return { type: 'array', items: { $ref: '#/$defs/rule' } };
  }
}
