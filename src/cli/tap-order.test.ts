// What the two sides of a tap see, and in which order: the same as at a bare pipe.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildBin } from '../test/programs/built-bin.ts';

let bin: string;
let folder: string;
beforeAll(async () => {
  bin = await buildBin();
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-order-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** Notes what happens to the agent, one word after the other, in a file. */
const NOTING = `
  const note = (word) => require('node:fs').appendFileSync(process.argv[1], word + ' ');
  process.stdin.on('data', (data) => note('in:' + data.toString().trim())).on('end', () => note('in-end')).on('close', () => note('in-close'));
  process.stdout.on('error', ({ code }) => note(code));
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => note(name));
  const say = (text, then) => process.stdout.write(text + '\\n', then);
  const on = (word, act) => process.stdin.on('data', (data) => data.toString().includes(word) && act());`;

interface Case {
  readonly name: string;
  /** What the agent does beside noting. */
  readonly agent: string;
  /** What the editor does; it goes on when the agent has said something. */
  readonly editor: (child: ChildProcessWithoutNullStreams, said: () => Promise<unknown>) => unknown;
}

const CASES: readonly Case[] = [
  {
    name: 'the editor closes its end, and the agent has still something to say',
    agent: `process.stdin.on('end', () => say('late', () => process.exit(0)));`,
    editor: (child) => void child.stdin.end('one\n'),
  },
  {
    name: 'the agent closes its output and lives, then its input ends',
    agent: `on('go', () => say('last', () => require('node:fs').closeSync(1)));
      process.stdin.on('end', () => setTimeout(() => process.exit(3), 50));`,
    async editor(child) {
      child.stdin.write('go\n');
      await once(child.stdout, 'end');
      child.stdin.end();
    },
  },
  {
    name: 'a signal, words, and an end of its own',
    agent: `process.on('SIGTERM', () => say('bye', () => process.exit(5))); say('up'); setInterval(() => {}, 1e6);`,
    async editor(child, said) {
      await said();
      child.kill('SIGTERM');
    },
  },
  {
    name: 'two signals that it heeds, then the end of its input',
    agent: `process.on('SIGHUP', () => say('again')); process.on('SIGINT', () => say('first'));
      process.stdin.on('end', () => process.exit(0)); say('up');`,
    async editor(child, said) {
      await said();
      child.kill('SIGINT');
      await said();
      child.kill('SIGHUP');
      await said();
      child.stdin.end();
    },
  },
  {
    name: 'the editor reads no more, and the agent writes on',
    agent: `process.stdout.once('error', () => process.exit(9));
      say('up'); on('go', () => setInterval(() => say('more'), 5));`,
    async editor(child, said) {
      await said();
      child.stdout.destroy();
      child.stdin.write('go\n');
    },
  },
  {
    name: 'the agent dies in the middle of a line',
    agent: `process.stdout.write('{"half":', () => process.kill(process.pid, 'SIGKILL'));`,
    editor: () => undefined,
  },
];

/** What both saw: the agent its words, the editor the ends of its streams and of the process. */
async function seen({ agent, editor, name }: Case, way: 'bare' | 'tapped') {
  const notes = join(folder, `${way}-${CASES.findIndex((one) => one.name === name)}`);
  const argv = [process.execPath, '-e', NOTING + agent, notes];
  const words = way === 'bare' ? argv : [process.execPath, bin, 'tap', '--', ...argv];
  const [command = '', ...args] = words;
  const env = { ...process.env, ACP_SCOPE_STATE: join(folder, 'state') };
  const child = spawn(command, args, { cwd: folder, env });
  child.stdin.on('error', () => undefined);
  const order: string[] = [];
  let out = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stdout.once('end', () => order.push(`out-end after ${JSON.stringify(out)}`));
  child.once('exit', (code, signal) => order.push(`exit ${code ?? signal}`));
  const closed = once(child, 'close');
  await editor(child, () => once(child.stdout, 'data'));
  await closed;
  // The end of a stream and that of a process come by two ways, in either order.
  return { agent: readFileSync(notes, { encoding: 'utf8', flag: 'a+' }), editor: order.toSorted() };
}

// Windows has no signals.
describe.skipIf(process.platform === 'win32')(
  'R-65: both sides see the same, in the same order,',
  () => {
    test.each(CASES)('where $name', async (one) => {
      const bare = await seen(one, 'bare');
      expect(await seen(one, 'tapped')).toEqual(bare);
      expect(bare.editor.join()).toMatch(/exit/);
    });
  },
);
