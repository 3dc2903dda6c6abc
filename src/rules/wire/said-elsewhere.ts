// What the schemas say and a rule of a name of its own says better, so that one mistake is one finding.
import type { SchemaRemark } from '../../acp/schema/frame-check.ts';
import type { About } from '../remarks.ts';

interface Elsewhere {
  readonly version?: 1 | 2;
  readonly method?: RegExp;
  readonly pointer: RegExp;
  readonly seen: RegExp;
}

const FAULTS: readonly Elsewhere[] = [
  // rpc/params-type
  { pointer: /^\/params$/, seen: /^`params` is (?!missing)/ },
  // setup/mcp-missing
  {
    version: 1,
    method: /^session\/(?:new|load)$/,
    pointer: /^\/params$/,
    seen: /^`mcpServers` is missing/,
  },
  {
    version: 1,
    method: /^session\/(?:new|load)$/,
    pointer: /^\/params\/mcpServers$/,
    seen: /is null/,
  },
  // setup/mcp-stdio-fields
  {
    version: 1,
    pointer: /^\/params\/mcpServers\/\d+$/,
    seen: /^(?:`(?:args|env|headers)`(?: and )?)+ (?:is|are) missing/,
  },
  { version: 1, pointer: /^\/params\/mcpServers\/\d+\/(?:args|env|headers)$/, seen: /is null/ },
  // setup/mcp-type-missing
  { version: 2, pointer: /^\/params\/mcpServers\/\d+$/, seen: /^`type` is missing/ },
  // setup/null-arrays
  { version: 2, pointer: /^\/result\/(?:configOptions|availableCommands)$/, seen: /is null/ },
  // setup/null-result
  { version: 1, pointer: /^\/result$/, seen: /is null/ },
  // list/not-null
  { method: /^session\/list$/, pointer: /^\/result(?:\/sessions)?$/, seen: /`sessions` is / },
  // prompt/empty
  { method: /^session\/prompt$/, pointer: /^\/params\/prompt$/, seen: /is empty/ },
  // perm/options
  { method: /^session\/request_permission$/, pointer: /^\/params\/options$/, seen: /is empty/ },
  // fs/path
  { method: /^fs\//, pointer: /^\/params\/line$/, seen: /is -?\d/ },
  // elicit/scope
  {
    method: /^elicitation\/create$/,
    pointer: /^\/params$/,
    seen: /^`(?:sessionId|requestId)` (?:or|and) `(?:sessionId|requestId)`/,
  },
  // resume/cursor-unknown
  {
    version: 2,
    method: /^session\/resume$/,
    pointer: /^\/params\/replayFrom(?:\/type)?$/,
    seen: / is /,
  },
  // config/unknown
  {
    version: 2,
    method: /^session\/set_config_option$/,
    pointer: /^\/params$/,
    seen: /^`type` is missing/,
  },
  { method: /^session\/set_config_option$/, pointer: /^\/params\/value$/, seen: /`value` is / },
  // tool/path-absolute
  { pointer: /\/locations\/\d+\/line$/, seen: /is -?\d/ },
  // tool/diff-consistent
  { version: 2, pointer: /\/changes\/\d+$/, seen: /^`oldPath` is missing/ },
  // mcp/envelope, mcp/legacy
  { method: /^mcp\/message$/, pointer: /^\/params(?:\/requestId)?$/, seen: /`requestId`/ },
];

/** state/error-detail, elicit/content, mcp/envelope, mcp/legacy */
const FIELDS: readonly Omit<Elsewhere, 'seen'>[] = [
  { method: /^session\/update$/, pointer: /^\/params\/update\/error$/ },
  { method: /^elicitation\/create$/, pointer: /^\/result\/content$/ },
  { method: /^mcp\/message$/, pointer: /^\/params\/connectionId$|^\/result\/(?:result|error)$/ },
];

/** The same of a field that the schema does not know. */
export function isFieldElsewhere({ pointer }: SchemaRemark, { method }: About): boolean {
  return FIELDS.some((one) => one.method?.test(method) !== false && one.pointer.test(pointer));
}

/** Whether a rule of another family tells this fault. */
export function isFaultElsewhere({ pointer, seen }: SchemaRemark, about: About): boolean {
  return FAULTS.some(
    (one) =>
      (one.version === undefined || one.version === about.version) &&
      one.method?.test(about.method) !== false &&
      one.pointer.test(pointer) &&
      one.seen.test(seen),
  );
}
