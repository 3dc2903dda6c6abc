// `acp-scope diff`: two traces beside each other, or several against the first.
import { diffTraces, DiffOptionError } from '../diff/traces/diff.ts';
import { diffMany } from '../diff/traces/many.ts';
import { diffDocument } from '../diff/traces/report/document.ts';
import { manyDocument, manyJson } from '../diff/traces/report/many.ts';
import { diffJson } from '../diff/traces/report/report-json.ts';
import { DIFF_VIEWS } from '../diff/traces/report/report.ts';
import { SliceError } from '../diff/traces/slice.ts';
import { safeJson } from '../lib/safe-json.ts';
import { ALIAS_KINDS } from '../model/sessions/compare-terms.ts';
import { EXIT, UsageError, type Command } from './command.ts';
import { fileWords, readDiffFile, type DiffFile } from './diff-files.ts';
import { diffArgs, type DiffArgs } from './diff-options.ts';
import { formatWords, printReport } from './parts/print-report.ts';
import { FileError } from './parts/trace-files.ts';

export const diff: Command = {
  usage: 'acp-scope diff A B [--view V] [--ignore RULE…] [--raw KIND…] [--format F]',
  summary: 'Compare two traces, or more with the first.',
  details: [
    `--view V       ${DIFF_VIEWS.join(', ')}; story by default`,
    '--ignore RULE  leave out a name (usage_update) or a path ($..rawOutput, tool*:$..title);',
    '               @FILE: one rule a line',
    '--strict       leave out nothing but what --ignore names, usage and _meta too',
    `--raw KIND     compare as it stands: all, or ${ALIAS_KINDS.join(', ')}`,
    '--each-chunk   frames: a text that is cut into other chunks differs',
    '--left QUERY   of A only what the query finds, such as is:live; --right: of B',
    '--turns N,M    turn N of A against turn M of B; --turns N: the same of both',
    '--at N,M       A up to frame N, B up to frame M',
    '--all          every difference, also where there are many',
    `--format F     ${formatWords()}, on stdout`,
    'Exit 1 if they differ. docs/diff.md says what is compared.',
  ],
  async run(args) {
    const given = diffArgs(args);
    try {
      const files: DiffFile[] = [];
      for (const [at, file] of given.files.entries())
        files.push(await readDiffFile(file, `c${at + 1}`));
      return await compare(files, given);
    } catch (error) {
      if (error instanceof SliceError || error instanceof DiffOptionError)
        throw new UsageError(error.message);
      if (!(error instanceof FileError)) throw error;
      console.error(error.message);
      return EXIT.environment;
    }
  },
};

async function compare(files: readonly DiffFile[], given: DiffArgs): Promise<number> {
  const [left, right, ...more] = files;
  if (!left || !right) throw new UsageError('diff takes two or more trace files.');
  const { options, format, all } = given;
  if (more.length > 0) {
    const others = [right, ...more];
    const many = await diffMany(
      left.source,
      others.map(({ source }) => source),
      options,
    );
    const names = files.map(({ file }) => file);
    printReport(
      format,
      () => manyDocument(many, names, all),
      () => safeJson(manyJson(many, names)),
    );
    return many.reports.every(({ equal }) => equal) ? EXIT.ok : EXIT.failed;
  }
  const report = await diffTraces(left.source, right.source, options);
  const { isTTY, columns } = process.stdout;
  const width = isTTY ? { width: Math.max(60, columns) } : {};
  const told = { left: fileWords(left), right: fileWords(right), all, ...width };
  printReport(
    format,
    () => diffDocument(report, told),
    () => safeJson(diffJson(report)),
  );
  return report.equal ? EXIT.ok : EXIT.failed;
}
