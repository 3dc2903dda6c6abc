import { describe, expect, test } from 'vitest';
import type {
  Difference,
  FidelityWindow,
  Mark,
  Row,
  RowSide,
} from '../../diff/fidelity/report/report.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { countsOf, faultsIn, linesOf, type FidelityLine, type Shown } from './fidelity-rows.ts';

const frame = { connection: connectionId('c1'), seq: seq(1) };
const side: RowSide = { frame, last: frame, frames: 1, words: 'words' };
const VERDICTS: Partial<Record<Mark, Row['verdict']>> = {
  equal: 'equal',
  cosmetic: 'cosmetic',
  unknown: 'undecidable',
  extra: 'corrupt',
};

function row(mark: Mark, of: Row['of'] = 'agent', differences: readonly number[] = []): Row {
  const verdict = VERDICTS[mark] ?? 'lossy';
  return { of, mark, verdict, live: side, replayed: side, differences };
}

const difference: Difference = {
  kind: 'changed',
  verdict: 'lossy',
  of: 'tool',
  item: 'tool call t1',
  field: 'title',
  live: frame,
  replayed: frame,
  before: 'Read a',
  after: undefined,
  why: 'is empty',
};

function report(
  ...turns: readonly (readonly FidelityWindow['groups'][number]['rows'][number][])[]
) {
  return {
    groups: turns.map((rows, at) => ({
      at: 'turn',
      turn: at + 1,
      title: `prompt ${at + 1}`,
      rows,
    })),
    differences: [difference],
  } as unknown as FidelityWindow;
}

const shown = (
  window: FidelityWindow,
  hidden: readonly Shown[] = [],
  toggled: readonly string[] = [],
) => linesOf(window, { hidden, toggled }).map(words);

function words(line: FidelityLine): string {
  switch (line.type) {
    case 'head':
      return `turn ${line.turn}: ${line.equal} of ${line.items} equal`;
    case 'row':
      return `${line.row.mark}${line.open ? ', open' : ''}`;
    case 'field':
      return `  ${line.difference.field}`;
    case 'fold':
      return `fold of ${line.rows}, ${line.cosmetic} cosmetic, ${line.messages} messages, ${line.tools} tools${line.open ? ', open' : ''}`;
    case 'aside':
      return 'aside';
  }
}

describe('the lines of a fidelity report', () => {
  test('what is equal or cosmetic in a row is folded, but never the prompt', () => {
    const window = report([
      row('equal', 'user'),
      row('equal'),
      row('cosmetic'),
      row('equal', 'tool'),
      row('missing'),
      row('equal'),
    ]);
    expect(shown(window)).toEqual([
      'turn 1: 4 of 6 equal',
      'equal',
      'fold of 3, 1 cosmetic, 2 messages, 1 tools',
      'missing',
      'equal',
    ]);
    expect(shown(window, [], ['fold turn 1.1'])).toEqual([
      'turn 1: 4 of 6 equal',
      'equal',
      'fold of 3, 1 cosmetic, 2 messages, 1 tools, open',
      'equal',
      'cosmetic',
      'equal',
      'missing',
      'equal',
    ]);
  });

  test('what a version cannot say is noted in sight, not folded away', () => {
    const window = report([row('equal'), row('cosmetic'), row('cannot say', 'plan'), row('equal')]);
    expect(shown(window)).toEqual([
      'turn 1: 2 of 4 equal',
      'equal',
      'cosmetic',
      'cannot say',
      'equal',
    ]);
  });

  test('a changed row shows its fields, until it is closed', () => {
    const window = report([row('changed', 'tool', [0])]);
    expect(shown(window)).toEqual(['turn 1: 0 of 1 equal', 'changed, open', '  title']);
    expect(shown(window, [], ['turn 1.0'])).toEqual(['turn 1: 0 of 1 equal', 'changed']);
  });

  test('why something is unknown is not said again under every row, until one is opened', () => {
    const window = report([row('unknown', 'tool', [0])]);
    expect(shown(window)).toEqual(['turn 1: 0 of 1 equal', 'unknown']);
    expect(shown(window, [], ['turn 1.0'])).toEqual([
      'turn 1: 0 of 1 equal',
      'unknown, open',
      '  title',
    ]);
  });

  test('marks that are hidden go, and a turn of which nothing is left', () => {
    const window = report([row('equal', 'user'), row('missing')], [row('equal', 'user')]);
    expect(shown(window, ['equal'])).toEqual(['turn 1: 1 of 2 equal', 'missing']);
    expect(shown(window, ['equal', 'missing'])).toEqual([]);
  });

  test('what is no history stands among the rows and is counted for itself', () => {
    const window = report([row('equal', 'user'), { of: 'aside', live: side }, row('extra')]);
    expect(shown(window)).toEqual(['turn 1: 1 of 2 equal', 'equal', 'aside', 'extra']);
    expect(countsOf(window)).toEqual([
      ['equal', 1],
      ['extra', 1],
      ['not history', 1],
    ]);
  });

  test('faults are rows that are worse than cosmetic', () => {
    const window = report([row('equal', 'user'), row('cosmetic'), row('late'), row('unknown')]);
    const lines = linesOf(window, { hidden: [], toggled: [] });
    expect(faultsIn(lines).map((at) => words(lines[at] as FidelityLine))).toEqual([
      'late',
      'unknown',
    ]);
  });
});
