// An agent that is none: it does what the first word says, in its own folder.
//   play    writes the files 000.bytes, 001.bytes, … to stdout, each in one write, and waits for the
//           end of its stdin, which it keeps in wire.client
//   silent  reads and says nothing
//   greets  answers `initialize`, and nothing after it
//   drip    says a line of 40 a's every 20 ms, until its stdin ends
//   quit    says why on stderr, and ends at once
//   leaves  the same, and leaves a program behind that went out of its group
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [does] = process.argv.slice(2);

if (does === 'quit') {
  console.error('raw: no licence key found');
  process.exitCode = 7;
} else if (does === 'leaves') {
  await once(spawn('setsid', ['sleep', '1000'], { stdio: 'ignore' }), 'spawn');
  process.exit(7);
} else if (does === 'silent') {
  process.stdin.resume();
} else if (does === 'greets') {
  process.stdin.once('data', () =>
    console.log('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}'),
  );
} else if (does === 'drip') {
  process.stdin.resume();
  const drip = setInterval(() => console.log(`${'a'.repeat(40)}!`), 20);
  process.stdin.once('end', () => clearInterval(drip));
} else {
  process.stdin.pipe(createWriteStream('wire.client'));
  for (const name of readdirSync('.').sort()) {
    if (!name.endsWith('.bytes')) continue;
    await new Promise((resolve) => process.stdout.write(readFileSync(name), resolve));
    await sleep(5);
  }
}
