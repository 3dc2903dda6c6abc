// Every method of ACP v1 and v2 in one table: who sends it, which schema knows it, and what must
// have been advertised first. Source: the x-method marks of the SDK's schemas, and the protocol's
// pages for the gates; a test holds the table against the schemas.
import type { AgentCapability, ClientCapability } from './capability-names.ts';
import { CODE } from './message.ts';

export type Version = 1 | 2;
export type Role = 'client' | 'agent';
type Sender = Role | 'both';

/** What must be advertised before the method may be sent. */
export interface Gate {
  /** Who must have advertised it. */
  readonly by: Role;
  /** Any one of these is enough: paths into that side's capabilities. None: see `words`. */
  readonly paths: readonly string[];
  /** What is missing, as it stands after "does not advertise": `loadSession`. */
  readonly words: string;
  /** That the agent lists ways to sign in says it. */
  readonly byAuthMethods?: true;
}

interface Support {
  /** False: only the unstable schema of the version knows it. */
  readonly stable: boolean;
  readonly gate?: Gate;
}

export interface Method {
  readonly name: string;
  readonly from: Sender;
  readonly kind: 'request' | 'notification';
  /** Its params name a session. */
  readonly session: boolean;
  readonly v1?: Support;
  readonly v2?: Support;
}

const STABLE: Support = { stable: true };
const UNSTABLE: Support = { stable: false };

function gated(support: Support, by: Role, ...paths: string[]): Support {
  return { ...support, gate: { by, paths, words: paths.join(' or ') } };
}
function agent(path: AgentCapability): Support {
  return gated(STABLE, 'agent', path);
}
function client(...paths: ClientCapability[]): Support {
  return gated(STABLE, 'client', ...paths);
}
function unstable(path: string): Support {
  return gated(UNSTABLE, 'agent', path);
}
/** Known from something else than the capabilities. */
function told(words: string, more: Pick<Gate, 'byAuthMethods'> = {}): Support {
  return { stable: true, gate: { by: 'agent', paths: [], words, ...more } };
}

interface Versions {
  readonly v1?: Support;
  readonly v2?: Support;
}
function request<From extends Sender, Name extends string>(
  from: From,
  name: Name,
  versions: Versions,
) {
  return { name, from, kind: 'request', session: SCOPED.test(name), ...versions } as const;
}
function notification<From extends Sender, Name extends string>(
  from: From,
  name: Name,
  versions: Versions,
) {
  return { name, from, kind: 'notification', session: SCOPED.test(name), ...versions } as const;
}
/** session/new and session/list are about no session yet; elicitations need not be. */
const SCOPED = /^(?:session\/(?!new$|list$)|fs\/|terminal\/|tool_call\/)/;

const ELICITATION = client('elicitation.form', 'elicitation.url');
const AUTH = told('authMethods', { byAuthMethods: true });

const TABLE = [
  request('client', 'initialize', { v1: STABLE, v2: STABLE }),
  request('client', 'authenticate', { v1: AUTH }),
  request('client', 'logout', { v1: agent('auth.logout') }),
  request('client', 'auth/login', { v2: AUTH }),
  request('client', 'auth/logout', { v2: AUTH }),
  request('client', 'auth/status', { v1: unstable('auth.status'), v2: unstable('auth.status') }),
  notification('agent', 'auth/status_update', {
    v1: unstable('auth.status'),
    v2: unstable('auth.status'),
  }),
  request('client', 'providers/list', { v1: unstable('providers'), v2: unstable('providers') }),
  request('client', 'providers/set', { v1: unstable('providers'), v2: unstable('providers') }),
  request('client', 'providers/disable', { v1: unstable('providers'), v2: unstable('providers') }),

  request('client', 'session/new', { v1: STABLE, v2: agent('session') }),
  request('client', 'session/load', { v1: agent('loadSession') }),
  request('client', 'session/resume', {
    v1: agent('sessionCapabilities.resume'),
    v2: agent('session'),
  }),
  request('client', 'session/list', {
    v1: agent('sessionCapabilities.list'),
    v2: agent('session'),
  }),
  request('client', 'session/close', {
    v1: agent('sessionCapabilities.close'),
    v2: agent('session'),
  }),
  request('client', 'session/delete', {
    v1: agent('sessionCapabilities.delete'),
    v2: agent('session.delete'),
  }),
  request('client', 'session/fork', {
    v1: unstable('sessionCapabilities.fork'),
    v2: unstable('session.fork'),
  }),
  request('client', 'session/archive', {
    v1: unstable('sessionCapabilities.archive'),
    v2: unstable('session.archive'),
  }),
  request('client', 'session/unarchive', {
    v1: unstable('sessionCapabilities.archive'),
    v2: unstable('session.archive'),
  }),
  request('client', 'session/status', {
    v1: unstable('sessionCapabilities.status'),
    v2: unstable('session.status'),
  }),
  request('client', 'session/set_title', {
    v1: unstable('sessionCapabilities.title'),
    v2: unstable('session.title'),
  }),
  request('client', 'session/set_mode', { v1: told('modes of the session') }),
  request('client', 'session/set_config_option', {
    v1: told('configOptions of the session'),
    v2: told('configOptions of the session'),
  }),
  request('client', 'session/prompt', { v1: STABLE, v2: agent('session') }),
  notification('client', 'session/cancel', { v1: STABLE, v2: agent('session') }),
  request('client', 'tool_call/cancel', { v2: told('capabilities.cancel of the tool call') }),
  request('client', 'terminal/cancel', { v2: told('capabilities.cancel of the terminal') }),
  notification('client', 'mcp/message', {
    v1: unstable('mcpCapabilities.acp'),
    v2: unstable('session.mcp.acp'),
  }),

  notification('agent', 'session/update', { v1: STABLE, v2: STABLE }),
  request('agent', 'session/request_permission', { v1: STABLE, v2: STABLE }),
  request('agent', 'elicitation/create', { v1: ELICITATION, v2: ELICITATION }),
  notification('agent', 'elicitation/complete', {
    v1: client('elicitation.url'),
    v2: client('elicitation.url'),
  }),
  request('agent', 'fs/read_text_file', { v1: client('fs.readTextFile') }),
  request('agent', 'fs/write_text_file', { v1: client('fs.writeTextFile') }),
  request('agent', 'terminal/create', { v1: client('terminal') }),
  request('agent', 'terminal/output', { v1: client('terminal') }),
  request('agent', 'terminal/wait_for_exit', { v1: client('terminal') }),
  request('agent', 'terminal/kill', { v1: client('terminal') }),
  request('agent', 'terminal/release', { v1: client('terminal') }),
  request('agent', 'mcp/message', {
    v1: unstable('mcpCapabilities.acp'),
    v2: unstable('session.mcp.acp'),
  }),

  notification('both', '$/cancel_request', { v1: STABLE, v2: STABLE }),
  request('both', 'proxy/initialize', { v1: UNSTABLE, v2: UNSTABLE }),
  request('both', 'proxy/successor', { v1: UNSTABLE, v2: UNSTABLE }),
  notification('both', 'proxy/successor', { v1: UNSTABLE, v2: UNSTABLE }),
] as const;

type Row = (typeof TABLE)[number];
type CallOf<One> = One extends Row ? `${One['kind']} ${One['name']}` : never;

export type MethodName = Row['name'];

/** What a side may send, by kind and method: `request session/prompt`. */
export type MethodCall<From extends Role> = CallOf<Extract<Row, { from: From | 'both' }>>;

export const METHODS: readonly Method[] = TABLE;

export function supportOf(method: Method, version: Version): Support | undefined {
  return version === 1 ? method.v1 : method.v2;
}

/** What one side may send in a version, in the table's order. */
export function methodsOf(version: Version, from: Role): readonly Method[] {
  return METHODS.filter(
    (method) => (method.from === from || method.from === 'both') && supportOf(method, version),
  );
}

/** All rows of a name: two for the few that are request and notification both. */
export function methodsNamed(name: string): readonly Method[] {
  return BY_NAME.get(name) ?? [];
}

/** The names of all methods, those that only editions have included. */
export function methodNames(): readonly string[] {
  return [...BY_NAME.keys()];
}

/** A method as an edition has it. */
export interface EditionMethod extends Pick<Method, 'name' | 'from' | 'kind'> {
  readonly stable: boolean;
  /** Undefined: that of the table of methods, if the method is in the table. */
  readonly gate?: Pick<Gate, 'by' | 'paths'>;
}

/** Makes a method known as an edition has it. One that the table does not have has no page and no template. */
export function addMethod(
  version: Version,
  { name, from, kind, stable, gate }: EditionMethod,
): void {
  const rows = methodsNamed(name);
  const known = rows.find((row) => row.kind === kind && row.from === from);
  const before = known && supportOf(known, version);
  const own: Support = gate ? gated({ stable }, gate.by, ...gate.paths) : { ...before, stable };
  const support: Versions = version === 1 ? { v1: own } : { v2: own };
  const made = known ?? { name, from, kind, session: SCOPED.test(name) };
  BY_NAME.set(name, [...rows.filter((row) => row !== known), { ...made, ...support }]);
}

const BY_NAME = new Map<string, readonly Method[]>();
forgetAdded();

/** Only the methods of the table are known from here on. */
export function forgetAdded(): void {
  BY_NAME.clear();
  for (const { name } of METHODS)
    BY_NAME.set(
      name,
      METHODS.filter((method) => method.name === name),
    );
}

// Methods that one must treat alike, each group declared once.

/** What a request of the client does, once it succeeds, to the life of the session it makes or names. */
type Effect = 'makes' | 'restores' | 'closes' | 'deletes' | 'none';

type SessionMethod =
  Extract<MethodCall<'client'>, `request session/${string}`> extends `request ${infer Name}`
    ? Name
    : never;

const EFFECTS: Readonly<Record<SessionMethod, Effect>> = {
  'session/new': 'makes',
  'session/fork': 'makes',
  'session/load': 'restores',
  'session/resume': 'restores',
  'session/close': 'closes',
  'session/delete': 'deletes',
  'session/list': 'none',
  'session/archive': 'none',
  'session/unarchive': 'none',
  'session/status': 'none',
  'session/set_title': 'none',
  'session/set_mode': 'none',
  'session/set_config_option': 'none',
  'session/prompt': 'none',
};

export function effectOf(method: string): Effect {
  return Object.hasOwn(EFFECTS, method) ? EFFECTS[method as SessionMethod] : 'none';
}

/** Of an answer. An error changes nothing, but what an agent does not find to close is closed. */
export function effectOfAnswer(
  method: string,
  error: { readonly code: number } | undefined,
): Effect {
  const effect = effectOf(method);
  if (error === undefined) return effect;
  return effect === 'closes' && error.code === CODE.notFound ? effect : 'none';
}

/** With it the client has done with the session. */
export function endsLife(method: string): boolean {
  const effect = effectOf(method);
  return effect === 'closes' || effect === 'deletes';
}

/** Make a session; the answer names it. */
export const MAKERS = ['session/new', 'session/fork'] as const;

/** Bring a session back, with or without its history. */
export const RESTORES = ['session/load', 'session/resume'] as const;

/** After their answer a session is open, with the settings that the answer tells. */
export const OPENERS = ['session/new', 'session/load', 'session/resume', 'session/fork'] as const;

/** What a person answers. */
export const ASKS = ['session/request_permission', 'elicitation/create'] as const;

export function isMethodOf<Name extends string>(
  group: readonly Name[],
  method: string | undefined,
): method is Name {
  return (group as readonly (string | undefined)[]).includes(method);
}
