// How fast the model takes in a trace of 1,000,000 frames, and what it costs to show: beside
// JSON.parse of the same lines in the same run. Run with `node bench/run.mjs model`.
import { messageOf } from '../src/model/digest.ts';
import { densityOf } from '../src/model/density.ts';
import { TimelineView } from '../src/model/timeline-view.ts';
import { TraceIndex } from '../src/model/trace-index.ts';
import { vocabularyOf } from '../src/model/vocabulary.ts';
import { millis } from '../src/lib/time.ts';
import { connectionId, seq, type Frame } from '../src/trace/event.ts';
import { lineSize } from '../src/trace/line.ts';
import { printTable } from './table.mjs';

const FRAMES = 1_000_000;
/** Frames that come at once: what a link batch brings. */
const BATCH = 500;

/** A connection of turns: a prompt, a thought, chunks, two tools, usage; a load now and then. */
function* lines(): Generator<readonly [from: Frame['from'], text: string]> {
  const rpc = (body: string): string => `{"jsonrpc":"2.0",${body}}`;
  yield ['client', rpc('"id":0,"method":"initialize","params":{"protocolVersion":1}')];
  yield [
    'agent',
    rpc('"id":0,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}'),
  ];
  for (let turn = 1; ; turn++) {
    const sessionId = `7c1e4f2a-90d3-4c55-8e1b-${String(turn % 20).padStart(12, '0')}`;
    const update = (body: string): readonly ['agent', string] => [
      'agent',
      rpc(`"method":"session/update","params":{"sessionId":"${sessionId}","update":{${body}}}`),
    ];
    const method = turn % 50 === 0 ? 'session/load' : 'session/prompt';
    yield [
      'client',
      rpc(`"id":${turn},"method":"${method}","params":{"sessionId":"${sessionId}"}`),
    ];
    for (let message = 0; message < 4; message++) {
      for (let chunk = 0; chunk < 20; chunk++)
        yield update(
          `"sessionUpdate":"agent_message_chunk","messageId":"msg_${turn}_${message}","content":{"type":"text","text":"chunk ${chunk} of the answer "}`,
        );
      const tool = `"toolCallId":"call_${turn}_${message}"`;
      yield update(
        `"sessionUpdate":"tool_call",${tool},"title":"config.json","kind":"read","status":"pending"`,
      );
      yield update(`"sessionUpdate":"tool_call_update",${tool},"status":"completed"`);
      yield update(`"sessionUpdate":"usage_update","used":${turn},"size":200000`);
    }
    yield ['agent', rpc(`"id":${turn},"result":{"stopReason":"end_turn"}`)];
  }
}

const frames: Frame[] = [];
for (const [from, text] of lines()) {
  const number = frames.length + 1;
  frames.push({
    type: 'frame',
    seq: seq(number),
    at: millis(number),
    from,
    line: { text },
    origin: 'peer',
  });
  if (number === FRAMES) break;
}
const textOf = ({ line }: Frame): string => ('text' in line ? line.text : '');
const eventAt = (index: number): Frame => frames[index] as Frame;

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const rows: (string | number)[][] = [];
const perSecond = (name: string, ms: number): void => {
  const rate = FRAMES / (ms / 1000);
  rows.push([
    name,
    `${ms.toFixed(0)} ms`,
    `${(rate / 1000).toFixed(0)}k/s`,
    `${(ms / parse).toFixed(2)}`,
  ]);
};
const once = (name: string, ms: number): void => {
  rows.push([name, `${ms.toFixed(1)} ms`, '', `${(ms / parse).toFixed(3)}`]);
};

const parse = timed(() => {
  for (const frame of frames) JSON.parse(textOf(frame));
});
perSecond('JSON.parse alone (yardstick)', parse);
perSecond(
  'messages and sizes',
  timed(() => {
    for (const { line } of frames) {
      messageOf(line);
      lineSize(line);
    }
  }),
);

const memory = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const before = memory();
const index = new TraceIndex(connectionId('bench'), (sessionId) => `S${sessionId}`);
const view = new TimelineView(index, eventAt);
let grown = 0;
const slices: number[] = [];
const all = timed(() => {
  let sliceBegan = performance.now();
  frames.forEach((frame, i) => {
    const message = messageOf(frame.line);
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
once(
  'query by text (answer)',
  timed(() => view.setQuery('answer')),
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
