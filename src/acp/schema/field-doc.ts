// What the schemas say of one place in a message, in full: for a person who asks what a field is.
import { valueAt } from '../json-pointer.ts';
import { get, isObject, type JsonPath } from '../json.ts';
import type { Json } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { isUnstable, oddMethod } from './envelope.ts';
import { findPlan, objectLayouts, type FoundField } from './find.ts';
import { loadDocs, loadPlans } from './load.ts';
import { schemaValues, type ValueInfo } from './lookup.ts';
import type { Plan, Plans } from './plan.ts';
import { dueWords } from './words.ts';

// Words on the fields that the schemas leave to others: JSON-RPC's own, and what is kept in `_meta`.

type Words = Pick<FieldDoc, 'type' | 'required' | 'note' | 'texts'>;

const ENVELOPE: Readonly<Record<string, Words>> = {
  jsonrpc: {
    type: 'always "2.0"',
    required: true,
    texts: ['The version of JSON-RPC, the protocol below ACP.'],
  },
  id: {
    type: 'a whole number or a string',
    texts: [
      'Names a request, so that the response names the same id. Each side numbers its own requests: the same id may be open in both directions. A message without an id is a notification, and nobody responds to a notification.',
    ],
  },
};

/** On a field of the envelope, apart from `method` and what the schemas describe. */
function envelopeText(name: string): Words | undefined {
  return Object.hasOwn(ENVELOPE, name) ? ENVELOPE[name] : undefined;
}

const TRACE_CONTEXT = /^(?:traceparent|tracestate|baggage)$/;

/** On `_meta` itself (no key), or on what stands under a key of it, `depth` levels below. */
function metaText(version: Version, key: string | undefined, depth: number): Words {
  const site = `https://agentclientprotocol.com/protocol/v${version}/extensibility`;
  if (key === undefined)
    return {
      type: 'an object or null',
      texts: [
        `Reserved for data of one’s own. Left out and \`null\` both mean that there is none. Nobody may make assumptions about values under keys they do not know.\n\nSee protocol docs: [Extensibility](${site})`,
      ],
    };
  if (depth === 1 && TRACE_CONTEXT.test(key))
    return {
      type: 'a string',
      texts: [
        'Reserved for [W3C Trace Context](https://www.w3.org/TR/trace-context/), so that a request can be followed through several programs.',
      ],
    };
  return {
    note: 'Data of one’s own: in `_meta` the protocol leaves keys and values free.',
    texts: [],
  };
}

export interface FieldDoc {
  readonly name: string;
  readonly version: Version;
  /** "a string", "a list of objects or null". */
  readonly type?: string;
  readonly required?: true;
  /** Only the unstable schema has it. */
  readonly unstable?: true;
  /** Where it stands, if not simply in the schema: `not in v1`. */
  readonly label?: string;
  /** More on that, in Markdown. */
  readonly note?: string;
  /** What the official SDK makes of wrong values. */
  readonly sdk?: string;
  /** The schema's own words on the field, then on what it holds, in Markdown. */
  readonly texts: readonly string[];
  readonly values?: readonly ValueInfo[];
}

export interface FieldPlace {
  readonly version: Version;
  /** Who sends the message. */
  readonly from: Role;
  /** The method; for an answer, that of its request, where it is known. */
  readonly method: string | undefined;
  readonly message: Json;
  /** Keys and list places from the message on; at least one. */
  readonly path: JsonPath;
}

export async function fieldDoc(place: FieldPlace): Promise<FieldDoc> {
  const [first, ...below] = place.path;
  if (below.length === 0 && !isBody(first)) return envelopeDoc(place, String(first));
  if (!isBody(first)) return bare(place, 'The schema says nothing of this.');
  const meta = below.indexOf('_meta');
  if (meta >= 0) return metaDoc(place, below.slice(meta + 1));
  const [plans, docs] = await Promise.all([loadPlans(place.version), loadDocs(place.version)]);
  const root = rootOf(plans, place, first);
  if (!root) return bare(place, noSchema(place));
  const value = get(place.message, first);
  const found = findPlan(root, value, below);
  if (found) return docOf(place, found, docs);
  const free = freeParent(root, value, below);
  if (free !== undefined)
    return bare(place, `Any JSON may stand in \`${free}\`: the schema says nothing of its fields.`);
  return elsewhere(place, first, value, below);
}

type Body = 'params' | 'result' | 'error';

function isBody(step: string | number | undefined): step is Body {
  return step === 'params' || step === 'result' || step === 'error';
}

function rootOf(plans: Plans, { from, method, message }: FieldPlace, body: Body): Plan | undefined {
  if (body === 'error') return plans.def('Error');
  if (method === undefined) return undefined;
  if (body === 'result') return plans.root(from, method, 'result');
  const isRequest = isObject(message) && Object.hasOwn(message, 'id');
  return plans.root(from, method, isRequest ? 'params' : 'notification');
}

function docOf(place: FieldPlace, { plan, field }: FoundField, docs: readonly string[]): FieldDoc {
  const known = field?.field;
  const values = schemaValues(plan, docs);
  const texts = [known?.doc, plan.doc].flatMap((doc) => docs[doc ?? -1] ?? []);
  const sdk = plan.is === 'any' ? undefined : sdkWords(field);
  return {
    ...bare(place, undefined),
    type: typeWords(plan),
    ...(known?.required ? { required: true } : {}),
    ...(known?.unstable ? { unstable: true } : {}),
    texts: [...new Set(texts)],
    ...(sdk === undefined ? {} : { sdk }),
    ...(values === undefined ? {} : { values }),
  };
}

/** The values stand in a list of their own. */
function typeWords(plan: Plan): string {
  if (plan.is !== 'words') return dueWords(plan);
  const words = plan.open ? 'one of these, or another string' : 'one of these';
  return plan.nullable ? `${words}, or null` : words;
}

function sdkWords(field: FoundField['field']): string | undefined {
  switch (field?.field.soft) {
    case 'error':
      return 'The official SDK reads a wrong value as left out.';
    case 'null':
      return 'The official SDK reads null as left out.';
    case undefined:
      return undefined;
  }
}

function bare(place: FieldPlace, note: string | undefined): FieldDoc {
  const { version, path } = place;
  const last = path.at(-1);
  const name = typeof last === 'number' ? `${String(path.at(-2) ?? '')}[${last}]` : (last ?? '');
  return { name, version, texts: [], ...(note === undefined ? {} : { note }) };
}

/** What no schema of this version has here: the other version's, or nobody's. */
async function elsewhere(
  place: FieldPlace,
  body: Body,
  value: Json | undefined,
  path: JsonPath,
): Promise<FieldDoc> {
  const { version } = place;
  const other = version === 1 ? 2 : 1;
  const [plans, docs] = await Promise.all([loadPlans(other), loadDocs(other)]);
  const root = rootOf(plans, place, body);
  const found = root && findPlan(root, value, path);
  if (!found) {
    const note = 'Neither v1 nor v2 has such a field here. Data of one’s own belongs in `_meta`.';
    return { ...bare(place, note), label: 'not in the schema' };
  }
  const doc = docOf({ ...place, version: other }, found, docs);
  return { ...doc, label: `not in v${version}`, note: `v${other} has it, and says:` };
}

/** The nearest field above whose inside is free. */
function freeParent(root: Plan, value: Json | undefined, path: JsonPath): string | undefined {
  for (let length = path.length - 1; length >= 0; length--) {
    const above = path.slice(0, length);
    const found = length === 0 ? { plan: root } : findPlan(root, value, above);
    if (!found) continue;
    const inside = objectLayouts(found.plan, valueAt(value, above), false);
    const isFree = found.plan.is === 'any' || inside.some(({ open }) => open);
    return isFree ? String(above.at(-1) ?? 'params') : undefined;
  }
  return undefined;
}

function noSchema({ version, from, method, message }: FieldPlace): string {
  if (method === undefined)
    return 'The request that this answers is not in the trace, so that no schema is known for it.';
  if (method.startsWith('_')) return `\`${method}\` is a method of one’s own: it has no schema.`;
  const kind = isObject(message) && Object.hasOwn(message, 'id') ? 'request' : 'notification';
  const isAnswer = isObject(message) && !Object.hasOwn(message, 'method');
  const asker = isAnswer ? (from === 'client' ? 'agent' : 'client') : from;
  return oddMethod(version, asker, method, kind) ?? `v${version} has no schema for it.`;
}

async function envelopeDoc(place: FieldPlace, name: string): Promise<FieldDoc> {
  const { version, from, method } = place;
  if (name !== 'method') {
    const text = envelopeText(name);
    if (text === undefined) return bare(place, 'JSON-RPC has no such field.');
    return { ...bare(place, undefined), ...text };
  }
  const [plans, docs] = await Promise.all([loadPlans(version), loadDocs(version)]);
  const about = docs[(method === undefined ? undefined : plans.about(from, method)) ?? -1];
  if (method === undefined || about === undefined) return bare(place, noSchema(place));
  const unstable = isUnstable(version, method) ? { unstable: true as const } : {};
  return {
    ...bare(place, undefined),
    type: 'a method',
    required: true,
    ...unstable,
    texts: [about],
  };
}

function metaDoc(place: FieldPlace, below: JsonPath): FieldDoc {
  const [key] = below;
  const { type, texts, note } = metaText(
    place.version,
    key === undefined ? undefined : String(key),
    below.length,
  );
  return {
    ...bare(place, note),
    ...(type === undefined ? {} : { type }),
    texts,
  };
}
