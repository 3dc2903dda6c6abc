// `acp-scope convert`: a trace read in one format and written in another.
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { command, EXIT, FileError, UsageError } from './command.ts';
import {
  eventsIn,
  isTraceName,
  keepApart,
  openTrace,
  readTrace,
  writeTrace,
  type Batches,
} from './parts/trace-files.ts';
import { recordOf } from '../drive/scenario/assert/record.ts';
import { importDocument } from '../model/import-report.ts';
import { count } from '../lib/format-count.ts';
import { formatSpan } from '../lib/format-time.ts';
import type { Header } from '../trace/format.ts';
import type { ImportReport } from '../trace/import/format.ts';
import { mergeTraces, type Laid, type MergedRecording } from '../trace/merge.ts';
import { textReport } from '../report/text.ts';
import { scenarioFrom } from '../drive/scenario/file/from-trace.ts';

const SCENARIO = /\.scenario\.json$/;

export const convert = command({
  usage: 'acp-scope convert IN… OUT [--merge]',
  summary: 'Write a trace in another format, chosen by the name of OUT.',
  details: [
    '*.acptrace.jsonl[.gz]   the trace format of ACP Scope',
    '*.ndjson[.gz]           the recorder format: {"t","dir","raw"}, one a line',
    '*.scenario.json         a scenario that sends the same again; several IN are one connection each',
    'IN is told by its content, and may be what another tool wrote: then stderr says what was given,',
    'inferred and lost. Lines that are no events are named there too.',
    '--merge                 several IN are recordings of one process, as a tap and the agent’s own log:',
    '                        one trace, on the clock of the first',
  ],
  takes: ['files'],
  options: { merge: { type: 'boolean' } },
  async run({ values: { merge }, files }) {
    const out = files.at(-1);
    if (out !== undefined && files.length > 1 && SCENARIO.test(out))
      return toScenario(files.slice(0, -1), out);
    const inputs = files.slice(0, -1);
    const [input] = inputs;
    if (out === undefined || input === undefined || inputs.length > (merge ? Infinity : 1))
      throw new UsageError(
        'convert takes two files: the one to read and the one to write; more to read with --merge.',
      );
    if (!isTraceName(out))
      throw new UsageError(
        `The name ${out} says no format. End it in .acptrace.jsonl or .ndjson, with .gz to compress, or in .scenario.json.`,
      );
    await keepApart('OUT', out, inputs);
    if (merge) return merged(inputs, out);
    const { header, items, report } = await openTrace(input);
    await write(out, header, eventsIn(input, items), report);
    return EXIT.ok;
  },
});

async function write(
  output: string,
  header: Header,
  batches: Batches,
  report: () => ImportReport | undefined = () => undefined,
): Promise<void> {
  const events = await writeTrace(output, header, batches);
  const imported = report();
  if (imported) console.error(textReport(importDocument(imported)).trimEnd());
  console.error(`${output}: ${events} events.`);
}

/** Recordings of one process, each laid over those before it. */
async function merged(inputs: readonly string[], output: string): Promise<number> {
  const [first = '', ...others] = inputs;
  if (others.length === 0)
    throw new UsageError('--merge takes two files to read or more, and the one to write.');
  let all: MergedRecording = await readTrace(first);
  for (const path of others) {
    const laid = mergeTraces(all, await readTrace(path));
    if ('problem' in laid)
      throw new UsageError(
        `${path} and ${first} have no frame in common, and they do not both say when they began: nothing tells how they lie together. Are they recordings of one process?`,
      );
    all = laid.merged;
    console.error(laidWords(path, first, laid.laid));
  }
  const { header, events } = all;
  await write(output, header, [events]);
  return EXIT.ok;
}

function laidWords(path: string, first: string, laid: Laid): string {
  const { offset, by, spread = 0, both, second, first: ours } = laid;
  const shift = `${(offset ?? 0) < 0 ? '−' : '+'}${formatSpan(Math.abs(offset ?? 0))}`;
  const how = {
    frames: `its times ${shift}, told from ${count(both, 'line')} that both have, nine in ten within ${formatSpan(spread)}`,
    clocks: `its times ${shift}, told from their wall clocks: they have no line in common`,
    order: `by the order of ${count(both, 'line')} that both have: one of them has no times`,
  }[by];
  return `${path} laid over ${first}: ${how}. ${both} in both, ${ours} in ${first} alone, ${second} in ${path} alone.`;
}

/** One recording a connection, in order. */
async function toScenario(inputs: readonly string[], output: string): Promise<number> {
  const traces = [];
  for (const input of inputs) traces.push(await readTrace(input));
  const name = basename(output).replace(SCENARIO, '');
  const document = scenarioFrom(recordOf(traces).traces, { name });
  try {
    writeFileSync(output, `${JSON.stringify(document, undefined, 2)}\n`);
  } catch (error) {
    throw new FileError(`Cannot write ${output}: ${(error as Error).message}.`);
  }
  const { steps } = document;
  console.error(`${output}: ${count(Array.isArray(steps) ? steps.length : 0, 'step')}.`);
  return EXIT.ok;
}
