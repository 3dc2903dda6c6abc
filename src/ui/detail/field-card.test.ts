import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import type { FieldDoc } from '../../acp/schema/field-doc.ts';
import FieldCard from './FieldCard.svelte';
import TreeLine from './TreeLine.svelte';
import { treeRows, type TreeRow } from './tree-rows.ts';

const doc: FieldDoc = {
  name: 'status',
  version: 1,
  type: 'one of these',
  required: true,
  unstable: true,
  texts: ['The `status` of <b>it</b>.\n\nSee [docs](https://agentclientprotocol.com/a).'],
  values: [{ value: 'done', description: 'It is done' }, { value: 'open' }],
  sdk: 'The official SDK reads a wrong value as left out.',
};
const nothing = () => undefined;
const cardOf = (more: object = {}) =>
  render(FieldCard, {
    props: {
      ...{ id: 'card', doc, mark: undefined, token: '"done"', kept: false },
      ...{ anchor: nothing, tree: nothing, onclose: nothing, onenter: nothing, onleave: nothing },
      ...more,
    },
  }).body;

test('a card says name, type, whether required or unstable, values with the present one lit', () => {
  const text = cardOf();
  for (const words of ['status', 'one of these', 'required', 'only unstable', 'It is done'])
    expect(text).toContain(words);
  expect(text).toMatch(/<dt class="m now[^"]*">done/);
  expect(text).not.toMatch(/<dt class="m now[^"]*">open/);
});
test('links open in a new tab, which cannot reach back', () => {
  expect(cardOf()).toMatch(/<a href="https:[^>]*target="_blank" rel="noopener noreferrer"/);
});
test('S-02: markup in a description is text', () => {
  expect(cardOf()).not.toContain('<b>it</b>');
});
test('opened by the pointer it is a tooltip; by a key a dialog that is read out', () => {
  expect(cardOf()).toContain('role="tooltip"');
  const kept = cardOf({ kept: true });
  expect(kept).toContain('role="dialog"');
  expect(kept).toMatch(/role="status"[^>]*>status\. one of these\. required/);
});
test('a finding on the value comes first', () => {
  const text = cardOf({ mark: { severity: 'error', text: 'No `status` is due here.' } });
  expect(text).toMatch(/<code[^>]*>(?:<!--.*?-->)*status/);
  expect(text.indexOf('is due here')).toBeGreaterThan(0);
  expect(text.indexOf('is due here')).toBeLessThan(text.indexOf('See'));
});

test('a marked row is underlined and says why, also to those who do not see it', () => {
  const text = '{"a":1}';
  const [row] = treeRows(text, { toggled: new Map(), pages: new Map() }) as TreeRow[];
  if (!row) throw new Error('no row');
  const line = (mark: object | undefined) =>
    render(TreeLine, {
      props: {
        ...{ id: 'x', index: 0, text, row, active: false, hint: undefined, pin: false },
        ...{ describedby: undefined, onpin: nothing, mark: mark as never },
      },
    }).body;
  const marked = line({ severity: 'warning', text: 'odd' });
  expect(marked).toMatch(/class="k of-warning wavy/);
  expect(marked).toMatch(/class="unseen[^"]*">warning: odd/);
  expect(line({ severity: 'error', text: undefined })).toMatch(/class="k of-error inside/);
  expect(line(undefined)).not.toContain('unseen');
});
