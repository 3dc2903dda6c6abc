import { expect, test } from 'vitest';
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import { runningApp } from '../../test/programs/running-app.ts';
import { seq } from '../../trace/event.ts';
import { findingMenu } from './row-menu.ts';

function finding(rule: string, more: Partial<FrameFinding> = {}): FrameFinding {
  return {
    key: `key of ${rule}`,
    rule,
    verdict: 'fail',
    severity: 'error',
    side: 'agent',
    frames: 1,
    places: [{ seq: seq(4), pointer: '', seen: 'this' }],
    seen: 'this',
    due: 'that',
    source: { words: 'a page', url: 'https://example.org' },
    ...more,
  };
}
const labels = (items: ReturnType<typeof findingMenu>) => items.map(({ label }) => label);

test('a frame with a finding offers to show, suppress and copy it', async () => {
  const app = await runningApp({});
  const items = findingMenu(app, [finding('a/rule')]);
  expect(labels(items)).toEqual([
    'Show finding a/rule',
    'Evidence of a/rule…',
    'Suppress a/rule…',
    'Copy the finding as Markdown',
  ]);
  items[0]?.run?.();
  expect([app.view, app.findings.selected]).toEqual(['checks', 'key of a/rule']);
  expect(app.findings.asking).toBeUndefined();
  items[2]?.run?.();
  expect(app.findings.asking).toBe('key of a/rule');
});

test('each of several is shown and suppressed by its name; all are copied at once', async () => {
  const app = await runningApp({});
  expect(labels(findingMenu(app, [finding('a/one'), finding('b/two')]))).toEqual([
    'Show finding a/one',
    'Show finding b/two',
    'Evidence of a/one…',
    'Evidence of b/two…',
    'Suppress a/one…',
    'Suppress b/two…',
    'Copy the findings as Markdown',
  ]);
});

test('what does not count, or is not decided, has no entry', async () => {
  const app = await runningApp({});
  const aside = finding('a/one', {
    suppressed: { kind: 'suppress', rule: 'a/one', reason: 'known' },
  });
  expect(findingMenu(app, [aside, finding('b/two', { verdict: 'undecidable' })])).toEqual([]);
  expect(findingMenu(app, [])).toEqual([]);
});
