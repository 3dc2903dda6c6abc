// `acp-scope check`: traces held against the protocol.
import { statSync } from 'node:fs';
import { version } from '../../package.json';
import { Annotations, type Annotation } from '../trace/annotation.ts';
import { sarifReport } from '../report/sarif.ts';
import { TraceCheck } from '../rules/check-trace.ts';
import { type RemarksOf, loadRemarks } from '../rules/steps.ts';
import { SEVERITIES, setAside } from '../rules/finding.ts';
import { BASE, EDITION_IDS, editionNamed } from '../acp/editions/editions.ts';
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
import { joinedHeader, joinedPair, onlySideOf } from '../trace/one-way.ts';
import type { TraceItem } from '../trace/read.ts';
import { command, EXIT, FileError, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { EDITION_OPTION, loadEditions } from './parts/edition-files.ts';
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
    '--edition FILE    check against the edition in this file (docs/editions.md); several for several versions',
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
    edition: EDITION_OPTION,
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
    loadEditions(values.edition);
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
  if (name === 'auto') return name;
  const found = editionNamed(name);
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
  const remarksOf = await loadRemarks(wish.edition);
  const given: (Given | string)[] = [];
  const reports = new Map<string, FileReport>();
  for (const file of paths) {
    const first = await orProblem(openLater(file, 0));
    if (typeof first === 'string') {
      given.push(file);
      reports.set(file, unreadReport(file, first));
      continue;
    }
    const { parts } = first;
    given.push({ path: partName(file, parts[0]), file, part: 0, trace: first });
    for (const [part, name] of parts.entries())
      if (part > 0)
        given.push({ path: partName(file, name), file, part, trace: await openLater(file, part) });
  }
  const whole = wish.apart ? given : await withDirectionsJoined(given);
  const opened = whole.filter((one) => typeof one === 'object');
  const isAlone = wish.apart || opened.length === 1;
  for (const set of isAlone ? opened.map((one) => [one]) : await setsOf(opened))
    await checkSet(set, wish, remarksOf, reports);
  return whole.flatMap((one) => reports.get(typeof one === 'string' ? one : one.path) ?? []);
}

/** Returns why a file cannot be read, as a sentence, if it cannot. */
async function orProblem<T>(reading: Promise<T>): Promise<T | string> {
  return reading.catch((error: unknown) => {
    if (error instanceof FileError) return error.message;
    throw error;
  });
}

/** Opens a file that is read after others, which may be many: until then it is closed. */
async function openLater(path: string, part: number): Promise<OpenedFile> {
  const opened = await openTrace(path, part);
  // A pipe gives its bytes once, and the beginning of another tool's file may be all of it.
  if (opened.report() !== undefined || !isRegular(path)) return opened;
  await opened.close();
  async function* items(): AsyncGenerator<readonly TraceItem[]> {
    yield* (await openTrace(path, part)).items;
  }
  return { ...opened, items: items(), report: () => undefined, close: async () => undefined };
}

/** True if the path is a file whose bytes can be read again; false for a pipe, or if nothing has the path any more. */
function isRegular(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function partName(file: string, process: string | undefined): string {
  return process === undefined ? file : `${file} (${process})`;
}

/** Two files of one direction each that are of one connection, as one. */
async function withDirectionsJoined(
  given: readonly (Given | string)[],
): Promise<readonly (Given | string)[]> {
  const sides = new Set(
    given.map((one) => (typeof one === 'string' ? undefined : one.trace.onlySide)),
  );
  if (!sides.has('client') || !sides.has('agent')) return given;
  const all: (Given | string | undefined)[] = [];
  const held = new Map<Given, readonly TraceEvent[]>();
  for (const one of given) {
    if (typeof one === 'string' || one.trace.onlySide === undefined) {
      all.push(one);
      continue;
    }
    const batches = await batchesOf(one.trace);
    const again = { ...one, trace: { ...one.trace, items: listed(batches) } };
    held.set(
      again,
      batches.flat().flatMap((item) => ('event' in item ? [item.event] : [])),
    );
    all.push(again);
  }
  for (const [one, events] of held)
    for (const [other, more] of held) {
      const joined = joinedPair(events, more);
      if (!joined) continue;
      held.delete(one);
      held.delete(other);
      const [client, agent] = onlySideOf(events) === 'client' ? [one, other] : [other, one];
      all[all.indexOf(client)] = joinedGiven(client, agent, joined);
      all[all.indexOf(agent)] = undefined;
      break;
    }
  return all.filter((one) => one !== undefined);
}

function joinedGiven(client: Given, agent: Given, events: readonly TraceEvent[]): Given {
  const bytes = new Uint8Array();
  const items = listed([events.map((event) => ({ event, bytes }))]);
  return {
    ...client,
    path: `${client.path} + ${agent.path}`,
    isHeld: true,
    trace: { ...client.trace, header: joinedHeader(client.trace.header), items },
  };
}

async function batchesOf({ items }: OpenedFile): Promise<readonly (readonly TraceItem[])[]> {
  const batches: (readonly TraceItem[])[] = [];
  for await (const batch of items) batches.push(batch);
  return batches;
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
  for (const one of files) {
    const found = await orProblem(readOne(one, wish, world, remarksOf));
    if (typeof found === 'string') reports.set(one.path, unreadReport(one.path, found));
    else read.set(one.path, found);
  }
  const isRestored = [...read.values()].some(({ checking }) => checking.hasRestores);
  const replays = isRestored ? await replaysIn(read, reports) : [];
  for (const [path, one] of read) reports.set(path, reportOf(path, one, replays, wish));
}

/** Reads the files once more: a check keeps no lines, and most traces hold no restore. */
async function replaysIn(
  files: Map<string, ReadFile>,
  reports: Map<string, FileReport>,
): Promise<readonly FidelityWindow[]> {
  const chipOf = chipBook();
  const sources: IndexedTrace[] = [];
  for (const [path, { given, events, began }] of files) {
    const how = { chipOf, isAgain: true, part: given.part };
    const source = events
      ? indexedTrace(events, path, { chipOf, began })
      : await orProblem(readIndexed(given.file, path, how));
    if (typeof source !== 'string') sources.push(source);
    else {
      files.delete(path);
      reports.set(path, unreadReport(path, source));
    }
  }
  return fidelityOf(sources).windows;
}

interface Given {
  /** As it is named in the report. */
  readonly path: string;
  readonly file: string;
  /** Index of the process in the file. */
  readonly part: number;
  readonly trace: OpenedFile;
  /** It was made of two files: it is no file that can be read again. */
  readonly isHeld?: boolean;
}

/**
 * Returns the sets of files that are read as one, the oldest file first, as Fidelity has it: a live part before its
 * replay, whatever was given first.
 */
async function setsOf(files: readonly Given[]): Promise<readonly (readonly Given[])[]> {
  const began = new Map(files.map((file) => [file, beganAt(file.trace.header)]));
  // Where every file knows, none is read ahead.
  if (![...began.values()].includes(undefined))
    return [files.toSorted((a, b) => (began.get(a) ?? 0) - (began.get(b) ?? 0))];
  const givenBy = new Map<IndexedTrace, Given>();
  for (const file of files) {
    const { path, trace } = file;
    const batches = await batchesOf(trace);
    const events = batches.flat().flatMap((item) => ('event' in item ? [item.event] : []));
    const source = indexedTrace(events, path, { began: began.get(file) });
    givenBy.set(source, { ...file, trace: { ...trace, items: listed(batches) } });
  }
  return setsInOrder([...givenBy.keys()]).map((set) =>
    set.flatMap((source) => givenBy.get(source) ?? []),
  );
}

async function* listed<T>(batches: readonly T[]): AsyncGenerator<T> {
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
    holes: [],
    findings: [],
    lineOf: (seq) => seq,
  };
}

const isUnread = ({ unread }: FileReport) => unread.some(({ line }) => line === undefined);

interface ReadFile {
  readonly given: Given;
  readonly checking: TraceCheck;
  readonly unread: readonly Unread[];
  readonly annotations: Annotations;
  readonly lineOf: FileReport['lineOf'];
  readonly began: number | undefined;
  /** Undefined: the file can be read again. A pipe cannot. */
  readonly events: readonly TraceEvent[] | undefined;
}

async function readOne(
  given: Given,
  { edition, passes }: Wish,
  world: World,
  remarksOf: RemarksOf,
): Promise<ReadFile> {
  const { path, trace, file, isHeld } = given;
  const checking = new TraceCheck({ name: path, edition, world, remarksOf, passes });
  const annotations = new Annotations();
  const lines = new Map<number, number>();
  const unread: Unread[] = [];
  const odd = new OddLines(path, 'not checked');
  let line = trace.firstLine;
  const isAgain = isHeld !== true && isRegular(file);
  const events: TraceEvent[] | undefined = isAgain ? undefined : [];
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
  return { given, checking, unread, annotations, lineOf, events, began: beganAt(trace.header) };
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
