// An agent that answers `initialize` and then talks without being asked:
//   node flood.mjs FRAMES RATE DIGEST
// FRAMES lines, RATE a second (0: as fast as they are taken), then writes into the file DIGEST the
// SHA-256 of every byte it wrote, and when it began and ended. Ends when its stdin does.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { traffic } from './traffic.mjs';

const [frames, rate] = process.argv.slice(2, 4).map(Number);
const digest = process.argv[4];
/** Milliseconds between two bursts, and lines of a burst that knows no rate. */
const TICK = 4;
const MOST = 500;

const hash = createHash('sha256');
const lines = traffic();

async function write(text) {
  hash.update(text);
  if (!process.stdout.write(text))
    await new Promise((resolve) => process.stdout.once('drain', resolve));
}

function nextLine() {
  for (;;) {
    const [from, line] = lines.next().value;
    if (from === 'agent' && line.includes('"method"')) return `${line}\n`;
  }
}

async function flood() {
  const began = Date.now();
  for (let sent = 0; sent < frames;) {
    const due = rate === 0 ? sent + MOST : Math.ceil(((Date.now() - began) * rate) / 1000);
    let text = '';
    for (; sent < Math.min(due, frames); sent++) text += nextLine();
    if (text !== '') await write(text);
    if (rate > 0) await new Promise((resolve) => setTimeout(resolve, TICK));
  }
  const facts = { sha256: hash.digest('hex'), began, ended: Date.now() };
  writeFileSync(digest, JSON.stringify(facts));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method !== 'initialize') continue;
  const result = { protocolVersion: 1, agentCapabilities: {} };
  await write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  void flood();
}
