import { describe, expect, test } from 'vitest';
import type { FindingView } from '../../engine/findings/finding-messages.ts';
import { seq } from '../../trace/event.ts';
import {
  NO_FILTERS,
  findingPlaces,
  rowsAround,
  findingRows,
  sessionsIn,
  type ListRow,
} from './finding-rows.ts';

function finding(rule: string, more: Partial<FindingView> = {}): FindingView {
  return {
    key: [rule, more.session, more.method, more.verdict].join(' '),
    rule,
    verdict: 'fail',
    severity: 'error',
    side: 'agent',
    frames: 1,
    places: [{ seq: seq(1), pointer: '', seen: 'this' }],
    seen: 'this',
    due: 'that',
    source: { words: 'a page', url: 'https://example.org' },
    ...more,
  };
}
const suppressed = { kind: 'suppress', rule: 'r', reason: 'known' } as const;
const NONE = new Map<string, boolean>();

/** A row as a word: `+` closed, `-` open, indented by its level. */
function drawn(rows: readonly ListRow[]): string[] {
  return rows.map((row) => {
    const indent = '  '.repeat(row.level - 1);
    if (row.type === 'finding') return `${indent}${row.finding.rule} ${row.finding.session ?? ''}`;
    const what = row.type === 'rule' ? row.lead.rule : row.type === 'needs' ? row.due : row.type;
    return `${indent}${row.open ? '-' : '+'}${what} ×${row.findings}`;
  });
}

const LIST = [
  finding('a/one', { session: 's1', frames: 3 }),
  finding('a/one', { session: 's2', side: 'client' }),
  finding('b/two', { severity: 'hint' }),
  finding('c/three', { suppressed, session: 's1' }),
  finding('d/four', { verdict: 'undecidable', due: 'a longer recording' }),
  finding('e/five', { verdict: 'undecidable', due: 'a longer recording' }),
  finding('f/six', { verdict: 'undecidable', due: 'the other side' }),
];

describe('the list of findings', () => {
  test('is by rule as it came, then what is set aside, then what is not decided, closed', () => {
    expect(drawn(findingRows(LIST, NO_FILTERS, NONE))).toEqual([
      '-a/one ×2',
      '  a/one s1',
      '  a/one s2',
      'b/two ',
      '+suppressed ×1',
      '+undecidable ×3',
    ]);
    const [rule] = findingRows(LIST, NO_FILTERS, NONE);
    expect(rule).toMatchObject({ sides: ['agent', 'client'], frames: 4 });
  });

  test('groups what is not decided by the recording that would', () => {
    const open = new Map([
      ['undecidable', true],
      ['needs a longer recording', true],
    ]);
    expect(drawn(findingRows(LIST, NO_FILTERS, open)).slice(-5)).toEqual([
      '-undecidable ×3',
      '  -a longer recording ×2',
      '    d/four ',
      '    e/five ',
      '  +the other side ×1',
    ]);
  });

  test.each([
    [{ text: 'one' }, ['-a/one ×2', '  a/one s1', '  a/one s2']],
    [{ text: 'known' }, ['-suppressed ×1', '  c/three s1']],
    [{ text: 'one nothing' }, []],
    [{ side: 'client' as const }, ['a/one s2']],
    [{ session: 's1' }, ['a/one s1', '+suppressed ×1']],
    [{ without: new Set(['error' as const]) }, ['b/two ']],
    [{ verdict: 'suppressed' as const }, ['-suppressed ×1', '  c/three s1']],
    [{ verdict: 'failed' as const, session: 's2' }, ['a/one s2']],
  ])('with %j shows what is so', (filters, expected) => {
    expect(drawn(findingRows(LIST, { ...NO_FILTERS, ...filters }, NONE))).toEqual(expected);
  });

  test('begins closed where a rule has many findings', () => {
    const many = Array.from({ length: 9 }, (_, i) => finding('a/one', { session: `s${i}` }));
    expect(drawn(findingRows(many, NO_FILTERS, NONE))).toEqual(['+a/one ×9']);
  });

  test('opens whatever is over a finding', () => {
    for (const one of LIST) {
      const open = new Map(rowsAround(one).map((key) => [key, true]));
      const shown = findingRows(LIST, NO_FILTERS, open).map(({ key }) => key);
      expect(shown).toContain(one.key);
    }
  });
});

test('each session that findings name is offered once', () => {
  expect(sessionsIn(LIST)).toEqual(['s1', 's2']);
});

test('a row knows its place among those beside it, though not all are drawn', () => {
  const open = new Map([
    ['undecidable', true],
    ['needs a longer recording', true],
  ]);
  const rows = findingRows(LIST, NO_FILTERS, open);
  const { at, of } = findingPlaces(rows);
  expect(drawn(rows).map((row, i) => `${row} ${at[i]}/${of[i]}`)).toEqual([
    '-a/one ×2 1/4',
    '  a/one s1 1/2',
    '  a/one s2 2/2',
    'b/two  2/4',
    '+suppressed ×1 3/4',
    '-undecidable ×3 4/4',
    '  -a longer recording ×2 1/2',
    '    d/four  1/2',
    '    e/five  2/2',
    '  +the other side ×1 2/2',
  ]);
});
