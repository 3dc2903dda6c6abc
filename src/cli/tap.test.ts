// The end, the faults and the streams of a tap are those of an agent.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bin,
  ECHO,
  folder,
  keepTaps,
  scope,
  state,
  tap,
  whole,
} from '../test/programs/tap-process.ts';
import { until } from '../test/programs/until.ts';

keepTaps();

/** An agent that heeds neither the end of its input nor SIGTERM, and one it started; it tells its id. */
const STUBBORN = `
  process.on('SIGTERM', () => {});
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  console.log(process.pid, child.pid);
  setInterval(() => {}, 1e6);`;

/** Milliseconds of computing so far, on Linux. */
function computed({ pid }: { readonly pid?: number | undefined }): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '';
  const [user = 0, system = 0] = stat.split(' ').slice(11, 13).map(Number);
  // A tick is ten milliseconds.
  return (user + system) * 10;
}

/** A process that has ended and that nobody has taken note of answers too; its state says so. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) [ZX] /.test(stat);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

// Windows has no groups of processes, and nothing there ends what the tap started.
describe.skipIf(process.platform === 'win32')('a tap hands on', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'R-65: %s to the agent, ends as that does, and not before',
    async (signal) => {
      const child = tap(`
        process.on('${signal}', () => console.log('heard') || setTimeout(() => process.exit(6), 50));
        setInterval(() => {}, 1e6);
        console.log('up');`);
      await once(child.stdout, 'data');
      child.kill(signal);
      expect(await whole(child)).toMatchObject({ out: 'heard\n', code: 6 });
      expect(child.signalCode).toBeNull();
    },
  );

  test('R-41 R-65: a signal that ends the agent as its own end', async () => {
    const child = tap(`console.log('up'); setInterval(() => {}, 1e6);`);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await whole(child);
    expect(child.signalCode).toBe('SIGTERM');
  });

  test('E-05: the end of an agent to an editor that writes on, whatever it has still to say', async () => {
    const child = tap(`process.stdin.once('data', () => process.exit(5));`);
    const more = (error?: Error | null): void => {
      if (!error) child.stdin.write(Buffer.alloc(1_000_000, 'x\n'), more);
    };
    more();
    expect(await whole(child)).toMatchObject({ err: '', code: 5 });
  });

  test('R-43: that an agent reads no more, and lives on, to the editor by a write that fails', async () => {
    const child = tap(`require('fs').closeSync(0); setInterval(() => {}, 1e6); console.log('up');`);
    await once(child.stdout, 'data');
    let gone = false;
    child.stdin.once('close', () => (gone = true));
    await until(() => {
      child.stdin.write('{"a":1}\n');
      expect(gone).toBe(true);
    });
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });

  test('R-43: that an agent says no more, and lives on, to the editor by the end of its output', async () => {
    const child = tap(`
      process.stdin.on('end', () => process.exit(4)).resume();
      process.stdout.write('last words', () => require('fs').closeSync(1));`);
    let out = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    await once(child.stdout, 'end');
    expect([out, child.exitCode]).toEqual(['last words', null]);
    child.stdin.end();
    expect(await whole(child)).toMatchObject({ err: '', code: 4 });
  });
});

describe.skipIf(process.platform === 'win32')('a tap that is killed', () => {
  test('attack row 9 (R-47, R-67): takes with it an agent that heeds nothing, and what that started', async () => {
    const child = tap(STUBBORN);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const pids = said.toString().trim().split(' ').map(Number);
    expect(pids.map(lives)).toEqual([true, true]);
    child.kill('SIGKILL');
    await until(() => expect(pids.map(lives)).toEqual([false, false]));
  });

  test('attack row 9 (R-67): ends nothing of a number that is another’s by then', async () => {
    const child = tap(`console.log(process.pid)`);
    const { out } = await whole(child);
    // What waited for the end of the tap has gone with the agent.
    await until(() => expect(watchdogsOf(out.trim())).toEqual([]));
  });
});

function watchdogsOf(pid: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return words.includes(pid) && words.some((word) => word.includes('kill -TERM'));
    } catch {
      return false;
    }
  });
}

describe.skipIf(process.platform === 'win32')('a tap beside a bare pipe', () => {
  const MB = 1024 * 1024;
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const line = (at: number) => `${String(at).padStart(1023, '.')}\n`;
  const bytes = Buffer.from(Array.from({ length: 16 * 1024 }, (_, at) => line(at)).join(''));

  /** What a count comes to that grows as long as somebody reads: it has not moved for a while. */
  async function standstill(count: () => number): Promise<number> {
    let [last, still] = [-1, 0];
    await until(() => {
      still = count() === last ? still + 1 : 0;
      last = count();
      expect(still).toBeGreaterThan(50);
    });
    return last;
  }

  test('R-19: an editor that does not read makes the agent wait, and gets everything when it reads', async () => {
    const [source, count] = [join(folder, 'source'), join(folder, 'count')];
    writeFileSync(source, bytes);
    writeFileSync(count, '');
    const child = tap(`
      const fs = require('node:fs');
      const all = fs.readFileSync(${JSON.stringify(source)});
      let at = 0;
      (function next() {
        fs.writeFileSync(${JSON.stringify(count)}, String(at));
        const chunk = all.subarray(at, (at += 65536));
        if (chunk.length > 0) process.stdout.write(chunk, next);
      })();`);
    await until(() => expect(Number(readFileSync(count, 'utf8'))).toBeGreaterThan(0));
    const written = await standstill(() => Number(readFileSync(count, 'utf8')));
    expect(written).toBeLessThan(8 * MB);
    const got: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => got.push(data));
    await once(child, 'close');
    expect(sha(Buffer.concat(got))).toBe(sha(bytes));
  });

  test('R-20: an agent that does not read makes the editor wait, and gets everything when it reads', async () => {
    const go = join(folder, 'go');
    const child = tap(`
      const fs = require('node:fs');
      const hash = require('node:crypto').createHash('sha256');
      const look = setInterval(() => {
        if (!fs.existsSync(${JSON.stringify(go)})) return;
        clearInterval(look);
        process.stdin.on('data', (data) => hash.update(data));
        process.stdin.on('end', () => process.stdout.write(hash.digest('hex')));
      }, 10);`);
    let written = 0;
    const next = () => {
      const chunk = bytes.subarray(written, written + 65536);
      if (chunk.length === 0) return void child.stdin.end();
      child.stdin.write(chunk, () => {
        written += chunk.length;
        next();
      });
    };
    next();
    await until(() => expect(written).toBeGreaterThan(0));
    expect(await standstill(() => written)).toBeLessThan(8 * MB);
    writeFileSync(go, '');
    expect((await whole(child)).out).toBe(sha(bytes));
  });

  test('R-64: a relay that hangs holds nothing up', async () => {
    const relay = scope('--no-open', '--port', '0');
    await once(relay.stdout, 'data');
    relay.kill('SIGSTOP');
    const child = tap(ECHO);
    child.stdin.end('{"a":1}\n');
    expect(await whole(child)).toMatchObject({ out: '{"a":1}\n', err: '', code: 7 });
    const [name = ''] = readdirSync(join(state, 'spool'));
    expect(readFileSync(join(state, 'spool', name), 'utf8').match(/"\{\\"a\\":1\}"/g)).toHaveLength(
      2,
    );
  });

  test('R-30: a tap that was stopped for a while says so in its recording, before what came meanwhile', async () => {
    const child = tap(ECHO);
    child.stdin.write('{"a":1}\n');
    const recorded = () => {
      const [name = ''] = readdirSync(join(state, 'spool'));
      const text = readFileSync(join(state, 'spool', name), 'utf8');
      const lines = text.trimEnd().split('\n').slice(1);
      return lines.map((line) => JSON.parse(line) as { type: string; ms?: number });
    };
    // What it passes on it records a moment later: the answer, too, is to stand before the stop.
    await until(() => expect(recorded()).toHaveLength(3));
    child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 5500));
    child.stdin.end('{"a":2}\n');
    child.kill('SIGCONT');
    await whole(child);
    const events = recorded();
    const types = events.map(({ type }) => type);
    expect(types).toEqual(['start', 'frame', 'frame', 'sleep', 'frame', 'frame', 'exit']);
    expect(events[3]?.ms).toBeGreaterThan(5000);
  });

  test.runIf(process.platform === 'linux')(
    'N4 R-66: a message costs the tap less than a millisecond of computing',
    async () => {
      const child = tap(ECHO);
      const trips = async (count: number) => {
        for (let trip = 0; trip < count; trip++) {
          const back = once(child.stdout, 'data');
          child.stdin.write('{"jsonrpc":"2.0","method":"_ping"}\n');
          await back;
        }
      };
      // Until what it runs is compiled.
      await trips(500);
      const before = computed(child);
      await trips(2000);
      // There and back.
      expect(computed(child) - before).toBeLessThan(4000);
      child.stdin.end();
      await whole(child);
    },
  );

  test.runIf(process.platform === 'linux').each([2000, 1_000_000])(
    'N4: a hundred megabytes in lines of %d bytes cost the tap less than a second of computing',
    async (bytes) => {
      const child = tap(`
        const lines = ('x'.repeat(${bytes - 1}) + '\\n').repeat(${1_000_000 / bytes});
        let left = 200;
        const go = () => {
          while (left-- > 0) if (!process.stdout.write(lines)) return process.stdout.once('drain', go);
        };
        process.stdin.on('data', go).on('end', () => process.exit());`);
      let seen = 0;
      child.stdout.on('data', (data: Buffer) => (seen += data.length));
      child.stdin.write('go\n');
      await until(() => expect(seen).toBeGreaterThanOrEqual(MB));
      const [before, from] = [computed(child), seen];
      await until(() => expect(seen).toBe(200e6));
      expect(computed(child) - before).toBeLessThan((seen - from) / 100e3);
      child.stdin.end();
      await whole(child);
    },
  );

  test('R-53: an editor with a short PATH is told what was searched, and how to name the program', async () => {
    const env = { PATH: '/nowhere', ACP_SCOPE_STATE: state };
    const child = spawn(process.execPath, [bin, 'tap', '--', 'some-agent'], { cwd: folder, env });
    const { err, code } = await whole(child);
    expect(err).toContain('PATH searched: /nowhere');
    expect(err).toContain('`command -v some-agent`');
    expect(code).toBe(3);
  });

  test('attack row 11 (R-43): an editor that reads no more is told to the agent by its next write', async () => {
    const note = join(folder, 'note');
    const child = tap(`
      process.stdout.on('error', ({ code }) => { require('fs').writeFileSync(${JSON.stringify(note)}, code); process.exit(9); });
      setInterval(() => process.stdout.write('x'.repeat(999) + '\\n'), 5);`);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    await once(child, 'exit');
    expect(readFileSync(note, 'utf8')).toBe('EPIPE');
    expect(child.exitCode).toBe(9);
  });

  test('attack row 11 (R-40): a program that the agent left behind with its output does not hold the tap up', async () => {
    const child = tap(`
      const { spawn } = require('node:child_process');
      const left = spawn('sleep', ['1000'], { stdio: 'inherit', detached: true });
      process.stdout.write('x'.repeat(300000) + left.pid + '\\n', () => process.exit(3));`);
    const { out, code } = await whole(child);
    process.kill(Number(/(\d+)\n$/.exec(out.slice(300_000))?.[1]), 'SIGKILL');
    expect([code, out.length > 300_000]).toEqual([3, true]);
  });

  test.runIf(process.platform === 'linux')(
    'R-40 P-12: a program that left the group of the agent is named on stderr, with how to end it, and in the record',
    async () => {
      const child = tap(
        `const { spawn } = require('node:child_process');
        const left = spawn('setsid', ['sleep', '1000'], { stdio: 'ignore' });
        left.once('spawn', () => process.stdout.write(String(left.pid), () => process.exit(3)));`,
        ['--out', 'run.acptrace.jsonl'],
      );
      const { out, err, code } = await whole(child);
      const pid = Number(out);
      process.kill(pid, 'SIGKILL');
      const sentence = `acp-scope tap: 1 program that the agent started still runs: sleep (pid ${pid}). To end it: kill ${pid}\n`;
      expect([code, err]).toEqual([3, sentence]);
      expect(readFileSync(join(folder, 'run.acptrace.jsonl'), 'utf8')).toContain(
        `"code":3,"left":[{"pid":${pid},"name":"sleep"}]}`,
      );
    },
  );
});
