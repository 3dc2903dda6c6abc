// The restore that would decide what this one leaves open about child sessions, as data.
import { nearestVersion } from '../../acp/handshake.ts';
import { get } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { saidAt, type IndexedTrace } from '../indexed-trace.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import { takesChildren } from './live-part.ts';
import type { DecidingRestore } from './report/report.ts';

/** Fields of a restore request that say nothing of its version or cursor. */
const SETUP = ['sessionId', 'cwd', 'mcpServers', 'additionalDirectories'] as const;

/** Returns a restore of the whole session by a client that takes child sessions as the client of `live` did. */
export function decidingRestore(
  live: IndexedTrace,
  source: IndexedTrace,
  { request }: WindowRecord,
): DecidingRestore {
  const asked = saidAt(source, request);
  const sent = asked?.kind === 'request' ? asked.params : undefined;
  const params: Record<string, Json> = {};
  for (const key of SETUP) {
    const value = get(sent, key);
    if (value !== undefined) params[key] = value;
  }
  if (nearestVersion(live.index.version) === 2)
    return {
      ...{ protocolVersion: 2, method: 'session/resume', clientCapabilities: {} },
      params: { ...params, replayFrom: { type: 'start' } },
    };
  const clientCapabilities: JsonObject = takesChildren(live) ? { subagents: {} } : {};
  return { protocolVersion: 1, method: 'session/load', params, clientCapabilities };
}
