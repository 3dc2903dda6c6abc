// Queries over a trace of 1,000,000 frames as the page holds it: terms on columns, text, patterns and
// paths, with the time to the first hits. Beside a bare scan of the same bytes for the same text.
import { load } from './product.mjs';
import { median, printTable } from './table.mjs';
import { traffic } from './traffic.mjs';

const { eventLine, findIn, OpenTrace, TimelineView } = await load(
  'engine/traces/open-trace.ts',
  'model/query/find.ts',
  'model/timeline/timeline-view.ts',
  'trace/format.ts',
);

const FRAMES = 1_000_000;
/** Lines of one chunk of bytes: what a stored block holds. */
const BLOCK = 4000;
const ROUNDS = 3;

const open = new OpenTrace('bench', (id) => `S${Number(id.slice(-12))}`, 'gone');
const chunks = [];
let bytes = 0;
let lines = [];
let at = 0;
for (const [number, [from, text]] of numbered(traffic())) {
  at += text.includes('"result"') ? 250 : 3;
  const event = { type: 'frame', seq: number, at, from, line: { text }, origin: 'peer' };
  lines.push(`${eventLine(event)}\n`);
  if (number % BLOCK !== 0 && number < FRAMES) continue;
  const chunk = new TextEncoder().encode(lines.join(''));
  lines = [];
  bytes += chunk.length;
  chunks.push(chunk);
  open.take(chunk, 0, () => false);
  if (number === FRAMES) break;
}

function* numbered(items) {
  let number = 0;
  for (const item of items) yield [++number, item];
}

/** As the page's worker looks into lines, but in this thread: the way of the bytes to it is not timed. */
const finder = { find: (ask) => Promise.resolve(findIn(ask, () => undefined)) };

async function asked(query) {
  let first;
  let began = 0;
  const view = new TimelineView(open.index, (place) => open.lines.event(place), {
    searched: open.lines,
    finder,
    changed: () => {
      if (view.state().counts.shown > 0) first ??= performance.now() - began;
    },
  });
  const all = [];
  const firsts = [];
  for (let round = 0; round < ROUNDS; round++) {
    await view.setQuery('');
    first = undefined;
    began = performance.now();
    await view.setQuery(query);
    all.push(performance.now() - began);
    firsts.push(first ?? all.at(-1));
  }
  const { counts, queryProblem } = view.state();
  if (queryProblem && counts.shown > 0) throw new Error(queryProblem.message);
  return { first: median(firsts), all: median(all), shown: counts.shown };
}

function scanned(text) {
  const pattern = new RegExp(text.replace(/[^\w ]/g, '\\$&'), 'gi');
  const decoder = new TextDecoder('latin1');
  const took = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    let found = 0;
    for (const chunk of chunks) for (const _ of decoder.decode(chunk).matchAll(pattern)) found++;
    took.push(performance.now() - began);
    if (found < 0) throw new Error('nothing is counted');
  }
  return median(took);
}

const rows = [];
const ms = (time) => (time === undefined ? '' : `${time.toFixed(time < 10 ? 1 : 0)} ms`);
async function row(query, text) {
  const { first, all, shown } = await asked(query);
  const scan = text === undefined ? undefined : scanned(text);
  rows.push([query, shown.toLocaleString('en-US'), ms(first), ms(all), ms(scan)]);
}

for (const query of [
  'update:tool_call',
  '-update:usage_update',
  'side:agent status:completed -session:S3',
  'latency>50 | is:open',
  '(turn:100..200 | session:S7) kind:read',
  'id:500 | tool:call_77_*',
])
  await row(query);
await row('nowhere', 'nowhere');
await row('"msg_9999_2"', 'msg_9999_2');
await row('"chunk 7 of"', 'chunk 7 of');
await row('answer', 'answer');
await row('/msg_(77|78)_1"/');
await row('$.params.update.used>7000');
await row('$.params.update.title~config');

printTable(
  `Queries over ${FRAMES.toLocaleString('en-US')} frames, ${(bytes / 1e6).toFixed(0)} MB (medians of ${ROUNDS})`,
  ['', 'frames found', 'first hits', 'all', 'bare scan of the bytes'],
  rows,
);
