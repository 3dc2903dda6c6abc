// Compiles a JSON schema of the SDK with Ajv into a module of plain functions, one for each params,
// result and notification of a method, because the page may not compile code (no unsafe-eval).
import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';

/** What decides nothing. */
const DROPPED = /^(?:description|title|default|contentEncoding|x-.*)$/;
/** `true` is what these mean anyway; said aloud, they make Ajv keep books. */
const NO_LIMIT = /^(?:additional|unevaluated)Properties$/;

/** One error of Ajv's, as its code spells it. Yes or no is all we ask: explain.ts has the words. */
const ERROR = /\{instancePath[^{}]*params:\{[^{}]*\}\}/g;

/** Integer formats as the ranges they mean (64 bits as near as a double comes); texts as patterns. */
const FORMATS = {
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

/** @returns {string} the module's source: `validators['agent session/new params'](value)` */
export function validatorsOf(schema) {
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    messages: false,
    discriminator: true,
    code: { source: true, esm: true, optimize: 2 },
  });
  ajv.addSchema({ $id: 'acp', $defs: lean(schema.$defs) });
  const names = {};
  const keys = [];
  for (const [name, def] of Object.entries(schema.$defs)) {
    if (!def['x-method']) continue;
    const kind = /(Response|Notification)$/.exec(name)?.[1] ?? 'Request';
    const part = { Request: 'params', Response: 'result', Notification: 'notification' }[kind];
    names[name] = `acp#/$defs/${name}`;
    keys.push(`  ${JSON.stringify(`${def['x-side']} ${def['x-method']} ${part}`)}: ${name},`);
  }
  const code = standaloneCode
    .default(ajv, names)
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'codePoints')
    .replaceAll(ERROR, '0');
  if (code.includes('require(')) throw new Error('Ajv asks for a module this build does not have');
  const helper = 'function codePoints(text) { return [...text].length; }';
  return `${code}\n${helper}\nexport const validators = {\n${keys.join('\n')}\n};\n`;
}

/** Keeps what validates. Names of properties and definitions are never taken for keywords. */
function lean(node, names = true) {
  if (Array.isArray(node)) return node.map((part) => lean(part, false));
  if (typeof node !== 'object' || node === null) return node;
  // A discriminator says nothing of a value that is no object; the branches do, and it skips them.
  const kept = !names && node.discriminator ? { type: 'object' } : {};
  for (const [key, value] of Object.entries(node)) {
    if (!names && (DROPPED.test(key) || (value === true && NO_LIMIT.test(key)))) continue;
    if (!names && key === 'format') {
      if (!FORMATS[value]) throw new Error(`No meaning for the format ${value}`);
      for (const [bound, limit] of Object.entries(FORMATS[value])) kept[bound] ??= limit;
    } else {
      kept[key] = lean(value, !names && key === 'properties');
    }
  }
  return kept;
}
