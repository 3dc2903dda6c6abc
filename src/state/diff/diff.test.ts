import { expect, test } from 'vitest';
import type { DiffAsk, DiffLook } from '../../engine/diff/diff-messages.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import { runningApp, type SomeCalls } from '../../test/programs/running-app.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { Diff } from './diff.svelte.ts';
import { parsePair } from './diff-pair.ts';
import { compareFrames, compareWithMarked } from './diff-ways.ts';

const [c1, c2] = [connectionId('c1'), connectionId('c2')];
const TRACES = [c1, c2].map((connection, at): TraceSummary => ({
  ...{ connection, name: `t${at}`, number: at + 1, mode: 'file', state: 'ended' },
  ...{ startedAt: '', events: 9, frames: 9, stored: 0 },
}));

/** Rows: three equal, changed, only left. */
function lookOf(ask: DiffAsk): DiffLook {
  return {
    ...{ diff: 1, ask, equal: false, compared: { a: 5, b: 4 }, events: { a: 9, b: 9 } },
    counts: { equal: 3, changed: 1, missing: 1, extra: 0, moved: 0 },
    sections: [{ name: 'Start', words: '' }],
    ...{ aliases: [], leftOut: [], sameText: 0, unrelated: false, notices: [], took: 1 },
    marks: Uint8Array.from([0, 0, 0, 1, 2]),
    rowSections: new Uint32Array(5),
    fields: Uint16Array.from([0, 0, 0, 1, 0]),
    told: new Uint8Array(5),
  };
}

async function made(engine: SomeCalls = {}) {
  const asked: DiffAsk[] = [];
  const app = await runningApp({
    ...engine,
    diff: {
      compare: (ask) => {
        asked.push(ask);
        const isBad = ask.ignore.some((rule) => rule.startsWith('?'));
        return Promise.resolve(isBad ? { problem: 'No such rule.' } : lookOf(ask));
      },
      rows: (_, rows) =>
        Promise.resolve(rows.map(() => ({ mark: 'equal', of: '', fields: [], aliases: [] }))),
    },
  });
  app.receive({ type: 'traces', traces: [...app.traces, ...TRACES] });
  const diff = new Diff(app);
  return { app, diff, asked };
}
async function compared() {
  const all = await made();
  all.diff.set({ left: c1, right: c2, view: 'story' });
  all.diff.compareAgain();
  await expect.poll(() => all.diff.look).toBeDefined();
  return all;
}

test('what the address names is compared, and shown only as long as it names that', async () => {
  const { diff, asked } = await compared();
  expect(asked[0]).toMatchObject({ left: 'c1', right: 'c2', view: 'story', raw: [] });
  expect(diff.look?.counts.changed).toBe(1);
  diff.show('frames');
  expect(diff.look).toBeUndefined();
  diff.show('story');
  diff.swap();
  expect(diff.pair).toEqual({ left: 'c2', right: 'c1', view: 'story' });
  diff.set({ left: c1, right: connectionId('gone'), view: 'story' });
  expect(diff.missing).toBe('right');
  expect(diff.ask).toBeUndefined();
});

test('differences are walked from one to the next; the ends hold', async () => {
  const { diff } = await compared();
  expect(diff.list.nth).toBe(0);
  diff.list.stepFault(1);
  expect([diff.list.nth, diff.list.row]).toEqual([1, 3]);
  diff.list.stepFault(1);
  diff.list.stepFault(1);
  expect([diff.list.nth, diff.list.row]).toEqual([2, 4]);
  diff.list.stepFault(-1);
  expect(diff.list.nth).toBe(1);
});

test('the line looked at stays when marks are hidden and folds are opened', async () => {
  const { diff } = await compared();
  diff.list.stepFault(1);
  diff.list.showMark('equal', false);
  expect([diff.list.lines?.length, diff.list.row]).toEqual([4, 3]);
  diff.list.showMark('equal', true);
  diff.list.toggleFolds();
  expect([diff.list.lines?.length, diff.list.row]).toEqual([8, 3]);
  diff.list.toggle(diff.list.at, false);
  expect(diff.list.lines?.length).toBe(7);
});

test('a rule that the engine cannot take is not kept', async () => {
  const { diff } = await compared();
  const before = diff.terms.ignore;
  expect(await diff.terms.addRule('?')).toBe('No such rule.');
  expect(diff.terms.ignore).toEqual(before);
  expect(await diff.terms.addRule(' $..x ')).toBeUndefined();
  expect(diff.terms.ignore.at(-1)).toBe('$..x');
  expect(diff.terms.isUsual).toBe(false);
  diff.terms.removeRule('$..x');
  expect(diff.terms.ignore).toEqual(before);
});

test('an alias that is off is asked for by both of its values, and comes back', async () => {
  const { diff } = await compared();
  const alias = { name: 'S1', kind: 'session', a: 'x', b: 'y', uses: { a: 1, b: 1 } } as const;
  diff.useAlias(alias, false);
  diff.terms.useKind('tool', false);
  expect(diff.ask).toMatchObject({ rawValues: ['x', 'y'], raw: ['tool'] });
  diff.useAlias(alias, true);
  diff.terms.useKind('tool', true);
  expect(diff.ask).toMatchObject({ rawValues: [], raw: [] });
});

test('two frames of a trace are a pair of parts; without a mark, that is said', async () => {
  const { app } = await made({ traces: { annotations: () => Promise.resolve([]) } });
  compareFrames(app, seq(3), seq(8));
  expect(app.view).toBe('compare');
  expect(parsePair(app.diff)).toMatchObject({
    view: 'frames',
    leftPart: { from: 3, to: 3 },
    rightPart: { from: 8, to: 8 },
  });
  await compareWithMarked(app, seq(8));
  expect(app.news.at(-1)?.text).toContain('No other frame');
});
