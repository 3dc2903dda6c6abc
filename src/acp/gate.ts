// Whether a method may be sent, judged by what the handshake advertised.
import { get, isObject } from './json.ts';
import type { Json, JsonObject } from './message.ts';
import { methodsNamed, supportOf } from './methods.ts';
import type { Gate, Role, Version } from './methods.ts';

/** What both sides said in `initialize`. The handshake facts of a connection have this shape. */
export interface Offered {
  readonly clientCapabilities: JsonObject;
  readonly agentCapabilities: JsonObject;
  readonly authMethods: readonly unknown[];
}

export function capabilityAt(capabilities: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>(get, capabilities);
}

/** `true` and any object mean yes; `false`, null, absence and anything else mean no. */
export function isYes(value: Json | undefined): boolean {
  return value === true || isObject(value);
}

/** What must be advertised before this side may send the method; undefined: nothing. */
export function gateOf(name: string, from: Role, version: Version): Gate | undefined {
  const method = methodsNamed(name).find((row) => row.from === from || row.from === 'both');
  return method && supportOf(method, version)?.gate;
}

/**
 * The gate that is shut for a method, undefined if it is open, has none, or hangs on something the
 * handshake does not tell (the modes of a session, say). A method of neither version has no gate.
 */
export function shutGate(
  name: string,
  from: Role,
  version: Version,
  offered: Offered,
): Gate | undefined {
  const gate = gateOf(name, from, version);
  if (!gate) return undefined;
  if (gate.byAuthMethods) return offered.authMethods.length > 0 ? undefined : gate;
  const said = gate.by === 'agent' ? offered.agentCapabilities : offered.clientCapabilities;
  const open =
    gate.paths.length === 0 || gate.paths.some((path) => isYes(capabilityAt(said, path)));
  return open ? undefined : gate;
}
