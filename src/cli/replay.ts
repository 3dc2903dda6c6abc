// `acp-scope replay`: a recording in the place of the agent, or of the client, of a live peer.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { command, ENDING_SIGNALS, UsageError, EXIT } from './command.ts';
import { WORDS } from './words.ts';
import { numberOption } from './parts/option-values.ts';
import { compareTerms } from './parts/trace-terms.ts';
import { onInterrupt } from './parts/interrupt.ts';
import { agentWordsOf, HEADER_OPTION } from './parts/agent-words.ts';
import { launchAgent, type AgentWish } from './parts/launcher.ts';
import { Outlet } from './parts/outlet.ts';
import { formatOf, formatWords, printReport } from './parts/print-report.ts';
import { checkWritable, writeReport } from './parts/out-places.ts';
import { FORCE_OPTION, outFiles, type OutFile } from './parts/out-file.ts';
import { readTrace, isPlainTrace } from './parts/trace-files.ts';
import { rewrite } from './parts/write-trace.ts';
import { agentDocument, agentReportJson } from '../drive/replay/agent-report.ts';
import { ReplayAgent, type ReplayAgentOptions } from '../drive/replay/agent.ts';
import {
  clientDocument,
  clientReportJson,
  isAsRecorded,
  type ClientReport,
} from '../drive/replay/client-report.ts';
import { REPLAY_WAITS, runReplayClient, type ReplayClientOptions } from '../drive/replay/client.ts';
import { divergenceOf, type DivergenceOptions } from '../drive/replay/divergence.ts';
import { parseSpeed, type ReplaySpeed } from '../drive/replay/strictness.ts';
import { readRecorded, type Recorded } from '../drive/replay/recorded.ts';
import { REAL_TIMERS } from '../drive/timers.ts';
import { LineSplitter } from '../lib/lines.ts';
import { decodeLossy } from '../lib/utf8.ts';
import { noteUse } from '../relay/lent-traces.ts';
import { stateFolder } from '../relay/state-folder.ts';
import { textReport } from '../report/text.ts';
import type { TraceEvent, Side } from '../trace/event.ts';
import { lineBytes } from '../trace/line.ts';

export const replay = command({
  ...WORDS.replay,
  details: [
    '--as agent       an agent on stdio, made from the recording',
    '  --loose        a request that fits nothing takes the next recorded one of its method',
    '  --strict       every value as recorded, each request once, and all of them',
    '  --report FILE  what was not as recorded, as JSON; as text it goes to stderr',
    '--as client      the recorded client, sent to CMD; ends in a report of the divergence',
    "  --header 'N: V' for a URL in the place of CMD, as in acp-scope record",
    '  --cwd DIR      the folder in place of the recorded one; default: where you are',
    '  --session A=B  the recorded session A is B now; for recordings that restore one',
    `  --format F     ${formatWords()}, on stdout`,
    '  --ignore RULE  leave out of the divergence, as in acp-scope diff',
    '  --strict       compare usage and _meta too, as in acp-scope diff',
    '  --raw KINDS    names compared as they stand, as in acp-scope diff',
    '  --out FILE     the trace of the rerun',
    '  --patience S   seconds an answer or a turn may take; default: 120',
    '  --quiet MS     silence after which nothing more is waited for; default: 400',
    '--force          overwrite FILE of --report or --out if it exists',
    '--speed S        max (default), real, or how many times as fast: 4',
    'Exit 1 if something was not as recorded. docs/replay.md says how frames are matched.',
  ],
  takes: ['files', 'agent'],
  options: {
    as: { type: 'string' },
    loose: { type: 'boolean' },
    strict: { type: 'boolean' },
    speed: { type: 'string', default: 'max' },
    report: { type: 'string' },
    format: { type: 'string' },
    ignore: { type: 'string', multiple: true },
    raw: { type: 'string', multiple: true },
    out: { type: 'string' },
    cwd: { type: 'string' },
    header: HEADER_OPTION,
    session: { type: 'string', multiple: true },
    patience: { type: 'string' },
    quiet: { type: 'string' },
    ...FORCE_OPTION,
  },
  writes: ['--report', '--out'],
  async run({ values, files: [file, ...more], agent }) {
    if (file === undefined || more.length > 0)
      throw new UsageError('replay takes one trace file, the recording.');
    const speed = speedOf(values.speed);
    const refuse = (names: readonly (keyof typeof values)[], role: string) => {
      const wrong = names.find((name) => values[name] !== undefined);
      if (wrong !== undefined) throw new UsageError(`--${wrong} belongs to --as ${role}.`);
    };
    const waits = (name: 'patience' | 'quiet', otherwise: number) => {
      const text = values[name];
      return text === undefined ? otherwise : numberOption(name, text);
    };
    const { loose, strict, report, out, cwd, force, ignore = [], raw = [] } = values;
    switch (values.as) {
      case 'agent': {
        refuse(
          ['format', 'ignore', 'raw', 'out', 'cwd', 'header', 'session', 'patience', 'quiet'],
          'client',
        );
        if (agent)
          throw new UsageError(
            'As the agent, replay starts no command; leave out what follows --.',
          );
        if (loose === true && strict === true)
          throw new UsageError('replay takes --loose or --strict, not both.');
        const strictness = strict ? 'strict' : loose ? 'loose' : 'plain';
        // Standard input is the client.
        const terms = { option: '--report', force, reads: [file], terminal: 'none' } as const;
        const told = report === undefined ? undefined : await outFiles(terms).named(report);
        const events = await recordingAt(file);
        if (told) checkWritable(told, 'report');
        return replayAsAgent(events, file, { strictness, speed }, told);
      }
      case 'client': {
        refuse(['loose', 'report'], 'agent');
        const order = {
          ...{ ...agentWordsOf('replay', agent, values.header), cwd: resolve(cwd ?? '.'), speed },
          sessions: (values.session ?? []).map(sessionPair),
          patience: waits('patience', REPLAY_WAITS.patience / 1000) * 1000,
          quiet: waits('quiet', REPLAY_WAITS.quiet),
        };
        const [format, terms] = [formatOf(values.format), compareTerms({ ignore, strict, raw })];
        const rerun = out && (await outFiles({ option: '--out', force, reads: [file] }).named(out));
        const events = await recordingAt(file);
        const report = await replayAsClient(events, file, order, rerun || undefined, terms);
        if (report === undefined) return EXIT.environment;
        printReport(
          format,
          () => clientDocument(report, file),
          () => clientReportJson(report, file),
        );
        return isAsRecorded(report) ? EXIT.ok : EXIT.failed;
      }
      default:
        throw new UsageError('replay needs to know who it is: give --as agent or --as client.');
    }
  },
});

async function recordingAt(file: string) {
  // One that a page lent the relay is kept for as long as it is used.
  noteUse(file, stateFolder());
  return (await readTrace(file)).events;
}

function speedOf(text: string): ReplaySpeed {
  const speed = parseSpeed(text);
  if (speed !== undefined) return speed;
  throw new UsageError(`--speed ${text} is none. Give max, real, or how many times as fast: 4.`);
}

function sessionPair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new UsageError(`--session ${text} is none. Give RECORDED=LIVE, two session ids.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function say(text: string): void {
  console.error(`acp-scope replay: ${text}`);
}

/** Undefined: there is no line of this side, which is said. */
function recordedOf(events: readonly TraceEvent[], file: string, side: Side): Recorded | undefined {
  const recorded = readRecorded(events);
  if (recorded.frames.some(({ from }) => from === side)) return recorded;
  const article = side === 'agent' ? 'an' : 'a';
  say(`${file} holds no line of ${article} ${side}, so there is nothing to replay as one.`);
  return undefined;
}

// The agent made from a recording, on stdio: on stdout stands ACP alone, what there is to say of it
// goes to stderr, and at the end into a report.

const NEWLINE = Buffer.from('\n');

/** Resolves when the client has closed its end and all that was due is said. `report`: its file, JSON. */
async function replayAsAgent(
  events: readonly TraceEvent[],
  file: string,
  how: Pick<ReplayAgentOptions, 'strictness' | 'speed'>,
  report: OutFile | undefined,
): Promise<number> {
  const recorded = recordedOf(events, file, 'agent');
  if (!recorded) return EXIT.environment;
  const out = new Outlet(process.stdout);
  const agent = new ReplayAgent({
    ...{ ...how, recorded, timers: REAL_TIMERS },
    say: (line) => out.pass(Buffer.concat([lineBytes(line), NEWLINE])),
    note: ({ kind, sentence }) => {
      if (kind !== 'tolerated' || how.strictness !== 'plain') say(sentence);
    },
  });
  const end = () => {
    const told = agent.end();
    say(textReport(agentDocument(told)));
    if (report !== undefined && !isWritten(report, agentReportJson(told))) return EXIT.environment;
    return told.ok ? EXIT.ok : EXIT.failed;
  };
  // Editors end their agents so: what was found is told all the same.
  for (const signal of ENDING_SIGNALS) process.once(signal, () => process.exit(end()));
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

/** False: it could not be written, which is said. */
function isWritten(file: OutFile, text: string): boolean {
  try {
    writeReport(file, `${text}\n`, 0o600);
    return true;
  } catch (error) {
    say((error as Error).message);
    return false;
  }
}

type Order = Pick<ReplayClientOptions, 'speed' | 'sessions' | 'patience' | 'quiet'> &
  Pick<AgentWish, 'argv' | 'address' | 'cwd'>;

/**
 * The recorded client, sent to an agent that is started for it; the rerun is a trace of its own, `out`,
 * where it is kept. Undefined: nothing could be replayed, which is said.
 */
async function replayAsClient(
  events: readonly TraceEvent[],
  file: string,
  { argv, address, cwd, ...how }: Order,
  out: OutFile | undefined,
  terms: DivergenceOptions,
): Promise<ClientReport | undefined> {
  const recorded = recordedOf(events, file, 'client');
  if (!recorded) return undefined;
  // Recorded line by line in our own format; in another, or nowhere, it goes by way of a folder.
  const kept = out !== undefined && isPlainTrace(out.path);
  const folder = kept ? undefined : await mkdtemp(join(tmpdir(), 'acp-scope-replay-'));
  const path = kept ? resolve(out.path) : join(folder ?? '', 'rerun.acptrace.jsonl');
  try {
    const started = await launchAgent(
      { argv, ...(address && { address }), cwd, path, overwrite: kept && out.replaces },
      say,
    );
    if (!started.ok) return void console.error(started.message);
    const { agent } = started;
    const live: TraceEvent[] = [];
    agent.receive((frame) => live.push(frame));
    onInterrupt(() => void agent.agent.kill());
    const run = await runReplayClient({
      ...{ ...how, recorded, agent, timers: REAL_TIMERS, cwd },
      note: ({ sentence }) => say(sentence),
    });
    if (out !== undefined && !kept) await rewrite(path, out);
    return { run, divergence: await divergenceOf(events, live, run.folders, terms) };
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
