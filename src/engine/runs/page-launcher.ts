// Starts agents for a script that runs in the page: each a connection of the relay's, recorded like
// every other, in the group of its run. The command was approved when it was first started. They end
// with the page: nobody else could drive them.
import { defined } from '../../lib/defined.ts';
import { isUrl, programName } from '../../lib/program-name.ts';
import {
  RUN_STOPPED,
  type Driven,
  type Ended,
  type Launched,
  type Launcher,
  type LaunchWish,
} from '../../drive/peer.ts';
import { losesFrames, refusedBy } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import type { Launch, StopHow } from '../../link/messages.ts';
import type { TraceGroup } from '../messages.ts';
import type { TraceListener, OpenTrace } from '../traces/open-trace.ts';
import type { Parts } from '../parts.ts';

export interface PageLauncher extends Launcher {
  /** Ends all that run, and starts no more. */
  endAll(): void;
}

const LOST = 'The link to the relay was lost.';

export function pageLauncher(
  parts: Parts,
  launch: Launch,
  group: Omit<TraceGroup, 'label'>,
): PageLauncher {
  const running = new Set<() => void>();
  let over = false;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  return {
    async launch({ label, copy, cwd, env, rules }: LaunchWish): Promise<Launched> {
      if (over) return { ok: false, message: RUN_STOPPED };
      const name = launch.name === '' ? programName(launch.argv) : launch.name;
      const asked = { ...launch, name, cwd: cwd ?? launch.cwd, env: { ...launch.env, ...env } };
      const answer = await parts.calls.start(asked, { withPage: true, ...defined({ rules }) });
      if (!answer.ok) return { ok: false, message: answer.problem.message };
      const { connection } = answer;
      const kill = () => void parts.send({ type: 'stop', connection, how: 'kill' });
      running.add(kill);
      if (over) kill();
      // Without the link that it came by, it may never be listed.
      const joined = parts.catalog.join(connection, { ...group, ...defined({ label, copy }) });
      await Promise.race([joined, stopped]);
      if (over) return { ok: false, message: RUN_STOPPED };
      const agent = drivenOf(parts, parts.traces.open(connection).trace, launch.argv);
      void agent.ended.then(() => running.delete(kill));
      return { ok: true, agent };
    },
    endAll() {
      over = true;
      stop();
      for (const kill of running) kill();
    },
  };
}

function drivenOf(parts: Parts, trace: OpenTrace, argv: readonly string[]): Driven {
  const { connection } = trace;
  let settle: (ended: Ended) => void = () => undefined;
  const ended = new Promise<Ended>((resolve) => (settle = resolve));
  const hearEnd: TraceListener = (event) => {
    if (event.type === 'exit') settle(event);
  };
  trace.retell(hearEnd);
  const deafen = trace.listen(hearEnd);
  const forget = parts.calls.onLost(() => settle({ problem: LOST }));
  void ended.then(() => {
    deafen();
    forget();
  });
  const stop = (how: Exclude<StopHow, 'kill'>) =>
    void parts.send({ type: 'stop', connection, how });
  const split: Driven['split'] = (text, bytes, ms, origin) => {
    const line = { text };
    return new Promise((resolve) => {
      // It is sent once it is recorded.
      const deaf = trace.listen((event) => {
        if (event.type === 'frame' && event.from === 'client' && lineText(event.line) === text)
          done();
      });
      const done = () => {
        deaf();
        resolve();
      };
      void ended.then(done);
      void parts.send({ type: 'send', connection, line, origin, split: { bytes, ms } });
    });
  };
  let isIntercepted = false;
  let switched: (() => void) | undefined;
  const hearSwitch: TraceListener = (event) => {
    if (event.type !== 'intercept' || event.rule !== undefined) return;
    if (event.did !== 'on' && event.did !== 'off') return;
    isIntercepted = event.did === 'on';
    switched?.();
  };
  trace.retell(hearSwitch);
  trace.listen(hearSwitch);
  const intercept: Driven['intercept'] = (rules) =>
    new Promise((resolve) => {
      if (rules === undefined && !isIntercepted) return resolve(undefined);
      const call = rules === undefined ? ({ op: 'off' } as const) : ({ op: 'on', rules } as const);
      // In force once that is recorded.
      switched = () => resolve(undefined);
      void ended.then(() => resolve(undefined));
      void parts.calls.intercept(connection, call).then((problem) => {
        if (problem) resolve(problem.message);
      });
    });
  return {
    trace: connection,
    ended,
    intercept,
    send: (text, origin) => void parts.send({ type: 'send', connection, line: { text }, origin }),
    receive(listener) {
      const hear: TraceListener = (event, message) => {
        if (event.type === 'frame' && message) listener(event, message);
      };
      trace.retell(hear);
      return trace.listen(hear);
    },
    onRefused: (listener) =>
      void trace.listen((event) => {
        const lost = refusedBy(event);
        if (lost) listener(lost.of, lost.problem);
      }),
    onLost: (listener) =>
      void trace.listen((event) => {
        if (losesFrames(event)) listener(event);
      }),
    end: () => stop('end'),
    signal: (name) => stop(name),
    cut: () => stop('cut'),
    isHttp: isUrl(argv) && /^http/i.test(argv[0] ?? ''),
    ...(!isUrl(argv) && { split }),
  };
}
