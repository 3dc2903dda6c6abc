// The contents of the two messages of a handshake, and the capabilities that both sides advertise, by path.
import { capabilityAt, isYes, type Offered } from '../../acp/gate.ts';
import { nearestVersion, protocolVersionIn } from '../../acp/handshake.ts';
import { obj, get } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { METHODS, supportOf, type Version, methodsNamed } from '../../acp/methods.ts';
import type { Connection } from '../connection.ts';
import type { FrameStep } from '../steps.ts';
import type { Outcome } from '../rule.ts';
import { fail } from '../rule.ts';

/** Versions asked for and chosen, once `initialize` was answered. */
export function negotiated({ handshake }: Connection): {
  asked?: number | undefined;
  chosen?: number | undefined;
} {
  if (handshake?.result === undefined) return {};
  return {
    asked: protocolVersionIn(handshake.asked.request.params),
    chosen: protocolVersionIn(handshake.result),
  };
}

/** A client calls what the version it asked for has, although the agent chose one that has it not. */
export function ignoresAnswer(
  { from, method }: Pick<FrameStep, 'from'> & { readonly method: string },
  connection: Connection,
): boolean {
  const { version } = connection;
  if (from !== 'client' || version === undefined) return false;
  const { asked, chosen } = negotiated(connection);
  if (asked === undefined || chosen !== version) return false;
  const meant = nearestVersion(asked);
  const rows = methodsNamed(method);
  return rows.some((row) => supportOf(row, meant)) && !rows.some((row) => supportOf(row, version));
}

/** Whether the client's params are written in the shape of v2 alone. */
export function isV2Shaped(params: Json | undefined): boolean {
  const has = (key: string) => get(params, key) !== undefined;
  return (has('capabilities') || has('info')) && !has('clientCapabilities') && !has('clientInfo');
}

/** Returns what both sides advertised on a connection. */
export function offeredOn(connection: Connection): Offered {
  const { clientCapabilities = {}, agentCapabilities = {}, authMethods } = connection;
  return { clientCapabilities, agentCapabilities, authMethods };
}

export function agentHas({ agentCapabilities }: Connection, path: string): boolean {
  return isYes(capabilityAt(agentCapabilities ?? {}, path));
}

/** `pass` where the agent advertises it. */
export function isOffered(connection: Connection, path: string, pointer = '/method'): Outcome {
  return agentHas(connection, path)
    ? 'pass'
    : fail(`the agent does not advertise \`${path}\``, pointer);
}

/** What an agent that speaks both versions grants a client that asked in v2's shape. */
const GRANTED: ReadonlySet<string> = new Set(['session.configOptions.boolean', 'plan']);

/** Of a v1 agent that was asked in v2's shape: also what one that speaks both makes of that. */
export function clientHas(connection: Connection, path: string): boolean {
  const { clientCapabilities, handshake, version } = connection;
  if (isYes(capabilityAt(clientCapabilities ?? {}, path))) return true;
  const params = handshake?.asked.request.params;
  if (version !== 1 || !isV2Shaped(params)) return false;
  return GRANTED.has(path) || isYes(capabilityAt(obj(params, 'capabilities') ?? {}, path));
}

export function mcpPath(version: Version | undefined, transport: string): string {
  return version === 2 ? `session.mcp.${transport}` : `mcpCapabilities.${transport}`;
}

/** A capability of sessions beyond the baseline. */
export function sessionPath(version: Version | undefined, name: string): string {
  return version === 2 ? `session.${name}` : `sessionCapabilities.${name}`;
}

/** Methods of the client about sessions. */
export const SESSION_METHODS: readonly string[] = METHODS.filter(
  ({ name, from }) => from === 'client' && name.startsWith('session/'),
).map(({ name }) => name);

/** v2: what `session` alone promises. */
export const BASELINE: ReadonlySet<string> = new Set(
  METHODS.filter((method) => supportOf(method, 2)?.gate?.paths.includes('session')).map(
    ({ name }) => name,
  ),
);
