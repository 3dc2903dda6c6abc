// `acp-scope ls`: the recordings that this machine keeps for the page, or what trace files hold.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../lib/defined.ts';
import { formatBytes, count, formatCount } from '../lib/format.ts';
import { knownDate, formatSpan } from '../lib/format-time.ts';
import { safeJson } from '../lib/safe-json.ts';
import { joinCommand } from '../lib/split-command.ts';
import { known, millis, NO_TIME, type Millis } from '../lib/time.ts';
import { withoutSecrets } from '../lib/secrets/arguments.ts';
import { chipBook } from '../model/facts/chips.ts';
import { TraceIndex } from '../model/trace-index.ts';
import { facts, oneLine, peerWords } from '../model/words.ts';
import { keptRecordings, type KeptRecording } from '../relay/spool/listing.ts';
import { spoolFolder, stateFolder } from '../relay/state-folder.ts';
import type { ColumnHead, ReportItem, ReportDocument, Tone } from '../report/document.ts';
import { code, lines } from '../report/words.ts';
import { connectionId } from '../trace/event.ts';
import { command, EXIT, FileError } from './command.ts';
import { WORDS } from './words.ts';
import { FIGURE_FORMATS, formatOf, formatWords, printReport } from './parts/print-report.ts';
import { isTraceName, openTrace } from './parts/trace-files.ts';

export const ls = command({
  ...WORDS.ls,
  details: [
    `--format F   ${formatWords(FIGURE_FORMATS)}, on stdout`,
    'Without a FILE: each connection that was recorded here and that no page has stored yet, and',
    'until when it is kept: seven days after its last byte a relay removes what no page took.',
    'Of a FOLDER: the files in it whose names say that they are traces.',
  ],
  takes: ['files'],
  options: { format: { type: 'string', default: 'text' } },
  async run({ values, files }) {
    const format = formatOf(values.format, FIGURE_FORMATS);
    if (files.length === 0) {
      const state = stateFolder();
      const recordings = (await keptRecordings(state)).map(recordingOf);
      const json = () => safeJson({ folder: spoolFolder(state), recordings });
      printReport(format, () => recordingsDocument(spoolFolder(state), recordings), json);
      return EXIT.ok;
    }
    const traces: (TraceRow | Unread)[] = [];
    for (const path of files) traces.push(...(await tracesAt(path)));
    const json = () => safeJson({ traces });
    printReport(format, () => tracesDocument(traces, files), json);
    return traces.some((trace) => 'problem' in trace) ? EXIT.environment : EXIT.ok;
  },
});

/** A recording of the spool, as JSON says it. */
interface RecordingRow {
  readonly file: string;
  readonly name: string;
  readonly mode: 'drive' | 'tap';
  /** The agent's command, without what are likely secrets. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly state: KeptRecording['state'];
  /** Frames, and all else that was recorded. */
  readonly events: number;
  readonly bytes: number;
  /** ISO 8601: until when it is kept; absent while it is written. */
  readonly keptUntil?: string;
}

function recordingOf({
  path,
  facts: known,
  last,
  size,
  state,
  goesAt,
}: KeptRecording): RecordingRow {
  const { name, mode, argv, cwd, startedAt } = known;
  return {
    ...{ file: path, name, mode, argv: withoutSecrets(argv), cwd, startedAt, state },
    ...{ events: last, bytes: size },
    ...(goesAt !== undefined && { keptUntil: new Date(goesAt).toISOString() }),
  };
}

const STATE_TONES: Readonly<Record<KeptRecording['state'], Tone>> = {
  live: 'good',
  ended: 'quiet',
  cut: 'warn',
};

function recordingsDocument(folder: string, recordings: readonly RecordingRow[]): ReportDocument {
  const longest = Math.max(0, ...recordings.map(({ name }) => name.length));
  const live = recordings.filter(({ state }) => state === 'live').length;
  const title =
    recordings.length === 0
      ? ['No recording waits in ', code(folder), '. What a page has stored lives in its browser.']
      : [
          facts(count(recordings.length, 'recording'), live > 0 && `${live} live`),
          ' in ',
          code(folder),
        ];
  return {
    ...{ name: 'acp-scope ls', title: 'Recordings kept here', untitled: true, suites: [] },
    blocks: [
      lines(title),
      { kind: 'items', items: recordings.map((one) => recordingItem(one, longest)) },
    ],
  };
}

/** `longest`: of the names, under each other. */
function recordingItem(recording: RecordingRow, longest: number): ReportItem {
  const { file, name, mode, argv, startedAt, state, events, bytes, keptUntil } = recording;
  const figures = facts(
    mode === 'tap' ? 'tapped' : 'driven',
    whenWords(startedAt),
    count(events, 'event'),
    formatBytes(bytes),
    keptUntil !== undefined && `kept until ${whenWords(keptUntil)}`,
  );
  const command = argv.length === 0 ? [] : [[code(joinCommand(argv))]];
  return {
    ...{
      word: state,
      tone: STATE_TONES[state],
      title: [code(name), `${' '.repeat(longest + 2 - name.length)}${figures}`],
    },
    details: [...command, [code(file)]],
  };
}

/** What a trace file holds, as JSON says it. */
interface TraceRow {
  readonly file: string;
  readonly format: string;
  readonly name?: string;
  /** ISO 8601, where the file knows it. */
  readonly startedAt?: string;
  readonly agent?: string;
  readonly version?: number;
  readonly frames: number;
  /** Undefined: nobody wrote times down. */
  readonly span?: Millis;
  /** Those that a frame is about. */
  readonly sessions: number;
  readonly restores: number;
  /** Lines that are no events. */
  readonly unread?: number;
}

interface Unread {
  readonly file: string;
  readonly problem: string;
}

/** Of a folder: its traces, and what is called so and is none. */
async function tracesAt(path: string): Promise<readonly (TraceRow | Unread)[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [await lookAt(path)];
  const rows: (TraceRow | Unread)[] = [];
  for (const name of (await readdir(path)).filter(isTraceName).sort())
    rows.push(await lookAt(join(path, name)));
  return rows;
}

async function lookAt(file: string): Promise<TraceRow | Unread> {
  try {
    return await traceRow(file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    console.error(error.message);
    return { file, problem: error.message };
  }
}

async function traceRow(file: string): Promise<TraceRow> {
  const { header, format, items } = await openTrace(file);
  const index = new TraceIndex(connectionId(file), chipBook());
  let unread = 0;
  for await (const batch of items)
    for (const item of batch)
      if ('event' in item) index.append(item.event);
      else unread++;
  const { handshake, sessions, frames } = index.facts();
  const { columns } = index;
  const last = columns.length - 1;
  const { agent } = handshake ?? {};
  return defined({
    ...{ file, format, name: header.name, startedAt: knownDate(header.created)?.toISOString() },
    agent: agent && peerWords(agent),
    ...{ version: index.version, frames },
    span: last < 0 ? undefined : known(millis(columns.at.get(last) - columns.at.get(0))),
    sessions: sessions.filter(({ listedOnly }) => !listedOnly).length,
    restores: index.windowRecords.length,
    unread: unread > 0 ? unread : undefined,
  });
}

const HEADS: readonly ColumnHead[] = [
  { name: 'file' },
  { name: 'format' },
  { name: 'frames', right: true },
  { name: 'span', right: true },
  { name: 'sessions', right: true },
  { name: 'restores', right: true },
  { name: 'agent' },
];

function tracesDocument(
  traces: readonly (TraceRow | Unread)[],
  asked: readonly string[],
): ReportDocument {
  return {
    ...{ name: 'acp-scope ls', title: 'Traces', untitled: true, suites: [] },
    blocks: [
      traces.length === 0
        ? lines(
            `No trace files in ${asked.join(', ')}: their names end in .acptrace.jsonl or .ndjson, with or without .gz.`,
          )
        : { kind: 'table', heads: HEADS, rows: traces.map(traceCells) },
    ],
  };
}

function traceCells(trace: TraceRow | Unread) {
  if ('problem' in trace) return [[code(trace.file)], 'cannot be read'];
  const { file, format, frames, span, sessions, restores, agent, version, unread } = trace;
  return [
    [code(file)],
    format,
    formatCount(frames),
    formatSpan(span ?? NO_TIME),
    formatCount(sessions),
    formatCount(restores),
    facts(
      agent !== undefined && oneLine(agent, 40),
      version !== undefined && `v${version}`,
      unread !== undefined && `${count(unread, 'line')} unread`,
    ),
  ];
}

/** In the time of this machine, to the minute. */
function whenWords(iso: string): string {
  const date = knownDate(iso);
  if (!date) return 'at a time it does not tell';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
