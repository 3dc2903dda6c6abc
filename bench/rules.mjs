// How fast traces are held against the rules: rules and folds alone, with the schemas, and the whole
// way from the line. Recordings of real agents, told again and again under fresh ids; beside
// JSON.parse of the same lines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, ROOT } from './product.mjs';
import { median, printTable } from './table.mjs';

const {
  againstOf,
  Checker,
  checkTrace,
  FOLDS,
  lineSize,
  loadRemarks,
  messageOf,
  RecorderReader,
  RULES,
  World,
} = await load(
  'model/timeline/digest.ts',
  'rules/check-trace.ts',
  'rules/checker.ts',
  'rules/evidence.ts',
  'rules/steps.ts',
  'rules/registry.ts',
  'rules/connection.ts',
  'trace/import/recorder.ts',
  'trace/line.ts',
);

const FRAMES = 200_000;
const ROUNDS = 3;
const remarksOf = await loadRemarks();

const TRACES = [
  ['v1', ['claude-agent-acp/0.100.0/live-v1', 'claude-agent-acp/0.100.0/load-v1']],
  ['v2', ['claude-agent-acp/0.100.0/live-v2', 'claude-agent-acp/0.100.0/replay-v2']],
];

/** Ids that a second telling must not share with the first. */
const FRESH = new Set(['sessionId', 'messageId', 'toolCallId', 'terminalId', 'compactionId']);

/** The same message in another round: ids are fresh, all else is as it was. */
function again(message, round) {
  const id = (value) =>
    typeof value === 'number' ? value + round * 10_000 : `${String(value)}-${round}`;
  const walk = (value) => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const fresh = FRESH.has(key) && typeof inner === 'string';
        return [key, fresh ? id(inner) : key === 'requestId' ? id(inner) : walk(inner)];
      }),
    );
  };
  const told = walk(message);
  return message.id === undefined ? told : { ...told, id: id(message.id) };
}

/** One connection of many frames: the handshake of the first recording, then all, over and over. */
function events(names) {
  const parts = names.map((name) => {
    const reader = new RecorderReader();
    const bytes = readFileSync(join(ROOT, 'src/test/fixtures', `${name}.ndjson`));
    const items = [...reader.push(bytes), ...reader.end()];
    return items.flatMap(({ event }) => {
      if (event?.type !== 'frame') return [];
      const message = JSON.parse(event.line.text);
      return { event, message };
    });
  });
  const made = [];
  const add = ({ event, message }) => {
    const seq = made.length + 1;
    made.push({ ...event, seq, at: seq, line: { text: JSON.stringify(message) } });
  };
  const shaken = ({ message }) =>
    message.method === 'initialize' || message.result?.protocolVersion !== undefined;
  parts[0].filter(shaken).forEach(add);
  for (let round = 1; made.length < FRAMES; round++)
    for (const [i, part] of parts.entries())
      for (const one of part)
        if (!shaken(one) && made.length < FRAMES)
          add({ ...one, message: again(one.message, round * parts.length + i) });
  return made;
}

/** What the checker is given, made before the clock starts. */
function taken(all) {
  return all.map((event) => [event, messageOf(event), lineSize(event.line)]);
}

function checked(cases, remarks) {
  const checker = new Checker({
    connection: 'c1',
    world: new World(),
    rules: RULES,
    folds: FOLDS,
    ...(remarks && { remarksOf: remarks }),
  });
  for (const [event, message, size] of cases) checker.append(event, message, size);
  checker.end(cases.at(-1)[0]);
  return checker.book.findings(againstOf('auto', checker.connection)).length;
}

const heads = ['', 'time', 'frames/s', 'of JSON.parse'];
for (const [version, names] of TRACES) {
  const all = events(names);
  let made;
  const cases = () => (made ??= taken(all));
  const bytes = all.reduce((sum, { line }) => sum + line.text.length, 0) / all.length;
  const ways = [
    ['JSON.parse of the lines (yardstick)', () => all.forEach(({ line }) => JSON.parse(line.text))],
    ['from the line: message, rules, folds', () => checkTrace(all)],
    ['from the line, with schemas', () => checkTrace(all, { remarksOf })],
    // Made last, because so many messages kept would slow the garbage collector for the others.
    ['rules and folds alone', () => checked(cases())],
    ['rules, folds and schemas', () => checked(cases(), remarksOf)],
  ];
  const times = ways.map(([, work]) => {
    work();
    return median(
      Array.from({ length: ROUNDS }, () => {
        const started = performance.now();
        work();
        return performance.now() - started;
      }),
    );
  });
  printTable(
    `Rules: ${FRAMES} frames of ${version}, ${bytes.toFixed(0)} bytes each, ${RULES.length} rules`,
    heads,
    ways.map(([name], i) => [
      name,
      `${times[i].toFixed(0)} ms`,
      `${(FRAMES / times[i]).toFixed(0)}k/s`,
      (times[i] / times[0]).toFixed(2),
    ]),
  );
}
