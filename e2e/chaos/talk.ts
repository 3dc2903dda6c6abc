// An editor whose agent is the tap: it reads what the agent says, and keeps a sum of every byte.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { BIN, preloading, program, type Relay } from '../relay.ts';

/** What fills a disk and sets a clock, for the tap and the relay. */
export const HINDERED = 'hindered.mjs';

/** What an editor got from its agent, once that has ended. */
export interface Heard {
  readonly name: string;
  readonly lines: number;
  readonly sha256: string;
}

export class Talk {
  readonly name: string;
  readonly #tap: ChildProcessByStdio<Writable, Readable, null>;
  readonly #sum = createHash('sha256');
  readonly #closed: Promise<unknown>;
  #lines = 0;
  #endsWhole = true;
  #agent: number | undefined;

  constructor(relay: Relay, name: string, seed: number, rate: number, cwd: string) {
    this.name = name;
    const agent = [process.execPath, program('talker.mjs'), String(seed), String(rate)];
    const tap = [...preloading(HINDERED), BIN, 'tap', '--name', name, '--', ...agent];
    this.#tap = spawn(process.execPath, tap, {
      ...{ cwd, env: relay.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // The agent may be gone before its input is.
    this.#tap.stdin.on('error', () => undefined);
    this.#closed = once(this.#tap, 'close');
    this.#tap.stdout.on('data', (data: Buffer) => {
      this.#agent ??= Number(/"pid":(\d+)/.exec(data.toString('latin1'))?.[1]);
      this.#sum.update(data);
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) this.#lines++;
      this.#endsWhole = data.at(-1) === 10;
    });
  }

  get lines(): number {
    return this.#lines;
  }

  /** It crashes. */
  killAgent(): void {
    if (this.#agent !== undefined) process.kill(this.#agent, 'SIGKILL');
  }

  /** Closes its input, as an editor does, and waits for its end. */
  async end(): Promise<Heard> {
    this.#tap.stdin.end();
    await this.#closed;
    return {
      ...{ name: this.name, sha256: this.#sum.digest('hex') },
      lines: this.#lines + (this.#endsWhole ? 0 : 1),
    };
  }
}
