// The JSON schema of a scenario, written from the table of fields: docs/scenario.schema.json.
import type { Json, JsonObject } from '../../../acp/message.ts';
import { FAULTS, HEAD, LISTS, STEPS, type Field, type FieldKind, type Shape } from './table.ts';

export function scenarioSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'ACP Scope scenario',
    type: 'object',
    required: ['steps'],
    additionalProperties: false,
    properties: {
      ...propertiesOf(HEAD),
      steps: list(LISTS.steps, { $ref: '#/$defs/step' }),
      assert: list(LISTS.assert, { $ref: '#/$defs/assert' }),
      faults: list(LISTS.faults, { $ref: '#/$defs/step.fault' }),
    },
    $defs: {
      step: { anyOf: Object.keys(STEPS).map((kind) => ({ $ref: `#/$defs/step.${kind}` })) },
      ...Object.fromEntries(
        Object.entries(STEPS).map(([kind, shape]) => [`step.${kind}`, objectOf(kind, shape)]),
      ),
      fault: { anyOf: Object.entries(FAULTS).map(([kind, shape]) => objectOf(kind, shape)) },
      assert: {
        anyOf: [
          { type: 'string', description: 'count(QUERY) = 21, exists(QUERY), none(QUERY), …' },
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

function objectOf(kind: string, { doc, main, more, either = [] }: Shape): JsonObject {
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

function propertiesOf(fields: Readonly<Record<string, Field>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

function schemaOf({ kind, doc }: Field): Json {
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
  }
}
