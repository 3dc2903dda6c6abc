import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import type { Moment, PlayheadMove } from '../../model/fold/moments.ts';
import { seq } from '../../trace/event.ts';
import { Playback } from './playback.svelte.ts';
import { connectionFacts, runningApp, sessionFacts } from '../../test/programs/running-app.ts';

/** Frames #1 … at these times; each picture comes 16 ms after the one before. */
async function playing(times: readonly number[]) {
  const seen: number[] = [];
  const moment = (index: number): Moment => {
    const nth = Math.max(0, Math.min(index, times.length - 1));
    const next = times[nth + 1];
    seen.push(nth + 1);
    return {
      seq: seq(nth + 1),
      at: millis(times[nth] ?? 0),
      nth: nth + 1,
      of: times.length,
      ...(next === undefined ? {} : { next: millis(next) }),
    };
  };
  const find = (walk: PlayheadMove): Moment => {
    switch (walk.to) {
      case 'seq':
        return moment(walk.seq - 1);
      case 'time':
        return moment(times.findLastIndex((time) => time <= walk.at));
      case 'frame':
      case 'item':
        return moment((walk.from ?? times.length) - 1 + walk.by);
    }
  };
  const app = await runningApp(
    {
      sessions: { moment: (_, __, walk) => Promise.resolve(find(walk)) },
      findings: {
        next: (_, from, direction) =>
          Promise.resolve(
            direction > 0
              ? [2, 4, 7].map(seq).find((one) => one > from)
              : [2, 4, 7].map(seq).findLast((one) => one < from),
          ),
      },
    },
    connectionFacts({ sessions: [sessionFacts('s1')] }),
  );
  let now = 0;
  let pictures = 0;
  const playback = new Playback(app, (run) => {
    now += 16;
    pictures++;
    queueMicrotask(() => run(now));
  });
  return { app, playback, seen, pictures: () => pictures };
}

test('steps go from the live end back, and stop at the first and the last frame', async () => {
  const { app, playback } = await playing([0, 10, 20]);
  await playback.step(-1);
  expect(app.playhead).toBe(2);
  await playback.step(-5);
  expect(playback.moment).toMatchObject({ seq: 1, nth: 1, of: 3 });
  await playback.step(9);
  expect(app.playhead).toBe(3);
  playback.toLive();
  expect([app.playhead, playback.moment]).toEqual([undefined, undefined]);
});

test('steps asked for at once are as many steps, and of many seeks the last one counts', async () => {
  const { app, playback, seen } = await playing([0, 10, 20, 30, 40]);
  await Promise.all([playback.step(-1), playback.step(-1), playback.step(-1)]);
  expect(app.playhead).toBe(2);
  const before = seen.length;
  await Promise.all([0, 10, 20, 30].map((at) => playback.seekTime(at)));
  expect(app.playhead).toBe(4);
  expect(seen.length - before).toBe(1);
});

test('the live end is where one stays, also when steps asked for before are still on their way', async () => {
  const { app, playback } = await playing([0, 10, 20]);
  const steps = [playback.step(-1), playback.step(-1)];
  playback.toLive();
  await Promise.all(steps);
  expect([app.playhead, playback.moment]).toEqual([undefined, undefined]);
  await playback.step(-1);
  expect(app.playhead).toBe(2);
});

test('playing begins at the first frame, takes the time the frames took, and ends at the last', async () => {
  const { app, playback, pictures } = await playing([0, 160, 320, 480]);
  await playback.play();
  expect(app.playhead).toBe(4);
  expect(playback.playing).toBe(false);
  expect(pictures()).toBeGreaterThan(30);
  const slow = pictures();
  playback.speed = 4;
  await playback.play();
  expect(pictures() - slow).toBeLessThan(slow / 2);
});

test('silence is passed over, and times that run backwards hold nobody up', async () => {
  const { app, playback, pictures } = await playing([0, 600_000, 599_000, 599_010]);
  await playback.play();
  expect(app.playhead).toBe(4);
  expect(pictures()).toBeLessThan(100);
});

test('a step, a seek and another playhead stop the playing', async () => {
  const { app, playback } = await playing([0, 100_000]);
  const done = playback.play();
  await playback.seek(seq(1));
  await done;
  expect(playback.playing).toBe(false);
  app.playhead = seq(2);
  await playback.sync();
  expect(playback.moment?.seq).toBe(2);
  app.playhead = undefined;
  await playback.sync();
  expect(playback.moment).toBeUndefined();
});

test('at most speed the whole session goes by in a few hundred pictures', async () => {
  const { app, playback, pictures } = await playing(
    Array.from({ length: 10_000 }, (_, i) => i * 1000),
  );
  playback.speed = 'max';
  await playback.play();
  expect(app.playhead).toBe(10_000);
  expect(pictures()).toBeLessThan(320);
});

test('the next finding is one of the session; without any it stays where it is', async () => {
  const { app, playback } = await playing([0, 10, 20, 30, 40]);
  await playback.seek(seq(1));
  await playback.stepFinding(1);
  expect(app.playhead).toBe(2);
  await playback.stepFinding(1);
  expect(app.playhead).toBe(4);
  await playback.stepFinding(1);
  expect(app.playhead).toBe(4);
  expect(app.news.at(-1)?.text).toContain('No finding in this session after');
  await playback.stepFinding(-1);
  expect(app.playhead).toBe(2);
});

test('a trace without times plays frame by frame, each as long as the next', async () => {
  const { playback, seen, pictures } = await playing([NaN, NaN, NaN, NaN]);
  await playback.play();
  expect(playback.playing).toBe(false);
  expect([...new Set(seen)]).toEqual([1, 2, 3, 4]);
  expect(pictures()).toBeGreaterThan(3 * 10);
});
