// The page's calls about how faithful replays are.
import type { ConnectionId } from '../../trace/event.ts';
import { Fidelities } from './fidelities.ts';
import type { FidelityApi } from './fidelity-messages.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { Parts } from '../parts.ts';

export function fidelityApi(parts: Parts): FidelityApi {
  const fidelities = new Fidelities(parts);

  async function read(connection: ConnectionId): Promise<OpenTrace | undefined> {
    return parts.catalog.get(connection) && parts.traces.whole(connection);
  }

  return {
    async of(connection, request) {
      const trace = await read(connection);
      return trace && fidelities.of(trace, request);
    },
    async change(connection, request, place) {
      const trace = await read(connection);
      return trace && fidelities.changeOf(trace, request, place);
    },
    async replays(connection) {
      const trace = await read(connection);
      return trace ? fidelities.ofSessions(trace) : [];
    },
  };
}
