// One agent, started by us: its stdout becomes frames, its stderr lines, its end an event, all
// through one recorder; what we send is recorded as it is handed to its stdin. Nothing is parsed.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { bytesOf, CappedLines, type CappedLine } from '../../lib/capped-lines.ts';
import type { Problem } from '../../link/messages.ts';
import type { LeftProgram, Origin, Seq, Side, Via } from '../../trace/event.ts';
import type { Interceptor, MakeInterceptor } from '../intercept.ts';
import type { Agent, AgentExit, Started } from './agent.ts';
import { endsOutput, killTree, signalGroup } from './kill-tree.ts';
import { EndRequests } from './end-request.ts';
import { leftBehind } from './left-programs.ts';
import type { Recorder } from '../spool/recorder.ts';
import { spawnLocated, spawnProgram, type Located, type Program } from './spawn.ts';
import { StderrLines } from './stderr-lines.ts';

interface AgentOptions {
  /** Where it is known already which file that is, it is not looked up again. */
  readonly program: Program | Located;
  /** Called once the program runs; a program that cannot start leaves no recording. */
  readonly record: (pid: number | undefined) => Recorder;
  /** Each frame of both sides, after it is recorded; of one too long to keep, its head. */
  readonly onLine?: OnLine;
}

/** `via`: of an agent reached by URL. */
export type OnLine = (from: Side, line: Uint8Array, origin: Origin, via?: Via) => void;

/** The agent has not read this much of what we sent: more is refused. */
const MOST_UNREAD = 64 * 1024 * 1024;

const NEWLINE = new Uint8Array([0x0a]);

export async function startAgent(options: AgentOptions): Promise<Started<AgentProcess>> {
  const { program, record, onLine } = options;
  const spawned = await ('realFile' in program ? spawnLocated(program) : spawnProgram(program));
  if (!spawned.ok) return spawned;
  const { child, mark } = spawned;
  const recorder = record(child.pid);
  const env = Object.keys(program.env);
  recorder.start({
    argv: program.argv,
    cwd: program.cwd,
    ...(env.length > 0 && { env }),
    ...(child.pid !== undefined && { pid: child.pid }),
  });
  return { ok: true, agent: new AgentProcess(child, mark, recorder, onLine) };
}

export class AgentProcess implements Agent {
  readonly recorder: Recorder;
  readonly exited: Promise<AgentExit>;
  readonly ended: Promise<AgentExit>;
  readonly mark: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #onLine: OnLine | undefined;
  readonly #lines = new CappedLines(() => createHash('sha256'));
  readonly #stderr: StderrLines;
  /** What waits behind a line that goes out in two writes; undefined: none is on its way. */
  #behind: (() => void)[] | undefined;
  #killing: Promise<void> | undefined;
  readonly #endRequests: EndRequests;
  #interceptor: Interceptor | undefined;

  constructor(
    child: ChildProcessWithoutNullStreams,
    mark: string,
    recorder: Recorder,
    onLine: OnLine | undefined,
  ) {
    this.#child = child;
    this.#endRequests = new EndRequests(child);
    this.mark = mark;
    this.recorder = recorder;
    this.#onLine = onLine;
    this.#stderr = new StderrLines((line, cut) => recorder.stderr(line, cut));
    child.stdout.on('data', (chunk: Uint8Array) => this.#read(chunk));
    child.stderr.on('data', (chunk: Uint8Array) => {
      this.#stderr.push(chunk);
      this.#heard();
    });
    // EPIPE and the like: the agent closed its stdin or died. Its exit tells the story.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    child.on('error', () => {});
    child.once('exit', () => endsOutput(child));
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        // Those of its group are ended with it, where we end it.
        const left = leftBehind(mark, this.#killing && child.pid);
        const waits = this.#isIntercepted && this.#interceptor?.ended('agent');
        void Promise.all([left, waits]).then(([left]) => resolve(this.#finish(code, signal, left)));
      });
    });
    this.ended = this.exited.then((exit) => recorder.close().then(() => exit));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Hands the line and a 0x0A to the agent's stdin, and records it. The line holds no 0x0A. */
  send(line: Uint8Array, origin: Origin): Problem | undefined {
    const problem = this.#whyNot();
    if (problem) return problem;
    if (this.#isIntercepted) this.#interceptor?.take('client', line, origin);
    else this.#write(line, origin);
    return undefined;
  }

  #write(line: Uint8Array, origin: Origin, of?: Seq): void {
    if (this.#behind) return void this.#behind.push(() => this.#write(line, origin, of));
    const { stdin } = this.#child;
    // It may have ended while the line waited: then it has not crossed.
    if (!this.running || !stdin.writable) return;
    stdin.cork();
    stdin.write(line);
    stdin.write(NEWLINE);
    process.nextTick(() => stdin.uncork());
    this.#record('client', line, origin, of);
  }

  #record(from: Side, line: Uint8Array, origin: Origin, of?: Seq): void {
    this.recorder.frame(from, line, origin, of === undefined ? undefined : { of });
    this.#onLine?.(from, line, origin);
  }

  intercept(make: MakeInterceptor): Interceptor {
    return (this.#interceptor = make({
      send: (from, line, origin, of) =>
        from === 'client' ? this.#write(line, origin, of) : this.#record(from, line, origin, of),
      tell: (fact) => this.recorder.intercept(fact),
      cut: () => this.cut(),
    }));
  }

  get #isIntercepted(): boolean {
    return this.#interceptor !== undefined && !this.#interceptor.isIdle;
  }

  /** The same in two writes, the first of so many bytes; what is sent meanwhile goes out behind it. */
  async sendSplit(
    line: Uint8Array,
    bytes: number,
    ms: number,
    origin: Origin,
  ): Promise<Problem | undefined> {
    const { stdin } = this.#child;
    const problem = this.#whyNot();
    if (problem) return problem;
    const before = this.#behind;
    if (before)
      return new Promise((resolve) => {
        before.push(() => resolve(this.sendSplit(line, bytes, ms, origin)));
      });
    const behind: (() => void)[] = [];
    this.#behind = behind;
    stdin.write(line.subarray(0, bytes));
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#behind = undefined;
    const ended = this.#whyNot();
    if (!ended) {
      stdin.write(Buffer.concat([line.subarray(bytes), NEWLINE]));
      this.#record('client', line, origin);
    }
    for (const send of behind) send();
    return ended;
  }

  /** Drops both pipes, as a transport does that breaks: what it says from now on is lost. */
  cut(): void {
    this.#endRequests.note('cut');
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
  }

  #whyNot(): Problem | undefined {
    const { stdin } = this.#child;
    if (!this.running || !stdin.writable)
      return {
        code: 'ended',
        message: this.running
          ? "The agent's stdin is closed, so nothing can be sent. Start it again."
          : 'The agent has ended, so nothing can be sent. Start it again.',
      };
    if (stdin.writableLength > MOST_UNREAD)
      return {
        code: 'io',
        message:
          'The agent does not read its input: 64 MB wait for it. Wait until it does, or end it.',
      };
    return undefined;
  }

  /** Resolves when the agent has taken what was sent, or will never. */
  async drained(): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        for (const event of ['drain', 'close', 'error']) stdin.off(event, done);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) stdin.once(event, done);
    });
  }

  /** Closes its stdin: a well-behaved agent ends. */
  end(): void {
    this.#endRequests.note('stdin');
    this.#child.stdin.end();
  }

  /** To it and all it started. Without groups, as on Windows, the tree is ended at once. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this;
    this.#endRequests.note(name);
    if (this.running && (pid === undefined || !signalGroup(pid, name))) void this.kill(0);
  }

  /** Ends it with everything it started. */
  async kill(graceMs?: number): Promise<void> {
    this.#endRequests.note('SIGTERM');
    this.#killing ??= killTree(this.#child, graceMs);
    await this.#killing;
    await this.ended;
  }

  #read(chunk: Uint8Array): void {
    if (this.#isIntercepted || this.#onLine)
      for (const line of this.#lines.push(chunk)) this.#take(line);
    else {
      const { begun, whole } = this.#lines.cut(chunk);
      if (begun) this.#take(begun);
      // Line by line costs half of what a flood may take.
      if (whole.length > 0) this.recorder.lines('agent', whole);
    }
    this.#heard();
  }

  #heard(): void {
    if (this.recorder.full) this.#pause(this.recorder.drained());
    const room = this.#interceptor?.room('agent');
    if (room) this.#pause(room);
  }

  #take(line: CappedLine, cut = false): void {
    if (this.#isIntercepted && line.kind === 'whole' && !cut)
      return this.#interceptor?.take('agent', bytesOf(line), 'peer');
    this.recorder.framed('agent', line, cut ? { cut } : undefined);
    this.#onLine?.('agent', bytesOf(line), 'peer');
  }

  #pause(until: Promise<void>): void {
    const { stdout, stderr } = this.#child;
    for (const stream of [stdout, stderr]) stream.pause();
    void until.then(() => {
      for (const stream of [stdout, stderr]) stream.resume();
    });
  }

  #finish(code: number | null, signal: string | null, left: readonly LeftProgram[]): AgentExit {
    const rest = this.#lines.end();
    if (rest) this.#take(rest, true);
    this.#stderr.end();
    const how = signal !== null ? { signal } : code !== null ? { code } : undefined;
    const exit = { ...how, ...(how && this.#endRequests.facts), ...(left.length > 0 && { left }) };
    this.recorder.exit(exit);
    return exit;
  }
}
