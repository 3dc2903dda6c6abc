// Reads an edition from its JSON document, which docs/editions.md describes. A document that is no edition is a
// sentence that says why.
import { get, isArray, isObject, num, parseJson, str } from '../json.ts';
import type { Json } from '../message.ts';
import type { Edition } from './edition.ts';
import { EDITION_IDS } from './editions.ts';

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
  // Every field that the code relies on was looked at.
  return problem ?? (document as unknown as Edition);
}

function problemIn(document: Json): string | undefined {
  for (const name of ['id', 'words', 'date', 'source'])
    if (!str(document, name)) return `\`${name}\` is not a string`;
  if (!/^\d{4}-\d\d-\d\d$/.test(str(document, 'date') ?? '')) return '`date` is not YYYY-MM-DD';
  const version = num(document, 'version');
  if (version !== 1 && version !== 2) return '`version` is neither 1 nor 2';
  const on = get(document, 'on');
  if (on !== undefined && !EDITION_IDS.some((id) => id === on && id.startsWith(`v${version}-`)))
    return `\`on\` is not a known edition of v${version}: ${JSON.stringify(on)}`;
  if (on === undefined && !isObject(get(get(document, 'schema'), 'shapes')))
    return '`on` or `schema.shapes` is missing';
  return oddParts(document);
}

function oddParts(document: Json): string | undefined {
  const shapes = get(get(document, 'schema'), 'shapes');
  if (shapes !== undefined)
    for (const name of ['defs', 'methods', 'about'])
      if (!isObject(get(shapes, name))) return `\`schema.shapes.${name}\` is not an object`;
  const counts = get(document, 'counts') ?? {};
  if (!isObject(counts) || !Object.values(counts).every((one) => COUNTS.includes(String(one))))
    return '`counts` is not an object of "error", "warning", "hint" and "off"';
  const gates = get(document, 'gates') ?? {};
  if (!isObject(gates) || !Object.values(gates).every((one) => typeof one === 'string'))
    return '`gates` is not an object of strings';
  const features = get(document, 'features') ?? [];
  if (!isArray(features) || !features.every((one) => str(one, 'id') && str(one, 'words')))
    return '`features` is not a list of objects with `id` and `words`';
  for (const [name, methods] of [
    ['methods', get(document, 'methods')],
    ['drafts.methods', get(get(document, 'drafts'), 'methods')],
  ] as const)
    if (methods !== undefined && !(isArray(methods) && methods.every(isMethod)))
      return `\`${name}\` is not a list of objects with \`name\`, \`from\`, \`kind\` and \`stable\``;
  return undefined;
}

function isMethod(method: Json): boolean {
  return (
    str(method, 'name') !== undefined &&
    ['client', 'agent', 'both'].includes(str(method, 'from') ?? '') &&
    ['request', 'notification'].includes(str(method, 'kind') ?? '') &&
    typeof get(method, 'stable') === 'boolean'
  );
}
