import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionFacts, sessionFacts, traceSummary } from '../../test/programs/running-app.ts';
import { connectionId } from '../../trace/event.ts';
import { matchOf, paletteGroups, paletteSessions, type PaletteEntry } from './palette.ts';

const entry = (group: string, ...words: string[]): PaletteEntry => ({
  id: words[0] ?? '',
  group,
  words,
  of: undefined,
});
const names = (entries: readonly PaletteEntry[], typed: string) =>
  paletteGroups(entries, typed).map((group) => [
    group.name,
    group.entries.map(({ id }) => id),
    group.more,
  ]);

test('a word of a command stands above traces that only hold its letters', () => {
  const entries = [
    entry('Traces', 'Example: available', 'c1'),
    entry('Traces', 'claude-agent-acp', 'c2'),
    entry('Do', 'Run the resume lab…'),
  ];
  expect(names(entries, 'lab')).toEqual([
    ['Do', ['Run the resume lab…'], 0],
    ['Traces', ['Example: available'], 0],
  ]);
});

test('every word that is typed must be there, in any order', () => {
  expect(matchOf('lab run', ['Run the resume lab…'])).toBeGreaterThan(0);
  expect(matchOf('lab walk', ['Run the resume lab…'])).toBe(0);
  expect(matchOf('c2', ['claude', 'c2'])).toBeGreaterThan(matchOf('c2', ['claude', 'abc2']));
});

test('forty connections do not push the commands away: their number is told', () => {
  const many = Array.from({ length: 40 }, (_, i) => entry('Traces', `agent ${i}`));
  const [traces, commands] = paletteGroups([...many, entry('Do', 'Open a file')], '');
  expect([traces?.entries.length, traces?.more]).toEqual([3, 37]);
  expect(commands?.entries.map(({ id }) => id)).toEqual(['Open a file']);
  const does = many.map(({ id }) => entry('Do', `do ${id}`));
  const both = paletteGroups([...many, ...does, entry('Queries', 'late')], '');
  expect(both.map(({ entries }) => entries.length)).toEqual([3, 40, 1]);
  expect(names([...many, entry('Do', 'Open a file')], 'agent')[0]).toEqual([
    'Traces',
    many.slice(0, 8).map(({ id }) => id),
    32,
  ]);
});

test('a session that a run repeated is one entry, of the connection that runs', () => {
  const sessions = [sessionFacts('s1', { title: 'Mend it' })];
  const trace = (number: number, change: object) => ({
    ...traceSummary(connectionFacts({ sessions })),
    connection: connectionId(`c${number}`),
    number,
    ...change,
  });
  const found = paletteSessions([
    trace(1, { state: 'running' }),
    trace(2, { state: 'ended' }),
    trace(3, { state: 'ended', group: { id: 'r', kind: 'lab', title: 'Lab' } }),
  ]);
  expect(
    found.map(({ sessionId, trace: { number }, title }) => [sessionId, number, title]),
  ).toEqual([['s1', 1, 'Mend it']]);
});

test('what is listed and what is counted are all that match', () => {
  const words = fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.string({ maxLength: 4 }), (all, typed) => {
      fc.pre(typed.trim() !== '');
      const groups = paletteGroups(
        all.map((of, i) => ({ id: `${i}`, group: i % 2 ? 'a' : 'b', words: of, of })),
        typed,
      );
      const shown = groups.reduce((sum, { entries, more }) => sum + entries.length + more, 0);
      expect(shown).toBe(all.filter((of) => matchOf(typed, of) > 0).length);
    }),
  );
});
