import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Adapter } from '../../drive/adapt/adapter.ts';
import type { TapEnd } from '../../relay/tap.ts';
import { runAdapter } from './adapt-flow.ts';
import { AdaptStore } from './adapt-store.ts';

interface Ran {
  readonly end: TapEnd;
  readonly out: Buffer;
  readonly err: string;
}

function streams() {
  const [editor, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  output.on('data', (chunk: Buffer) => out.push(chunk));
  errors.on('data', (chunk: Buffer) => err.push(chunk));
  return { editor, output, errors, out, err };
}

function start(argv: readonly string[], { editor, output, errors }: ReturnType<typeof streams>) {
  const folder = mkdtempSync(join(tmpdir(), 'adapt-'));
  const store = new AdaptStore({ folder, agent: 'a', tool: 't', say: () => undefined });
  const adapter = new Adapter({ history: store, idBase: 'own', uuid: randomUUID });
  const program = { argv, cwd: folder, env: {} };
  return runAdapter({ program, store, adapter, input: editor, output, errors });
}

/** An editor that writes these chunks to an agent that is a small Node program. */
async function adapted(code: string, input: readonly Uint8Array[]): Promise<Ran> {
  const all = streams();
  const running = start([process.execPath, '-e', code], all);
  for (const chunk of input) all.editor.write(chunk);
  all.editor.end();
  const end = await running;
  await delay(0);
  return { end, out: Buffer.concat(all.out), err: Buffer.concat(all.err).toString() };
}

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const ECHO = 'process.stdin.pipe(process.stdout)';
const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n';

/** An agent that answers the handshake as one that resumes, and then says back what it is told. */
const RESUMES = `
  process.stdin.once('data', (first) => {
    const result = {protocolVersion:1,agentCapabilities:{sessionCapabilities:{resume:{}}}};
    process.stdout.write(JSON.stringify({jsonrpc:'2.0',id:1,result})+'\\n');
    process.stdout.write(first.subarray(first.indexOf(10) + 1));
    process.stdin.pipe(process.stdout);
  });`;

/** Any bytes, cut anywhere; none of its lines is a message. */
function anyBytes(): Buffer[] {
  const words = Buffer.from('\r\n\n{"a":"日本"}\n[]\nno newline');
  const bytes = Buffer.concat([randomBytes(300_000), words]);
  return Array.from({ length: 40 }, (_, i) =>
    bytes.subarray((i * bytes.length) / 40, ((i + 1) * bytes.length) / 40),
  );
}

test.each([
  ['before any handshake', ECHO, ''],
  ['while it records', RESUMES, INITIALIZE],
])('R-62 any bytes pass unchanged, both ways: %s', async (_, code, first) => {
  const chunks = anyBytes();
  const { out, end } = await adapted(code, [Buffer.from(first), ...chunks]);
  expect(end).toEqual({ kind: 'code', code: 0 });
  const passed = first === '' ? out : out.subarray(out.indexOf(10) + 1);
  expect(sha(passed)).toBe(sha(Buffer.concat(chunks)));
});

test('R-07 a line of many megabytes goes on before it ends', async () => {
  const all = streams();
  const running = start([process.execPath, '-e', ECHO], all);
  const part = Buffer.alloc(3_000_000, 'x');
  all.editor.write(part);
  while (Buffer.concat(all.out).length < part.length) await delay(5);
  all.editor.write('\n');
  all.editor.end();
  await running;
  expect(Buffer.concat(all.out).length).toBe(part.length + 1);
});

test('R-65 the end of the editor’s output is the end of the agent’s input', async () => {
  const code = 'process.stdin.on("end", () => console.log("ended")).resume()';
  expect((await adapted(code, [])).out.toString()).toBe('ended\n');
});

test('E-05 R-41 the exit code and everything before it are handed on', async () => {
  const code = 'process.stdout.write("x".repeat(1e6)+"\\n", () => process.exit(3))';
  const { end, out } = await adapted(code, []);
  expect(end).toEqual({ kind: 'code', code: 3 });
  expect(out.length).toBe(1_000_001);
});

test.skipIf(process.platform === 'win32')('R-41 so is the signal it died of', async () => {
  const { end } = await adapted('process.kill(process.pid, "SIGKILL")', []);
  expect(end).toEqual({ kind: 'signal', signal: 'SIGKILL' });
});

test('R-16 stderr goes on as it is', async () => {
  const { err } = await adapted('console.error("one"); console.error("two")', []);
  expect(err).toBe('one\ntwo\n');
});

test('R-42 an agent that does not exist is a sentence', async () => {
  const end = await start(['acp-scope-no-such-agent'], streams());
  expect(end).toMatchObject({ kind: 'problem', problem: { code: 'not_found' } });
});

test('R-19 an editor that does not read makes the agent wait', async () => {
  const all = streams();
  all.output.removeAllListeners('data');
  all.output.pause();
  const code = `
    let left = 100;
    const go = () => {
      while (left-- > 0)
        if (!process.stdout.write(Buffer.alloc(65536, 'x'.repeat(1023) + '\\n'))) return process.stdout.once('drain', go);
    };
    go();`;
  const running = start([process.execPath, '-e', code], all);
  const waiting = () => all.output.readableLength + all.output.writableLength;
  for (let last = -1, same = 0; same < 10; last = waiting()) {
    await delay(20);
    same = waiting() > 0 && waiting() === last ? same + 1 : 0;
  }
  expect(waiting()).toBeLessThan(1e6);
  let bytes = 0;
  all.output.on('data', (chunk: Buffer) => (bytes += chunk.length));
  all.output.resume();
  all.editor.end();
  expect(await running).toEqual({ kind: 'code', code: 0 });
  expect(bytes).toBe(100 * 65536);
});

test('an agent that needs no adapter is left alone, and one sentence says so', async () => {
  const code = `process.stdin.on('data', () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}\\nthen\\n'))`;
  const { out, err } = await adapted(code, [Buffer.from(INITIALIZE)]);
  expect(out.toString()).toMatch(/^\{"jsonrpc":"2\.0","id":1,.*true\}\}\}\nthen\n$/);
  expect(err).toBe(
    'acp-scope adapt: The agent can load sessions by itself, so it needs no adapter. Everything is passed through as it is.\n',
  );
});
