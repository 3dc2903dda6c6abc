// Yes-or-no checks that Ajv makes of the SDK's JSON schemas: the yardstick of what acp/schema says.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Role, Version } from '../../acp/methods.ts';
import { handlers, type MessagePart } from '../../acp/schema/shape.ts';

export interface Schema {
  readonly $defs: Readonly<Record<string, Definition>>;
}
interface Definition {
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
}

export function sdkSchema(version: Version, stable: boolean): Schema {
  const name = stable ? 'schema' : 'schema.unstable';
  const path = createRequire(import.meta.url).resolve(
    `@agentclientprotocol/sdk/schema/v${version}/${name}.json`,
  );
  return JSON.parse(readFileSync(path, 'utf8')) as Schema;
}

export class Validators {
  readonly #ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    messages: false,
    discriminator: true,
  });
  readonly #names = new Map<string, string>();
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor({ $defs }: Schema) {
    this.#ajv.addSchema({ $id: 'acp', $defs: lean($defs, true) });
    for (const [def, { 'x-method': method, 'x-side': side }] of Object.entries($defs)) {
      if (method === undefined || side === undefined) continue;
      const kind = /(Response|Notification)$/.exec(def)?.[1];
      const part = kind === 'Response' ? 'result' : kind ? 'notification' : 'params';
      this.#names.set(`${side} ${method} ${part}`, def);
    }
  }

  /** The check of a method's part, which `from` sends; undefined where the schema has none. */
  of(from: Role, method: string, part: MessagePart): ValidateFunction | undefined {
    const asker = part !== 'result' ? from : from === 'client' ? 'agent' : 'client';
    for (const side of handlers(asker)) {
      const name = this.#names.get(`${side} ${method} ${part}`);
      if (name !== undefined) return this.def(name);
    }
    return undefined;
  }

  def(name: string): ValidateFunction {
    const known = this.#compiled.get(name);
    if (known) return known;
    const made = this.#ajv.compile({ $ref: `acp#/$defs/${name}` });
    this.#compiled.set(name, made);
    return made;
  }
}

/** What decides nothing. */
const DROPPED = /^(?:description|title|default|contentEncoding|x-.*)$/;
/** `true` is what these mean anyway; said aloud, they make Ajv keep books. */
const NO_LIMIT = /^(?:additional|unevaluated)Properties$/;

/** Integer formats as the ranges they mean (64 bits as near as a double comes); texts as patterns. */
const FORMATS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: { minimum: -(2 ** 63), maximum: 2 ** 63 },
  uint16: { minimum: 0, maximum: 2 ** 16 - 1 },
  uint32: { minimum: 0, maximum: 2 ** 32 - 1 },
  uint64: { minimum: 0, maximum: 2 ** 64 },
  double: {},
  uri: {},
  regex: {},
  'date-time': {},
};

/** Keeps what validates. Names of properties and definitions are never taken for keywords. */
function lean(node: unknown, names: boolean): unknown {
  if (Array.isArray(node)) return node.map((part) => lean(part, false));
  if (typeof node !== 'object' || node === null) return node;
  const kept: Record<string, unknown> = {};
  // A discriminator says nothing of a value that is no object; the branches do, and it skips them.
  if (!names && 'discriminator' in node) kept['type'] = 'object';
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    if (!names && (DROPPED.test(key) || (value === true && NO_LIMIT.test(key)))) continue;
    if (names || key !== 'format') {
      kept[key] = lean(value, !names && key === 'properties');
      continue;
    }
    const limits = FORMATS[String(value)];
    if (!limits) throw new Error(`No meaning for the format ${String(value)}`);
    for (const [bound, limit] of Object.entries(limits)) kept[bound] ??= limit;
  }
  return kept;
}
