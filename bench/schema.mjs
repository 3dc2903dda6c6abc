// How fast messages are held against the schemas, with words for what is odd: beside validators that
// Ajv compiles from the same schemas, which say yes or no. Traffic of real agents, of chunks,
// and of an agent that is odd in every frame.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, ROOT } from './product.mjs';
import { printTable } from './table.mjs';
import { traffic } from './traffic.mjs';

const { frameRemarks, loadSchemaSet, messageOf, idKey, parseMessage, TraceReader, Validators } =
  await load(
    'acp/message.ts',
    'acp/schema/frame-check.ts',
    'model/timeline/digest.ts',
    'test/traces/validators.ts',
    'trace/read.ts',
  );

const FRAMES = 300_000;
const require = createRequire(import.meta.url);
const sets = [await loadSchemaSet(1), await loadSchemaSet(2)];
const ajv = [1, 2].map((version) =>
  ['schema', 'schema.unstable'].map((name) => {
    const path = require.resolve(`@agentclientprotocol/sdk/schema/v${version}/${name}.json`);
    return new Validators(JSON.parse(readFileSync(path, 'utf8')));
  }),
);

/** Frames of one trace as the checker sees them, each answer with the method of its request. */
function cases(frames) {
  const methods = new Map();
  const other = { client: 'agent', agent: 'client' };
  const version = frames.some(({ line }) => /"protocolVersion": ?2/.test(line.text)) ? 2 : 1;
  return frames.map(({ from, line }) => {
    const message = messageOf({ line });
    const key = 'id' in message ? idKey(message.id) : '';
    if (message.kind === 'request') methods.set(from + key, message.method);
    const isAnswer = message.kind === 'success' || message.kind === 'failure';
    const asked = isAnswer ? methods.get(other[from] + key) : undefined;
    return { version, from, message, asked, text: line.text };
  });
}

function recorded() {
  const folder = join(ROOT, 'src/test/fixtures');
  // Not what shows the format, or other tools' files: odd on purpose.
  const files = readdirSync(folder, { recursive: true }).filter(
    (name) => name.endsWith('.jsonl') && !/^(format|imports)\b/.test(name),
  );
  return files.flatMap((name) => {
    const reader = new TraceReader();
    const items = [...reader.push(readFileSync(join(folder, name))), ...reader.end()];
    return cases(items.map(({ event }) => event).filter(({ type }) => type === 'frame'));
  });
}

/** `extra`: what an agent adds to each of its updates. */
function turns(extra = '') {
  const frames = [];
  for (const [from, text] of traffic()) {
    const line = { text: text.replace('"update":{', `"update":{${extra}`) };
    if (frames.push({ type: 'frame', from, line }) === 5000) break;
  }
  return cases(frames);
}

function ours({ version, from, message, asked }) {
  return frameRemarks(sets[version - 1], from, message, asked).length;
}
function theirs(stability) {
  return ({ version, from, message, asked }) => {
    const validators = ajv[version - 1][stability];
    switch (message.kind) {
      case 'request':
        return validators.of(from, message.method, 'params')?.(message.params) ? 0 : 1;
      case 'notification':
        return validators.of(from, message.method, 'notification')?.(message.params) ? 0 : 1;
      case 'success':
        return asked && validators.of(from, asked, 'result')?.(message.result) ? 0 : 1;
      default:
        return 0;
    }
  };
}

const WAYS = [
  ['JSON.parse of the line (yardstick)', ({ text }) => (JSON.parse(text) ? 0 : 1)],
  ['parseMessage', ({ text }) => (parseMessage(text) ? 0 : 1)],
  ['Ajv, stable: yes or no', theirs(0)],
  ['Ajv, unstable: yes or no', theirs(1)],
  ['frameRemarks: both, in words', ours],
];

for (const [name, all] of [
  ['recordings of real agents', recorded()],
  ['turns of chunks', turns()],
  ['the same, a field nobody knows in each', turns('"chunkIndex":1,')],
]) {
  const bytes = all.reduce((sum, { text }) => sum + text.length, 0) / all.length;
  const clean = all.filter((one) => ours(one) === 0);
  const run = (work, list) => {
    for (const one of list) work(one);
    const started = performance.now();
    for (let i = 0; i < FRAMES; i++) work(list[i % list.length]);
    return FRAMES / ((performance.now() - started) / 1000);
  };
  const rows = WAYS.map(([what, work]) => {
    const [everything, nothing] = [run(work, all), run(work, clean)];
    return [what, `${(everything / 1000).toFixed(0)}k/s`, `${(nothing / 1000).toFixed(0)}k/s`];
  });
  const share = `${((clean.length / all.length) * 100).toFixed(0)}% without a remark`;
  printTable(
    `Schemas: ${name}, ${all.length} frames of ${bytes.toFixed(0)} bytes, ${share}`,
    ['', 'all', 'without a remark'],
    rows,
  );
}
