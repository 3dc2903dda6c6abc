import { expect, test } from 'vitest';
import type { FindingView } from '../../engine/findings/finding-messages.ts';
import { seq } from '../../trace/event.ts';
import { findingMarkdown, findingsMarkdown } from './finding-markdown.ts';

const CONTEXT = { trace: 'agent', against: 'v1' };
const FINDING: FindingView = {
  key: 'k',
  rule: 'replay/missing-history',
  verdict: 'fail',
  severity: 'error',
  side: 'agent',
  session: 's1',
  method: 'session/load',
  frames: 22,
  places: Array.from({ length: 22 }, (_, i) => ({ seq: seq(i + 1), pointer: '', seen: 'x' })),
  seen: 'missing: the answer\n"<img src=x> ![a](http://x) done"',
  due: 'a load replays everything',
  source: { words: 'v1, session setup', url: 'https://example.org/#load' },
};

test('a finding says what, whose, where and why, on lines that a person can paste', () => {
  expect(findingMarkdown(FINDING, CONTEXT)).toBe(
    [
      '# Finding in agent',
      '',
      '`agent`, checked against v1.',
      '',
      '- **error** agent `replay/missing-history`',
      '  - seen: missing: the answer "\\<img src=x\\> !\\[a\\](http://x) done"',
      '  - due: a load replays everything',
      `  - frames: ${Array.from({ length: 20 }, (_, i) => `#${i + 1}`).join(' ')} and 2 more`,
      '  - in: session `s1` `session/load`',
      '  - source: [v1, session setup](https://example.org/#load)',
      '',
    ].join('\n'),
  );
});

test('a finding quotes the sentence that says so, where one does', () => {
  const source = { ...FINDING.source, quote: 'The Agent MUST replay the entire conversation' };
  expect(findingMarkdown({ ...FINDING, source }, CONTEXT)).toContain(
    '- says: “The Agent MUST replay the entire conversation” ([v1, session setup](https://example.org/#load))',
  );
});

test('all findings begin with their count, and end with what is suppressed', () => {
  const suppressed = { kind: 'suppress', rule: 'replay/missing-history', reason: 'known' } as const;
  const text = findingsMarkdown(
    [FINDING, { ...FINDING, suppressed }, { ...FINDING, verdict: 'undecidable' }],
    CONTEXT,
  );
  expect(text).toContain('# Findings in agent');
  expect(text).toContain('1 finding, 1 suppressed, 1 that this trace cannot decide.');
  expect(text.match(/^- \*\*error/gm)).toHaveLength(2);
  expect(text).toMatch(/## Suppressed\n\n[^]*  - suppressed: known\n/);
});
