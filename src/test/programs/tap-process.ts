// The tap as an editor starts it: a process. Each test has a folder and a state folder of its own.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { buildBin } from './built-bin.ts';

export let bin: string;
/** Of the test that runs. */
export let folder: string;
export let state: string;
let running: ChildProcessWithoutNullStreams[];

/** For a file of tests, at its head. */
export function keepTaps(): void {
  beforeAll(async () => {
    bin = await buildBin();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'acp-scope-tap-'));
    keepStateIn('state');
    running = [];
  });
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
}

/** `place`: in the folder of the test. */
export function keepStateIn(place: string): void {
  state = join(folder, place);
}

export function scope(...args: string[]): ChildProcessWithoutNullStreams {
  const env = { ...process.env, ACP_SCOPE_STATE: state };
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
  child.stdin.on('error', () => undefined);
  running.push(child);
  return child;
}

/** Around an agent of this code. */
export const tap = (code: string, more: readonly string[] = []) =>
  scope('tap', ...more, '--', process.execPath, '-e', code);

/** All it says, and its end. */
export async function whole(child: ChildProcessWithoutNullStreams) {
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { out, err, code };
}

/** An agent that says again what it hears. */
export const ECHO = `process.stdin.on('data', (data) => process.stdout.write(data)).on('end', () => process.exit(7))`;
