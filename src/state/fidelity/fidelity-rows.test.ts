import { describe, expect, test } from 'vitest';
import type {
  ItemDifference,
  FidelityWindow,
  ItemMark,
  Row,
  RowSide,
} from '../../model/fidelity/report/report.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { CompareLines } from '../compare/compare-lines.ts';
import { MAP_MARKS, mapMarks } from '../compare/compare-map.ts';
import { compareRows, rowCounts, fidelityRows, type FidelityFilter } from './fidelity-rows.ts';

const frame = { connection: connectionId('c1'), seq: seq(1) };
const side: RowSide = { frame, last: frame, frames: 1, words: 'words' };
const VERDICTS: Partial<Record<ItemMark, Row['verdict']>> = {
  equal: 'equal',
  cosmetic: 'cosmetic',
  unknown: 'undecidable',
  extra: 'corrupt',
};

function row(mark: ItemMark, of: Row['of'] = 'agent', differences: readonly number[] = []): Row {
  const verdict = VERDICTS[mark] ?? 'lossy';
  return { of, mark, verdict, live: side, replayed: side, differences };
}

const difference: ItemDifference = {
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

function linesOf(
  window: FidelityWindow,
  hidden: readonly FidelityFilter[] = [],
  how: { readonly opened?: readonly number[]; readonly toggled?: readonly number[] } = {},
) {
  const looks = { opened: [], toggled: [], whole: [], ...how };
  return new CompareLines(compareRows(fidelityRows(window), hidden), looks);
}

function shown(...of: Parameters<typeof linesOf>): readonly string[] {
  const [lines, rows] = [linesOf(...of), fidelityRows(of[0])];
  return Array.from({ length: lines.length }, (_, at) => {
    const line = lines.line(at);
    switch (line?.type) {
      case 'head':
        return `turn ${line.section + 1}`;
      case 'row': {
        const it = rows[line.row]?.row;
        return it?.of === 'aside' ? 'aside' : `${it?.mark}${line.open ? ', open' : ''}`;
      }
      case 'field':
        return `  ${rows[line.row]?.fields[line.nth]?.difference.field}`;
      default:
        return line?.type === 'fold' ? `fold of ${line.rows}${line.open ? ', open' : ''}` : 'more';
    }
  });
}

describe('the lines of a fidelity report', () => {
  test('what is equal in a row is folded, but never the prompt', () => {
    const window = report([
      row('equal', 'user'),
      row('equal'),
      row('equal'),
      row('equal', 'tool'),
      row('missing'),
      row('equal'),
    ]);
    expect(shown(window)).toEqual(['turn 1', 'equal', 'fold of 3', 'missing', 'equal']);
    expect(shown(window, [], { opened: [1] })).toEqual([
      'turn 1',
      'equal',
      'fold of 3, open',
      ...['equal', 'equal', 'equal'],
      'missing',
      'equal',
    ]);
  });

  test('other chunks or order are no difference: they fold with what is identical', () => {
    const window = report([row('equal'), row('cosmetic'), row('equal'), row('equal')]);
    expect(shown(window)).toEqual(['turn 1', 'fold of 4']);
    expect(linesOf(window).faults).toEqual([]);
  });

  test('what a version cannot say is noted in sight, not folded away', () => {
    const window = report([row('equal'), row('cosmetic'), row('cannot say', 'plan'), row('equal')]);
    expect(shown(window)).toEqual(['turn 1', 'equal', 'cosmetic', 'cannot say', 'equal']);
  });

  test('a changed row shows its fields, until it is closed', () => {
    const window = report([row('changed', 'tool', [0])]);
    expect(shown(window)).toEqual(['turn 1', 'changed, open', '  title']);
    expect(shown(window, [], { toggled: [0] })).toEqual(['turn 1', 'changed']);
  });

  test('why something is unknown is not said again under every row, until one is opened', () => {
    const window = report([row('unknown', 'tool', [0])]);
    expect(shown(window)).toEqual(['turn 1', 'unknown']);
    expect(shown(window, [], { toggled: [0] })).toEqual(['turn 1', 'unknown, open', '  title']);
  });

  test('marks that are hidden go, and a turn of which nothing is left', () => {
    const window = report([row('equal', 'user'), row('missing')], [row('equal', 'user')]);
    expect(shown(window, ['identical'])).toEqual(['turn 1', 'missing']);
    expect(shown(window, ['identical', 'missing'])).toEqual([]);
  });

  test('what is no history stands among the rows and is counted for itself', () => {
    const window = report([row('equal', 'user'), { of: 'aside', live: side }, row('extra')]);
    expect(shown(window)).toEqual(['turn 1', 'equal', 'aside', 'extra']);
    expect(rowCounts(fidelityRows(window))).toEqual([
      ['wrong', 1],
      ['identical', 1],
      ['not history', 1],
    ]);
  });

  test('faults are rows that are worse than cosmetic', () => {
    const window = report([row('equal', 'user'), row('cosmetic'), row('late'), row('unknown')]);
    expect(linesOf(window).faults.map((at) => shown(window)[at])).toEqual(['late', 'unknown']);
  });

  test('the map draws what is lost or false, by the sides it stands on', () => {
    const extra = { ...row('extra'), live: undefined };
    const missing = { ...row('missing'), replayed: undefined };
    const window = report([
      { of: 'aside', live: side },
      ...[row('equal'), row('cosmetic'), row('unknown'), row('late'), row('moved')],
      ...[row('changed'), row('lost id'), missing, extra],
    ]);
    expect([...mapMarks(fidelityRows(window))].map((place) => MAP_MARKS[place])).toEqual([
      ...['equal', 'equal', 'equal', 'equal', 'late', 'moved'],
      ...['changed', 'changed', 'missing', 'extra'],
    ]);
  });
});
