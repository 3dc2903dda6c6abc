// Programs that an agent left behind: they went out of its process group, as `setsid` does, or outlived it
// there. Each was born with the mark of that start in its environment, and is found by it once the agent
// has ended; nobody looks before.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ConnectionId, LeftProgram } from '../../trace/event.ts';
import type { AgentExit } from './agent.ts';
import { groupOf } from './kill-tree.ts';

/** The variable that holds the mark: it names one start of an agent, and says nothing else. */
export const RUN_VARIABLE = 'ACP_SCOPE_RUN';

/** How long an end waits, where programs are left that may be about to follow. */
const SETTLE_MS = 250;
const LOOK_MS = 50;
/** From SIGTERM to SIGKILL, and from there until we stop waiting. */
const GRACES_MS = { SIGTERM: 3000, SIGKILL: 1000 } as const;
/** Processes that are looked at before others have their turn. */
const STRETCH = 64;
const LONGEST_NAME = 64;

interface Marked extends LeftProgram {
  readonly group: number | undefined;
}

export function newMark(): string {
  return randomUUID();
}

/**
 * Who still runs of those that were started with the mark; of `ending`, a group that is being ended, nobody
 * is named. Those that end with the agent are waited for, a quarter of a second at most.
 */
export async function leftBehind(mark: string, ending?: number): Promise<readonly LeftProgram[]> {
  for (const until = performance.now() + SETTLE_MS; ;) {
    const left = (await marked(mark)).filter(
      ({ group }) => ending === undefined || group !== ending,
    );
    if (left.length === 0 || performance.now() >= until) return left.map(plain);
    await delay(LOOK_MS);
  }
}

/** What agents of this process left behind, by the connection: a person may have it ended. */
export class LeftPrograms {
  readonly #marks = new Map<ConnectionId, string>();
  /** Who asks while somebody looks already gets what that finds. */
  readonly #looking = new Map<string, Promise<readonly Marked[]>>();

  note(connection: ConnectionId, { left }: AgentExit, mark: string | undefined): void {
    if (left && mark !== undefined) this.#marks.set(connection, mark);
  }

  /**
   * Who runs now; undefined: no agent of ours left any there. `end`: asks them to end first, then forces,
   * and says who is left after that.
   */
  async of(connection: ConnectionId, end = false): Promise<readonly LeftProgram[] | undefined> {
    const mark = this.#marks.get(connection);
    if (mark === undefined) return undefined;
    const key = `${mark} ${end}`;
    const look = () =>
      (end ? endMarked(mark) : marked(mark)).finally(() => this.#looking.delete(key));
    const looking = this.#looking.get(key) ?? look();
    this.#looking.set(key, looking);
    return (await looking).map(plain);
  }
}

async function endMarked(mark: string): Promise<readonly Marked[]> {
  let left = await marked(mark);
  for (const [signal, grace] of Object.entries(GRACES_MS)) {
    for (const { pid } of left) send(pid, signal);
    for (const until = performance.now() + grace; left.length > 0 && performance.now() < until;) {
      await delay(LOOK_MS);
      left = await marked(mark);
    }
  }
  return left;
}

function send(pid: number, signal: string): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself meanwhile.
  }
}

function plain({ pid, name }: Marked): LeftProgram {
  return { pid, name };
}

function marked(mark: string): Promise<readonly Marked[]> {
  const wanted = `${RUN_VARIABLE}=${mark}`;
  // Without a /proc, or a ps, nobody is found; the end of the agent is recorded all the same.
  if (process.platform === 'linux') return markedInProc(wanted).catch(() => []);
  if (process.platform === 'darwin') return markedByPs(wanted).catch(() => []);
  // Windows tells nobody the environment of a program.
  return Promise.resolve([]);
}

async function markedInProc(wanted: string): Promise<readonly Marked[]> {
  const found: Marked[] = [];
  let looked = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    if (++looked % STRETCH === 0) await new Promise((resolve) => setImmediate(resolve));
    try {
      // That of another user cannot be read, that of a dead one is empty.
      if (!readFileSync(`/proc/${pid}/environ`).includes(wanted)) continue;
      const [word = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const name = fileName(word) || readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      const group = groupOf(pid);
      if (group !== undefined) found.push({ pid: Number(pid), name, group });
    } catch {
      // Not ours, or gone.
    }
  }
  return found;
}

/** Those of macOS itself show nobody their environment, and are not found. */
async function markedByPs(wanted: string): Promise<readonly Marked[]> {
  const words = ['-xEww', '-o', 'pid=,pgid=,command='];
  const options = { timeout: SETTLE_MS, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('/bin/ps', words, options);
  return stdout
    .split('\n')
    .filter((line) => line.includes(wanted))
    .flatMap((line) => {
      const [, pid, group, word = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? [];
      return pid ? [{ pid: Number(pid), name: fileName(word), group: Number(group) }] : [];
    });
}

/** Without its folder, and without its arguments, which may hold secrets. */
function fileName(path: string): string {
  return path.replace(/^.*\//, '').slice(0, LONGEST_NAME);
}
