// How fast the model takes in a trace of 1,000,000 frames, and what it costs to show: beside
// JSON.parse of the same lines in the same run.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from './product.mjs';
import { printTable } from './table.mjs';
import { traffic } from './traffic.mjs';

const { densityOf, lineSize, messageOf, TimelineView, TraceIndex, vocabularyOf } = await load(
  'model/timeline/density.ts',
  'model/timeline/digest.ts',
  'model/timeline/timeline-view.ts',
  'model/trace-index.ts',
  'model/query/vocabulary.ts',
  'trace/line.ts',
);
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

const FRAMES = 1_000_000;
/** Frames that come at once: what a link batch brings. */
const BATCH = 500;

const frames = [];
for (const [from, text] of traffic()) {
  const number = frames.length + 1;
  frames.push({
    type: 'frame',
    seq: number,
    at: number,
    from,
    line: { text },
    origin: 'peer',
  });
  if (number === FRAMES) break;
}
const eventAt = (index) => frames[index];

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const rows = [];
const perSecond = (name, ms) => {
  const rate = FRAMES / (ms / 1000);
  rows.push([
    name,
    `${ms.toFixed(0)} ms`,
    `${(rate / 1000).toFixed(0)}k/s`,
    `${(ms / parse).toFixed(2)}`,
  ]);
};
const once = (name, ms) => {
  rows.push([name, `${ms.toFixed(1)} ms`, '', `${(ms / parse).toFixed(3)}`]);
};

const parse = timed(() => {
  for (const frame of frames) JSON.parse(frame.line.text);
});
perSecond('JSON.parse alone (yardstick)', parse);
perSecond(
  'messages and sizes',
  timed(() => {
    for (const { line } of frames) {
      messageOf({ line });
      lineSize(line);
    }
  }),
);

const memory = () => {
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const before = memory();
const index = new TraceIndex('bench', (sessionId) => `S${sessionId}`);
const view = new TimelineView(index, eventAt);
let grown = 0;
const slices = [];
const all = timed(() => {
  let sliceBegan = performance.now();
  frames.forEach((frame, i) => {
    const message = messageOf(frame);
    const size = lineSize(frame.line);
    const started = performance.now();
    index.append(frame, message, size);
    if ((i + 1) % BATCH === 0) view.grow();
    grown += performance.now() - started;
    if ((i + 1) % (FRAMES / 10) !== 0) return;
    slices.push(performance.now() - sliceBegan);
    sliceBegan = performance.now();
  });
  view.grow();
});
const bytes = memory() - before;
perSecond('append and grow', grown);
perSecond('messages, sizes, append and grow', all);
once('last tenth of that, ×10', (slices.at(-1) ?? 0) * 10);
once(
  'query by columns (-update:usage_update)',
  timed(() => view.setQuery('-update:usage_update')),
);
view.setQuery('');
once(
  'open one run',
  timed(() => view.toggle('f4')),
);
const middle = Math.floor(view.state().rows / 2);
once(
  '100 rows',
  timed(() => view.rows(middle, middle + 100)),
);
once(
  'state',
  timed(() => view.state()),
);
once(
  'facts',
  timed(() => index.facts()),
);
once(
  'density of 300 buckets',
  timed(() => densityOf(index, 300)),
);
once(
  'vocabulary',
  timed(() => vocabularyOf(index)),
);

printTable(
  `Model of ${FRAMES.toLocaleString('en-US')} frames: ${view.state().rows.toLocaleString('en-US')} rows, ${(bytes / FRAMES).toFixed(0)} bytes a frame`,
  ['', 'time', 'frames', '÷ JSON.parse'],
  rows,
);
