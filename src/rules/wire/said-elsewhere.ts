// What the schemas say and a rule of a name of its own says better, so that one mistake is one finding.
import type { SchemaRemark } from '../../acp/schema/frame-check.ts';
import { lacks } from '../../acp/schema/remark.ts';
import type { About } from '../remarks.ts';

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
  // setup/null-result
  { version: 1, pointer: /^\/result$/, is: isNull },
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
export function isFieldElsewhere(remark: SchemaRemark, about: About): boolean {
  return FIELDS.some((one) => fits(one, remark, about));
}

/** Whether a rule of another family tells this fault. */
export function isFaultElsewhere(remark: SchemaRemark, about: About): boolean {
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
