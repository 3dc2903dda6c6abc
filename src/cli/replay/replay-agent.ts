// The agent made from a recording, on stdio: on stdout stands ACP alone, what there is to say of it
// goes to stderr, and at the end into a report.
import { writeFileSync } from 'node:fs';
import { ReplayAgent } from '../../drive/replay/agent.ts';
import { agentDocument, agentReportJson } from '../../drive/replay/agent-report.ts';
import type { Manner, Speed } from '../../drive/replay/manner.ts';
import { readRecorded } from '../../drive/replay/recorded.ts';
import { REAL_TIMERS } from '../../drive/timers.ts';
import { LineSplitter } from '../../lib/lines.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { visibleWords } from '../../lib/visible-text.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { lineBytes } from '../../trace/line.ts';
import { textReport } from '../../report/text.ts';
import { EXIT } from '../command.ts';
import { Outlet } from '../parts/outlet.ts';

interface AsAgent {
  readonly file: string;
  readonly manner: Manner;
  readonly speed: Speed;
  /** Where the report goes as JSON. */
  readonly report: string | undefined;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const NEWLINE = Buffer.from('\n');

/** Resolves when the client has closed its end and all that was due is said. */
export async function replayAsAgent(
  events: readonly TraceEvent[],
  { file, manner, speed, report }: AsAgent,
): Promise<number> {
  const recorded = readRecorded(events);
  if (!recorded.frames.some(({ from }) => from === 'agent')) {
    say(`${file} holds no line of an agent, so there is nothing to replay as one.`);
    return EXIT.environment;
  }
  const out = new Outlet(process.stdout);
  const agent = new ReplayAgent({
    ...{ recorded, manner, speed, timers: REAL_TIMERS },
    say: (line) => out.pass(Buffer.concat([lineBytes(line), NEWLINE])),
    note: ({ kind, sentence }) => {
      if (kind !== 'tolerated' || manner !== 'plain') say(sentence);
    },
  });
  const end = () => {
    const told = agent.end();
    say(textReport(agentDocument(told)));
    if (report !== undefined) writeReport(report, agentReportJson(told));
    return told.ok ? EXIT.ok : EXIT.failed;
  };
  // Editors end their agents so: what was found is told all the same.
  for (const signal of SIGNALS) process.once(signal, () => process.exit(end()));
  agent.begin();
  const lines = new LineSplitter();
  try {
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      for (const line of lines.push(chunk)) agent.take(decodeLossy(line));
      await out.drained();
    }
  } catch {
    // An input that breaks off has ended.
  }
  const rest = lines.end();
  if (rest) agent.take(decodeLossy(rest));
  const exit = end();
  await out.drained();
  return exit;
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    say(`The report cannot be written to ${path}: ${(error as Error).message}.`);
  }
}

function say(text: string): void {
  process.stderr.write(`acp-scope replay: ${visibleWords(text)}\n`);
}
