// One recording played as the client to another played as the agent, in this process.
import { chunkText, updateOf } from '../../acp/update.ts';
import { readRecorded } from '../../drive/replay/recorded.ts';
import { ReplayAgent } from '../../drive/replay/agent.ts';
import type { AgentReport } from '../../drive/replay/agent-report.ts';
import { runReplayClient, type ClientRun } from '../../drive/replay/client.ts';
import type { Strictness } from '../../drive/replay/strictness.ts';
import { REAL_TIMERS, type Timers } from '../../drive/timers.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import type { Frame, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { ArrayAgent } from '../programs/driven-agent.ts';

export interface ReplayedOptions {
  readonly strictness?: Strictness;
  readonly cwd?: string;
  readonly timers?: Timers;
  /** What becomes of the agent's lines on their way, and of the client's. */
  readonly toClient?: (line: string) => string;
  readonly toAgent?: (line: string) => string;
}

export interface Replayed {
  readonly agent: AgentReport;
  readonly client: ClientRun;
  /** What crossed, as the client saw it. */
  readonly frames: readonly Frame[];
}

export async function replayed(
  asAgent: readonly TraceEvent[],
  asClient: readonly TraceEvent[],
  options: ReplayedOptions = {},
): Promise<Replayed> {
  const { strictness = 'strict', cwd, timers = REAL_TIMERS } = options;
  const { toClient = same, toAgent = same } = options;
  const peer = new ArrayAgent();
  const agent = new ReplayAgent({
    recorded: readRecorded(asAgent),
    ...{ strictness, speed: 'max', timers },
    say: (line) => peer.say(toClient(lineText(line))),
    note: () => undefined,
  });
  peer.write = (line) => agent.take(toAgent(line));
  let report: AgentReport | undefined;
  peer.inputEnded = () => {
    report = agent.end();
    peer.exit({ code: 0 });
  };
  const running = runReplayClient({
    recorded: readRecorded(asClient),
    agent: peer,
    ...{ speed: 'max', timers, patience: 200, quiet: 20 },
    ...(cwd !== undefined && { cwd }),
    note: () => undefined,
  });
  agent.begin();
  const client = await running;
  return { agent: report ?? agent.end(), client, frames: peer.frames };
}

function same(line: string): string {
  return line;
}

const OTHER = ' And more.';

/** The same recording with more words in the last that the agent said; undefined: it said none. */
export function withMoreWords(events: readonly TraceEvent[]): readonly TraceEvent[] | undefined {
  const place = events.findLastIndex((event) => saidBy(event) !== undefined);
  const event = events[place];
  const said = event && saidBy(event);
  if (event?.type !== 'frame' || said === undefined) return undefined;
  const text = lineText(event.line).replace(JSON.stringify(said), JSON.stringify(said + OTHER));
  return events.with(place, { ...event, line: { text } });
}

function saidBy(event: TraceEvent): string | undefined {
  if (event.type !== 'frame' || event.from !== 'agent') return undefined;
  const message = messageOf(event);
  const read = message.kind === 'notification' ? updateOf(message.params) : undefined;
  return read?.variant === 'agent_message_chunk' ? chunkText(read.update) : undefined;
}
