// `acp-scope fidelity`: what agents replay, held against what was said live.
import { styleText } from 'node:util';
import { fidelityOf } from '../diff/fidelity/fidelity.ts';
import { jsonReport } from '../diff/fidelity/report/report-json.ts';
import { fails, junitReport, nothingJudged } from '../diff/fidelity/report/report-junit.ts';
import { textReport, type NamedTrace, type Paint } from '../diff/fidelity/report/report-text.ts';
import type { FidelityReport } from '../diff/fidelity/report/report.ts';
import { chipBook } from '../model/facts/chips.ts';
import { indexedTrace, type IndexedTrace } from '../model/indexed-trace.ts';
import { EXIT, parse, UsageError, type Command } from './command.ts';
import { FileError, readTrace } from './parts/trace-files.ts';

const FORMATS = ['text', 'json', 'junit'] as const;
type Format = (typeof FORMATS)[number];

export const fidelity: Command = {
  usage: 'acp-scope fidelity FILE… [--session ID] [--all] [--format text|json|junit]',
  summary: 'Hold what an agent replays against what was said live, for each restore.',
  details: [
    '--session ID   only replays of this session',
    '--all          every difference, also where there are many',
    '--format F     text, json or junit, on stdout',
    'The live part and its replay may lie in different files, given in any order.',
    'Exit 1 if a replay is lossy or corrupt, or if none could be judged. docs/fidelity.md says',
    'what the words mean.',
  ],
  async run(args) {
    const { values, positionals } = parse({
      args: [...args],
      allowPositionals: true,
      options: {
        session: { type: 'string' },
        all: { type: 'boolean', default: false },
        format: { type: 'string', default: 'text' },
      },
    });
    if (positionals.length === 0) throw new UsageError('fidelity takes one or more trace files.');
    const format = FORMATS.find((one) => one === values.format);
    if (format === undefined)
      throw new UsageError(`--format ${values.format} is not one of ${FORMATS.join(', ')}.`);
    try {
      const read = await readAll(positionals);
      const sources = read.map(({ source }) => source);
      const { session } = values;
      if (session !== undefined && !sources.some((source) => knows(source, session)))
        throw new UsageError(`No file given names the session ${session}.`);
      const report = fidelityOf(sources, session === undefined ? {} : { session });
      console.log(printed(format, report, read, values.all));
      const unjudged = nothingJudged(report);
      if (unjudged !== undefined && format !== 'text') console.error(unjudged);
      return unjudged !== undefined || report.windows.some(fails) ? EXIT.failed : EXIT.ok;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      console.error(error.message);
      return EXIT.environment;
    }
  },
};

interface ReadTrace extends NamedTrace {
  readonly source: IndexedTrace;
}

async function readAll(paths: readonly string[]): Promise<ReadTrace[]> {
  const read: ReadTrace[] = [];
  const chipOf = chipBook();
  for (const [at, file] of [...new Set(paths)].entries()) {
    const { events, began } = await readTrace(file);
    const source = indexedTrace(events, `c${at + 1}`, { chipOf, began });
    source.index.isOver = () => true;
    read.push({ connection: source.connection, file, source });
  }
  return read;
}

function knows({ index }: IndexedTrace, session: string): boolean {
  return index.facts().sessions.some(({ sessionId }) => sessionId === session);
}

function printed(
  format: Format,
  report: FidelityReport,
  traces: readonly NamedTrace[],
  all: boolean,
): string {
  switch (format) {
    case 'text':
      return textReport(report, traces, all, process.stdout.isTTY ? colour : undefined);
    case 'json': {
      const files = new Map(traces.map(({ connection, file }) => [connection, file]));
      const isMany = traces.length > 1;
      return jsonReport(report, isMany ? (connection) => files.get(connection) ?? '' : undefined);
    }
    case 'junit':
      return junitReport(report, traces);
  }
}

const STYLES = {
  equal: 'green',
  cosmetic: 'green',
  lossy: 'yellow',
  corrupt: 'red',
  undecidable: 'blue',
  quiet: 'gray',
} as const;

/** Only on a terminal; `styleText` heeds NO_COLOR from Node 22 on, so 20 is told here. */
const colour: Paint = (tone, text) =>
  process.env['NO_COLOR'] ? text : styleText(STYLES[tone], text);
