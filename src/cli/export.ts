// `acp-scope export`: a trace for others, or what shows a finding, without what should not leave this
// machine.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { command, EXIT, FileError, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { oneOf } from './parts/option-values.ts';
import { framePlaces, type SeqSpan } from './parts/frame-places.ts';
import { FIGURE_FORMATS, formatOf, formatWords, printBeside } from './parts/print-report.ts';
import { FORCE_OPTION, outFiles, type OutFile } from './parts/out-file.ts';
import { eventsIn, isTraceName, openTrace, readIndexed } from './parts/trace-files.ts';
import { writeText, writeTrace } from './parts/write-trace.ts';
import { count } from '../lib/format.ts';
import { safeJson } from '../lib/safe-json.ts';
import { looksSecret } from '../lib/secrets/names.ts';
import { DEFAULT_LEVEL, LEVEL_WORDS, LEVELS, type RedactionLevel } from '../model/redact/levels.ts';
import { Redactor } from '../model/redact/redactor.ts';
import { redactionDocument, redactionSentence } from '../model/redact/report.ts';
import { type BundleTold, bundleDocument } from '../rules/bundle/document.ts';
import type { TraceEvent, Seq } from '../trace/event.ts';
import { FORMAT, headerLine, isUnreadable, parseHeader, type Header } from '../trace/format.ts';
import { viewerFile } from '../trace/viewer-file.ts';
import { version } from '../../package.json';
import type { TraceIndex } from '../model/trace-index.ts';
import { rendered } from '../report/render.ts';
import { bundleOf, type Wanted } from '../rules/bundle/bundle.ts';
import { TraceCheck } from '../rules/check-trace.ts';
import type { Finding } from '../rules/finding.ts';
import { loadRemarks } from '../rules/steps.ts';
import { fidelityOf } from '../model/fidelity/fidelity.ts';

export const exporting = command({
  ...WORDS.export,
  details: [
    ...LEVELS.map((level) => `--level ${level.padEnd(12)} ${LEVEL_WORDS[level]}`),
    `Unless said otherwise it is ${DEFAULT_LEVEL}. OUT is a trace: *.acptrace.jsonl or *.ndjson, with .gz to compress.`,
    '--finding ID            with OUT.md: what shows the finding of this rule, as acp-scope check names it;',
    '                        replay/empty#12 is the one at frame 12',
    'IN#4,7..9 OUT.md        what shows these frames',
    'Beside OUT.md stands OUT.acptrace.jsonl: these frames and those they follow from, with their numbers.',
    'OUT.html is a page that shows the trace by itself, offline, and gives it back; IN#12: at frame 12.',
    'Secrets are found by where they stand, by how they look, and by the values of variables of this',
    'shell whose names say so. The same secret gets the same name, as ‹redacted:env:1›; all else keeps its',
    'bytes. What was left out is said on stderr, and in the header of the file; with it what remains',
    'that you should look at.',
    '--force                 overwrite OUT if it exists; never the trace beside OUT.md',
    `--format F              ${formatWords(FIGURE_FORMATS)}: what was left out, on stdout; text on stderr`,
  ],
  takes: ['files'],
  options: {
    ...FORCE_OPTION,
    level: { type: 'string' },
    format: { type: 'string' },
    finding: { type: 'string' },
  },
  writes: ['OUT'],
  async run({ values, files }) {
    const [given, out] = files;
    if (given === undefined || out === undefined || files.length > 2)
      throw new UsageError('export takes two files: the one to read and the one to write.');
    const level: RedactionLevel = oneOf('level', values.level ?? DEFAULT_LEVEL, LEVELS);
    const format = formatOf(values.format, FIGURE_FORMATS);
    const { input, spans, written } = await ordered(given, out, values.finding);
    const outs = outFiles({ option: 'OUT', force: values.force, reads: [input] });
    const file = await outs.named(out);
    const [, evidence] = written;
    const beside = evidence === undefined ? undefined : await outs.beside(evidence, out);
    const redactor = new Redactor({ level, known: secretsOf(process.env) });
    const { header, format: of } = await learn(redactor, input);
    if (beside)
      tellEvidence(
        written.join(' and '),
        await writeEvidence(input, [file, beside], header, redactor, {
          finding: values.finding,
          spans,
        }),
      );
    else if (out.endsWith('.html')) {
      const isAsItIs = level === 'all' && of === FORMAT;
      const packed = isAsItIs
        ? await packedFile(input)
        : await packedBy((path) => writeWhole(input, { path, replaces: false }, header, redactor));
      await writeHtml(file, heldName(input, isAsItIs), packed, spans[0]?.from);
    } else await writeWhole(input, file, header, redactor);
    const { redaction } = redactor;
    const document = () => redactionDocument(redaction);
    printBeside(format, document, () => safeJson({ in: input, out, ...redaction }));
    console.error(`${written.join(' and ')}: ${redactionSentence(redaction)}`);
    return EXIT.ok;
  },
});

interface Order {
  readonly input: string;
  /** Frames of it that are asked for. */
  readonly spans: readonly SeqSpan[];
  /** Files that will be written. */
  readonly written: readonly string[];
}

/** What is read and written. Throws UsageError. */
async function ordered(given: string, out: string, finding: string | undefined): Promise<Order> {
  const { places } = await framePlaces([given]);
  const [place] = places;
  const input = place?.file ?? given;
  const spans = place?.spans ?? [];
  const isEvidence = finding !== undefined || place !== undefined;
  if (out.endsWith('.md')) {
    if (isEvidence && (finding === undefined || place === undefined))
      return { input, spans, written: [out, evidenceTrace(out)] };
    throw new UsageError(
      `${out} is for one finding, or some frames: give --finding ID, or ${input}#4,7..9.`,
    );
  }
  if (out.endsWith('.html') && finding === undefined) return { input, spans, written: [out] };
  if (isEvidence)
    throw new UsageError(
      `What shows a finding or frames is written as Markdown: end ${out} in .md.`,
    );
  if (isTraceName(out)) return { input, spans, written: [out] };
  throw new UsageError(
    `The name ${out} says no format. End it in .acptrace.jsonl or .ndjson, with .gz to compress, in .html, or in .md with --finding.`,
  );
}

async function writeWhole(
  input: string,
  out: OutFile,
  header: Header,
  redactor: Redactor,
): Promise<void> {
  const { items } = await openTrace(input);
  const events = redacted(redactor, eventsIn(input, items));
  await writeTrace(out, header, events);
}

function tellEvidence(written: string, { finding, shown, kept, of }: BundleTold): void {
  const what = finding === undefined ? '' : ` of ${finding.rule}`;
  console.error(`${written}: evidence${what} in ${kept} of ${count(of, 'event')}.`);
  if (!shown) console.error('The file alone does not show the finding at this level.');
}

/** The first reading; gives the header as it may leave, and the format it is read from. */
async function learn(
  redactor: Redactor,
  input: string,
): Promise<{ readonly header: Header; readonly format: string }> {
  const { header, format, items } = await openTrace(input);
  const line = headerLine(header);
  redactor.learn(line);
  for await (const batch of items)
    for (const item of batch) if ('event' in item) redactor.learnEvent(item.event);
  redactor.learned();
  const left = parseHeader(redactor.line(line));
  if (isUnreadable(left)) throw new FileError(`${input}: ${left.problem}`);
  const redacted = redactor.mark(header.redacted);
  return { header: { ...left, ...(redacted && { redacted }) }, format };
}

async function* redacted(
  redactor: Redactor,
  batches: AsyncIterable<readonly TraceEvent[]>,
): AsyncGenerator<readonly TraceEvent[]> {
  for await (const batch of batches) yield batch.map((event) => redactor.event(event));
}

/** What the agent was likely given too: values of this environment whose names say that they are secrets. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    value.length >= 8 && looksSecret({ name, value }) ? [value] : [],
  );
}

// OUT.html: a page that shows the trace by itself, and gives it back.

const PAGE = join(dirname(fileURLToPath(import.meta.url)), '../dist/viewer.html');

/** `packed`: the trace file by gzip. Throws FileError. */
async function writeHtml(
  out: OutFile,
  name: string,
  packed: Uint8Array,
  frame: number | undefined,
): Promise<void> {
  const page = await readFile(PAGE, 'utf8').catch(() => '');
  const file = viewerFile(page, { packed, name, frame });
  if (file === undefined)
    throw new FileError(`There is no page at ${PAGE} to put the trace into. Run npm run build.`);
  await writeText(out, file);
}

/** The bytes of a file, packed. */
async function packedFile(path: string): Promise<Uint8Array> {
  return gzipSync(await readFile(path));
}

/** What `write` writes to a file of this name, which is packed by its name. */
async function packedBy(write: (path: string) => Promise<void>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'acp-scope-'));
  const path = join(folder, 'trace.acptrace.jsonl.gz');
  try {
    await write(path);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the trace file in a page is called. */
function heldName(input: string, isAsItIs: boolean): string {
  const name = basename(input);
  return isAsItIs
    ? name
    : name.replace(/(\.acptrace)?\.(jsonl|ndjson)(\.gz)?$/, '').concat('.acptrace.jsonl');
}

interface EvidenceWish {
  /** Rule, or rule and one of its frames: `replay/empty`, `replay/empty#12`. */
  readonly finding: string | undefined;
  readonly spans: readonly SeqSpan[];
}

/** The trace file beside `out`. */
function evidenceTrace(out: string): string {
  return out.replace(/\.md$/, '.acptrace.jsonl');
}

/** `out`: the page, and the trace beside it. `header`: as it may leave. `redactor`: has learned the file. Throws UsageError where there is no such finding. */
async function writeEvidence(
  input: string,
  [out, file]: readonly [OutFile, OutFile],
  header: Header,
  redactor: Redactor,
  wish: EvidenceWish,
): Promise<BundleTold> {
  const remarksOf = await loadRemarks();
  const check = new TraceCheck({ remarksOf });
  const trace = await readIndexed(input, 'c1', { take: (event) => check.append(event) });
  const { findings } = check.end(check.hasRestores ? fidelityOf([trace]).windows : []);
  const wanted = wantedOf(input, trace.index, findings, wish);
  const bundle = bundleOf({ trace, findings, wanted, edition: 'auto', remarksOf }, redactor);
  const told: BundleTold = {
    ...bundle,
    header,
    file: basename(file.path),
    tool: `acp-scope ${version}`,
    redaction: redactor.redaction,
  };
  await writeTrace(file, header, [bundle.events]);
  await writeText(out, rendered(bundleDocument(told), 'markdown'));
  return told;
}

function wantedOf(
  input: string,
  index: TraceIndex,
  findings: readonly Finding[],
  { finding, spans }: EvidenceWish,
): Wanted {
  if (finding !== undefined) return { finding: findingNamed(input, findings, finding) };
  const seqs: Seq[] = [];
  for (let place = 0; place < index.length; place++) {
    const seq = index.columns.seqOf(place);
    if (spans.some(({ from, to }) => seq >= from && seq <= to)) seqs.push(seq);
  }
  if (seqs.length > 0) return { seqs };
  throw new UsageError(`${input} has no such frames.`);
}

const ONE_FILE = 'This command reads one recording: it cannot show a finding that needs another.';

/** The worst finding of this name; the others are named on stderr. */
function findingNamed(input: string, findings: readonly Finding[], name: string): Finding {
  const [, rule = name, at] = /^(.+)#(\d+)$/.exec(name) ?? [];
  const named = findings.filter((one) => one.rule === rule);
  const fitting = named.filter(
    ({ seqs }) => at === undefined || seqs.some((seq) => `${seq}` === at),
  );
  const [first, ...more] = fitting;
  if (first === undefined) {
    const there = named.length > 0 ? named : findings.filter(({ verdict }) => verdict === 'fail');
    const names = [...new Set(there.map(nameOf))].join(', ');
    throw new UsageError(
      names === ''
        ? `${input} has no findings. ${ONE_FILE} Name frames instead: ${input}#4,7..9`
        : `${input} has no finding ${name}. It has ${names}. ${ONE_FILE}`,
    );
  }
  if (more.length > 0)
    console.error(
      `${count(more.length, 'more finding')} of ${rule}: ${more.map(nameOf).join(', ')}.`,
    );
  return first;
}

function nameOf({ rule, seqs }: Finding): string {
  return `${rule}#${seqs[0]}`;
}
