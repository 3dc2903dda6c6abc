// A recording that was played as the agent, read off the frames of the client: what the agent made of
// it noted, with the frame at which it was noted. The same agent says the same of the same frames.
import { lineText } from '../../trace/line.ts';
import type { Seq, TraceEvent } from '../../trace/event.ts';
import { ReplayAgent } from './agent.ts';
import type { AgentReport } from './agent-report.ts';
import type { Folders } from './bindings.ts';
import type { Strictness } from './strictness.ts';
import type { ReplayNote } from './differences.ts';
import type { Recorded } from './recorded.ts';

/** `live`: the client's frame that it is about; absent: none, it was noted at the end. */
export type PlayedNote = ReplayNote & { readonly live?: Seq };

interface Played {
  readonly report: AgentReport;
  readonly notes: readonly PlayedNote[];
  readonly folders: Folders;
}

/** `isOver`: the client is gone. */
export function playedOf(
  recorded: Recorded,
  strictness: Strictness,
  events: readonly TraceEvent[],
  isOver: boolean,
): Played {
  const notes: PlayedNote[] = [];
  let live: Seq | undefined;
  const agent = new ReplayAgent({
    ...{ recorded, strictness, speed: 'max' },
    // All is due at once, so nothing ever waits.
    timers: { now: () => 0, later: () => () => undefined },
    say: () => undefined,
    note: (note) => notes.push({ ...note, ...(live !== undefined && { live }) }),
  });
  agent.begin();
  for (const event of events) {
    if (event.type !== 'frame' || event.from !== 'client') continue;
    live = event.seq;
    agent.take(lineText(event.line));
  }
  live = undefined;
  const report = isOver ? agent.end() : agent.report();
  return { report, notes, folders: agent.folders };
}
