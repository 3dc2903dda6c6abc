import { afterEach, expect, test, vi } from 'vitest';
import { connectionId } from '../trace/event.ts';
import { openStore } from './open-store.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['throws when it is opened', { open: () => fail() }],
  ['is not there', undefined],
])(
  'R-35: where the database of the browser %s, memory takes its place and says so',
  async (_, idb) => {
    vi.stubGlobal('indexedDB', idb);
    const store = await openStore(() => undefined);
    expect(store.problem?.message).toContain('Frames are kept in this window only: export');
    const connection = connectionId('c');
    expect(await store.blocks(connection, 0 as never)).toMatchObject({ ok: true, value: [] });
  },
);

function fail(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}
