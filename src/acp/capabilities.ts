// What each side can do, as `initialize` says it: our own offer built from switches, and the other
// side's words read into a list a person can scan.
import { AGENT_V1, AGENT_V2, CLIENT_V1, CLIENT_V2, DRAFTED } from './capability-names.ts';
import { capabilityAt, isYes } from './gate.ts';
import { isObject } from './json.ts';
import type { JsonObject } from './message.ts';
import type { Role, Version } from './methods.ts';

/** What we can honour as a client, each switched by a person before connecting. */
export interface ClientOffer {
  readonly readFiles: boolean;
  readonly writeFiles: boolean;
  readonly terminals: boolean;
  readonly elicitForm: boolean;
  readonly elicitUrl: boolean;
  readonly terminalAuth: boolean;
  /** v1 `session.configOptions.boolean`, `session.notices`, `session.compaction`. */
  readonly sessionExtras: boolean;
  /** v1 `subagents`: child sessions. In v2 every client takes them. */
  readonly subagents: boolean;
}

export interface ClientName {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/**
 * The params of `initialize`. Highest asks for 2 in the shapes of both versions, as clients that speak
 * both do: an agent that only speaks v1 answers 1, and reads nothing in v2's fields.
 */
export function initializeParams(
  ask: Version | 'highest',
  offer: ClientOffer,
  { name, version, title }: ClientName,
): JsonObject {
  const info = title === undefined ? { name, version } : { name, title, version };
  const v1 = { clientCapabilities: offerV1(offer), clientInfo: info };
  if (ask === 1) return { protocolVersion: 1, ...v1 };
  const v2 = { protocolVersion: 2, info, capabilities: offerV2(offer) };
  return ask === 2 ? v2 : { ...v2, ...v1 };
}

function offerV1(offer: ClientOffer): JsonObject {
  return {
    fs: { readTextFile: offer.readFiles, writeTextFile: offer.writeFiles },
    terminal: offer.terminals,
    ...(offer.terminalAuth ? { auth: { terminal: true } } : {}),
    ...elicitation(offer),
    ...(offer.sessionExtras
      ? { session: { configOptions: { boolean: {} }, notices: {}, compaction: {} } }
      : {}),
    ...(offer.subagents ? { subagents: {} } : {}),
  };
}

function offerV2(offer: ClientOffer): JsonObject {
  return { ...(offer.terminalAuth ? { auth: { terminal: {} } } : {}), ...elicitation(offer) };
}

function elicitation({ elicitForm, elicitUrl }: ClientOffer): JsonObject {
  if (!elicitForm && !elicitUrl) return {};
  return {
    elicitation: { ...(elicitForm ? { form: {} } : {}), ...(elicitUrl ? { url: {} } : {}) },
  };
}

interface Capability {
  /** "load a session": for a list of what a side can do. */
  readonly name: string;
  readonly advertised: boolean;
  /** Where it stands in that side's capabilities: `sessionCapabilities.resume`. */
  readonly path: string;
}

/**
 * Every stable capability of the version, advertised or not; after them what else the side said
 * yes to (unstable ones, another version's, its own), under its path if it has no name here. `_meta` is left out.
 */
export function capabilitiesOf(
  version: Version,
  role: Role,
  capabilities: JsonObject,
): readonly Capability[] {
  const v1 = role === 'agent' ? AGENT_V1 : CLIENT_V1;
  const v2 = role === 'agent' ? AGENT_V2 : CLIENT_V2;
  const known = (version === 1 ? v1 : v2).map(([path, name]) => ({
    name,
    advertised: isYes(capabilityAt(capabilities, path)),
    path,
  }));
  const paths = known.map(({ path }) => path);
  const others = leaves(capabilities, '').filter(
    (path) => !paths.some((other) => other === path || other.startsWith(`${path}.`)),
  );
  return [
    ...known,
    ...others.map((path) => ({
      name: DRAFTED.get(path.replace(/^.*\./, '')) ?? path,
      advertised: true,
      path,
    })),
  ];
}

/** What a request for a session may carry by what the agent says; stdio every agent of v1 takes. */
export function sessionOffers(version: Version, capabilities: JsonObject) {
  const says = (path: string) => isYes(capabilityAt(capabilities, path));
  const [mcp, session] =
    version === 1 ? ['mcpCapabilities', 'sessionCapabilities'] : ['session.mcp', 'session'];
  return {
    folders: says(`${session}.additionalDirectories`),
    mcp: (transport: string) =>
      (version === 1 && transport === 'stdio') || says(`${mcp}.${transport}`),
  };
}

/** Paths of the innermost values that say yes. */
function leaves(value: JsonObject, above: string): string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === '_meta' || !isYes(inner)) return [];
    const path = above + key;
    const below = isObject(inner) ? leaves(inner, `${path}.`) : [];
    return below.length > 0 ? below : [path];
  });
}
