// `acp-scope diff`: two traces beside each other, or several against the first.
import { diffTraces, DiffOptionError } from '../diff/traces/diff.ts';
import { diffMany } from '../diff/traces/many.ts';
import { manyJson, manyText } from '../diff/traces/report/many-text.ts';
import { diffJson } from '../diff/traces/report/report-json.ts';
import { diffMarkdown } from '../diff/traces/report/report-markdown.ts';
import { diffText, type DiffPaint } from '../diff/traces/report/report-text.ts';
import { DIFF_VIEWS } from '../diff/traces/report/report.ts';
import { SliceError } from '../diff/traces/slice.ts';
import { safeJson } from '../lib/safe-json.ts';
import { styleText } from 'node:util';
import { ALIAS_KINDS } from '../model/sessions/compare-terms.ts';
import { EXIT, UsageError, type Command } from './command.ts';
import { fileWords, readDiffFile, type DiffFile } from './diff-files.ts';
import { diffArgs, type DiffArgs } from './diff-options.ts';
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
    '--format F     text, json or markdown, on stdout',
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
    if (format === 'markdown') throw new UsageError('--format markdown takes two trace files.');
    const others = [right, ...more];
    const many = await diffMany(
      left.source,
      others.map(({ source }) => source),
      options,
    );
    const names = files.map(({ file }) => file);
    console.log(format === 'json' ? safeJson(manyJson(many, names)) : manyText(many, names, all));
    return many.reports.every(({ equal }) => equal) ? EXIT.ok : EXIT.failed;
  }
  const report = await diffTraces(left.source, right.source, options);
  switch (format) {
    case 'json':
      console.log(safeJson(diffJson(report)));
      break;
    case 'markdown':
      console.log(diffMarkdown(report, left.file, right.file));
      break;
    case 'text': {
      const { isTTY, columns } = process.stdout;
      console.log(
        diffText(report, {
          left: fileWords(left),
          right: fileWords(right),
          all,
          ...(isTTY && { paint: colour, width: Math.max(60, columns) }),
        }),
      );
    }
  }
  return report.equal ? EXIT.ok : EXIT.failed;
}

const STYLES = {
  equal: 'gray',
  changed: 'yellow',
  missing: 'red',
  extra: 'blue',
  moved: 'magenta',
  quiet: 'gray',
  head: 'bold',
} as const;

/** Only on a terminal; `styleText` heeds NO_COLOR from Node 22 on, so 20 is told here. */
const colour: DiffPaint = (tone, text) =>
  process.env['NO_COLOR'] ? text : styleText(STYLES[tone], text);
