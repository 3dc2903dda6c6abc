// The page's calls about how faithful replays are.
import type { Fidelities } from './fidelities.ts';
import type { FidelityApi } from './fidelity-messages.ts';
import type { Parts } from './parts.ts';

/** Loaded with the first question. */
export function fidelityApi(parts: Parts): FidelityApi {
  let made: Promise<Fidelities> | undefined;
  return {
    async fidelity(connection, request) {
      const stored = parts.catalog.get(connection);
      if (!stored) return undefined;
      made ??= import('./fidelities.ts').then(({ Fidelities }) => new Fidelities(parts));
      const fidelities = await made;
      const from = stored.mode === 'file' ? 'file' : 'live';
      const { trace, loaded } = parts.traces.open(connection, from);
      await loaded;
      return fidelities.of(trace, request);
    },
  };
}
