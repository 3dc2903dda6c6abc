// One agent that is reached by URL: what crosses its transport becomes frames, and what the
// transport did beside them events, all through one recorder.
import { bytesOf, type CappedLine } from '../../lib/capped-lines.ts';
import type { Problem } from '../../link/messages.ts';
import type { Origin, Seq, Transport, Via } from '../../trace/event.ts';
import type { Agent, AgentExit, Started } from '../agents/agent.ts';
import type { OnLine } from '../agents/agent-process.ts';
import type { Interceptor, MakeInterceptor } from '../intercept.ts';
import type { Recorder } from '../spool/recorder.ts';
import type { Address } from './address.ts';
import { openHttp } from './http.ts';
import type { AgentTransport } from './transport.ts';
import { openWebSocket } from './websocket.ts';

interface RemoteOptions {
  readonly address: Address;
  /** Said in the record, where a process would start in it. */
  readonly cwd: string;
  /** Called once it is reached; what cannot be reached leaves no recording. */
  readonly record: () => Recorder;
  /** Each message of both sides, after it is recorded; of one too long to keep, its head. */
  readonly onLine?: OnLine;
  /**
   * What went wrong on the way while the connection lives on, as a sentence, each once; `of`: of the
   * frame that was not taken.
   */
  readonly onProblem?: (sentence: string, of: Seq | undefined) => void;
  /** What was recorded beside the frames. */
  readonly onFact?: (fact: Omit<Transport, 'type' | 'seq' | 'at'>, seq: Seq) => void;
}

/** How long a connection may take to end politely. */
const GRACE_MS = 3000;

export async function reachAgent(options: RemoteOptions): Promise<Started<Agent>> {
  const { address, cwd, record } = options;
  const isSocket = /^wss?:$/.test(address.url.protocol);
  const opened = isSocket ? await openWebSocket(address) : openHttp(address);
  if (!opened.ok) return opened;
  const recorder = record();
  const headers = address.headers.map(({ name }) => name);
  recorder.start({ argv: [address.shown], cwd, ...(headers.length > 0 && { headers }) });
  return { ok: true, agent: new RemoteAgent(opened.transport, recorder, options) };
}

class RemoteAgent implements Agent {
  readonly pid = undefined;
  readonly recorder: Recorder;
  readonly exited: Promise<AgentExit>;
  readonly ended: Promise<AgentExit>;
  readonly #transport: AgentTransport;
  readonly #onLine: OnLine | undefined;
  /** Where lines crossed that are intercepted. */
  readonly #vias = new WeakMap<Uint8Array, Via>();
  /** Problems that were told: a stream that is opened again and again has the same one. */
  readonly #told = new Set<string>();
  #interceptor: Interceptor | undefined;
  #isOver = false;

  constructor(
    transport: AgentTransport,
    recorder: Recorder,
    { onLine, onProblem, onFact }: Pick<RemoteOptions, 'onLine' | 'onProblem' | 'onFact'>,
  ) {
    this.#transport = transport;
    this.recorder = recorder;
    this.#onLine = onLine;
    this.exited = new Promise((resolve) => {
      transport.start({
        frame: (line, via, cut) => {
          this.#hear(line, { via, ...(cut && { cut }) });
          this.#breathe();
        },
        fact: (fact) => {
          recorder.transport(fact);
          onFact?.(fact, recorder.last);
          const { problem, of } = fact;
          if (problem === undefined) return;
          // What ends the connection is told with its end, and an answer that comes along comes first.
          setImmediate(() => {
            if (this.#isOver || (of === undefined && this.#told.has(problem))) return;
            this.#told.add(problem);
            onProblem?.(problem, of);
          });
        },
        ended: (problem) => {
          this.#isOver = true;
          const exit = problem === undefined ? {} : { problem };
          const finish = () => {
            recorder.exit(exit);
            resolve(exit);
          };
          const waits = this.#isIntercepted && this.#interceptor?.ended('agent');
          if (waits) void waits.then(finish);
          else finish();
        },
      });
    });
    this.ended = this.exited.then((exit) => recorder.close().then(() => exit));
  }

  send(line: Uint8Array, origin: Origin): Problem | undefined {
    const problem = this.#isOver ? ENDED : this.#transport.whyNot();
    if (problem) return problem;
    if (this.#isIntercepted) this.#interceptor?.take('client', line, origin);
    else this.#write(line, origin);
    return undefined;
  }

  intercept(make: MakeInterceptor): Interceptor {
    return (this.#interceptor = make({
      send: (from, line, origin, of) => {
        if (from === 'client') return this.#write(line, origin, of);
        const via = this.#vias.get(line);
        this.recorder.frame(from, line, origin, {
          ...(via && { via }),
          ...(of !== undefined && { of }),
        });
        this.#onLine?.(from, line, origin, via);
      },
      tell: (fact) => this.recorder.intercept(fact),
      cut: () => this.cut(),
    }));
  }

  get #isIntercepted(): boolean {
    return this.#interceptor !== undefined && !this.#interceptor.isIdle;
  }

  #write(line: Uint8Array, origin: Origin, of?: Seq): void {
    const transport = this.#transport;
    if (this.#isOver) return;
    const via = transport.viaOf(line);
    this.recorder.frame('client', line, origin, { via, ...(of !== undefined && { of }) });
    transport.send(line, this.recorder.last, via);
    this.#onLine?.('client', line, origin, via);
  }

  #hear(line: CappedLine, facts: { readonly via: Via; readonly cut?: true }): void {
    const bytes = bytesOf(line);
    if (this.#isIntercepted && line.kind === 'whole' && !facts.cut) {
      this.#vias.set(bytes, facts.via);
      return this.#interceptor?.take('agent', bytes, 'peer');
    }
    this.recorder.framed('agent', line, facts);
    this.#onLine?.('agent', bytes, 'peer', facts.via);
  }

  cut(): void {
    this.#transport.drop();
  }

  end(): void {
    this.#transport.end();
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (name === 'SIGTERM') this.end();
    else this.cut();
  }

  async kill(graceMs = GRACE_MS): Promise<void> {
    this.end();
    const timer = setTimeout(() => this.cut(), graceMs);
    await this.exited;
    clearTimeout(timer);
    await this.ended;
  }

  /** A disk that is slow holds the agent up. */
  #breathe(): void {
    if (!this.recorder.full) return;
    this.#transport.pause();
    void this.recorder.drained().then(() => this.#transport.resume());
  }
}

const ENDED: Problem = {
  code: 'ended',
  message: 'The connection to the agent has ended, so nothing can be sent. Connect again.',
};
