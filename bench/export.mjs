// Traces that leave without their secrets, of one for each thousand frames: how long it takes and the most memory
// it holds, which must not grow with the trace. What was written is read and exported again, and must be the same.
// Beside it a program that only parses the lines and writes them. Run after `npm run build`, on Linux.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, scratch } from './product.mjs';
import { printTable } from './table.mjs';
import { writeTrace } from './traffic.mjs';

const SIZES = [100_000, 300_000, 1_000_000];
/** Of the largest, as a multiple of what the smallest took. */
const MOST_GROWTH = 1.5;
const BARE = `
  const { createReadStream, createWriteStream } = require('node:fs');
  const out = createWriteStream(process.argv[2]);
  (async () => {
    for await (const line of require('node:readline').createInterface({ input: createReadStream(process.argv[1]) }))
      if (!out.write(JSON.stringify(JSON.parse(line)) + '\\n')) await new Promise((resolve) => out.once('drain', resolve));
    out.end();
  })();`;

/** A token of a service in a frame of a thousand, each another one. */
const withSecret = (line, seq) =>
  seq % 1000 === 500
    ? line.replace(
        'of the answer',
        `ghp_${createHash('sha256').update(`${seq}`).digest('hex').slice(0, 36)}`,
      )
    : line;

/** Seconds, and the most megabytes held. Throws where it fails. */
async function run(...args) {
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const began = performance.now();
  let most = 0;
  const look = setInterval(() => {
    try {
      const [, kilobytes] =
        /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      most = Math.max(most, Number(kilobytes ?? 0) / 1024);
    } catch {
      // It has ended.
    }
  }, 20);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, most };
}

/** What all lines behind the header say, their number, and how many hold a secret. */
async function told(path) {
  const hash = createHash('sha256');
  let lines = -1;
  let secrets = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (++lines === 0) continue;
    hash.update(line);
    if (line.includes('ghp_')) secrets++;
  }
  return { hash: hash.digest('hex'), lines, secrets };
}

const exported = (input, out) =>
  run(
    join(ROOT, 'dist-node/acp-scope.js'),
    'export',
    input,
    out,
    '--level',
    'no-secrets',
    '--force',
  );

const folder = scratch();
const [input, out, again, copy] = ['in', 'out', 'again', 'copy'].map((name) =>
  join(folder, `${name}.acptrace.jsonl`),
);
const rows = [];
const held = [];
for (const size of SIZES) {
  await writeTrace(input, size, withSecret);
  const bare = await run('-e', BARE, input, copy);
  const ours = await exported(input, out);
  const second = await exported(out, again);
  const [one, other] = [await told(out), await told(again)];
  const isSame = one.hash === other.hash && one.lines === size && one.secrets === 0;
  if (!isSame) process.exitCode = 1;
  held.push(ours.most);
  rows.push([
    size.toLocaleString('en'),
    ...[ours, bare].flatMap(({ seconds, most }) => [
      `${seconds.toFixed(1)} s`,
      `${most.toFixed(0)} MB`,
    ]),
    isSame ? 'the same' : 'ANOTHER',
    `${second.seconds.toFixed(1)} s`,
  ]);
}
printTable(
  'Exporting without secrets',
  ['frames', 'time', 'memory', 'bare time', 'bare memory', 'exported again', 'in'],
  rows,
);
if (held.at(-1) > held[0] * MOST_GROWTH) process.exitCode = 1;
