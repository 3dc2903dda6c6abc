// Starts agents for a script that runs in the page: each a connection of the relay's, recorded like
// every other, in the group of its run. The command was approved when it was first started.
import { programName } from '../lib/program-name.ts';
import type { Driven, Ended, Launched, Launcher, LaunchWish } from '../drive/peer.ts';
import type { Launch } from '../link/messages.ts';
import type { TraceGroup } from './messages.ts';
import type { Listener, OpenTrace } from './open-trace.ts';
import type { Parts } from './parts.ts';

export function pageLauncher(
  parts: Parts,
  launch: Launch,
  group: Omit<TraceGroup, 'label'>,
): Launcher {
  return {
    async launch({ label, cwd, env }: LaunchWish): Promise<Launched> {
      const name = launch.name === '' ? programName(launch.argv) : launch.name;
      const answer = await parts.calls.start({
        ...launch,
        name,
        cwd: cwd ?? launch.cwd,
        env: { ...launch.env, ...env },
      });
      if (!answer.ok) return { ok: false, message: answer.problem.message };
      await parts.catalog.join(answer.connection, { ...group, label });
      const { trace } = parts.traces.open(answer.connection, 'live');
      return { ok: true, agent: drivenOf(parts, trace) };
    },
  };
}

function drivenOf(parts: Parts, trace: OpenTrace): Driven {
  const { connection } = trace;
  let settle: (ended: Ended) => void = () => undefined;
  const ended = new Promise<Ended>((resolve) => (settle = resolve));
  const hearEnd: Listener = (event) => {
    if (event.type === 'exit') settle(event);
  };
  trace.retell(hearEnd);
  trace.listen(hearEnd);
  const stop = (how: 'end' | 'kill') => {
    if (!parts.send({ type: 'stop', connection, how }))
      settle({ problem: 'The link to the relay was lost.' });
  };
  return {
    trace: connection,
    ended,
    send: (text, origin) => void parts.send({ type: 'send', connection, line: { text }, origin }),
    receive(listener) {
      const hear: Listener = (event, message) => {
        if (event.type === 'frame' && message) listener(event, message);
      };
      trace.retell(hear);
      return trace.listen(hear);
    },
    end: () => stop('end'),
    // The relay gives the agent a moment between the two.
    signal: () => stop('kill'),
  };
}
