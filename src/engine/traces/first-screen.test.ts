import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordings } from '../../test/traces/recordings.ts';
import { connectionId } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { believed, firstScreens, SCREEN_VERSION } from './first-screen.ts';
import { OpenTrace } from './open-trace.ts';

const CONNECTION = connectionId('c');

/** Which fields there are in it, and of which type. */
function shapes(value: unknown, path: string, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) found.add(`${path}:${typeof value}`);
  else
    for (const [key, one] of Object.entries(value) as [string, unknown][])
      shapes(one, `${path}/${Array.isArray(value) ? '' : key}`, found);
}

/** Where this changes, rows or their facts have another form. Then raise SCREEN_VERSION, and write it here. */
const MADE_BY = { version: 5, of: '0c0f4b397ea01e22' };

test('rows have the form they ever had, or a new version', async () => {
  const screenOf = await firstScreens();
  const found = new Set<string>();
  // Recordings do not change, and others come: these are enough.
  for (const { name, events } of recordings()) {
    if (!/^(opencode\/1\.18\.33|claude-agent-acp)\//.test(name)) continue;
    const trace = new OpenTrace(CONNECTION, (id) => `S ${id}`, 'gone');
    const lines = events.map((event) => `${eventLine(event)}\n`).join('');
    trace.take(encodeUtf8(lines), 0, () => false);
    const { facts, rows } = screenOf(trace);
    shapes(facts, 'facts', found);
    for (const row of rows) shapes(row, row.type, found);
  }
  const of = createHash('sha256')
    .update([...found].sort().join())
    .digest('hex')
    .slice(0, 16);
  expect({ version: SCREEN_VERSION, of }).toEqual(MADE_BY);
});

test('what was kept in another form is not shown', () => {
  expect(believed(undefined)).toBe(undefined);
  expect(believed({ version: 0, facts: {}, rows: [] })).toBe(undefined);
});
