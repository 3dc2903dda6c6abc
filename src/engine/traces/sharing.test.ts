import { expect, test } from 'vitest';
import type { StoredTrace } from '../../storage/schema.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { connectionId } from '../../trace/event.ts';
import { headerLine } from '../../trace/format.ts';
import type { Catalog } from '../library/catalog.ts';
import { sharing } from './sharing.ts';

interface Given {
  readonly name: string;
  readonly sessions?: readonly string[];
  readonly agent?: string;
  readonly stored?: number;
  readonly isLive?: boolean;
  /** Milliseconds; undefined: a second after the trace before. */
  readonly began?: number;
}

/** A catalog of traces, the oldest first. */
function catalogOf(traces: readonly Given[]): Pick<Catalog, 'get' | 'summaries' | 'live'> {
  const found = (name: string) => traces.find((one) => one.name === name);
  const catalog = {
    get(connection: string) {
      const { sessions, agent, began } = found(connection) ?? {};
      const at = traces.findIndex(({ name }) => name === connection);
      const chips = sessions && Object.fromEntries(sessions.map((id, n) => [id, `S${n}`]));
      const startedAt = new Date(began ?? at * 1000).toISOString();
      const header = encodeUtf8(
        headerLine({
          format: 'acptrace',
          version: 1,
          created: startedAt,
          tool: 't',
          clock: 'monotonic',
        }),
      );
      return { connection, agent, chips, startedAt, header } as unknown as StoredTrace;
    },
    summaries: () =>
      traces.map(({ name, agent, stored = 100, isLive, began }, at) => ({
        ...{ connection: name, agent, stored, state: isLive ? 'running' : 'ended' },
        startedAt: new Date(began ?? at * 1000).toISOString(),
      })),
    live: (connection: string) => (found(connection)?.isLive ? {} : undefined),
  };
  return catalog as unknown as Pick<Catalog, 'get' | 'summaries' | 'live'>;
}

test('traces that name a session of a trace share it, the newest first', () => {
  const catalog = catalogOf([
    { name: 'lived', sessions: ['a'], agent: 'x' },
    { name: 'without a handshake', sessions: ['b', 'a'] },
    { name: 'shown', sessions: ['a'], agent: 'x' },
    { name: 'stranger', sessions: ['b'], agent: 'x' },
    { name: 'not read yet' },
    { name: 'of another agent', sessions: ['a'], agent: 'y' },
    { name: 'copy', sessions: ['a'], agent: 'x', began: 2000 },
    { name: 'live', sessions: ['a'], agent: 'x', isLive: true },
  ]);
  expect(sharing(catalog, connectionId('shown'))).toEqual(['without a handshake', 'lived']);
});

test('at most twelve traces are read with a trace, and at most 64 MiB of them', () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `t${at}`, sessions: ['a'] }));
  const shown = { name: 'shown', sessions: ['a'] };
  const found = sharing(catalogOf([...many, shown]), connectionId('shown'));
  expect(found).toEqual(Array.from({ length: 12 }, (_, at) => `t${19 - at}`));
  const large = many.map((one, at) => ({
    ...one,
    stored: at === 18 ? 60 * 1024 * 1024 : 3 * 1024 * 1024,
  }));
  expect(sharing(catalogOf([...large, shown]), connectionId('shown'))).toEqual(['t19', 't18']);
});
