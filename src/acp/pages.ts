// Where the protocol's site describes a method: its page and heading, by version. What only the
// unstable schema has stands in the draft's schema reference. Source: the links in the SDK's schemas,
// and the site's own headings.
import { methodsNamed, supportOf, type MethodName, type Version } from './methods.ts';

export const SITE = 'https://agentclientprotocol.com';
/** The official TypeScript SDK, at the version that its schemas here are of. */
export const SDK = 'https://github.com/agentclientprotocol/typescript-sdk/blob/v2.4.0';

interface Page {
  readonly 1?: string;
  readonly 2?: string;
}

/** It stands in the draft's schema reference alone. */
const DRAFT: Page = {};

/** Page and heading below `/protocol/v1/` and `/protocol/v2/`. */
const PAGES: Readonly<Record<MethodName, Page>> = {
  initialize: { 1: 'initialization', 2: 'initialization' },
  authenticate: { 1: 'authentication#protocol-driven-authentication' },
  logout: { 1: 'authentication#logging-out' },
  'auth/login': { 2: 'authentication#agent-handled-authentication' },
  'auth/logout': { 2: 'authentication#logging-out' },
  'session/new': {
    1: 'session-setup#creating-a-session',
    2: 'session-setup#creating-a-session',
  },
  'session/load': { 1: 'session-setup#loading-sessions' },
  'session/resume': { 1: 'session-setup#resuming-sessions', 2: 'session-setup#resuming-sessions' },
  'session/close': {
    1: 'session-setup#closing-active-sessions',
    2: 'session-setup#closing-active-sessions',
  },
  'session/list': { 1: 'session-list#listing-sessions', 2: 'session-list#listing-sessions' },
  'session/delete': {
    1: 'session-delete#deleting-a-session',
    2: 'session-delete#deleting-a-session',
  },
  'session/set_mode': { 1: 'session-modes#setting-the-current-mode' },
  'session/set_config_option': {
    1: 'session-config-options#setting-a-config-option',
    2: 'session-config-options#setting-a-config-option',
  },
  'session/prompt': { 1: 'prompt-turn#1-user-message', 2: 'prompt-lifecycle#1-user-message' },
  'session/cancel': { 1: 'prompt-turn#cancellation', 2: 'prompt-lifecycle#cancellation' },
  'session/update': {
    1: 'prompt-turn#3-agent-reports-output',
    2: 'prompt-lifecycle#3-agent-reports-output',
  },
  'session/request_permission': {
    1: 'tool-calls#requesting-permission',
    2: 'tool-calls#requesting-permission',
  },
  'tool_call/cancel': { 2: 'tool-calls#cancelling-tool-calls' },
  'terminal/cancel': { 2: 'tool-calls#cancelling-terminals' },
  'elicitation/create': {
    1: 'elicitation#creating-an-elicitation',
    2: 'elicitation#creating-an-elicitation',
  },
  'elicitation/complete': { 1: 'elicitation#url-completion', 2: 'elicitation#url-completion' },
  'fs/read_text_file': { 1: 'file-system#reading-files' },
  'fs/write_text_file': { 1: 'file-system#writing-files' },
  'terminal/create': { 1: 'terminals#executing-commands' },
  'terminal/output': { 1: 'terminals#getting-output' },
  'terminal/wait_for_exit': { 1: 'terminals#waiting-for-exit' },
  'terminal/kill': { 1: 'terminals#killing-commands' },
  'terminal/release': { 1: 'terminals#releasing-terminals' },
  '$/cancel_request': { 1: 'cancellation', 2: 'cancellation' },
  'auth/status': DRAFT,
  'auth/status_update': DRAFT,
  'providers/list': DRAFT,
  'providers/set': DRAFT,
  'providers/disable': DRAFT,
  'session/fork': DRAFT,
  'session/archive': DRAFT,
  'session/unarchive': DRAFT,
  'session/status': DRAFT,
  'session/set_title': DRAFT,
  'mcp/message': DRAFT,
  'proxy/initialize': DRAFT,
  'proxy/successor': DRAFT,
};

/** Anchors of the schema reference that are not the method's name. */
const ANCHORS: Readonly<Record<string, string>> = { 'mcp/message': 'agent-mcp-message' };

/** The page of a method, or of its unstable draft; undefined where the version has no such method. */
export function pageOf(version: Version, method: string): string | undefined {
  const path = Object.hasOwn(PAGES, method) ? PAGES[method as MethodName][version] : undefined;
  if (path !== undefined) return `${SITE}/protocol/v${version}/${path}`;
  if (!methodsNamed(method).some((one) => supportOf(one, version))) return undefined;
  if (method.startsWith('proxy/')) return `${SITE}/rfds/proxy-chains`;
  const anchor = ANCHORS[method] ?? method.replace('/', '-');
  return `${SITE}/protocol/v${version}/draft/schema#${anchor}`;
}
