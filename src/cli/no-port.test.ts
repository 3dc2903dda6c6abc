// What each command opens besides files: a hook inside its process tells of every server that listens.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildBin } from '../test/programs/built-bin.ts';
import { WORDS } from './words.ts';

const EXAMPLE = fileURLToPath(new URL('../../public/example.acptrace.jsonl', import.meta.url));
const SCHEMA = fileURLToPath(
  new URL('../../node_modules/@agentclientprotocol/sdk/schema/v1/schema.json', import.meta.url),
);
const HOOK = `
import { Server } from 'node:net';
import { appendFileSync } from 'node:fs';
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  appendFileSync(process.env.LISTENED, process.argv.slice(2).join(' ') + '\\n');
  return listen.apply(this, args);
};`;

let folder: string;
let bin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-no-port-'));
  writeFileSync(join(folder, 'hook.mjs'), HOOK);
  bin = await buildBin();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** The commands that listened while this one ran, and what it printed. */
function run(args: readonly string[], place: number) {
  const listened = join(folder, `listened-${place}`);
  writeFileSync(listened, '');
  const env = {
    ...process.env,
    ACP_SCOPE_STATE: join(folder, `state-${place}`),
    LISTENED: listened,
    NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'hook.mjs')).href}`,
  };
  return new Promise<{ status: number; said: string; listened: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [bin, ...args],
      { env, cwd: folder },
      (error, ...said) =>
        resolve({
          status: error === null ? 0 : Number(error.code),
          said: said.join(''),
          listened: readFileSync(listened, 'utf8'),
        }),
    );
    child.stdin?.end();
  });
}

const QUICK_LAB = ['--protocol', '1', '--variant', 'load', '--stop', 'kill', '--quiet', '50'];
const AGENT = [process.execPath, '-e', 'process.stdin.resume()'];

test('T-21 L-05: what needs no page opens no port and no socket', async () => {
  const commands: (readonly [readonly string[], number])[] = [
    [['check', EXAMPLE], 1],
    [['edition', '--from', SCHEMA, '--id', 'mine', '--out', 'edition.json'], 0],
    [['query', EXAMPLE, 'type:req'], 0],
    [['show', `${EXAMPLE}#1`], 0],
    [['stats', EXAMPLE], 0],
    [['diff', EXAMPLE, EXAMPLE], 0],
    [['fidelity', EXAMPLE], 1],
    [['convert', EXAMPLE, 'out.ndjson'], 0],
    [['export', EXAMPLE, 'shared.acptrace.jsonl'], 0],
    [['minimise', EXAMPLE, 'small.acptrace.jsonl', '--assert', 'none(type:req)', '--most', '5'], 1],
    [['ls'], 0],
    // There is no relay to ask for a link.
    [['open', '--no-open', '--port', '1'], 3],
    [['tap', '--', ...AGENT], 0],
    [['tap', '--out', 'tap.acptrace.jsonl', '--', ...AGENT], 0],
    [['record', '--out', 'record.acptrace.jsonl', '--', process.execPath, bin, 'agent'], 0],
    [['probe', '--list', '--', process.execPath, bin, 'agent'], 0],
    [['adapt', '--load-over-resume', '--', ...AGENT], 0],
    [['lab', ...QUICK_LAB, '--', process.execPath, bin, 'agent'], 0],
    [['replay', EXAMPLE, '--as', 'agent'], 0],
    [
      [
        'replay',
        EXAMPLE,
        '--as',
        'client',
        '--patience',
        '1',
        '--',
        process.execPath,
        bin,
        'agent',
      ],
      1,
    ],
    [['agent'], 0],
  ];
  // The relay itself is the one that is for a page.
  const tried = new Set([...commands.map(([[name]]) => name), 'serve']);
  expect([...tried].sort()).toEqual(Object.keys(WORDS).sort());
  const waiting = commands.map(([args, status], place) => ({ args, status, place }));
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { args, status, place } = next;
      const end = await run(args, place);
      expect([args, end.status, end.listened, end.said]).toEqual([args, status, '', end.said]);
    }
  };
  await Promise.all([worker(), worker()]);
});

test('T-21: the hook sees what does listen', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const { status, listened } = await run(['--no-open', '--port', String(port)], 99);
  taken.close();
  expect([status, listened]).toEqual([3, `--no-open --port ${port}\n`]);
});
