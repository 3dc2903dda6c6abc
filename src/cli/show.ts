// `acp-scope show`: frames of trace files, as a person needs them, or their exact bytes.
import { fstatSync } from 'node:fs';
import { recordOf, type RecordedTrace } from '../drive/scenario/assert/record.ts';
import { hasCiCommand } from '../lib/print/ci-commands.ts';
import { defined } from '../lib/defined.ts';
import { count } from '../lib/format.ts';
import { knownDate } from '../lib/format-time.ts';
import { safeJson } from '../lib/safe-json.ts';
import { known } from '../lib/time.ts';
import { visibleWords } from '../lib/visible-text.ts';
import { FLAG } from '../model/columns.ts';
import { frameBlocks, type ShownFrame } from '../model/timeline/frame-document.ts';
import { frameDetail, type FrameDetail } from '../model/timeline/frame-detail.ts';
import { digestsOf } from '../model/timeline/row-builder.ts';
import { foundName } from '../model/query/found-frame.ts';
import type { ReportDocument } from '../report/document.ts';
import { code, lines, section } from '../report/words.ts';
import { setAside } from '../rules/finding.ts';
import { loadRemarks } from '../rules/steps.ts';
import { lineBytes, lineText } from '../trace/line.ts';
import { command, EXIT, FileMistake, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { fileMeant, framePlaces, type FramePlaces, type SeqSpan } from './parts/frame-places.ts';
import { FIGURE_FORMATS, formatWords, printReport } from './parts/print-report.ts';
import { oneOf } from './parts/option-values.ts';
import { readTrace } from './parts/trace-files.ts';

const FORMATS = [...FIGURE_FORMATS, 'raw'] as const;
/** Checking more events than these would be waited for. */
const MOST_CHECKED = 50_000;
/** Variables that a CI sets: all except two set the first. */
const IN_CI = ['CI', 'TF_BUILD', 'TEAMCITY_VERSION'];
const NEWLINE = new Uint8Array([0x0a]);

export const show = command({
  ...WORDS.show,
  details: [
    `--format F   ${formatWords(FORMATS)}, on stdout`,
    'FILE#12..20  several frames; FILE#12,31 as well',
    'A B c2#12    a frame of the second FILE, as a query names it',
    'raw is the bytes as they were sent, and nothing else; not what a terminal or the log of a CI would obey.',
  ],
  takes: ['files'],
  options: { format: { type: 'string', default: 'text' } },
  async run({ values, files }) {
    const format = oneOf('format', values.format, FORMATS);
    const places = await framePlaces(files);
    if (places.places.length === 0)
      throw new UsageError(
        `show takes frames of files, such as ${fileMeant(files[0] ?? 'FILE')}#12.`,
      );
    const shown = await framesAt(places);
    if (format === 'raw') writeRaw(shown);
    else
      printReport(
        format,
        () => documentOf(shown),
        () => safeJson({ frames: shown.map(jsonOf) }),
      );
    return EXIT.ok;
  },
});

interface Shown extends ShownFrame {
  readonly file: string;
}

/** In the order asked for. Throws FileError, and FileMistake where there is no such frame. */
async function framesAt({ files, places }: FramePlaces): Promise<readonly Shown[]> {
  const read = new Map<string, (span: SeqSpan) => readonly Shown[]>();
  for (const file of files) read.set(file, await reader(file));
  return places.flatMap(({ file, spans }) => spans.flatMap((span) => read.get(file)?.(span) ?? []));
}

async function reader(file: string): Promise<(span: SeqSpan) => readonly Shown[]> {
  const { header, events, began } = await readTrace(file);
  const isChecked = events.length <= MOST_CHECKED;
  const record = recordOf([{ events, began }], isChecked ? await loadRemarks() : undefined);
  const [trace] = record.traces;
  if (!trace) return () => [];
  if (isChecked) record.check();
  const summaryAt = digestsOf(trace.index, trace.eventAt);
  const { columns } = trace.index;
  return ({ from, to }) => {
    const found: Shown[] = [];
    for (let place = columns.placeFrom(from); place < columns.length; place++) {
      if (columns.seqOf(place) > to) break;
      const event = trace.eventAt(place);
      const detail = frameDetail(trace.index, event, header.created, false, place);
      if (detail)
        found.push({
          ...{ file, name: foundName(detail), detail, kind: columns.kindOf(place) },
          isUpdate: columns.has(place, FLAG.update),
          summary: summaryAt(place).summary,
          findings: isChecked ? findingsOn(trace, detail) : undefined,
        });
    }
    if (found.length === 0) throw new FileMistake(noFrame(file, { from, to }, trace));
    return found;
  };
}

/** Those that nobody set aside. */
function findingsOn(
  { findings, index }: RecordedTrace,
  { seq, member }: FrameDetail,
): ShownFrame['findings'] {
  const within = member === undefined ? '' : `/${member}`;
  const annotations = index.annotations.all();
  return findings.flatMap((finding) => {
    const { rule, verdict, severity, seen, seqs, places } = finding;
    if (verdict !== 'fail' || !seqs.some((one) => one === seq)) return [];
    if (setAside(finding, annotations) !== undefined) return [];
    const here = places.filter((place) => place.seq === seq);
    const found = here.find(({ pointer }) => `${pointer}/`.startsWith(`${within}/`));
    // Findings on other messages of the array are shown with those and with the array.
    if (member !== undefined && found === undefined) return [];
    return [{ rule, severity, seen: (found ?? here[0])?.seen ?? seen }];
  });
}

function noFrame(
  file: string,
  { from, to }: SeqSpan,
  { index: { columns } }: RecordedTrace,
): string {
  const what = from === to ? `#${from}` : `#${from}..${to}`;
  const after = columns.placeFrom(from);
  const near = [after - 1, after].filter((place) => place >= 0 && place < columns.length);
  const names = near.map((place) => `#${columns.seqOf(place)}`);
  if (names.length === 0) return `${file} has no ${what}: no event is in it.`;
  return after >= columns.length
    ? `${file} has no ${what}: its last is ${names.join('')}.`
    : `${file} has no ${what}: nearest ${names.length === 1 ? 'is' : 'are'} ${names.join(' and ')}.`;
}

/** Each line with its 0x0A, where it had one. */
function writeRaw(frames: readonly Shown[]): void {
  for (const { file, name, detail } of frames) {
    const { line, cut, oversize, member } = detail;
    // Its bytes are those of its array.
    if (member !== undefined) continue;
    if (!line) {
      console.error(`${file}${name} is no line that crossed: there are no bytes.`);
      continue;
    }
    const text = lineText(line);
    const fault = obeyed(text);
    if (fault !== undefined)
      throw new FileMistake(
        `${file}${name} holds ${fault}. Send it to a file: acp-scope show … --format raw > FILE`,
      );
    if (oversize)
      console.error(
        `${file}${name}: only its beginning was kept, of ${count(oversize.bytes, 'byte')}.`,
      );
    process.stdout.write(lineBytes(line));
    if (!cut) process.stdout.write(NEWLINE);
  }
}

/** Returns the part that the reader of stdout would not show as it is; undefined: none, or the reader is unknown. */
function obeyed(text: string): string | undefined {
  if (process.stdout.isTTY && visibleWords(text, true) !== text)
    return 'characters that a terminal would obey, or hide';
  // There a pipe may become the log of the job; a file does not.
  const isLog = IN_CI.some((name) => process.env[name]) && !fstatSync(1).isFile();
  return isLog && hasCiCommand(text) ? 'words that the log of a CI would obey' : undefined;
}

/** A section a file, where there are several. */
function documentOf(frames: readonly Shown[]): ReportDocument {
  const files = [...new Set(frames.map(({ file }) => file))];
  const unchecked = files.filter((file) =>
    frames.some((frame) => frame.file === file && frame.findings === undefined),
  );
  const blocks = files.map((file) => ({
    file,
    blocks: frames.filter((frame) => frame.file === file).flatMap(frameBlocks),
  }));
  return {
    ...{ name: 'acp-scope show', title: 'Frames', untitled: true, suites: [] },
    blocks: [
      ...(files.length === 1
        ? blocks.flatMap((one) => one.blocks)
        : blocks.map((one) => section([code(one.file)], ...one.blocks))),
      ...unchecked.map((file) =>
        lines(`Not checked, for its length: acp-scope check ${file} does.`),
      ),
    ],
  };
}

function jsonOf({ file, detail, kind, isUpdate, summary, findings }: Shown) {
  const { seq, member, type, from, origin, wallClock, title, size, cut, oversize, line } = detail;
  const { session, sessionId, turn, replayOf, late, exchange, mark } = detail;
  const history = replayOf !== undefined ? 'replay' : late ? 'late' : 'live';
  return defined({
    ...{ file, seq, member, type, kind, from, origin, at: known(detail.at) },
    wallClock: knownDate(wallClock) ? wallClock : undefined,
    ...{ title, update: isUpdate || undefined, summary, session, sessionId, turn },
    history: from === undefined ? undefined : history,
    ...{ replayOf, exchange, mark, findings, bytes: size, cut, oversize },
    ...line,
  });
}
