// A process of another that has a file open, as who records into it has.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Its number; it ends with the test. */
export function writerOf(path: string): number {
  const file = openSync(path, 'a');
  const idle = ['-e', 'setInterval(() => undefined, 1e9)'];
  const child = spawn(process.execPath, idle, { stdio: ['ignore', 'ignore', 'ignore', file] });
  closeSync(file);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}
