import { expect, test } from 'vitest';
import { diffTraces } from '../../diff/traces/diff.ts';
import type { DiffView, TraceDiffReport } from '../../diff/traces/report/report.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { aliasGroups, rowLook, rowsLook, wholeField } from './diff-look.ts';

const all = new Map(recordings().map(({ name, events }) => [name, events]));
function compare(view: DiffView): Promise<TraceDiffReport> {
  const [left, right] = sourcesOf([
    all.get('claude-code-acp/0.16.2/live-v1.ndjson') ?? [],
    all.get('claude-agent-acp/0.100.0/live-v1.ndjson') ?? [],
  ]);
  if (!left || !right) throw new Error('two recordings were named');
  return diffTraces(left, right, { view });
}

const namesOf = ({ aliases }: TraceDiffReport) =>
  new Map(aliases.map((alias) => [alias.name, alias]));

test.each(['story', 'frames', 'state', 'handshake'] as const)(
  'of a %s, as many fields are promised for each row as it shows, and all can be sent',
  async (view) => {
    const report = await compare(view);
    const { marks, fields } = rowsLook(report);
    expect(marks).toHaveLength(report.rows.length);
    for (let row = 0; row < report.rows.length; row++) {
      const shown = rowLook(report.rows.row(row), namesOf(report));
      expect(shown.fields).toHaveLength(fields[row] ?? -1);
      expect(structuredClone(shown)).toEqual(shown);
      for (const { before = '', after = '' } of shown.fields)
        expect(Math.max(before.length, after.length)).toBeLessThanOrEqual(202);
    }
  },
);

test('where only words differ they are told in the row; all of a field is had by its place', async () => {
  const report = await compare('story');
  const { told } = rowsLook(report);
  const row = told.indexOf(1);
  const shown = rowLook(report.rows.row(row), namesOf(report));
  expect(shown.fields).toHaveLength(1);
  expect(shown.change?.map(({ how }) => how)).toContain('gone');
  const whole = wholeField(report.rows.row(row), 0);
  const left = whole.map(({ how, text }) => (how === 'new' ? '' : text)).join('');
  expect(left).toBe(report.rows.row(row).fields[0]?.before);
  expect(wholeField(report.rows.row(row), 7)).toEqual([]);
});

test('a row names the aliases in its words, and is found by them', async () => {
  const report = await compare('story');
  for (const { name, kind } of report.aliases) {
    const rows = report.rowsWith(name);
    expect(rows.length).toBeGreaterThan(0);
    const named = rows.flatMap((row) => rowLook(report.rows.row(row), namesOf(report)).aliases);
    if (kind === 'tool') expect(named.map((alias) => alias.name)).toContain(name);
  }
});

test('aliases come by kind, with figures of all of them', async () => {
  const { aliases } = await compare('frames');
  const groups = aliasGroups(aliases);
  expect(groups.reduce((sum, { total }) => sum + total, 0)).toBe(aliases.length);
  expect(groups.find(({ kind }) => kind === 'session')).toMatchObject({ total: 1, differing: 1 });
});
