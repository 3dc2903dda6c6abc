// `acp-scope fidelity`: what agents replay, held against what was said live.
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import { fidelityDocument, type NamedTrace } from '../model/fidelity/report/document.ts';
import { fidelityJson } from '../model/fidelity/report/report-json.ts';
import { fails, nothingJudged, whyUnjudged } from '../model/fidelity/report/document.ts';
import { chipBook } from '../model/facts/chips.ts';
import type { IndexedTrace } from '../model/indexed-trace.ts';
import { command, EXIT, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { formatOf, formatWords, printReport } from './parts/print-report.ts';
import { readIndexed } from './parts/trace-files.ts';

export const fidelity = command({
  ...WORDS.fidelity,
  details: [
    '--session ID   only replays of this session',
    '--all          every difference, also where there are many',
    '--allow-inconclusive',
    '               exit 0 also if some of the replays could not be judged',
    `--format F     ${formatWords()}, on stdout`,
    'The live part and its replay may lie in different files, given in any order.',
    'Exit 1 if a replay is lossy or corrupt, or if one with something to judge could not be judged.',
    'docs/fidelity.md says what the words mean.',
  ],
  takes: ['files'],
  options: {
    session: { type: 'string' },
    all: { type: 'boolean', default: false },
    'allow-inconclusive': { type: 'boolean', default: false },
    format: { type: 'string', default: 'text' },
  },
  async run({ values, files }) {
    if (files.length === 0) throw new UsageError('fidelity takes one or more trace files.');
    const format = formatOf(values.format);
    const read = await readAll(files);
    const sources = read.map(({ source }) => source);
    const { session } = values;
    if (session !== undefined && !sources.some((source) => knows(source, session)))
      throw new UsageError(`No file given names the session ${session}.`);
    const report = fidelityOf(sources, session === undefined ? {} : { session });
    const unjudged = values['allow-inconclusive'] ? nothingJudged(report) : whyUnjudged(report);
    const names = new Map(read.map(({ connection, file }) => [connection, file]));
    printReport(
      format,
      () => fidelityDocument(report, read, values.all, unjudged),
      () => fidelityJson(report, names.size > 1 ? (one) => names.get(one) ?? '' : undefined),
    );
    if (unjudged !== undefined && format !== 'text') console.error(unjudged);
    return unjudged !== undefined || report.windows.some(fails) ? EXIT.failed : EXIT.ok;
  },
});

interface ReadTrace extends NamedTrace {
  readonly source: IndexedTrace;
}

async function readAll(paths: readonly string[]): Promise<ReadTrace[]> {
  const read: ReadTrace[] = [];
  const chipOf = chipBook();
  for (const [at, file] of [...new Set(paths)].entries()) {
    const name = `c${at + 1}`;
    const source = await readIndexed(file, name, { chipOf });
    source.index.isOver = () => true;
    read.push({ connection: source.connection, name, file, source });
  }
  return read;
}

function knows({ index }: IndexedTrace, session: string): boolean {
  return index.facts().sessions.some(({ sessionId }) => sessionId === session);
}
