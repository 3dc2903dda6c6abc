import { expect, test } from 'vitest';
import type { TraceFind } from '../../engine/library/trace-finds.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { LibraryList } from './library-list.svelte.ts';

function trace(number: number): TraceSummary {
  return {
    ...{ connection: connectionId(`c-${number}`), number, name: `${number}`, mode: 'file' },
    ...{ state: 'ended', startedAt: '2026-11-20T10:00:00.000Z', events: 1, frames: 1, stored: 9 },
  };
}

/** A page with three traces, of which other tabs show what `elsewhere` names. */
function made() {
  const traces = [trace(1), trace(2), trace(3)];
  const elsewhere: ConnectionId[] = [];
  const deleted: string[] = [];
  const told: string[] = [];
  const asked: { readonly connection: ConnectionId; answer(find: TraceFind | undefined): void }[] =
    [];
  let ends = 0;
  const app = {
    traces,
    current: undefined,
    tell: (_: string, text: string) => void told.push(text),
    library: {
      removeAll: (all: readonly TraceSummary[]) => {
        deleted.push(...all.map(({ name }) => name));
        return Promise.resolve();
      },
    },
    engine: {
      library: { openElsewhere: () => Promise.resolve([...elsewhere]) },
      finds: {
        find: (connection: ConnectionId) =>
          new Promise((answer) => void asked.push({ connection, answer })),
        end: () => void ends++,
      },
    },
  };
  const list = new LibraryList(app as unknown as App);
  return { list, elsewhere, deleted, told, asked, ends: () => ends };
}
const size = (megabytes: string) => ({ days: '', megabytes, newest: '', keepTag: '' });

test('what goes is what was shown, and what other tabs show stays', async () => {
  const { list, elsewhere, deleted } = made();
  elsewhere.push(connectionId('c-2'));
  await list.askPrune();
  list.pruneForm = size('0');
  expect(list.rows.map(({ key }) => key)).toEqual(['c-3', 'c-1', 'c-2']);
  await list.prune();
  expect(deleted).toEqual(['3', '1']);
  expect(list.pruneForm).toBeUndefined();
});

test('nothing goes where another tab opened one of them meanwhile, and that is told', async () => {
  const { list, elsewhere, deleted, told } = made();
  await list.askPrune();
  list.pruneForm = size('0');
  expect(list.pruned.goes).toHaveLength(3);
  elsewhere.push(connectionId('c-1'));
  await list.prune();
  expect(deleted).toEqual([]);
  expect(told).toEqual(['What goes has changed meanwhile. Nothing was deleted: look again.']);
  expect(list.pruned.goes.map(({ name }) => name)).toEqual(['3', '2']);
});

test('traces are asked one after the other, and what was found until it is stopped stays', async () => {
  const { list, asked, ends } = made();
  void list.find(' text:parrot ');
  await expect.poll(() => asked.length).toBe(1);
  expect(list.asked).toMatchObject({ query: 'text:parrot', done: 0, of: 3, reading: '3' });
  asked[0]?.answer({ count: 2, first: [] });
  await expect.poll(() => asked.length).toBe(2);
  list.stop();
  expect(ends()).toBe(1);
  asked[1]?.answer(undefined);
  await Promise.resolve();
  expect(asked).toHaveLength(2);
  expect(list.asked).toMatchObject({ done: 1, of: 3, reading: undefined });
  expect(list.found).toEqual({ traces: 1, frames: 2 });
  expect(list.rows.map(({ type }) => type)).toEqual(['trace', 'rest']);
});

test('the row looked at stays the same where the order is another', () => {
  const { list } = made();
  list.select(1);
  expect(list.trace?.name).toBe('2');
  list.sortBy('name');
  list.filter = '1';
  expect(list.trace?.name).toBe('1');
  list.filter = '';
  expect(list.trace?.name).toBe('2');
});
