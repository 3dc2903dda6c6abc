// How fast the reducer folds a session, and what it costs to stand at any frame of a long one: beside
// folding from the first frame on, in the same run.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from './product.mjs';
import { median, printTable } from './table.mjs';
import { traffic } from './traffic.mjs';

const { freshState, messageOf, reduce, StateLooks, Track } = await load(
  'model/timeline/digest.ts',
  'model/fold/look.ts',
  'model/fold/patch.ts',
  'model/fold/reduce.ts',
  'model/fold/state.ts',
  'model/fold/track.ts',
);
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

const FRAMES = 1_000_000;
const JUMPS = 200;
/** Frames whose messages are kept, for the reducer alone. */
const PARSED = 200_000;

/** All of it in one session that is never loaded anew, so that nothing is passed over. */
const sessionId = '7c1e4f2a-90d3-4c55-8e1b-000000000000';
const lines = [];
for (const [from, said] of traffic()) {
  const text = said
    .replace(/7c1e4f2a-90d3-4c55-8e1b-\d+/, sessionId)
    .replace('session/load', 'session/prompt');
  if (lines.push({ from, text }) === FRAMES) break;
}
const read = (place) => {
  const { from, text } = lines[place];
  const line = { text };
  const event = { type: 'frame', seq: place + 1, at: place, from, line, origin: 'peer' };
  return { event, message: messageOf(event), replay: false, late: false, size: text.length };
};
const memory = () => {
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}
const rate = (frames, ms) => `${(frames / ms).toFixed(0)}k/s`;
const rows = [];

const steps = Array.from({ length: PARSED }, (_, place) => read(place));
let state;
const fold = () => {
  state = freshState(sessionId);
  for (const { event, message, replay, late } of steps)
    state = reduce(state, event, message, { replay, late });
};
fold();
const alone = median([1, 2, 3].map(() => timed(fold)));
rows.push(['the reducer alone, on parsed messages', rate(PARSED, alone), '']);
steps.length = 0;
state = undefined;

const before = memory();
const track = new Track(freshState(sessionId));
const all = timed(() => {
  for (let place = 0; place < FRAMES; place++) track.take(place, read(place));
});
const kept = memory() - before;
rows.push(['parse, fold and keep states', rate(FRAMES, all), `${(kept / 1e6).toFixed(0)} MB kept`]);

const naive = () => {
  const place = Math.floor(Math.random() * FRAMES);
  let folded = freshState(sessionId);
  for (let at = 0; at < place; at++) {
    const { event, message, ...flags } = read(at);
    folded = reduce(folded, event, message, flags);
  }
};
const refolds = [1, 2, 3].map(() => timed(naive));
const looks = new StateLooks();
let since = 0;
const jump = (place) => {
  const earlier = track.before(place, read);
  const now = track.before(place + 1, read);
  since = looks.give(now, track.state, { since, most: 200 }, earlier).version;
};
const jumps = Array.from({ length: JUMPS }, () =>
  timed(() => jump(Math.floor(Math.random() * (FRAMES - 1)))),
).sort((a, b) => a - b);
const forth = timed(() => {
  for (let i = 0; i < JUMPS; i++) jump(FRAMES / 2 + i);
});
const ms = (time) => `${time.toFixed(time < 10 ? 2 : 0)} ms`;
rows.push(
  [
    'a random frame, folded from the first on',
    ms(median(refolds)),
    `most ${ms(Math.max(...refolds))}`,
  ],
  ['a random frame: state, its patch, 200 items', ms(median(jumps)), `most ${ms(jumps.at(-1))}`],
  ['the next frame, the same', ms(forth / JUMPS), ''],
);
printTable(
  `A session of ${FRAMES.toLocaleString('en-US')} frames, ${track.state.items.length.toLocaleString('en-US')} items`,
  ['', 'median', ''],
  rows,
);
