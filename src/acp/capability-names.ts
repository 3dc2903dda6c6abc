// The stable capabilities of each side and version: where each stands, and what it lets one do.

type Row = readonly [path: string, name: string];

export const AGENT_V1 = [
  ['loadSession', 'load sessions, with history'],
  ['sessionCapabilities.resume', 'resume sessions'],
  ['sessionCapabilities.list', 'list sessions'],
  ['sessionCapabilities.close', 'close sessions'],
  ['sessionCapabilities.delete', 'delete sessions'],
  ['sessionCapabilities.additionalDirectories', 'several directories'],
  ['promptCapabilities.image', 'images in prompts'],
  ['promptCapabilities.audio', 'audio in prompts'],
  ['promptCapabilities.embeddedContext', 'embedded resources in prompts'],
  ['mcpCapabilities.http', 'MCP servers over HTTP'],
  ['mcpCapabilities.sse', 'MCP servers over SSE'],
  ['auth.logout', 'sign out'],
] as const satisfies readonly Row[];
export const AGENT_V2 = [
  ['session', 'sessions: new, list, resume, close, prompt'],
  ['session.delete', 'delete sessions'],
  ['session.additionalDirectories', 'several directories'],
  ['session.prompt.image', 'images in prompts'],
  ['session.prompt.audio', 'audio in prompts'],
  ['session.prompt.embeddedContext', 'embedded resources in prompts'],
  ['session.mcp.stdio', 'MCP servers over stdio'],
  ['session.mcp.http', 'MCP servers over HTTP'],
] as const satisfies readonly Row[];
export const CLIENT_V1 = [
  ['fs.readTextFile', 'read files'],
  ['fs.writeTextFile', 'write files'],
  ['terminal', 'run commands in terminals'],
  ['elicitation.form', 'forms to fill in'],
  ['elicitation.url', 'pages to open'],
  ['auth.terminal', 'sign in through a terminal'],
  ['session.configOptions.boolean', 'config options that switch'],
  ['session.notices', 'notices'],
  ['session.compaction', 'compaction'],
  ['subagents', 'child sessions'],
] as const satisfies readonly Row[];
export const CLIENT_V2 = [
  ['elicitation.form', 'forms to fill in'],
  ['elicitation.url', 'pages to open'],
  ['auth.terminal', 'sign in through a terminal'],
] as const satisfies readonly Row[];

/** Of drafts, by the last of their path. */
export const DRAFTED: ReadonlyMap<string, string> = new Map([['fork', 'fork sessions (a draft)']]);

/** What a stable method may need of the other side. */
export type AgentCapability = (typeof AGENT_V1 | typeof AGENT_V2)[number][0];
export type ClientCapability = (typeof CLIENT_V1 | typeof CLIENT_V2)[number][0];
