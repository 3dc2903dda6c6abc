// `acp-scope stats`: what a trace file holds, counted.
import { safeJson } from '../lib/safe-json.ts';
import { statsDocument } from '../model/performance/document.ts';
import { StatsFold } from '../model/performance/stats.ts';
import { command, EXIT, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { FIGURE_FORMATS, formatOf, formatWords, printReport } from './parts/print-report.ts';
import { OddLines, openTrace } from './parts/trace-files.ts';

export const stats = command({
  ...WORDS.stats,
  details: [`--format F   ${formatWords(FIGURE_FORMATS)}, on stdout`],
  takes: ['files'],
  options: { format: { type: 'string', default: 'text' } },
  async run({ values, files: [file, ...more] }) {
    if (file === undefined || more.length > 0) throw new UsageError('stats takes one trace file.');
    const format = formatOf(values.format, FIGURE_FORMATS);
    const fold = new StatsFold();
    const odd = new OddLines(file, 'not counted');
    for await (const batch of (await openTrace(file)).items)
      for (const item of batch)
        if ('event' in item) fold.append(item.event);
        else odd.take(item);
    odd.end();
    const result = fold.stats();
    printReport(
      format,
      () => statsDocument(result),
      () => safeJson(result),
    );
    return EXIT.ok;
  },
});
