// The ways to stop an agent, in the same words in its pane, in the rail and in "go to anything".
import type { TraceSummary } from '../../engine/messages.ts';
import { isWindowsPath } from '../../lib/absolute-path.ts';
import { isUrl } from '../../lib/program-name.ts';
import type { App } from '../app.svelte.ts';

type How = 'end' | 'kill' | 'SIGKILL';

export interface StopWay {
  readonly label: string;
  /** How the agent notices the stop. */
  readonly beside: string;
  /** Other words to find it by. */
  readonly was: readonly string[];
  run(): void;
}

const CLOSE = ['end', 'Close stdin', 'the agent reads the end of its input', ['end']] as const;
const WAYS = {
  signals: [
    CLOSE,
    ['kill', 'SIGTERM', 'and SIGKILL after 3 s', ['kill', 'terminate']],
    ['SIGKILL', 'SIGKILL', 'ends at once, like a crash', ['crash', 'kill -9']],
  ],
  /** Windows has no signals: the relay calls taskkill. */
  windows: [
    CLOSE,
    ['SIGKILL', 'End process', 'at once, like a crash', ['kill', 'crash', 'SIGKILL']],
  ],
  /** No process here to stop. */
  url: [
    ['end', 'Close the connection', 'the agent is notified', ['end', 'disconnect']],
    ['SIGKILL', 'Drop the connection', 'without notice, like a crash', ['kill', 'crash']],
  ],
} as const satisfies Record<string, readonly (readonly [How, string, string, readonly string[]])[]>;

/** Returns the ways to stop the agent of this trace; none if ACP Scope did not start it, or it has ended. */
export function stopWays(app: App, trace: TraceSummary | undefined): readonly StopWay[] {
  if (trace?.mode !== 'drive' || trace.state !== 'running' || app.link.status !== 'open') return [];
  const { connection, facts } = trace;
  const system = isWindowsPath(app.link.home) ? 'windows' : 'signals';
  const ways = WAYS[isUrl(facts?.started?.argv ?? []) ? 'url' : system];
  return ways.map(([how, label, beside, was]) => {
    return { label, beside, was, run: () => void app.library.stop(connection, how) };
  });
}
