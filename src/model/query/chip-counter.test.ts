import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { CHIPS } from './chips.ts';

test('a chip counts what its term finds, in every recording', () => {
  for (const { events } of recordings()) {
    const { view, index } = indexed(events);
    for (const { id, term } of CHIPS) {
      view.setQuery(term);
      const { counts, chips } = view.state();
      expect([id, chips[id]]).toEqual([id, counts.shown + counts.stderr + counts.events]);
      expect(chips.all).toBe(index.length);
    }
  }
});

test('findings are counted as they come, change what they count as, and go', () => {
  const { view, index } = indexed(`
    client →1 session/prompt s1 "a"
    client →2 session/prompt s1 "b"
  `);
  const count = () => view.state().chips.findings;
  index.findings.define(1, { rule: 'a', counts: 'error' });
  index.findings.define(2, { rule: 'b', counts: 'suppressed' });
  index.findings.add(0, 1);
  index.findings.add(0, 2);
  index.findings.add(1, 2);
  expect(count()).toBe(1);
  index.findings.define(2, { rule: 'b', counts: 'hint' });
  expect(count()).toBe(2);
  index.findings.clear();
  expect(count()).toBe(0);
});
