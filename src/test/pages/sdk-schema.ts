// Checks frames against the JSON schemas in the SDK's package: params by method and side, results
// by the request they answer. Written apart from acp/schema, so that neither hides the other's
// faults.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Crossed, Wire } from '../programs/agent-client.ts';

interface Schema {
  readonly $defs: Record<string, { readonly 'x-method'?: string; readonly 'x-side'?: string }>;
}

/** A sentence a fault; empty when all is as the schemas say. Lines that are no messages pass. */
export function checkFrames(version: 1 | 2, crossed: readonly Crossed[]): string[] {
  const checks = checksOf(version);
  const methods = new Map<string, string>();
  return crossed.flatMap(({ from, message }) => {
    if (!message) return [];
    const [key, value] = subjectOf(message, from, methods);
    if (key === undefined) return message.error ? [] : [`${from}: answers nothing`];
    const check = checks.get(key);
    if (!check) return [`${from}: ${key} has no schema`];
    if (check(value)) return [];
    return [
      `${from}: ${key}: ${JSON.stringify(check.errors?.slice(0, 3))} in ${JSON.stringify(value)}`,
    ];
  });
}

/** Which schema a message is for, and what of it. `methods` remembers who asked what. */
function subjectOf(
  { id, method, params, result, error }: Wire,
  from: 'client' | 'agent',
  methods: Map<string, string>,
): readonly [key: string | undefined, value: unknown] {
  const other = from === 'client' ? 'agent' : 'client';
  if (method !== undefined) {
    const handler = method.startsWith('$/') ? 'protocol' : other;
    if (id === undefined) return [`${handler} ${method} Notification`, params];
    methods.set(`${from} ${String(id)}`, `${handler} ${method}`);
    return [`${handler} ${method} Request`, params];
  }
  const asked = methods.get(`${other} ${String(id)}`);
  return error || asked === undefined ? [undefined, error] : [`${asked} Response`, result];
}

const known = new Map<1 | 2, Map<string, ValidateFunction>>();

function checksOf(version: 1 | 2): Map<string, ValidateFunction> {
  const found = known.get(version);
  if (found) return found;
  const path = createRequire(import.meta.url).resolve(
    `@agentclientprotocol/sdk/schema/v${String(version)}/schema.unstable.json`,
  );
  const schema = JSON.parse(readFileSync(path, 'utf8')) as Schema;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(schema, 'acp');
  const checks = new Map<string, ValidateFunction>();
  for (const [name, { 'x-method': method, 'x-side': side }] of Object.entries(schema.$defs)) {
    const kind = /(Request|Response|Notification)$/.exec(name)?.[1];
    if (method === undefined || side === undefined || kind === undefined) continue;
    const check = ajv.compile({ $ref: `acp#/$defs/${name}` });
    checks.set(`${side} ${method} ${kind}`, check);
  }
  known.set(version, checks);
  return checks;
}
