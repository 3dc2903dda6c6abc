// `acp-scope convert`: a trace read in one format and written in another.
import { EXIT, parse, UsageError, type Command } from './command.ts';
import type { TraceEvent } from '../trace/event.ts';
import { isScenarioName, writeScenario } from './record/scenario-from.ts';
import { FileError, isSameFile, openTrace, writeTrace } from './parts/trace-files.ts';

export const convert: Command = {
  usage: 'acp-scope convert IN… OUT',
  summary: 'Write a trace in another format, chosen by the name of OUT.',
  details: [
    '*.acptrace.jsonl[.gz]   the trace format of ACP Scope',
    '*.ndjson[.gz]           the recorder format: {"t","dir","raw"}, one a line',
    '*.scenario.json         a scenario that sends the same again; several IN are one connection each',
    'IN is told by its content. Lines that are no events are named on stderr.',
  ],
  async run(args) {
    const { positionals } = parse({ args: [...args], allowPositionals: true });
    const out = positionals.at(-1);
    if (out !== undefined && positionals.length > 1 && isScenarioName(out))
      return toScenario(positionals.slice(0, -1), out);
    const [input, output, ...more] = positionals;
    if (input === undefined || output === undefined || more.length > 0)
      throw new UsageError('convert takes two files: the one to read and the one to write.');
    if (!/\.(acptrace\.jsonl|ndjson)(\.gz)?$/.test(output))
      throw new UsageError(
        `The name ${output} says no format. End it in .acptrace.jsonl or .ndjson, with .gz to compress, or in .scenario.json.`,
      );
    if (await isSameFile(input, output))
      throw new UsageError(
        `${input} and ${output} are one file: writing it would end its reading.`,
      );
    try {
      const trace = await openTrace(input);
      let events = 0;
      const { replaced, left } = await writeTrace(
        output,
        trace.header,
        (async function* () {
          for await (const batch of trace.items) {
            const good: TraceEvent[] = [];
            for (const item of batch)
              if ('event' in item) good.push(item.event);
              else console.error(`${input}, line ${item.line}: ${item.problem}; left out.`);
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
      console.error(`${output}: ${events - left} events.`);
      return EXIT.ok;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      console.error(error.message);
      return EXIT.environment;
    }
  },
};

async function toScenario(inputs: readonly string[], output: string): Promise<number> {
  try {
    const steps = await writeScenario(inputs, output);
    console.error(`${output}: ${count(steps, 'step', 'steps')}.`);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    console.error(error.message);
    return EXIT.environment;
  }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
