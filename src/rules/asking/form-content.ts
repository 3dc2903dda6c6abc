// Whether the content of an accepted form fits the schema that asked for it. Patterns are left out:
// an expression of the agent's, run here, could run for ever.
import { arr, get, isArray, isObject, num, obj, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { quote, quoteAll } from '../quote.ts';

export interface FormFault {
  readonly seen: string;
  /** Of the property in the content; undefined: the content itself. */
  readonly property: string | undefined;
}

/** `content`: undefined or null where nothing was given. */
export function formFaults(schema: JsonObject, content: Json | undefined): readonly FormFault[] {
  const required = arr(schema, 'required').filter((name) => typeof name === 'string');
  const missing = required.filter((name) => get(content, name) === undefined);
  const faults: FormFault[] = [];
  if (missing.length > 0)
    faults.push({ seen: `\`content\` is without ${quoteAll(missing)}`, property: undefined });
  if (!isObject(content)) return faults;
  const properties = obj(schema, 'properties');
  for (const [property, value] of Object.entries(content)) {
    const asked = obj(properties, property);
    if (asked === undefined) {
      faults.push({ seen: `${quote(property)}, which was not asked for`, property });
      continue;
    }
    const odd = misfit(asked, value);
    if (odd !== undefined) faults.push({ seen: `${quote(property)} is ${odd}`, property });
  }
  return faults;
}

function misfit(schema: JsonObject, value: Json): string | undefined {
  const type = str(schema, 'type');
  switch (type) {
    case 'string':
      return typeof value === 'string' ? oddText(schema, value) : `${quote(value)}, not a string`;
    case 'number':
    case 'integer':
      if (typeof value !== 'number') return `${quote(value)}, not a number`;
      if (type === 'integer' && !Number.isInteger(value)) return `${value}, not a whole number`;
      return outside(value, num(schema, 'minimum'), num(schema, 'maximum'), String(value));
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${quote(value)}, neither true nor false`;
    case 'array':
      return isArray(value) ? oddChoices(schema, value) : `${quote(value)}, not a list`;
    default:
      return undefined;
  }
}

/** Constants that one may choose; undefined: any. */
function choices(schema: JsonObject | undefined): ReadonlySet<Json> | undefined {
  const titled = [...objects(schema, 'oneOf'), ...objects(schema, 'anyOf')];
  const values = [...arr(schema, 'enum'), ...titled.map((one) => get(one, 'const') ?? null)];
  return values.length === 0 ? undefined : new Set(values);
}

function oddText(schema: JsonObject, value: string): string | undefined {
  const offered = choices(schema);
  if (offered !== undefined && !offered.has(value)) return `${quote(value)}, which is no choice`;
  const length = value.length > 100_000 ? value.length : [...value].length;
  const words = `${length} characters long`;
  return outside(length, num(schema, 'minLength'), num(schema, 'maxLength'), words);
}

function oddChoices(schema: JsonObject, value: readonly Json[]): string | undefined {
  const offered = choices(obj(schema, 'items'));
  const odd = offered && value.find((one) => !offered.has(one));
  if (odd !== undefined) return `${quote(odd)} among others, which is no choice`;
  const words = `${value.length} long`;
  return outside(value.length, num(schema, 'minItems'), num(schema, 'maxItems'), words);
}

function outside(
  value: number,
  least: number | undefined,
  most: number | undefined,
  words: string,
): string | undefined {
  if (least !== undefined && value < least) return `${words}, and ${least} is the least`;
  if (most !== undefined && value > most) return `${words}, and ${most} is the most`;
  return undefined;
}
