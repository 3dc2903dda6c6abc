// `acp-scope check`: traces held against the protocol.
import { statSync } from 'node:fs';
import { version } from '../../package.json';
import { Annotations, type Annotation } from '../trace/annotation.ts';
import { sarifReport } from '../report/sarif.ts';
import { TraceCheck } from '../rules/check-trace.ts';
import { type RemarksOf, loadRemarks } from '../rules/steps.ts';
import { SEVERITIES, setAside } from '../rules/finding.ts';
import { EDITION_IDS } from '../acp/editions/edition.ts';
import { editionNamed, BASE } from '../acp/editions/editions.ts';
import type { EditionChoice } from '../rules/against.ts';
import {
  FindingBaseline,
  findingsJson,
  isFailed,
  type FileReport,
  type ReportedFinding,
  type Unread,
} from '../rules/report/report.ts';
import { checkDocument, resultsOf } from '../rules/report/document.ts';
import { World } from '../rules/connection.ts';
import { chipBook } from '../model/facts/chips.ts';
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import type { FidelityWindow } from '../model/fidelity/report/report.ts';
import { indexedTrace, type IndexedTrace } from '../model/indexed-trace.ts';
import { setsInOrder } from '../model/replay/trace-order.ts';
import { beganAt } from '../trace/format.ts';
import type { TraceEvent } from '../trace/event.ts';
import type { TraceItem } from '../trace/read.ts';
import { command, EXIT, FileError, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { baselineAt, oneOf } from './parts/option-values.ts';
import { formatWords, printReport, REPORT_FORMATS } from './parts/print-report.ts';
import {
  OddLines,
  onceEach,
  openTrace,
  readIndexed,
  type OpenedFile,
} from './parts/trace-files.ts';

const FORMATS = [...REPORT_FORMATS, 'sarif'] as const;

export const check = command({
  ...WORDS.check,
  details: [
    '--profile P       the edition of the protocol; auto: by what the trace speaks; v1 is v1-2.4.0',
    '--severity S      exit with 1 from this severity on; error where nothing is said',
    '--all             also rules that passed, and each that could not be decided',
    '--apart           each FILE alone; otherwise what one shows of a session is known in the others',
    '--together        accepted, and changes nothing: it is what is done without --apart',
    '--baseline FILE   findings of an earlier check (--format json) fail no more',
    `--format F        ${formatWords(FORMATS)}, on stdout`,
    'Reads our trace files, gzipped ones, and the recorder format. Several FILEs are read in the order they were',
    'recorded, whatever was given first; where nothing says which is older, each is checked alone.',
  ],
  takes: ['files'],
  options: {
    profile: { type: 'string', default: 'auto' },
    severity: { type: 'string', default: 'error' },
    format: { type: 'string', default: 'text' },
    baseline: { type: 'string' },
    all: { type: 'boolean', default: false },
    apart: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
  },
  async run({ values, files }) {
    if (files.length === 0) throw new UsageError('check takes one or more trace files.');
    if (values.apart && values.together)
      throw new UsageError('--apart and --together contradict each other. Give one of them.');
    const edition = choiceNamed(values.profile);
    const severity = oneOf('severity', values.severity, SEVERITIES);
    const format = oneOf('format', values.format, FORMATS);
    const make = 'acp-scope check FILE --format json';
    const reports = await checkAll(await onceEach(files), {
      edition,
      baseline: baselineAt(values.baseline, make, (text) => FindingBaseline.read(text)),
      apart: values.apart,
      passes: values.all || format === 'junit',
    });
    const told = () => checkDocument(reports, { all: values.all, floor: severity });
    if (format === 'sarif') console.log(sarifReport(resultsOf(reports), version));
    else printReport(format, told, () => findingsJson(reports));
    if (isFailed(reports, severity)) return EXIT.failed;
    return reports.some(isUnread) ? EXIT.environment : EXIT.ok;
  },
});

function choiceNamed(name: string): EditionChoice {
  const found = name === 'auto' ? name : editionNamed(name);
  return found ?? oneOf('profile', name, ['auto', ...EDITION_IDS]);
}

interface Wish {
  readonly edition: EditionChoice;
  readonly baseline: FindingBaseline | undefined;
  readonly apart: boolean;
  readonly passes: boolean;
}

/** Reports in the order given; files that are read as one are checked in the order they were recorded. */
async function checkAll(paths: readonly string[], wish: Wish): Promise<readonly FileReport[]> {
  const remarksOf = await loadRemarks();
  const opened: { path: string; trace: OpenedFile }[] = [];
  const reports = new Map<string, FileReport>();
  for (const path of paths) {
    const trace = await openTrace(path).catch((error: unknown) => {
      if (error instanceof FileError) return error.message;
      throw error;
    });
    if (typeof trace === 'string') reports.set(path, unreadReport(path, trace));
    else if (wish.apart || paths.length === 1)
      await checkSet([{ path, trace }], wish, remarksOf, reports);
    else opened.push({ path, trace });
  }
  for (const set of await setsOf(opened)) await checkSet(set, wish, remarksOf, reports);
  return paths.flatMap((path) => reports.get(path) ?? []);
}

/** Checks files that may share sessions; restores are compared with the live sessions in all of them. */
async function checkSet(
  files: readonly Given[],
  wish: Wish,
  remarksOf: RemarksOf,
  reports: Map<string, FileReport>,
): Promise<void> {
  const world = new World();
  const read = new Map<string, ReadFile>();
  for (const { path, trace } of files)
    read.set(path, await readOne(path, trace, wish, world, remarksOf));
  const isRestored = [...read.values()].some(({ checking }) => checking.hasRestores);
  const replays = isRestored ? await replaysIn(read) : [];
  for (const [path, one] of read) reports.set(path, reportOf(path, one, replays, wish));
}

/** Reads the files once more: a check keeps no lines, and most traces hold no restore. */
async function replaysIn(files: ReadonlyMap<string, ReadFile>): Promise<readonly FidelityWindow[]> {
  const chipOf = chipBook();
  const sources: IndexedTrace[] = [];
  for (const [path, { events, began }] of files)
    sources.push(
      events
        ? indexedTrace(events, path, { chipOf, began })
        : await readIndexed(path, path, { chipOf, isAgain: true }),
    );
  return fidelityOf(sources).windows;
}

interface Given {
  readonly path: string;
  readonly trace: OpenedFile;
}

/**
 * What is read as one, the oldest first, as Fidelity has it: a live part before what brings it back, whatever was
 * given first.
 */
async function setsOf(files: readonly Given[]): Promise<readonly (readonly Given[])[]> {
  const began = new Map(files.map((file) => [file, beganAt(file.trace.header)]));
  // Where every file knows, none is read ahead.
  if (![...began.values()].includes(undefined))
    return [files.toSorted((a, b) => (began.get(a) ?? 0) - (began.get(b) ?? 0))];
  const givenBy = new Map<IndexedTrace, Given>();
  for (const file of files) {
    const { path, trace } = file;
    const batches: (readonly TraceItem[])[] = [];
    for await (const batch of trace.items) batches.push(batch);
    const events = batches.flat().flatMap((item) => ('event' in item ? [item.event] : []));
    const source = indexedTrace(events, path, { began: began.get(file) });
    givenBy.set(source, { path, trace: { ...trace, items: again(batches) } });
  }
  return setsInOrder([...givenBy.keys()]).map((set) =>
    set.flatMap((source) => givenBy.get(source) ?? []),
  );
}

async function* again<T>(batches: readonly T[]): AsyncGenerator<T> {
  yield* batches;
}

/** The others are checked all the same: CI gets a report, and in it why one file is missing. */
function unreadReport(file: string, problem: string): FileReport {
  console.error(problem);
  return {
    file,
    unread: [{ line: undefined, problem }],
    protocolVersion: undefined,
    against: { edition: BASE[1], raised: [], asked: [] },
    contradicts: false,
    frames: 0,
    findings: [],
    lineOf: (seq) => seq,
  };
}

const isUnread = ({ unread }: FileReport) => unread.some(({ line }) => line === undefined);

interface ReadFile {
  readonly checking: TraceCheck;
  readonly unread: readonly Unread[];
  readonly annotations: Annotations;
  readonly lineOf: FileReport['lineOf'];
  readonly began: number | undefined;
  /** Undefined: the file can be read again. A pipe cannot. */
  readonly events: readonly TraceEvent[] | undefined;
}

async function readOne(
  path: string,
  trace: OpenedFile,
  { edition, passes }: Wish,
  world: World,
  remarksOf: RemarksOf,
): Promise<ReadFile> {
  const checking = new TraceCheck({ name: path, edition, world, remarksOf, passes });
  const annotations = new Annotations();
  const lines = new Map<number, number>();
  const unread: Unread[] = [];
  const odd = new OddLines(path, 'not checked');
  let line = trace.firstLine;
  const events: TraceEvent[] | undefined = statSync(path).isFile() ? undefined : [];
  for await (const batch of trace.items)
    for (const item of batch) {
      if ('problem' in item) {
        if (odd.take(item)) unread.push({ line: item.line, problem: item.problem });
      } else {
        checking.append(item.event);
        events?.push(item.event);
        annotations.take(item.event);
        if (item.event.seq !== line - trace.firstLine + 1) lines.set(item.event.seq, line);
      }
      line++;
    }
  const rest = odd.end();
  if (rest) unread.push(rest);
  const lineOf = (seq: number) => lines.get(seq) ?? seq + trace.firstLine - 1;
  return { checking, unread, annotations, lineOf, events, began: beganAt(trace.header) };
}

function reportOf(
  path: string,
  { checking, annotations, unread, lineOf }: ReadFile,
  replays: readonly FidelityWindow[],
  { baseline }: Wish,
): FileReport {
  const { findings, ...checked } = checking.end(replays);
  const reported = baseline === undefined ? findings : baseline.mark(path, findings);
  return {
    file: path,
    unread,
    ...checked,
    findings: reported.map((finding) => withReason(finding, annotations.all())),
    lineOf,
  };
}

function withReason(finding: ReportedFinding, annotations: readonly Annotation[]): ReportedFinding {
  const reason = setAside(finding, annotations);
  return reason === undefined ? finding : { ...finding, suppressed: reason };
}
