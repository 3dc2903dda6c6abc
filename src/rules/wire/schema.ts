// What the schemas of the official SDK say of messages: families `schema`, `shape` and `enum`. A frame
// whose method or update is of the other version is told so by its own rule (methods.ts) and not held
// against a schema; so is what another family names better.
import { isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { SchemaRemark } from '../../acp/schema/frame-check.ts';
import { pointerParts, valueAt } from '../../acp/json-pointer.ts';
import { lacks, type Remarked } from '../../acp/schema/remark.ts';
import { updateOf } from '../../acp/update.ts';
import type { FrameStep } from '../steps.ts';
import { onRemarks, told, type About, type Pick } from '../remarks.ts';
import { rulesOf, type RuleFault } from '../rule.ts';
import { newerRemark } from '../unknown.ts';
import { isOfEarlierDraft, isOfOtherVersion } from './methods.ts';

// What the schemas say and a rule of a name of its own says better, so that one mistake is one finding.

interface Elsewhere {
  readonly version?: 1 | 2;
  readonly method?: RegExp;
  readonly pointer: RegExp;
  /** Absent: whatever is wrong there. */
  readonly is?: (remark: SchemaRemark) => boolean;
}

const isNull = (remark: SchemaRemark) => remark.code === 'type' && remark.value === null;
const isNumber = ({ code }: SchemaRemark) => code === 'number';
const isEmpty = ({ code }: SchemaRemark) => code === 'empty';

const FAULTS: readonly Elsewhere[] = [
  // rpc/params-type
  { pointer: /^\/params$/, is: ({ code }) => code === 'type' },
  // setup/mcp-missing
  {
    version: 1,
    method: /^session\/(?:new|load)$/,
    pointer: /^\/params$/,
    is: (remark) => lacks(remark, 'mcpServers'),
  },
  {
    version: 1,
    method: /^session\/(?:new|load)$/,
    pointer: /^\/params\/mcpServers$/,
    is: isNull,
  },
  // setup/mcp-stdio-fields
  {
    version: 1,
    pointer: /^\/params\/mcpServers\/\d+$/,
    is: (remark) =>
      remark.code === 'missing' &&
      remark.names.every((name) => ['args', 'env', 'headers'].includes(name)),
  },
  { version: 1, pointer: /^\/params\/mcpServers\/\d+\/(?:args|env|headers)$/, is: isNull },
  // setup/mcp-type-missing
  { version: 2, pointer: /^\/params\/mcpServers\/\d+$/, is: (remark) => lacks(remark, 'type') },
  // setup/null-arrays
  { version: 2, pointer: /^\/result\/(?:configOptions|availableCommands)$/, is: isNull },
  // setup/null-result; what a client has nothing to say of, SDKs take so too.
  {
    version: 1,
    method:
      /^(?:session\/(?:load|resume|close|delete|set_mode|(?:un)?archive)|authenticate|logout|providers\/(?:set|disable)|fs\/write_text_file|terminal\/(?:kill|release))$/,
    pointer: /^\/result$/,
    is: isNull,
  },
  // list/not-null
  {
    method: /^session\/list$/,
    pointer: /^\/result$/,
    is: (remark) => lacks(remark, 'sessions'),
  },
  { method: /^session\/list$/, pointer: /^\/result\/sessions$/ },
  // prompt/empty
  { method: /^session\/prompt$/, pointer: /^\/params\/prompt$/, is: isEmpty },
  // perm/options
  { method: /^session\/request_permission$/, pointer: /^\/params\/options$/, is: isEmpty },
  // fs/path
  { method: /^fs\//, pointer: /^\/params\/line$/, is: isNumber },
  // elicit/scope
  {
    method: /^elicitation\/create$/,
    pointer: /^\/params$/,
    is: ({ code }) => code === 'no-way' || code === 'two-ways',
  },
  // resume/cursor-unknown
  {
    version: 2,
    method: /^session\/resume$/,
    pointer: /^\/params\/replayFrom(?:\/type)?$/,
  },
  // config/unknown
  {
    version: 2,
    method: /^session\/set_config_option$/,
    pointer: /^\/params$/,
    is: (remark) => lacks(remark, 'type'),
  },
  { method: /^session\/set_config_option$/, pointer: /^\/params\/value$/ },
  // tool/path-absolute
  { pointer: /\/locations\/\d+\/line$/, is: isNumber },
  // tool/diff-consistent
  { version: 2, pointer: /\/changes\/\d+$/, is: (remark) => lacks(remark, 'oldPath') },
  // mcp/envelope, mcp/legacy
  { method: /^mcp\/message$/, pointer: /^\/params\/requestId$/ },
  {
    method: /^mcp\/message$/,
    pointer: /^\/params$/,
    is: (remark) => remark.code === 'missing' && remark.names.includes('requestId'),
  },
];

/** state/error-detail, elicit/content, mcp/envelope, mcp/legacy */
const FIELDS: readonly Elsewhere[] = [
  { method: /^session\/update$/, pointer: /^\/params\/update\/error$/ },
  { method: /^elicitation\/create$/, pointer: /^\/result\/content$/ },
  { method: /^mcp\/message$/, pointer: /^\/params\/connectionId$|^\/result\/(?:result|error)$/ },
];

/** The same of a field that the schema does not know. */
function isFieldElsewhere(remark: SchemaRemark, about: About): boolean {
  return FIELDS.some((one) => fits(one, remark, about));
}

/** Whether a rule of another family tells this fault. */
function isFaultElsewhere(remark: SchemaRemark, about: About): boolean {
  return FAULTS.some((one) => fits(one, remark, about));
}

function fits(one: Elsewhere, remark: SchemaRemark, about: About): boolean {
  return (
    (one.version === undefined || one.version === about.version) &&
    one.method?.test(about.method) !== false &&
    one.pointer.test(remark.pointer) &&
    one.is?.(remark) !== false
  );
}

/** Of the other version, and told by update/wrong-version and resume/replay-on-v1. */
const TOLD: ReadonlySet<string> = new Set(['/params/update/sessionUpdate', '/params/replayFrom']);

/** What the SDK throws out is an error, what it reads as left out a warning. */
const breaks: Pick = (remark, about) => {
  const { kind } = remark;
  if ((kind !== 'wrong' && kind !== 'lenient') || isSpokenFor(remark, about)) return undefined;
  return told(remark, {
    ...(kind === 'lenient' ? { severity: 'warning' } : {}),
    ...newerRemark(remark, about.step, about.connection),
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
  const [part, ...path] = pointerParts(pointer);
  if (part === 'result')
    return message.kind === 'success' ? valueAt(message.result, path) : undefined;
  return message.kind === 'request' || message.kind === 'notification'
    ? valueAt(message.params, path)
    : undefined;
}

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

/** Which replay cursors there are is resume/cursor-unknown; in v1 no ways to sign in are kept for ACP. */
function isOpenElsewhere({ pointer, code }: SchemaRemark, { version }: About): boolean {
  return version === 2
    ? pointer === '/params/replayFrom/type'
    : code !== 'unfitting-tag' && /^\/result\/authMethods\/\d+\/type$/.test(pointer);
}

/** The tag beside a field names what has such a field, so that it is of no other version. */
function isOfItsTag({ pointer }: SchemaRemark, { all }: About): boolean {
  const at = pointer.slice(0, pointer.lastIndexOf('/') + 1);
  return all.some((one) => one.code === 'unfitting-tag' && one.pointer === `${at}${one.name}`);
}

/** What the peer reads all the same. */
function milder(remark: SchemaRemark, { version }: About): Partial<RuleFault> {
  const isMarkOfStdio =
    version === 1 &&
    remark.code === 'unknown-value' &&
    remark.name === 'stdio' &&
    /\/mcpServers\/\d+\/type$/.test(remark.pointer);
  return remark.kind === 'lenient' || isMarkOfStdio ? { severity: 'warning' } : {};
}

export const SCHEMA_RULES = rulesOf({ side: 'sender' })({
  'schema/params': {
    severity: 'error',
    clause: 'params are what the schema of their method asks for',
    on: onRemarks(breaks, ['params']),
  },
  'schema/result': {
    severity: 'error',
    clause: 'a result is what the schema of its method asks for',
    on: onRemarks(
      (remark, about) =>
        about.step.message.kind === 'success' ? breaks(remark, about) : undefined,
      ['result'],
    ),
  },
  'schema/update': {
    severity: 'error',
    clause: 'a session update is what the schema of its variant asks for',
    on: onRemarks(
      (remark, about) =>
        isOtherUpdate(about) || isReplayedWithoutId(remark, about)
          ? undefined
          : breaks(remark, about),
      ['update'],
    ),
  },
  'shape/other-version': {
    severity: 'error',
    clause: 'fields and values are those of the version that was agreed on',
    on: onRemarks((remark, about) => {
      const { kind, pointer } = remark;
      const isFault = kind === 'wrong' || kind === 'lenient';
      if (kind !== 'other-version' && !(isFault && isOtherShape(remark, about))) return undefined;
      if (TOLD.has(pointer) || isOtherUpdate(about) || isFieldElsewhere(remark, about))
        return undefined;
      if (isOfItsTag(remark, about)) return undefined;
      return told(remark, milder(remark, about));
    }),
  },
  'shape/extra-root-field': {
    severity: 'warning',
    clause: 'data of one’s own stands in `_meta`, not beside the fields of the protocol',
    on: onRemarks((remark, about) => {
      if (remark.kind !== 'unknown-field' || isOfEarlierDraft(remark)) return undefined;
      if (isOtherUpdate(about) || isFieldElsewhere(remark, about)) return undefined;
      return told(remark, newerRemark(remark, about.step, about.connection));
    }),
  },
  'shape/meta-type': {
    severity: 'warning',
    clause:
      '`_meta` is an object or null, and its trace context (`traceparent`, `tracestate`, `baggage`) strings',
    on: onRemarks((remark) => (remark.kind === 'meta' ? told(remark) : undefined)),
  },
  'enum/unprefixed': {
    severity: 'warning',
    clause: 'a value of one’s own in an open list begins with `_`; the others are kept for ACP',
    on: onRemarks((remark, about) =>
      remark.kind === 'unknown-value' && !isOpenElsewhere(remark, about)
        ? told(remark, newerRemark(remark, about.step, about.connection))
        : undefined,
    ),
  },
});
