// Reads an edition from its JSON document, which docs/editions.md describes. A document that is no edition is a
// sentence that says why.
import { arr, get, isArray, isObject, num, parseJson, str } from '../json.ts';
import type { Json } from '../message.ts';
import type { Edition } from './edition.ts';
import { oddShapes } from './read-shapes.ts';
import { EDITION_IDS, EDITIONS, editionLine, isBuiltIn } from './editions.ts';

const FORMAT_VERSION = 1;
const COUNTS = ['error', 'warning', 'hint', 'off'];

export function readEdition(text: string): Edition | string {
  const document = parseJson(text);
  if (!isObject(document)) return 'it is not a JSON object';
  if (str(document, 'format') !== 'acp-edition') return '`format` is not "acp-edition"';
  const version = num(document, 'formatVersion');
  if (version !== FORMAT_VERSION)
    return `\`formatVersion\` is ${JSON.stringify(get(document, 'formatVersion') ?? null)}; this version of ACP Scope reads ${FORMAT_VERSION}`;
  const problem = problemIn(document);
  // Every field that the code relies on was checked.
  return problem ?? (document as unknown as Edition);
}

function problemIn(document: Json): string | undefined {
  for (const name of ['id', 'words', 'date', 'source'])
    if (!str(document, name)) return `\`${name}\` is not a string`;
  if (!/^\d{4}-\d\d-\d\d$/.test(str(document, 'date') ?? '')) return '`date` is not YYYY-MM-DD';
  const version = num(document, 'version');
  if (version !== 1 && version !== 2) return '`version` is neither 1 nor 2';
  const id = str(document, 'id') ?? '';
  if (!id.startsWith(`v${version}-`)) return `\`id\` does not begin with \`v${version}-\``;
  if (EDITION_IDS.some((one) => one === id && isBuiltIn(one)))
    return `\`id\` is that of a built-in edition: ${JSON.stringify(id)}`;
  const on = get(document, 'on');
  const known = EDITION_IDS.find((one) => one === on && EDITIONS[one].version === version);
  if (on !== undefined && known === undefined)
    return `\`on\` is not a known edition of v${version}: ${JSON.stringify(on)}`;
  if (known !== undefined && editionLine(known).some((one) => one.id === id))
    return `\`on\` is an edition that itself changes ${JSON.stringify(id)}`;
  if (on === undefined && !isObject(get(get(document, 'schema'), 'shapes')))
    return '`on` or `schema.shapes` is missing';
  return oddParts(document);
}

function oddParts(document: Json): string | undefined {
  const shapes = get(get(document, 'schema'), 'shapes');
  const odd = shapes === undefined ? undefined : oddShapes(shapes);
  if (odd !== undefined) return odd;
  if (!isMap(get(document, 'counts'), (one) => COUNTS.includes(String(one))))
    return '`counts` is not an object of "error", "warning", "hint" and "off"';
  if (!isMap(get(document, 'gates'), isText)) return '`gates` is not an object of strings';
  const features = get(document, 'features') ?? [];
  if (!isArray(features) || !features.every((one) => str(one, 'id') && str(one, 'words')))
    return '`features` is not a list of objects with `id` and `words`';
  for (const [at, one] of features.entries()) {
    if (!isMap(get(one, 'stable'), (names) => isArray(names) && names.every(isText)))
      return `\`features[${at}].stable\` is not an object of lists of strings`;
    if (!isMap(get(one, 'values'), isCases)) return `\`features[${at}].values\` ${NO_VALUES}`;
  }
  const drafts = get(document, 'drafts');
  if (drafts !== undefined && !isObject(drafts)) return '`drafts` is not an object';
  if (!isMap(get(drafts, 'values'), isCases)) return `\`drafts.values\` ${NO_VALUES}`;
  if (!isMap(get(drafts, 'fields'), (one) => isMap(one, isText)))
    return '`drafts.fields` has a definition that is not an object of strings';
  for (const [name, methods] of [
    ['methods', get(document, 'methods')],
    ['drafts.methods', get(get(document, 'drafts'), 'methods')],
  ] as const)
    if (methods !== undefined && !(isArray(methods) && methods.every(isMethod)))
      return `\`${name}\` is not a list of objects with \`name\`, \`from\`, \`kind\`, \`stable\` and perhaps \`gate\``;
  return undefined;
}

const NO_VALUES = 'has a definition whose values are not "any" or objects of strings';

function isText(value: Json): boolean {
  return typeof value === 'string';
}

/** True if it is absent too. */
function isMap(value: Json | undefined, holds: (one: Json) => boolean): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every(holds));
}

/** The values of a definition, each with its fields. */
function isCases(cases: Json): boolean {
  return isMap(cases, (fields) => fields === 'any' || isMap(fields, isText));
}

function isMethod(method: Json): boolean {
  return (
    str(method, 'name') !== undefined &&
    ['client', 'agent', 'both'].includes(str(method, 'from') ?? '') &&
    ['request', 'notification'].includes(str(method, 'kind') ?? '') &&
    typeof get(method, 'stable') === 'boolean' &&
    isGate(get(method, 'gate'))
  );
}

/** True if it is absent too. */
function isGate(gate: Json | undefined): boolean {
  const paths = arr(gate, 'paths');
  const isWhole = ['client', 'agent'].includes(str(gate, 'by') ?? '') && paths.length > 0;
  return gate === undefined || (isWhole && paths.every(isText));
}
