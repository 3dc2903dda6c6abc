import { expect, test } from 'vitest';
import type { TurnName } from '../../engine/diff/diff-messages.ts';
import { runningApp } from '../../test/programs/running-app.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { parsePair } from './diff-pair.ts';
import { compareStretch, compareTurn, openReplayOf } from './diff-ways.ts';

const turn = (nth: number, begin: number, words: string): TurnName => ({
  name: `Turn ${nth}`,
  ...{ turn: nth, begin: seq(begin), words },
});

test('a turn is compared with the nearest one that asks the same, else with the one before', async () => {
  const turns = [turn(1, 5, '“A”'), turn(2, 9, '“B”'), turn(3, 20, '“A”'), turn(4, 30, '“C”')];
  const app = await runningApp({ diff: { turns: () => Promise.resolve(turns) } });
  await compareTurn(app, seq(22));
  expect(parsePair(app.diff)).toMatchObject({ leftPart: { turn: 1 }, rightPart: { turn: 3 } });
  await compareTurn(app, seq(31));
  expect(parsePair(app.diff)).toMatchObject({ leftPart: { turn: 3 }, rightPart: { turn: 4 } });
  await compareTurn(app, seq(2));
  expect(app.news.at(-1)?.text).toContain('No turn');
});

test('the only turn, or a stretch of frames, waits for what it is compared with', async () => {
  const app = await runningApp({ diff: { turns: () => Promise.resolve([turn(1, 5, '“A”')]) } });
  await compareTurn(app, seq(6));
  expect(parsePair(app.diff)).toEqual({ left: 'c', view: 'story', leftPart: { turn: 1 } });
  compareStretch(app, seq(3), seq(8));
  expect(parsePair(app.diff)).toMatchObject({ left: 'c', leftPart: { from: 3, to: 8 } });
  expect(app.view).toBe('compare');
});

test('a replay is shown in the comparison with its live session', async () => {
  const app = await runningApp({});
  app.diff = 'c~d';
  await openReplayOf(app, { connection: connectionId('c') });
  expect([app.view, app.diff]).toEqual(['compare', undefined]);
});
