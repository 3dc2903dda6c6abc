// The content of the two messages of a handshake: the version that each names, and what both sides advertise.
import type { Offered } from './gate.ts';
import { num, obj, objects, str } from './json.ts';
import type { Json, JsonObject } from './message.ts';
import type { Version } from './methods.ts';

/** Returns the `protocolVersion` of an `initialize` or of its result; undefined if it is no number. */
export function protocolVersionIn(message: Json | undefined): number | undefined {
  return num(message, 'protocolVersion');
}

/** Returns the version if ACP Scope knows it. */
export function knownVersion(version: number | undefined): Version | undefined {
  return version === 1 || version === 2 ? version : undefined;
}

/** Returns the version that an `initialize` is written in. No version is below 1, so 0 counts as 1. */
export function offeredVersion(params: Json | undefined): Version | undefined {
  const offer = protocolVersionIn(params);
  return knownVersion(offer === 0 ? 1 : offer);
}

/** Returns the known version that a version is nearest to; without a version, the older. */
export function nearestVersion(version: number | undefined): Version {
  return version !== undefined && version >= 2 ? 2 : 1;
}

/** Returns the capabilities in a client's `initialize`, from the field of the given version. */
export function clientOffer(params: Json | undefined, version: Version): JsonObject | undefined {
  return obj(params, version === 2 ? 'capabilities' : 'clientCapabilities');
}

/** The same; where it says nothing in that version's field, what it says in the other's. */
export function offerFor(params: Json | undefined, version: Version | undefined): JsonObject {
  const [own, other] = version === 2 ? ([2, 1] as const) : ([1, 2] as const);
  return clientOffer(params, own) ?? clientOffer(params, other) ?? {};
}

/** Returns what both sides advertise in the fields of a version; fields of another version count for nothing. */
export function offersIn(
  params: Json | undefined,
  result: Json | undefined,
  version: Version,
): Omit<Offered, 'authMethods'> & { readonly authMethods: readonly JsonObject[] } {
  return {
    clientCapabilities: clientOffer(params, version) ?? {},
    agentCapabilities: obj(result, version === 2 ? 'capabilities' : 'agentCapabilities') ?? {},
    authMethods: objects(result, 'authMethods'),
  };
}

/** Returns the id of a way to authenticate; an agent that names it as the other version does is understood. */
export function authMethodId(method: JsonObject, version: Version | undefined): string | undefined {
  const [own, other] = version === 2 ? ['methodId', 'id'] : ['id', 'methodId'];
  return str(method, own) ?? str(method, other);
}
