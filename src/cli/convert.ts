// `acp-scope convert`: a trace read in one format and written in another.
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { command, EXIT, FileError, UsageError } from './command.ts';
import {
  eventsIn,
  isSameFile,
  isTraceName,
  openTrace,
  readTrace,
  writeTrace,
} from './parts/trace-files.ts';
import { recordOf } from '../drive/scenario/assert/record.ts';
import { importDocument } from '../model/import-report.ts';
import { textReport } from '../report/text.ts';
import { scenarioFrom } from '../drive/scenario/file/from-trace.ts';

const SCENARIO = /\.scenario\.json$/;

export const convert = command({
  usage: 'acp-scope convert IN… OUT',
  summary: 'Write a trace in another format, chosen by the name of OUT.',
  details: [
    '*.acptrace.jsonl[.gz]   the trace format of ACP Scope',
    '*.ndjson[.gz]           the recorder format: {"t","dir","raw"}, one a line',
    '*.scenario.json         a scenario that sends the same again; several IN are one connection each',
    'IN is told by its content, and may be what another tool wrote: then stderr says what was given,',
    'inferred and lost. Lines that are no events are named there too.',
  ],
  takes: ['files'],
  options: {},
  async run({ files }) {
    const out = files.at(-1);
    if (out !== undefined && files.length > 1 && SCENARIO.test(out))
      return toScenario(files.slice(0, -1), out);
    const [input, output, ...more] = files;
    if (input === undefined || output === undefined || more.length > 0)
      throw new UsageError('convert takes two files: the one to read and the one to write.');
    if (!isTraceName(output))
      throw new UsageError(
        `The name ${output} says no format. End it in .acptrace.jsonl or .ndjson, with .gz to compress, or in .scenario.json.`,
      );
    if (await isSameFile(input, output))
      throw new UsageError(
        `${input} and ${output} are one file: writing it would end its reading.`,
      );
    const { header, items, report } = await openTrace(input);
    let events = 0;
    const { replaced, left } = await writeTrace(
      output,
      header,
      (async function* () {
        for await (const good of eventsIn(input, items)) {
          events += good.length;
          yield good;
        }
      })(),
    );
    if (replaced > 0)
      console.error(
        `${count(replaced, 'line is', 'lines are')} not UTF-8: bad bytes became U+FFFD.`,
      );
    if (left > 0)
      console.error(
        `${count(left, 'event is', 'events are')} neither frame nor stderr: this format has no word for that.`,
      );
    const imported = report();
    if (imported) console.error(textReport(importDocument(imported)).trimEnd());
    console.error(`${output}: ${events - left} events.`);
    return EXIT.ok;
  },
});

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
  console.error(`${output}: ${count(Array.isArray(steps) ? steps.length : 0, 'step', 'steps')}.`);
  return EXIT.ok;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
