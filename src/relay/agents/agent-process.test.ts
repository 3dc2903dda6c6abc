import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { connectionId, type Frame, type Side, type TraceEvent } from '../../trace/event.ts';
import { agentEnd } from '../../trace/agent-end.ts';
import { lineBytes, lineText } from '../../trace/line.ts';
import { TraceReader } from '../../trace/read.ts';
import { startAgent, type AgentProcess } from './agent-process.ts';
import { awaitsReaping, groupLives } from './kill-tree.ts';
import { DISK, type Disk } from '../spool/disk.ts';
import { Entries } from '../spool/entries.ts';
import { Recorder } from '../spool/recorder.ts';

const posix = process.platform !== 'win32';
let folder: string;
let agents: AgentProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
  agents = [];
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.kill(0)));
  rmSync(folder, { recursive: true, force: true });
});

interface More {
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly disk?: Disk;
}

async function start(script: string, more: More = {}) {
  const argv = [process.execPath, '-e', script, ...(more.args ?? [])];
  const result = await startAgent({
    program: { argv, cwd: folder, env: more.env ?? {} },
    record: () =>
      new Recorder({
        path: join(folder, 'trace.jsonl'),
        connection: connectionId('c'),
        tool: 'acp-scope 0',
        name: 'agent',
        mode: 'drive',
        argv,
        cwd: folder,
        ...(more.disk && { disk: more.disk }),
      }),
  });
  if (!result.ok) throw new Error(result.problem.message);
  agents.push(result.agent);
  return result.agent;
}

async function problemOf(argv: readonly string[], cwd = folder) {
  const result = await startAgent({
    program: { argv, cwd, env: {} },
    record: () => {
      throw new Error('a program that cannot start leaves no recording');
    },
  });
  return result.ok ? undefined : result.problem;
}

function events(): TraceEvent[] {
  const reader = new TraceReader();
  const items = [...reader.push(readFileSync(join(folder, 'trace.jsonl'))), ...reader.end()];
  return items.flatMap((item) => ('event' in item ? [item.event] : []));
}

function texts(type: 'frame' | 'stderr'): string[] {
  return events().flatMap((event) =>
    event.type === type && 'line' in event ? [lineText(event.line)] : [],
  );
}

/** SHA-256 of the stream as the frames of one side give it back. */
function recordedHash(side: Side): string {
  const hash = createHash('sha256');
  for (const event of events()) {
    if (event.type !== 'frame' || event.from !== side) continue;
    hash.update(lineBytes(event.line));
    if (!event.cut) hash.update('\n');
  }
  return hash.digest('hex');
}

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Everything that has ever broken a reader of lines, with no newline at the end. */
function nasty(): Buffer {
  return Buffer.concat([
    Buffer.from('{"a":1}\r\n\r\n\n{"b":"日本"}\n{"c":2}\n{"d":3}\n'),
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a, 0x00, 0x0a, 0xef, 0xbb, 0xbf, 0x7b, 0x7d, 0x0a]),
    Buffer.from('lone \r in the middle\u2028 and \u2029\n'),
    Buffer.from(JSON.stringify({ text: 'é'.repeat(10 * 1024 * 1024) }) + '\n'),
    Buffer.from('{"partial":'),
  ]);
}

test('R-01 R-02 R-03 R-04 R-06: stored bytes equal wire bytes in both directions', async () => {
  const wire = nasty();
  writeFileSync(join(folder, 'wire'), wire);
  const agent = await start(
    `process.stdout.write(require('fs').readFileSync('wire'));
     const hash = require('crypto').createHash('sha256');
     process.stdin.on('data', (chunk) => hash.update(chunk));
     process.stdin.on('end', () => require('fs').writeFileSync('got', hash.digest('hex')));`,
  );
  const sent = [
    encodeUtf8('{"id":1}\r'),
    new Uint8Array(),
    new Uint8Array([0xff, 0, 0x80]),
    encodeUtf8('{"t":"' + 'x'.repeat(20 * 1024 * 1024) + '"}'),
  ];
  for (const line of sent) {
    expect(agent.send(line, 'composer')).toBeUndefined();
    await agent.drained();
  }
  agent.end();
  await agent.ended;
  expect(recordedHash('agent')).toBe(sha(wire));
  const sentBytes = Buffer.concat(sent.flatMap((line) => [line, Buffer.from('\n')]));
  expect(recordedHash('client')).toBe(sha(sentBytes));
  expect(readFileSync(join(folder, 'got'), 'utf8')).toBe(sha(sentBytes));
  expect(events().filter((event) => event.type === 'frame' && event.cut)).toHaveLength(1);
});

test('R-01: a stream cut at every byte gives the same frames', async () => {
  const wire = Buffer.concat([
    Buffer.from('{"a":"日本"}\r\n\n'),
    Buffer.from([0xff, 0x0a]),
    Buffer.from('{"b":1}\n{"c":'),
  ]);
  writeFileSync(join(folder, 'wire'), wire);
  const agent = await start(
    `const bytes = require('fs').readFileSync('wire');
     let i = 0;
     const next = () => i < bytes.length && process.stdout.write(bytes.subarray(i, ++i), () => setImmediate(next));
     next();`,
  );
  await agent.ended;
  const frames = events().filter((event): event is Frame => event.type === 'frame');
  expect(frames.map((frame) => frame.line)).toEqual([
    { text: '{"a":"日本"}\r' },
    { text: '' },
    { base64: '/w==' },
    { text: '{"b":1}' },
    { text: '{"c":' },
  ]);
  expect(recordedHash('agent')).toBe(sha(wire));
});

test.each([
  ['exit code 0', 'process.exit(0)', { code: 0 }],
  ['exit code 3', 'process.exit(3)', { code: 3 }],
  ['exit code 137', 'process.exit(137)', { code: 137 }],
  ...(posix ? [['SIGKILL', 'process.kill(process.pid, 9)', { signal: 'SIGKILL' }] as const] : []),
  ...(posix ? [['abort', 'process.abort()', { signal: 'SIGABRT' }] as const] : []),
] as const)('R-41: %s is recorded as it was', async (_, script, exit) => {
  const agent = await start(script);
  expect(await agent.ended).toEqual(exit);
  expect(events().at(-1)).toMatchObject({ type: 'exit', ...exit });
  expect(agent.send(encodeUtf8('{}'), 'composer')?.code).toBe('ended');
});

test('R-41: that its stdin was closed is recorded beside the code it then exits with', async () => {
  const agent = await start(`process.stdin.on('end', () => process.exit(2)).resume();`);
  agent.end();
  expect(await agent.ended).toEqual({ code: 2, sent: 'stdin' });
  expect(agentEnd(await agent.ended)).toMatchObject({ by: 'us', isCrash: false });
});

test.skipIf(!posix)('R-41: of several requests to end the strongest is recorded', async () => {
  const agent = await start(
    `process.on('SIGTERM', () => setTimeout(() => process.exit(1), 50));
     console.log('up'); setInterval(() => {}, 1000);`,
  );
  await until(() => existsSync(join(folder, 'trace.jsonl')) && texts('frame').length === 1);
  agent.signal('SIGTERM');
  agent.end();
  agent.cut();
  expect(await agent.ended).toEqual({ code: 1, sent: 'SIGTERM' });
});

test.skipIf(process.platform !== 'linux')(
  'R-41: an end of its own that came before our kill is its own, also where we have not heard of it',
  async () => {
    const agent = await start(
      `console.log('up'); process.stdin.once('data', () => process.exit(3));`,
    );
    await until(() => existsSync(join(folder, 'trace.jsonl')) && texts('frame').length === 1);
    agent.send(encodeUtf8('{}'), 'script');
    await new Promise((resolve) => setImmediate(resolve));
    // Nothing is heard of the process meanwhile: this thread does not rest.
    while (!awaitsReaping(agent.pid ?? 0)) if (!agent.running) throw new Error('heard of it');
    agent.signal('SIGKILL');
    agent.end();
    const exit = await agent.ended;
    expect(exit).toEqual({ code: 3 });
    expect(agentEnd(exit)).toMatchObject({ by: 'agent', isCrash: true });
  },
);

test('R-41: all it wrote before its end is recorded before its end', async () => {
  const agent = await start(
    `require('fs').writeSync(2, 'dying\\n');
     process.stdout.write(('x'.repeat(99) + '\\n').repeat(10_000), () => process.exit(5));`,
  );
  await agent.ended;
  const all = events();
  expect(all.at(-1)).toMatchObject({ type: 'exit', code: 5 });
  expect(all.filter((event) => event.type === 'frame')).toHaveLength(10_000);
  expect(texts('stderr')).toEqual(['dying']);
});

test.skipIf(!posix)('R-40 P-12 N12: ending an agent ends what it started', async () => {
  const agent = await start(
    `const { spawn } = require('child_process');
     const child = spawn('sh', ['-c', 'trap "" TERM; sleep 60 & sleep 60'], { stdio: 'ignore' });
     process.on('SIGTERM', () => {});
     console.log(child.pid);
     setInterval(() => {}, 1000);`,
  );
  await until(() => existsSync(join(folder, 'trace.jsonl')) && texts('frame').length === 1);
  const group = agent.pid ?? 0;
  await agent.kill(200);
  expect(groupLives(group)).toBe(false);
  expect(events().at(-1)).toMatchObject({ type: 'exit', signal: 'SIGKILL', sent: 'SIGTERM' });
});

test.skipIf(!posix)(
  'R-40: a program left behind with its stdout does not keep the connection open',
  async () => {
    const agent = await start(
      `const { spawn } = require('child_process');
     const child = spawn('sleep', ['60'], { stdio: 'inherit', detached: true });
     console.log(child.pid);
     process.exit(0);`,
    );
    expect(await agent.ended).toMatchObject({ code: 0 });
    process.kill(Number(texts('frame')[0]), 'SIGKILL');
  },
);

test('P-02: arguments are never read by a shell', async () => {
  const args = ['$(touch pwn)', '; touch pwn', '&& touch pwn', '`touch pwn`', '"', "'", '*'];
  const agent = await start('console.log(JSON.stringify(process.argv.slice(1)))', { args });
  await agent.ended;
  expect(JSON.parse(texts('frame')[0] ?? '')).toEqual(args);
  expect(existsSync(join(folder, 'pwn'))).toBe(false);
});

test('P-04: the agent gets our environment without what is private, and three pipes', async () => {
  process.env['ACP_SCOPE_SECRET'] = 'canary';
  process.env['PLAIN'] = 'ours';
  try {
    const agent = await start(
      `console.log(JSON.stringify({ env: process.env, argv: process.argv }));`,
      { env: { GIVEN: 'yes', PLAIN: 'theirs' } },
    );
    await agent.ended;
  } finally {
    delete process.env['ACP_SCOPE_SECRET'];
    delete process.env['PLAIN'];
  }
  const text = texts('frame')[0] ?? '';
  expect(text).not.toContain('canary');
  expect(JSON.parse(text)).toMatchObject({ env: { GIVEN: 'yes', PLAIN: 'theirs' } });
  expect(events()[0]).toMatchObject({ type: 'start', env: ['GIVEN', 'PLAIN'] });
});

test.skipIf(process.platform !== 'linux')(
  'P-04: the agent inherits three pipes and no other file of ours',
  async () => {
    const agent = await start(
      `const fs = require('fs');
     const open = fs.readdirSync('/proc/self/fd').filter((fd) => {
       try { return /^(socket|\\/.*acp-scope)/.test(fs.readlinkSync('/proc/self/fd/' + fd)); }
       catch { return false; }
     });
     console.log(open.length);`,
    );
    await agent.ended;
    expect(Number(texts('frame')[0])).toBeLessThanOrEqual(3);
  },
);

test('E-05 R-43: an agent that closes its stdin, and then its stdout, or dies never hurts us, and what cannot be sent says so', async () => {
  const agent = await start(
    `process.on('SIGTERM', () => process.exit(4));
     require('fs').closeSync(0);
     console.log('up');
     require('fs').closeSync(1);
     setInterval(() => {}, 1e6);`,
  );
  const send = () => agent.send(encodeUtf8('{}'), 'script')?.message;
  while (send() === undefined) await new Promise((resolve) => setTimeout(resolve, 4));
  expect(send()).toBe("The agent's stdin is closed, so nothing can be sent. Start it again.");
  agent.signal('SIGTERM');
  expect(await agent.ended).toEqual(posix ? { code: 4, sent: 'SIGTERM' } : expect.anything());
  expect(send()).toBe('The agent has ended, so nothing can be sent. Start it again.');
  expect(texts('frame')).toContain('up');
});

test('a stderr prompt without a newline is shown soon, and never in the middle of a character', async () => {
  const agent = await start(
    `process.stderr.write(Buffer.from([...Buffer.from('Password: '), 0xe6, 0x97]));
     setTimeout(() => process.stderr.write(Buffer.from([0xa5, 0x0a])), 400);`,
  );
  await agent.ended;
  expect(events().filter((event) => event.type === 'stderr')).toMatchObject([
    { line: { text: 'Password: ' }, cut: true },
    { line: { text: '日' } },
  ]);
});

test('R-42: a program that is not there: the sentence names it and what was searched', async () => {
  expect(await problemOf(['no-such-agent', '--acp'])).toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/"no-such-agent" was not found.*PATH searched: .*bin/) as string,
  });
  expect((await problemOf(['./agent']))?.message).toBe(
    `There is no program at ./agent (looked from ${folder}). Check the path.`,
  );
  expect((await problemOf(['https://agent.test/acp']))?.message).toContain(
    'is a URL, and no program',
  );
  expect((await problemOf([]))?.message).toContain('empty');
});

test.skipIf(!posix)(
  'R-42: a file that may not run, and a script without its interpreter',
  async () => {
    const file = join(folder, 'agent');
    writeFileSync(file, '#!/no/such/interpreter\n');
    expect(await problemOf([file])).toMatchObject({
      code: 'not_executable',
      message: `${file} is not executable. Run chmod +x on it, or start it through its interpreter.`,
    });
    chmodSync(file, 0o755);
    expect((await problemOf([file]))?.message).toContain('interpreter in its first line');
  },
);

test('R-42: what the system refuses at once is a sentence as well: arguments, a variable or a path that are too long', async () => {
  const long = 'x'.repeat(8 << 20);
  const known = {
    record: () => {
      throw new Error('a program that cannot start leaves no recording');
    },
  };
  const tries = [
    { argv: [process.execPath, '-e', '', long], cwd: folder, env: {} },
    { argv: [process.execPath, '-e', ''], cwd: folder, env: { LONG: long } },
    { argv: [join(folder, 'x'.repeat(5000))], cwd: folder, env: {} },
  ];
  for (const program of tries) {
    const started = await startAgent({ program, ...known });
    expect(started.ok ? 'ok' : started.problem.code).toMatch(/^not_(?:executable|found)$/);
    expect(started.ok ? '' : started.problem.message).toMatch(/\. (?:Check|Shorten)/);
  }
});

test('R-42: a working folder that is missing or a file', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await problemOf(['node'], join(folder, 'none'))).toEqual({
    code: 'bad_cwd',
    message: `The working folder ${join(folder, 'none')} does not exist. Make it, or give another.`,
  });
  expect((await problemOf(['node'], join(folder, 'file')))?.message).toContain('is a file');
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('N5: an agent that is faster than the disk waits, and goes on with it', async () => {
  let goOn = () => {};
  const stands = new Promise<void>((resolve) => (goOn = resolve));
  const disk: Disk = { ...DISK, write: (...one) => stands.then(() => DISK.write(...one)) };
  const [note, megabytes] = [join(folder, 'note'), 40];
  const agent = await start(
    `const line = 'x'.repeat(1023) + '\\n';
     let said = 0;
     (function next() {
       if (said++ < ${megabytes}) process.stdout.write(line.repeat(1024), next);
       else require('fs').writeFileSync(${JSON.stringify(note)}, '');
     })();`,
    { disk },
  );
  await until(() => agent.recorder.full);
  // Long enough for one that nothing holds up to say the rest.
  for (let look = 0; look < 100 && !existsSync(note); look++) await delay(20);
  expect(Entries.waitingInAll).toBeLessThan(12e6);
  expect(existsSync(note)).toBe(false);
  goOn();
  await agent.ended;
  expect(texts('frame')).toHaveLength(megabytes * 1024);
});
