// An agent that talks all the time, also what is hard to carry: RATE lines a second, by SEED, until its
// stdin ends. Its first line tells its pid, and the last one how many stood between. With LINES it says
// so many of them at once.
// Usage: node talker.mjs SEED RATE [LINES]
import { seeded } from '../chaos/seeded.mjs';

const [seed, rate, lines] = process.argv.slice(2).map(Number);
const random = seeded(seed);
const TICK = 20;
let number = 0;

const note = (params) =>
  JSON.stringify({ jsonrpc: '2.0', method: '_note', params: { number, ...params } });

/** By how often in a thousand: most are plain, few are hard. */
const LINES = [
  [600, () => `${note({ text: 'x'.repeat(random(300)) })}\n`],
  [110, () => `${note({ text: 'ends as on Windows' })}\r\n`],
  [80, () => `noise ${number} that is no message\n`],
  [60, () => Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(` ${number}\n`)])],
  [60, () => `[${note({})},${note({ text: 'two in one line' })}]\n`],
  [50, () => `${note({ count: 0 }).replace('0}', '123456789012345678901234567890}')}\n`],
  [39, () => `\u{1f98a} ${number}  \n`],
  [1, () => `${note({ text: 'y'.repeat(200_000) })}\n`],
];
const ALL = LINES.reduce((sum, [often]) => sum + often, 0);

function nextLine() {
  number++;
  let left = random(ALL);
  const [, make] = LINES.find(([often]) => (left -= often) < 0);
  return Buffer.from(make());
}

async function write(bytes) {
  if (!process.stdout.write(bytes))
    await new Promise((resolve) => process.stdout.once('drain', resolve));
}

let isOver = false;
process.stdin.resume().on('end', () => (isOver = true));
await write(`${note({ pid: process.pid })}\n`);
const began = Date.now();
const due = () => lines ?? ((Date.now() - began) * rate) / 1000;
const isDone = () => (lines === undefined ? isOver : number >= lines);
while (!isDone()) {
  while (number < due() && !isDone()) {
    const line = nextLine();
    // Cut anywhere, also within a character.
    const cut = random(line.length);
    await write(line.subarray(0, cut));
    if (random(20) === 0) await new Promise(setImmediate);
    await write(line.subarray(cut));
  }
  await new Promise((resolve) => setTimeout(resolve, TICK));
}
if (lines === undefined) await write(`${note({ said: number })}\n`);
