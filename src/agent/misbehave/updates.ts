// What a line that goes out says of a session, for the misbehaviours that stand in its way.
import type { AnyMessage } from '@agentclientprotocol/sdk/unstable';

interface Update {
  readonly [field: string]: unknown;
}

/** The update of a `session/update`; undefined for every other message. */
export function updateIn(message: AnyMessage): Update | undefined {
  if (!('method' in message) || message.method !== 'session/update') return undefined;
  return (message.params as { readonly update?: Update }).update;
}

/** Its variant; empty for every other message. */
export function updateName(message: AnyMessage): string {
  return String(updateIn(message)?.['sessionUpdate'] ?? '');
}

/** The child that a message announces or tells anew. */
export function childIn(message: AnyMessage): string | undefined {
  const update = updateIn(message);
  return update?.['sessionUpdate'] === 'subagent_update' ? String(update['sessionId']) : undefined;
}
