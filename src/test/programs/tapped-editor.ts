// An editor whose agent is a tapped echo, as processes of their own: what it asks and reads, and its trace.
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import type { InterceptCall } from '../../link/messages.ts';
import type { Intercept, TraceEvent } from '../../trace/event.ts';
import { buildBin } from './built-bin.ts';
import { ECHO, RelayTest } from './relay-fixture.ts';
import { until } from './until.ts';

/** The command, built once for a test file. */
export let bin: string;
/** The folder of the test that runs, and the programs that end with it. */
export let here: RelayTest;
export let running: ChildProcess[];

/** For a file of tests, at its head. */
export function keepTapped(): void {
  beforeAll(async () => void (bin = await buildBin()), 120_000);
  beforeEach(() => {
    here = new RelayTest();
    running = [];
  });
  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL');
    await here.close();
  });
}

interface Tapping {
  readonly name?: string;
  /** Options of the tap. */
  readonly options?: readonly string[];
}

export class TappedEditor {
  readonly child: ChildProcessWithoutNullStreams;
  /** The stderr of the tap and its agent. */
  errors = '';
  readonly #name: string;
  readonly #spool: string;
  #read = '';

  /** `bin`: the command, built. */
  constructor(
    bin: string,
    { folders }: RelayTest,
    { name = 'tapped', options = [] }: Tapping = {},
  ) {
    this.#name = name;
    this.#spool = join(folders.state, 'spool');
    const argv = [bin, 'tap', '--name', name, ...options, '--', process.execPath, '-e', ECHO];
    const env = { ...process.env, ACP_SCOPE_STATE: folders.state };
    this.child = spawn(process.execPath, argv, { cwd: folders.work, env });
    this.child.stdout.on('data', (data: Buffer) => (this.#read += data.toString()));
    this.child.stderr.on('data', (data: Buffer) => (this.errors += data.toString()));
  }

  /** The agent's response. */
  lines(): readonly string[] {
    return this.#read.split('\n').slice(0, -1);
  }

  ask(...lines: readonly string[]): void {
    this.child.stdin.write(lines.map((line) => line + '\n').join(''));
  }

  /** The path of its recording, once there is one. */
  trace(): Promise<string> {
    return until(() => {
      const path = readdirSync(this.#spool)
        .filter((file) => file.endsWith('.acptrace.jsonl'))
        .map((file) => join(this.#spool, file))
        .find((file) => readFileSync(file, 'utf8').includes(`"name":"${this.#name}"`));
      if (path === undefined) throw new Error(`${this.#name} is not recorded yet`);
      return path;
    });
  }

  async recorded(): Promise<readonly TraceEvent[]> {
    const text = readFileSync(await this.trace(), 'utf8');
    const lines = text.split('\n').slice(1, -1);
    return lines.map((line) => JSON.parse(line) as TraceEvent);
  }
}

/** The text of a file of rules. */
export const rulesOf = (...rules: readonly object[]) => JSON.stringify({ rules });

export const deedsIn = (events: readonly TraceEvent[], did: Intercept['did']) =>
  events.filter((event) => event.type === 'intercept' && event.did === did);

/** The file by which a relay steers the tap of this recording. */
export const steeringOf = (trace: string) => `${trace}.steering`;

/** The line that a relay writes there for a call that was allowed. */
export const saidTo = (call: InterceptCall, relay = process.pid, isAllowed = true) =>
  `\n${JSON.stringify({ relay, isAllowed, call })}\n`;
