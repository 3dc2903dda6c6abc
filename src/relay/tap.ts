// The tap: stands between an editor and an agent. Bytes go on first, with real back-pressure, and
// are copied into a recording second; nothing is parsed, added or changed, unless an intercept is
// switched on. A disk slower than the agent holds the flow back, so that nothing goes unrecorded; one
// that fails or hangs does not. It is a process of its own: what happens to the relay does not happen
// to the session.
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '../link/messages.ts';
import type { Exit, Intercept } from '../trace/event.ts';
import { endsOutput, killTree, signalGroup } from './agents/kill-tree.ts';
import { EndRequests } from './agents/end-request.ts';
import { leftBehind } from './agents/left-programs.ts';
import { spawnProgram, type Program } from './agents/spawn.ts';
import type { Interceptable } from './intercept.ts';
import type { Recorder } from './spool/recorder.ts';
import { TapLane } from './tap-lane.ts';
import { StderrLines } from './agents/stderr-lines.ts';

interface TapOptions {
  readonly program: Program;
  /** Called once the agent runs. */
  readonly record: (pid: number | undefined) => Recorder;
  /** The editor's side: our own standard streams. */
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  /**
   * Before anything crosses: it may be intercepted, now or later. Until it is, lines are not even looked
   * for before they pass.
   */
  readonly begun?: (tapped: Interceptable) => void;
  /** Rules came into force, changed, or were switched off. */
  readonly onRules?: (fact: Pick<Intercept, 'rules' | 'problem'>) => void;
  /** The agent reads no more of the input, or says no more on the output, and may live on. */
  readonly onClosed?: (stream: 'input' | 'output') => void;
}

/** `left`: what the agent had started and left running. */
export type TapEnd =
  | { readonly kind: 'code'; readonly code: number; readonly left?: Exit['left'] }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals; readonly left?: Exit['left'] }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** How long a disk that takes nothing at all may hold the two sides back. */
const PATIENCE_MS = 1000;

/** Signals an editor ends its agent with. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves when the agent has ended, and all it said is handed on and recorded; the caller ends in the same way. */
export async function runTap(options: TapOptions): Promise<TapEnd> {
  const { program, record, input, output, errors } = options;
  const spawned = await spawnProgram(program);
  if (!spawned.ok) return { kind: 'problem', problem: spawned.problem };
  const { child, mark } = spawned;
  const { pid } = child;
  const recorder = record(pid);
  recorder.start({ argv: program.argv, cwd: program.cwd, ...(pid !== undefined && { pid }) });

  const endRequests = new EndRequests(child);
  const lanes = {
    client: new TapLane('client', child.stdin, recorder),
    agent: new TapLane('agent', output, recorder),
  };
  options.begun?.({
    intercept(make) {
      const interceptor = make({
        send: (from, line, origin, of) => lanes[from].send(line, origin, of),
        tell(fact) {
          if (fact.did === 'on' || (fact.did === 'off' && fact.rule === undefined))
            options.onRules?.(fact);
          return recorder.intercept(fact);
        },
        cut() {
          endRequests.note('SIGTERM');
          for (const stream of [child.stdin, child.stdout]) stream.destroy();
          // The editor sees the end of our own process, which is that of the agent.
          void killTree(child);
        },
      });
      for (const lane of Object.values(lanes)) lane.intercept(interceptor);
      return interceptor;
    },
  });
  const stderr = new StderrLines((line, cut) => recorder.stderr(line, cut));
  const room = roomIn(recorder);
  const through = (lane: TapLane, source: Readable, sink: Writable) =>
    passThrough(
      source,
      sink,
      (chunk) => lane.take(chunk),
      () => room() ?? lane.room(),
    );
  through(lanes.client, input, child.stdin);
  through(lanes.agent, child.stdout, output);
  const saysOn = (chunk: Uint8Array) => {
    const hasRoom = errors.write(chunk);
    stderr.push(chunk);
    return hasRoom;
  };
  passThrough(child.stderr, errors, saysOn, room);
  const leave = () => {
    endRequests.note('stdin', 'client');
    child.stdin.end();
  };
  input.once('end', () => void lanes.client.end().then(leave));
  // Nobody reads any more: the agent's next write tells it, as at a bare pipe.
  const cutOff = () => {
    endRequests.note('cut', 'client');
    child.stdout.destroy();
  };
  for (const gone of ['close', 'error']) output.once(gone, cutOff);
  const { onClosed = () => undefined } = options;
  child.stdin.once('close', () => input.once('close', () => onClosed('input')).destroy());
  const atEnd = () => output.write('', () => onClosed('output'));
  child.stdout.once('end', () => void lanes.agent.end().then(atEnd));

  const stop = handOn(pid, (signal) => endRequests.note(signal, 'client'));
  const end = await endOf(child);
  const wasTold = stop();
  const [all] = await Promise.all([leftBehind(mark), lanes.client.end(), lanes.agent.end()]);
  stderr.end();
  const left = all.length > 0 && { left: all };
  recorder.exit({
    ...(end.kind === 'signal' ? { signal: end.signal } : { code: end.code }),
    ...endRequests.facts,
    ...left,
  });
  await Promise.all([recorder.close(), handedOn([output, errors], wasTold)]);
  return { ...end, ...left };
}

/** Resolves when all it said is read. */
export function endOf(child: ChildProcess): Promise<Exclude<TapEnd, { readonly kind: 'problem' }>> {
  child.once('exit', () => endsOutput(child));
  return new Promise((resolve) =>
    child.once('close', (code, signal) =>
      resolve(signal !== null ? { kind: 'signal', signal } : { kind: 'code', code: code ?? 0 }),
    ),
  );
}

/** Undefined: there is room in the recording. Otherwise resolves when more may be read. */
export type Room = () => Promise<void> | undefined;

/** Waits for a disk that is slow, and not for one that takes nothing at all, until it moves again. */
export function roomIn(recorder: Recorder): Room {
  let hangs = false;
  let waiting: Promise<void> | undefined;
  const wait = async () => {
    const drained = recorder.drained().then(() => true);
    for (let progress = -1; progress !== recorder.progress;) {
      progress = recorder.progress;
      if (await Promise.race([drained, delay(PATIENCE_MS, false, { ref: false })])) return;
    }
    hangs = true;
    void drained.then(() => (hangs = false));
  };
  return () => {
    if (!recorder.full || hangs) return undefined;
    return (waiting ??= wait().finally(() => (waiting = undefined)));
  };
}

/** `take` hands on each chunk, and says whether the sink has room; the source waits while it or the recording is full. */
export function passThrough(
  source: Readable,
  sink: Writable,
  take: (chunk: Uint8Array) => boolean,
  room: Room,
): void {
  let holds = 0;
  const hold = () => {
    holds++;
    source.pause();
    return () => {
      if (--holds === 0) source.resume();
    };
  };
  // A reader that closed early will not drain: its end is told by `close` and the exit.
  let drain: (() => void) | undefined;
  const drained = () => {
    drain?.();
    drain = undefined;
  };
  sink.on('drain', drained).on('error', drained);
  source.on('data', (chunk: Uint8Array) => {
    if (!take(chunk)) drain ??= hold();
    const waits = room();
    if (waits) void waits.then(hold());
  });
  source.on('error', () => {});
}

/**
 * Resolves when the editor has what was written to it, or is gone: our end would lose what its pipes had no
 * room for. At a bare pipe the agent itself would wait there; `wasTold` to end, it would not for long.
 */
export async function handedOn(streams: readonly Writable[], wasTold: boolean): Promise<void> {
  const all = streams.map((stream) => {
    if (stream.writableLength === 0) return undefined;
    return new Promise<void>((resolve) => stream.write('', () => resolve()));
  });
  const patience = wasTold ? [delay(PATIENCE_MS, undefined, { ref: false })] : [];
  await Promise.race([Promise.all(all), ...patience]);
}

/**
 * The agent is in a group of its own: what is sent to us is meant for it. The returned function ends that,
 * and says whether anything was.
 */
export function handOn(
  pid: number | undefined,
  note: (signal: (typeof SIGNALS)[number]) => void = () => undefined,
): () => boolean {
  let wasTold = false;
  const listeners = SIGNALS.map((signal) => {
    const listener = () => {
      wasTold = true;
      note(signal);
      if (pid !== undefined) signalGroup(pid, signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const remove of listeners) remove();
    return wasTold;
  };
}
