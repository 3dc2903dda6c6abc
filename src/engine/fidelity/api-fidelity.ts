// The page's calls about how faithful replays are.
import type { ConnectionId } from '../../trace/event.ts';
import type { Fidelities } from './fidelities.ts';
import type { FidelityApi } from './fidelity-messages.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { Parts } from '../parts.ts';

/** Loaded with the first question. */
export function fidelityApi(parts: Parts): FidelityApi {
  let made: Promise<Fidelities> | undefined;
  const makeOnce = () =>
    (made ??= import('./fidelities.ts').then(({ Fidelities }) => new Fidelities(parts)));

  async function read(connection: ConnectionId): Promise<OpenTrace | undefined> {
    const stored = parts.catalog.get(connection);
    if (!stored) return undefined;
    const from = stored.mode === 'file' ? 'file' : 'live';
    const { trace, loaded } = parts.traces.open(connection, from);
    await loaded;
    return trace;
  }

  return {
    async fidelity(connection, request) {
      const [trace, fidelities] = await Promise.all([read(connection), makeOnce()]);
      return trace && fidelities.of(trace, request);
    },
    async fidelityChange(connection, request, place) {
      const [trace, fidelities] = await Promise.all([read(connection), makeOnce()]);
      return trace && fidelities.changeOf(trace, request, place);
    },
    async replays(connection) {
      const [trace, fidelities] = await Promise.all([read(connection), makeOnce()]);
      return trace ? fidelities.ofSessions(trace) : [];
    },
  };
}
