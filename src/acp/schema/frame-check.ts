// What the schemas of the SDK say of one message, by version, direction and method: at once, without
// waiting for anything, so that a live trace can be checked as it grows. Envelopes, directions and
// methods nobody knows are left to the rules.
import type { EditionId } from '../editions/edition.ts';
import { BASE } from '../editions/editions.ts';
import { get, isObject } from '../json.ts';
import type { Failure, Json, Message } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { counterpartOf, isUnstable } from './envelope.ts';
import { findPlan } from './find.ts';
import { loadPlans } from './load.ts';
import type { FieldPlan, Layout, Plan, Plans } from './plan.ts';
import { pointerParts } from '../json-pointer.ts';
import { ofOtherVersion } from './remark.ts';
import type { SchemaRemark } from './remark.ts';
import type { MessagePart } from './shape.ts';
import { Walk } from './walk.ts';

export type { SchemaRemark } from './remark.ts';

/** The schemas that messages of one version are held against, stable and unstable. */
interface SchemaSet {
  readonly version: Version;
  readonly plans: Plans;
  /** Of the version not spoken: to know its fields when they turn up here. */
  readonly other: Plans;
  readonly walk: Walk;
}

const NOTHING: readonly SchemaRemark[] = [];

/** `editions`: whose schemas they are, by version. */
export async function loadSchemaSet(
  version: Version,
  editions: Readonly<Record<Version, EditionId>> = BASE,
): Promise<SchemaSet> {
  const otherVersion = version === 1 ? 2 : 1;
  const [plans, other] = await Promise.all([
    loadPlans(version, editions[version]),
    loadPlans(otherVersion, editions[otherVersion]),
  ]);
  return { version, plans, other, walk: new Walk() };
}

/**
 * Remarks in the order of the message's text, the missing before the odd; never throws.
 * @param from who sends the message
 * @param requestMethod the method of the request that an answer answers; an answer without is not
 *   judged, and an error only by what is the same for all methods
 */
export function frameRemarks(
  set: SchemaSet,
  from: Role,
  message: Message,
  requestMethod?: string,
): readonly SchemaRemark[] {
  switch (message.kind) {
    case 'invalid':
      return NOTHING;
    case 'failure':
      return ofFailure(set, message);
    case 'success':
      if (requestMethod === undefined) return NOTHING;
      return ofPart(set, from, requestMethod, 'result', message.result);
    case 'request':
      return ofCall(set, from, message.method, 'params', message.params);
    case 'notification':
      return ofCall(set, from, message.method, 'notification', message.params);
  }
}

function ofCall(
  set: SchemaSet,
  from: Role,
  method: string,
  part: MessagePart,
  params: Json | undefined,
): readonly SchemaRemark[] {
  const root = set.plans.root(from, method, part);
  if (!root) return NOTHING;
  const body = params === undefined ? missingParams(root) : ofPart(set, from, method, part, params);
  if (!isUnstable(set.version, method)) return body;
  const pointer = '/method';
  return [{ kind: 'unstable', pointer, code: 'unstable', name: method, isValue: false }, ...body];
}

function ofPart(
  set: SchemaSet,
  from: Role,
  method: string,
  part: MessagePart,
  value: Json,
): readonly SchemaRemark[] {
  const root = set.plans.root(from, method, part);
  if (!root) return NOTHING;
  const remarks = set.walk.remarks(root, value, part === 'result' ? 'result' : 'params');
  if (remarks.length === 0) return remarks;
  const other = set.other.root(from, counterpartOf(method, set.version === 1 ? 2 : 1), part);
  if (!other) return remarks;
  const told = remarks.map((remark) =>
    isKnown(other, value, remark) ? ofOtherVersion(remark, set.version) : remark,
  );
  // A client that speaks both versions asks in both: which one counts, only the answer says.
  const undecided = method === 'initialize' && part === 'params';
  return undecided && !isForOther(set.version, value)
    ? told.filter(({ kind }) => kind !== 'other-version')
    : told;
}

/** Whether the other version knows, at the same place, the field or value that is unknown here. */
function isKnown(other: Plan, value: Json, remark: SchemaRemark): boolean {
  const { code, pointer, lacking } = remark;
  if (code !== 'unknown-field' && code !== 'unknown-value') return false;
  if (lacking !== undefined) return false;
  const found = findPlan(other, value, pointerParts(pointer).slice(1));
  if (code === 'unknown-field') return found?.field !== undefined;
  return found?.plan.is === 'words' && found.plan.known.has(remark.name);
}

/** An `initialize` of v2 that says nothing in v2's own fields. What v1 makes of v2's is no fault of shape. */
function isForOther(version: Version, params: Json): boolean {
  const says = (name: string) => get(params, name) !== undefined;
  return version === 2 && !says('info') && !says('capabilities');
}

function missingParams(root: Plan): readonly SchemaRemark[] {
  const required = root.is === 'object' ? requiredOf(root.layout()) : [];
  if (required.length === 0) return NOTHING;
  const names = required.map(({ name }) => name);
  return [{ kind: 'wrong', pointer: '', code: 'no-params', names }];
}

function requiredOf(layout: Layout): readonly FieldPlan[] {
  return [...layout.fields.values()].filter(({ field }) => field.required);
}

const UNSUPPORTED_VERSION = -32022;

/** Its `data` is free, but for the code that v2 gave a shape; the SDK drops what does not fit. */
function ofFailure(
  { version, plans, walk }: SchemaSet,
  { error }: Failure,
): readonly SchemaRemark[] {
  const remarks = walk.remarks(plans.def('Error'), { ...error }, 'error');
  if (version === 1 || error.code !== UNSUPPORTED_VERSION || !isObject(error.data)) return remarks;
  const data = walk.remarks(plans.def('UnsupportedProtocolVersionErrorData'), error.data, ...DATA);
  return [
    ...remarks,
    ...data.map((remark): SchemaRemark =>
      remark.kind === 'wrong' ? { ...remark, kind: 'lenient', leftOut: '/error/data' } : remark,
    ),
  ];
}

const DATA = ['error', 'data'] as const;
