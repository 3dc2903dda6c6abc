// Ending a program with everything it started: ask, wait, then force. `tree-kill` runs `ps` and sends
// one signal; it neither waits nor says who is left.
import { execFile, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { beginProcess } from './begin-process.ts';
import { systemProgram } from './windows-command.ts';

/** From SIGTERM to SIGKILL, and from there until we stop waiting. */
const GRACE_MS = 3000;
const LAST_MS = 1000;
const LOOK_MS = 50;

/** A program that was left behind holds the output open: how long silence there means the end. */
const STRAGGLER_MS = 500;

/**
 * Waits in a process of its own for the end of this one, of which a pipe tells, and ends the group of
 * the child then: nothing that we do at our own end is done where we are killed.
 */
const WATCHDOG = `read -r _ || { kill -TERM -$1; sleep ${GRACE_MS / 1000}; kill -KILL -$1; }`;

/** The child and all it started end soon after us, also where we are killed. Not on Windows. */
export function endsWithUs(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) return;
  const how: SpawnOptions = {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    // Nor the mark of who started us: it is no program that an agent left behind.
    env: { PATH: process.env['PATH'] },
    detached: true,
  };
  let isOver = false;
  let line: Socket | undefined;
  // Its number may be another group's from now on.
  child.once('exit', () => {
    isOver = true;
    line?.end('\n');
  });
  // If none can be started, as without a free descriptor, the child runs all the same.
  void beginProcess('/bin/sh', ['-c', WATCHDOG, 'sh', String(child.pid)], how, (watchdog) => {
    line = watchdog.stdin as Socket;
    for (const part of [watchdog, line]) part.on('error', () => undefined).unref();
    if (isOver) line.end('\n');
  });
}

/**
 * Lets the output of an ended child end too: what it wrote is read first, but a program it left behind
 * may hold its pipes open for ever.
 */
export function endsOutput({ stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>): void {
  const streams = [stdout, stderr].filter((stream) => stream !== null) as Socket[];
  let heard: number | undefined;
  const timer = setInterval(() => {
    const now = streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    const waits = streams.some((stream) => stream.isPaused() || stream.readableLength > 0);
    if (!waits && now === heard) for (const stream of streams) stream.destroy();
    heard = now;
    if (streams.every(({ closed }) => closed)) clearInterval(timer);
  }, STRAGGLER_MS);
}

/** Resolves when nothing of the group is left, at most four seconds later. */
export async function killTree(child: ChildProcess, graceMs = GRACE_MS): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') return killWindowsTree(child, pid);
  if (!signalGroup(pid, 'SIGTERM')) return;
  if (await gone(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await gone(pid, LAST_MS);
}

/** Hands a signal to the whole group. False: there is no such group any more. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** In a container without an init, the dead are never reaped, and still answer signals. */
export function groupLives(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && groupOf(name) === group);
}

/** On Linux: the group of a process; undefined: it is dead, if not reaped. */
export function groupOf(pid: string): number | undefined {
  const [state, , group] = statOf(pid) ?? [];
  return state === undefined || isDead(state) ? undefined : Number(group);
}

/** On Linux: true if the process is dead and not reaped yet, so that nobody here has heard of its end. */
export function awaitsReaping(pid: number): boolean {
  const [state] = statOf(String(pid)) ?? [];
  return state !== undefined && isDead(state);
}

const isDead = (state: string) => state === 'Z' || state === 'X';

/** State, parent, group and so on; undefined: there is no such process, or no such file. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // They come after the name, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += LOOK_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (!groupLives(pid)) return true;
  }
  return false;
}

// There are no groups and no signals: taskkill walks the tree while its root still lives.
async function killWindowsTree(child: ChildProcess, pid: number): Promise<void> {
  const words = ['/T', '/F', '/PID', String(pid)];
  try {
    await promisify(execFile)(systemProgram('taskkill.exe'), words, { windowsHide: true });
  } catch {
    // It says so where the process is gone already; the root is ended below in any case.
  }
  child.kill('SIGKILL');
}
