// What both sides advertised, asked by path, for the rules that hold frames against it.
import { capabilityAt, isYes } from '../../acp/gate.ts';
import { obj } from '../../acp/json.ts';
import { METHODS, supportOf, type Version } from '../../acp/methods.ts';
import type { Connection } from '../connection.ts';
import { isV2Shaped } from './handshake.ts';

export function agentHas({ agentCapabilities }: Connection, path: string): boolean {
  return isYes(capabilityAt(agentCapabilities ?? {}, path));
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

/** The agent's prompt capability for a kind of content: its path. */
export function promptPath(version: Version | undefined, name: string): string {
  return version === 2 ? `session.prompt.${name}` : `promptCapabilities.${name}`;
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
  METHODS.filter((method) => supportOf(method, 2)?.gate?.words === 'session').map(
    ({ name }) => name,
  ),
);

/** Methods that open a session, and name its directories and servers. */
export const SETUP_METHODS = [
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
] as const;
