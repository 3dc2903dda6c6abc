// Ending a program with everything it started: ask, wait, then force. `tree-kill` runs `ps` and sends
// one signal; it neither waits nor says who is left.
import { execFile, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** From SIGTERM to SIGKILL, and from there until we stop waiting. */
const GRACE_MS = 3000;
const LAST_MS = 1000;
const LOOK_MS = 50;

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
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && livesIn(group, name));
}

function livesIn(group: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may hold anything: state, parent, group.
    const [state, , of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(of) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
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
function killWindowsTree(child: ChildProcess, pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/T', '/F', '/PID', String(pid)], { windowsHide: true }, () => {
      child.kill();
      resolve();
    });
  });
}
