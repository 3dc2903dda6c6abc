// `acp-scope stats`: what a trace file holds, counted.
import { safeJson } from '../lib/safe-json.ts';
import { StatsFold } from '../model/sessions/stats.ts';
import { statsDocument } from '../model/sessions/stats-report.ts';
import { EXIT, parse, UsageError, type Command } from './command.ts';
import { FIGURE_FORMATS, formatOf, formatWords, printReport } from './parts/print-report.ts';
import { FileError, openTrace } from './parts/trace-files.ts';

export const stats: Command = {
  usage: 'acp-scope stats FILE [--format F]',
  summary: 'Counts and latency by method, turns, restores.',
  details: [`--format F   ${formatWords(FIGURE_FORMATS)}, on stdout`],
  async run(args) {
    const { values, positionals } = parse({
      args: [...args],
      allowPositionals: true,
      options: { format: { type: 'string', default: 'text' } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('stats takes one trace file.');
    const format = formatOf(values.format, FIGURE_FORMATS);
    try {
      const fold = new StatsFold();
      for await (const batch of (await openTrace(file)).items)
        for (const item of batch) {
          if ('problem' in item) {
            console.error(`${file}, line ${item.line}: ${item.problem}; not counted.`);
            continue;
          }
          fold.append(item.event);
        }
      const result = fold.stats();
      printReport(
        format,
        () => statsDocument(result),
        () => safeJson(result),
      );
      return EXIT.ok;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      console.error(error.message);
      return EXIT.environment;
    }
  },
};
