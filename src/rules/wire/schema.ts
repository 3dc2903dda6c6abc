// What the schemas of the official SDK say of messages: families `schema`, `shape` and `enum`. A frame
// whose method or update is of the other version is told so by its own rule (methods.ts) and not held
// against a schema; so is what another family names better.
import { isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { valueAt } from '../../acp/schema/find.ts';
import type { SchemaRemark } from '../../acp/schema/frame-check.ts';
import { tokens } from '../../acp/schema/pointer.ts';
import { lacks, type Remarked } from '../../acp/schema/remark.ts';
import { updateOf } from '../../acp/update.ts';
import { isOfEarlierDraft, isOfOtherVersion } from './methods.ts';
import type { Fault } from '../outcome.ts';
import { helloFold, onRemarks, told, type About, type Pick } from '../remarks.ts';
import type { Fold, Rule } from '../rule.ts';
import { isFaultElsewhere, isFieldElsewhere } from './said-elsewhere.ts';
import type { FrameStep } from '../step.ts';

/** Of the other version, and told by update/wrong-version and resume/replay-on-v1. */
const TOLD: ReadonlySet<string> = new Set(['/params/update/sessionUpdate', '/params/replayFrom']);

/** What the SDK throws out is an error, what it reads as left out a warning. */
const breaks: Pick = (remark, about) => {
  const { kind } = remark;
  if ((kind !== 'wrong' && kind !== 'lenient') || isSpokenFor(remark, about)) return undefined;
  return told(remark, {
    ...(kind === 'lenient' ? { severity: 'warning' } : {}),
    ...(isReceipt(remark, about) ? { point: 'receipt' } : {}),
  });
};

/** In August a prompt was answered with `{}`. */
function isReceipt(remark: SchemaRemark, { method, version }: About): boolean {
  const isAnswer = method === 'session/prompt' && remark.pointer === '/result';
  return isAnswer && version === 2 && remark.kind === 'wrong' && lacks(remark, 'messageId');
}

/** Whether a rule of a name of its own says this. */
function isSpokenFor(remark: SchemaRemark, about: About): boolean {
  if (MISSING.has(remark.code) && lacksByVersion(remark.pointer, about.all)) return true;
  return isOtherShape(remark, about) || isFaultElsewhere(remark, about);
}

const MISSING: ReadonlySet<Remarked['code']> = new Set(['missing', 'no-params', 'no-way']);

/** A field of the other version stands where one of this version is missing. */
function lacksByVersion(pointer: string, all: readonly SchemaRemark[]): boolean {
  return all.some(
    ({ kind, pointer: at }) =>
      kind === 'other-version' && at.slice(0, at.lastIndexOf('/')) === pointer,
  );
}

/** Names that one version has and the other spells another way. */
const RENAMED: ReadonlySet<string> = new Set([
  ...['id', 'configId', 'methodId', 'group', 'groupId', 'info', 'clientInfo', 'agentInfo'],
]);

/** A fault that is the way of the other version: its names, or its kind of support marker. */
function isOtherShape(remark: SchemaRemark, { step, version }: About): boolean {
  const { pointer } = remark;
  if (remark.code === 'misspelt' && RENAMED.has(remark.name)) return true;
  if (!/^\/(?:params|result)\/(?:\w+C|c)apabilities\//.test(pointer)) return false;
  const value = valueIn(step, pointer);
  return version === 2 ? typeof value === 'boolean' : isObject(value);
}

function valueIn({ message }: FrameStep, pointer: string): Json | undefined {
  const [part, ...path] = tokens(pointer);
  if (part === 'result')
    return message.kind === 'success' ? valueAt(message.result, path) : undefined;
  return message.kind === 'request' || message.kind === 'notification'
    ? valueAt(message.params, path)
    : undefined;
}

const params: Rule = {
  id: 'schema/params',
  versions: [1, 2],
  side: 'sender',
  severity: 'error',
  clause: 'params are what the schema of their method asks for',
  on: onRemarks(breaks, ['params']),
};

const result: Rule = {
  id: 'schema/result',
  versions: [1, 2],
  side: 'sender',
  severity: 'error',
  clause: 'a result is what the schema of its method asks for',
  on: onRemarks(
    (remark, about) => (about.step.message.kind === 'success' ? breaks(remark, about) : undefined),
    ['result'],
  ),
};

const update: Rule = {
  id: 'schema/update',
  versions: [1, 2],
  side: 'sender',
  severity: 'error',
  clause: 'a session update is what the schema of its variant asks for',
  on: onRemarks(
    (remark, about) =>
      isOtherUpdate(about) || isReplayedWithoutId(remark, about)
        ? undefined
        : breaks(remark, about),
    ['update'],
  ),
};

/** In history replay that is replay/message-id-missing. */
function isReplayedWithoutId(remark: SchemaRemark, { step, version }: About): boolean {
  const isReplay = 'replay' in step && step.replay === true;
  return isReplay && version === 2 && remark.kind === 'wrong' && lacks(remark, 'messageId');
}

/** The frame is an update that the other version has: update/wrong-version says so. */
function isOtherUpdate({ step: { message }, version }: About): boolean {
  if (message.kind !== 'notification' || message.method !== 'session/update') return false;
  const variant = updateOf(message.params)?.variant;
  return variant !== undefined && isOfOtherVersion(variant, version);
}

const otherVersion: Rule = {
  id: 'shape/other-version',
  versions: [1, 2],
  side: 'sender',
  severity: 'error',
  clause: 'fields and values are those of the version that was agreed on',
  on: onRemarks((remark, about) => {
    const { kind, pointer } = remark;
    const isFault = kind === 'wrong' || kind === 'lenient';
    if (kind !== 'other-version' && !(isFault && isOtherShape(remark, about))) return undefined;
    if (TOLD.has(pointer) || isOtherUpdate(about) || isFieldElsewhere(remark, about))
      return undefined;
    return told(remark, milder(remark, about));
  }),
};

/** What the peer reads all the same. */
function milder(remark: SchemaRemark, { version }: About): Partial<Fault> {
  const isMarkOfStdio =
    version === 1 &&
    remark.code === 'unknown-value' &&
    remark.name === 'stdio' &&
    /\/mcpServers\/\d+\/type$/.test(remark.pointer);
  return remark.kind === 'lenient' || isMarkOfStdio ? { severity: 'warning' } : {};
}

const extraField: Rule = {
  id: 'shape/extra-root-field',
  versions: [1, 2],
  side: 'sender',
  severity: 'warning',
  clause: 'data of one’s own stands in `_meta`, not beside the fields of the protocol',
  on: onRemarks((remark, about) => {
    if (remark.kind !== 'unknown-field' || isOfEarlierDraft(remark)) return undefined;
    if (isOtherUpdate(about) || isFieldElsewhere(remark, about)) return undefined;
    return told(remark);
  }),
};

const metaType: Rule = {
  id: 'shape/meta-type',
  versions: [1, 2],
  side: 'sender',
  severity: 'warning',
  clause:
    '`_meta` is an object or null, and its trace context (`traceparent`, `tracestate`, `baggage`) strings',
  on: onRemarks((remark) => (remark.kind === 'meta' ? told(remark) : undefined)),
};

const unprefixed: Rule = {
  id: 'enum/unprefixed',
  versions: [2],
  side: 'sender',
  severity: 'warning',
  clause: 'a value of one’s own in an open list begins with `_`; the others are kept for ACP',
  on: onRemarks((remark) =>
    // Which replay cursors there are is resume/cursor-unknown.
    remark.kind === 'unknown-value' && remark.pointer !== '/params/replayFrom/type'
      ? told(remark)
      : undefined,
  ),
};

export const SCHEMA_RULES: readonly Rule[] = [
  params,
  result,
  update,
  otherVersion,
  extraField,
  metaType,
  unprefixed,
];
export const SCHEMA_FOLDS: readonly Fold[] = [helloFold];
