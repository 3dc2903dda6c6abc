import { expect, test, vi } from 'vitest';
import { valuesAt } from '../../model/query/vocabulary.ts';
import { runningApp } from '../../test/programs/running-app.ts';
import { draw } from '../../test/traces/draw.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { interceptOf } from '../../state/connections/intercept.svelte.ts';
import type { MenuItem } from '../parts/menu-item.ts';
import { filterItems, interceptItems, mapping } from './row-cell.ts';
import { rowMenu } from './row-menu.ts';

const FAILED = {
  ...{ jsonrpc: '2.0', method: 'session/update' },
  params: {
    sessionId: 's',
    update: { sessionUpdate: 'tool_call', toolCallId: 't', kind: 'read', status: 'failed' },
  },
};
const { index, frame } = indexed(draw(`agent raw ${JSON.stringify(FAILED)}`));
const row = frame(index.columns.seqOf(0));
const values = valuesAt(index, 0);
const labels = (items: readonly MenuItem[]) => items.map(({ label }) => label);

test('the menu begins with the values of the cell under the pointer', async () => {
  const app = await runningApp({});
  const addTerm = vi.spyOn(app.timeline, 'addTerm').mockReturnValue(Promise.resolve());
  const items = filterItems(app, row, values, 'summary');
  expect(labels(items)).toEqual([
    'Filter: kind read',
    'Filter: status failed',
    'Filter: tool t',
    'Exclude: kind read',
    'Exclude: status failed',
    'Filter by',
    'Exclude',
  ]);
  items[1]?.run?.();
  items[4]?.run?.();
  expect(addTerm.mock.calls).toEqual([['status:failed'], ['-status:failed']]);
  expect(labels(filterItems(app, row, values, 'arrow')).slice(0, 1)).toEqual([
    'Filter: side agent',
  ]);
});

test('without a cell it begins with what the frame is about; all other values are one step away', async () => {
  const app = await runningApp({});
  const items = filterItems(app, row, values);
  expect(labels(items)).toEqual([
    'Filter: update tool_call',
    'Exclude: update tool_call',
    'Filter by',
    'Exclude',
  ]);
  expect(labels(items[2]?.items ?? [])).toContain('status failed');
  expect(labels(items[2]?.items ?? [])).toContain('near this frame');
  expect(labels(items[3]?.items ?? [])).toEqual([
    'type ntf',
    'kind read',
    'status failed',
    'session S1',
  ]);
});

test('a rule to break on such frames is written, and waits to be switched on', async () => {
  const app = await runningApp({ connections: { interceptPresets: () => Promise.resolve([]) } });
  const [pause] = interceptItems(app, row, values);
  expect(pause?.label).toBe('Break here…');
  pause?.run?.();
  const rules = interceptOf(app);
  await vi.waitFor(() => expect(rules.text).toContain('hold'));
  expect(JSON.parse(rules.text)).toEqual({
    rules: [
      {
        name: 'break on tool_call',
        on: 'side:agent update:tool_call type:ntf kind:read status:failed',
        hold: true,
      },
    ],
  });
  expect([rules.isOpen, app.timeline.selected]).toEqual([true, undefined]);
});

test('a frame is mapped to its own content, and a request to a result', () => {
  expect(mapping(JSON.stringify(FAILED))).toEqual({ edit: { set: { '$.params': FAILED.params } } });
  expect(mapping('{"jsonrpc":"2.0","id":1,"result":{"a":1}}')).toEqual({
    edit: { set: { '$.result': { a: 1 } } },
  });
  expect(mapping('{"jsonrpc":"2.0","id":1,"method":"x"}')).toEqual({ answer: { result: {} } });
  expect(mapping('')).toEqual({ answer: { result: {} } });
});

test('then come compare, restore, and what opens further: go to and copy', async () => {
  const app = await runningApp({});
  const items = rowMenu(app, row, { findings: [], values });
  const at = items.findIndex(({ label }) => label === 'Compare with marked');
  expect(labels(items.slice(at))).toEqual([
    'Compare with marked',
    'Compare its turn with another',
    'Restore from here…',
    'Edit and send',
    'Mark…',
    'Go to',
    'Copy',
  ]);
  expect(items.filter(({ rule }) => rule).map(({ label }) => label)).toEqual([
    'Break here…',
    'Compare with marked',
    'Restore from here…',
    'Go to',
  ]);
  expect(labels(items.at(-1)?.items ?? [])).toContain('Copy as Markdown');
});
