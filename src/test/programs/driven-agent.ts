// Agents to drive in tests: the bundled one in this process without delays, each launch a new one on
// the same store; or one that a test writes line by line.
import { PassThrough } from 'node:stream';
import { runAgent } from '../../agent/main.ts';
import type { BundledAgentOptions } from '../../agent/misbehaviours.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import type { Message } from '../../acp/message.ts';
import type { Driven, Ended, Launcher } from '../../drive/peer.ts';
import { LineSplitter } from '../../lib/lines.ts';
import { millis } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { seq, type Frame, type Origin, type Side } from '../../trace/event.ts';
import { lineOf } from '../../trace/line.ts';
import { freshStore } from './bundled-agent.ts';

/** What is sent goes to `write`; `say` speaks for the agent, `exit` ends it. */
export class ArrayAgent implements Driven {
  readonly trace: string;
  readonly frames: Frame[] = [];
  readonly ended: Promise<Ended>;
  readonly signals: string[] = [];
  /** What its stdin does with a line. */
  write: (line: string) => void = () => undefined;
  inputEnded: () => void = () => undefined;
  exit: (ended: Ended) => void = () => undefined;
  /** Milliseconds that its clock is ahead of the real one. */
  ahead = 0;
  readonly #listeners = new Set<(frame: Frame, message: Message) => void>();
  readonly #began = performance.now();

  constructor(trace = 'array') {
    this.trace = trace;
    this.ended = new Promise((resolve) => (this.exit = resolve));
  }

  send(line: string, origin: Origin): void {
    this.#frame('client', encodeUtf8(line), origin);
    this.write(line);
  }

  say(line: string | Uint8Array): void {
    this.#frame('agent', typeof line === 'string' ? encodeUtf8(line) : line, 'peer');
  }

  receive(listener: (frame: Frame, message: Message) => void) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  end(): void {
    this.inputEnded();
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.signals.push(name);
    this.exit({ signal: name });
  }

  #frame(from: Side, bytes: Uint8Array, origin: Origin): void {
    const number = seq(this.frames.length + 1);
    // Real time: traces of one run are put in order by the clock.
    const at = millis(performance.now() - this.#began + this.ahead);
    const frame: Frame = { type: 'frame', seq: number, at, from, line: lineOf(bytes), origin };
    this.frames.push(frame);
    const message = messageOf(frame);
    for (const listener of [...this.#listeners]) listener(frame, message);
  }
}

export interface BundledLauncher extends Launcher {
  readonly launched: readonly ArrayAgent[];
}

/**
 * Each launch is a process of its own, as far as anybody who drives it can tell, but for one thing: a
 * signal ends what is heard of it and cannot stop its work. Where that counts, start a program.
 */
export function bundledLauncher(options: Partial<BundledAgentOptions> = {}): BundledLauncher {
  const store = options.store ?? freshStore();
  const launched: ArrayAgent[] = [];
  return {
    launched,
    launch({ label }) {
      const agent = new ArrayAgent(label);
      launched.push(agent);
      const [input, output] = [new PassThrough(), new PassThrough()];
      const lines = new LineSplitter();
      let over = false;
      const exit = (ended: Ended) => {
        over = true;
        agent.exit(ended);
      };
      output.on('data', (chunk: Uint8Array) => {
        for (const line of lines.push(chunk)) if (!over) agent.say(line);
      });
      agent.signal = (name) => {
        agent.signals.push(name);
        exit({ signal: name });
      };
      agent.write = (line) => void (over || input.write(`${line}\n`));
      agent.inputEnded = () => input.end();
      const quiet = {
        protocol: 'both',
        version: '0.0.0',
        pace: 0,
        mayUse: () => true,
        log: () => undefined,
        exit: (code: number) => exit({ code }),
      } as const;
      output.once('end', () => exit({ code: 0 }));
      void runAgent({ ...quiet, ...options, store }, input, output).then(() => output.end());
      return Promise.resolve({ ok: true, agent });
    },
  };
}
