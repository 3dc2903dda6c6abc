// What a prompt may hold. Text and links to resources every agent takes; the rest only where it says so
// (both versions, "Content").
import { capabilityAt, isYes } from './gate.ts';
import type { JsonObject } from './message.ts';
import type { Version } from './methods.ts';

/** By type of block, the name of the prompt capability that it needs. */
export const CONTENT_CAPABILITIES: ReadonlyMap<string | undefined, string> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['resource', 'embeddedContext'],
]);

/** The agent's prompt capability of this name: its path. */
function promptPath(version: Version | undefined, name: string): string {
  return version === 2 ? `session.prompt.${name}` : `promptCapabilities.${name}`;
}

/** The path that an agent would have to advertise for blocks of this type, and does not. */
export function missingForContent(
  type: string | undefined,
  version: Version | undefined,
  agentCapabilities: JsonObject,
): string | undefined {
  const name = CONTENT_CAPABILITIES.get(type);
  const path = name === undefined ? undefined : promptPath(version, name);
  return path === undefined || isYes(capabilityAt(agentCapabilities, path)) ? undefined : path;
}
