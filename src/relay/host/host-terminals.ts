// v1 `terminal/*` for the page's client: commands that begin in the chosen folders or the agent's own,
// their output kept up to a limit, all of them ended with the connection.
import type { ChildProcess } from 'node:child_process';
import { CODE } from '../../acp/message.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { HostCall, HostResult } from '../../link/messages.ts';
import { killTree } from '../agents/kill-tree.ts';
import { hostError, OUTSIDE, place, type Reach } from './roots.ts';
import { spawnProgram } from '../agents/spawn.ts';
import { unfinishedTail } from '../spool/utf8-tail.ts';

type Create = Extract<HostCall, { readonly op: 'terminal/create' }>;
type OnTerminal = Extract<HostCall, { readonly terminalId: string }>;

interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const DEFAULT_LIMIT = 1024 * 1024;
const MOST_LIMIT = 16 * 1024 * 1024;
const MOST_TERMINALS = 64;
/** A program left behind holds the output open: how long we wait for more after the end. */
const STRAGGLER_MS = 200;

export class HostTerminals {
  readonly #reach: Reach;
  readonly #cwd: string;
  readonly #terminals = new Map<string, Terminal>();
  #next = 1;
  #starting = 0;
  #hasEnded = false;

  /** @param cwd where commands run that name no folder; it may be used like a root */
  constructor({ roots, closed }: Reach, cwd: string) {
    this.#reach = { roots: [...roots, cwd], closed };
    this.#cwd = cwd;
  }

  async create(call: Create): Promise<HostResult> {
    const at = await place(call.cwd ?? this.#cwd, this.#reach);
    if (!at.ok) return OUTSIDE;
    if (this.#terminals.size + this.#starting >= MOST_TERMINALS)
      return hostError(
        CODE.internalError,
        `${MOST_TERMINALS} terminals are open; release some first`,
      );
    this.#starting++;
    const program = { argv: argvOf(call), cwd: at.real, env: call.env };
    const spawned = await spawnProgram(program).finally(() => this.#starting--);
    if (!spawned.ok) return hostError(CODE.internalError, spawned.problem.message);
    if (this.#hasEnded) {
      await killTree(spawned.child);
      return hostError(CODE.internalError, 'the connection ended while the command was started');
    }
    const asked = Math.trunc(call.outputByteLimit ?? DEFAULT_LIMIT);
    const limit = Math.max(0, Math.min(asked, MOST_LIMIT));
    const terminalId = `terminal-${this.#next++}`;
    spawned.child.stdin.on('error', () => {}).end();
    this.#terminals.set(terminalId, new Terminal(spawned.child, limit));
    return { ok: true, result: { terminalId } };
  }

  async call({ op, terminalId }: OnTerminal): Promise<HostResult> {
    const terminal = this.#terminals.get(terminalId);
    if (!terminal) return hostError(CODE.notFound, `Resource not found: terminal ${terminalId}`);
    switch (op) {
      case 'terminal/output':
        return ok(terminal.output());
      case 'terminal/wait_for_exit':
        return ok({ ...(await terminal.exited) });
      case 'terminal/kill':
        await terminal.kill();
        return ok({});
      case 'terminal/release':
        this.#terminals.delete(terminalId);
        await terminal.kill();
        return ok({});
    }
  }

  /** The connection ended: all end with it, also one that is being started. */
  async endAll(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal.kill()));
  }
}

class Terminal {
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #truncated = false;
  #exit: ExitStatus | undefined;

  constructor(child: ChildProcess, limit: number) {
    this.#child = child;
    this.#limit = limit;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Uint8Array) => this.#take(chunk));
      stream?.on('error', () => {});
    }
    this.exited = new Promise((resolve) => {
      const done = (exitCode: number | null, signal: string | null) => {
        this.#exit ??= { exitCode, signal };
        resolve(this.#exit);
      };
      child.once('exit', (code, signal) => setTimeout(() => done(code, signal), STRAGGLER_MS));
      child.once('close', done);
    });
  }

  output(): Record<string, unknown> {
    const all = Buffer.concat(this.#chunks);
    const kept = all.subarray(Math.max(0, all.length - this.#limit));
    // Whole characters only: at the cut, and where the rest of one is still to come.
    let start = 0;
    while (this.#truncated && start < 3 && ((kept[start] ?? 0) & 0xc0) === 0x80) start++;
    const end = kept.length - (this.#exit ? 0 : unfinishedTail(kept));
    return {
      output: decodeLossy(kept.subarray(start, Math.max(start, end))),
      truncated: this.#truncated,
      ...(this.#exit && { exitStatus: this.#exit }),
    };
  }

  async kill(): Promise<void> {
    if (!this.#exit) await killTree(this.#child);
  }

  #take(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.#truncated = true;
    // Joined rarely: the work stays in proportion to the output.
    if (this.#size <= 2 * this.#limit + 65_536) return;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [Buffer.from(all.subarray(all.length - this.#limit))];
    this.#size = this.#limit;
  }
}

/** Some agents write a whole shell line as the command; with arguments it is a program's name. */
function argvOf({ command, args }: Create): readonly string[] {
  if (args.length > 0 || !/\s/.test(command)) return [command, ...args];
  return process.platform === 'win32'
    ? ['cmd.exe', '/d', '/s', '/c', command]
    : ['/bin/sh', '-c', command];
}

function ok(result: Record<string, unknown>): HostResult {
  return { ok: true, result };
}
