// `acp-scope convert`: a trace read in one format and written in another.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { command, EXIT, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { FIGURE_FORMATS, formatOf, formatWords, printBeside } from './parts/print-report.ts';
import { endProgress, progress } from './parts/progress.ts';
import { eventsIn, isTraceName, openTrace, readPacked, readTrace } from './parts/trace-files.ts';
import { FORCE_OPTION, nameWith, outFiles, type OutFile, type OutFiles } from './parts/out-file.ts';
import { writeText, writeTrace } from './parts/write-trace.ts';
import { recordOf } from '../drive/scenario/assert/record.ts';
import { importDocument } from '../model/import-report.ts';
import { count } from '../lib/format.ts';
import { formatSpan } from '../lib/format-time.ts';
import { safeJson } from '../lib/safe-json.ts';
import type { ImportReport } from '../trace/import/format.ts';
import type { TraceEvent } from '../trace/event.ts';
import { mergeTraces, type Laid } from '../trace/merge.ts';
import type { LazyRecording } from '../trace/merge-columns.ts';
import { joinedHeader, joinedPair, onlySideOf } from '../trace/one-way.ts';
import { eventsAt } from '../model/indexed-trace.ts';
import type { ReportDocument } from '../report/document.ts';
import { lines } from '../report/words.ts';
import { scenarioFrom } from '../drive/scenario/file/from-trace.ts';

const SCENARIO = /\.scenario\.json$/;

export const convert = command({
  ...WORDS.convert,
  details: [
    '*.acptrace.jsonl[.gz]   the trace format of ACP Scope',
    '*.ndjson[.gz]           the recorder format: {"t","dir","raw"}, one a line',
    '*.scenario.json         a scenario that sends the same again; several IN are one connection each',
    'IN is told by its content, and may be what another tool wrote: then stderr says what was given,',
    'inferred and lost. Lines that are no events are named there too.',
    '--merge                 several IN are recordings of one process, as a tap and the agent’s own log:',
    '                        one trace, on the clock of the first',
    '--force                 overwrite OUT if it exists',
    `--format F              ${formatWords(FIGURE_FORMATS)}: what became of it, on stdout; text on stderr`,
  ],
  takes: ['files'],
  options: { ...FORCE_OPTION, merge: { type: 'boolean' }, format: { type: 'string' } },
  writes: ['OUT'],
  async run({ values: { merge = false, force, ...values }, files }) {
    const format = formatOf(values.format, FIGURE_FORMATS);
    const told = await ordered(files, merge, force);
    printBeside(
      format,
      () => convertedDocument(told),
      () => safeJson(told),
    );
    return EXIT.ok;
  },
});

async function ordered(
  files: readonly string[],
  merge: boolean,
  force: boolean,
): Promise<Converted> {
  const inputs = files.slice(0, -1);
  const [input] = inputs;
  const out = files.at(-1);
  const outs = outFiles({ option: 'OUT', force, reads: inputs });
  if (out !== undefined && input !== undefined && SCENARIO.test(out))
    return toScenario(inputs, await outs.named(out));
  if (out === undefined || input === undefined || inputs.length > (merge ? Infinity : 1))
    throw new UsageError(
      'convert takes two files: the one to read and the one to write; more to read with --merge.',
    );
  if (!isTraceName(out))
    throw new UsageError(
      `The name ${out} says no format. End it in .acptrace.jsonl or .ndjson, with .gz to compress, or in .scenario.json.`,
    );
  return merge ? merged(inputs, await outs.named(out)) : converted(input, out, outs);
}

/** What was read and written, as `--format json` prints it. */
interface Converted {
  readonly in: readonly string[];
  readonly out: string;
  readonly events?: number;
  /** The traces of the other processes whose lines the file has. */
  readonly more?: readonly string[];
  /** Of a scenario. */
  readonly steps?: number;
  /** Of a file of another tool. */
  readonly imported?: ImportReport;
  /** How each file but the first lies over it. */
  readonly laid?: readonly (Laid & { readonly file: string })[];
}

/** A trace of each process of the file: the first in OUT, the others beside it. No file is written before all may be. */
async function converted(input: string, out: string, outs: OutFiles): Promise<Converted> {
  const first = await outs.named(out);
  const { header, items, report, parts } = await openTrace(input, 0);
  const files: OutFile[] = [];
  for (const part of parts.slice(1).keys())
    files.push(await outs.beside(nameWith(out, `.c${part + 2}`), out));
  const events = await writeTrace(first, header, eventsIn(input, items));
  const imported = report();
  const more: string[] = [];
  for (const [at, file] of files.entries()) {
    const { header: its, items: all } = await openTrace(input, at + 1);
    await writeTrace(file, its, eventsIn(input, all));
    more.push(`${file.path} (${parts[at + 1]})`);
  }
  return {
    ...{ in: [input], out, events },
    ...(more.length > 0 && { more }),
    ...(imported && { imported }),
  };
}

/** Recordings of one process, each laid over those before it. */
async function merged(inputs: readonly string[], out: OutFile): Promise<Converted> {
  const [first = '', ...others] = inputs;
  if (others.length === 0)
    throw new UsageError('--merge takes two files to read or more, and the one to write.');
  let all = await readPacked(first);
  const laid = [];
  for (const file of others) {
    const next = await readPacked(file);
    const joined = joinedIfOneWay(all, next);
    if (joined) {
      all = joined;
      continue;
    }
    const digest = (text: string) => createHash('sha256').update(text).digest('base64');
    const pause = async () => progress(() => `Laying ${file} over ${first}`);
    const merging = await mergeTraces(all, next, { digest, pause });
    endProgress();
    if ('problem' in merging)
      throw new UsageError(
        `${file} and ${first} have no frame in common, and they do not both say when they began: nothing tells how they lie together. Are they recordings of one process?`,
      );
    all = merging.merged;
    laid.push({ file, ...merging.laid });
  }
  const events = await writeTrace(out, all.header, batchesOf(all));
  return { in: inputs, out: out.path, events, laid };
}

/** Two recordings of one direction each as one trace; undefined if they are others. */
function joinedIfOneWay(one: LazyRecording, other: LazyRecording): LazyRecording | undefined {
  // Most are not: their events are not held for that.
  if (!onlySideOf(eventsOf(one)) || !onlySideOf(eventsOf(other))) return undefined;
  const events = joinedPair([...eventsOf(one)], [...eventsOf(other)]);
  if (!events) return undefined;
  return {
    header: joinedHeader(one.header),
    length: events.length,
    eventAt: eventsAt(events),
  };
}

function* eventsOf({ length, eventAt }: LazyRecording): Generator<TraceEvent> {
  for (let at = 0; at < length; at++) yield eventAt(at);
}

/** Events that are written together. */
const BATCH = 1000;

function* batchesOf({ length, eventAt }: LazyRecording): Generator<readonly TraceEvent[]> {
  for (let from = 0; from < length; from += BATCH)
    yield Array.from({ length: Math.min(BATCH, length - from) }, (_, nth) => eventAt(from + nth));
}

/** One recording a connection, in order. */
async function toScenario(inputs: readonly string[], out: OutFile): Promise<Converted> {
  const traces = [];
  for (const input of inputs) traces.push(await readTrace(input));
  const name = basename(out.path).replace(SCENARIO, '');
  const document = scenarioFrom(recordOf(traces).traces, { name });
  await writeText(out, `${JSON.stringify(document, undefined, 2)}\n`);
  const { steps } = document;
  return { in: inputs, out: out.path, steps: Array.isArray(steps) ? steps.length : 0 };
}

function convertedDocument(told: Converted): ReportDocument {
  const { in: inputs, out, events = 0, more = [], steps, imported, laid = [] } = told;
  const written = steps === undefined ? count(events, 'event') : count(steps, 'step');
  return {
    name: 'acp-scope convert',
    title: `${inputs.join(', ')}, converted`,
    untitled: true,
    blocks: [
      lines(...laid.map((one) => laidWords(one, inputs[0] ?? ''))),
      ...(imported ? importDocument(imported).blocks : []),
      lines(
        `${out}: ${written}.`,
        ...more.map((one) => `${one}: another process of the same file.`),
      ),
    ],
    suites: [],
  };
}

function laidWords(laid: Laid & { readonly file: string }, first: string): string {
  const { file, offset, by, spread = 0, both, second, first: ours } = laid;
  const shift = `${(offset ?? 0) < 0 ? '−' : '+'}${formatSpan(Math.abs(offset ?? 0))}`;
  const how = {
    frames: `its times ${shift}, told from ${count(both, 'line')} that both have, nine in ten within ${formatSpan(spread)}`,
    clocks: `its times ${shift}, told from their wall clocks: they have no line in common`,
    order: `by the order of ${count(both, 'line')} that both have: one of them has no times`,
  }[by];
  return `${file} laid over ${first}: ${how}. ${both} in both, ${ours} in ${first} alone, ${second} in ${file} alone.`;
}
