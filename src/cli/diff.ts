// `acp-scope diff`: two traces beside each other, or several against the first.
import { command, EXIT, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { oneOf } from './parts/option-values.ts';
import { compareTerms } from './parts/trace-terms.ts';
import { nodeFinder } from './parts/node-finder.ts';
import { formatOf, formatWords, printReport, type ReportFormat } from './parts/print-report.ts';
import { endProgress, progress } from './parts/progress.ts';
import { readIndexed } from './parts/trace-files.ts';
import { diffTraces, DiffOptionError } from '../diff/traces/diff.ts';
import { diffMany, manyDocument, manyJson, diffJson } from '../diff/traces/report/many.ts';
import { diffDocument } from '../diff/traces/report/document.ts';
import {
  DIFF_VIEWS,
  type DiffOptions,
  type DiffView,
  type Slice,
} from '../diff/traces/report/report.ts';
import { SliceError } from '../diff/traces/slice.ts';
import { defined } from '../lib/defined.ts';
import { count } from '../lib/format.ts';
import { safeJson } from '../lib/safe-json.ts';
import type { IndexedTrace } from '../model/indexed-trace.ts';
import { ALIAS_KINDS } from '../model/sessions/compare-terms.ts';
import { facts } from '../model/words.ts';
import { seq } from '../trace/event.ts';

interface Comparing {
  readonly options: DiffOptions & { readonly view: DiffView };
  readonly format: ReportFormat;
  readonly all: boolean;
}

export const diff = command({
  ...WORDS.diff,
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
  takes: ['files'],
  options: {
    view: { type: 'string', default: 'story' },
    ignore: { type: 'string', multiple: true, default: [] },
    strict: { type: 'boolean', default: false },
    raw: { type: 'string', multiple: true, default: [] },
    left: { type: 'string' },
    right: { type: 'string' },
    turns: { type: 'string' },
    at: { type: 'string' },
    'each-chunk': { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    format: { type: 'string', default: 'text' },
  },
  async run({ values, files: paths }) {
    if (paths.length < 2) throw new UsageError('diff takes two or more trace files.');
    const view = oneOf('view', values.view, DIFF_VIEWS);
    const turns = pairOf('--turns', values.turns);
    const at = pairOf('--at', values.at);
    const slice = (query: string | undefined, side: 0 | 1): Slice =>
      defined({ query, turn: turns?.[side], to: at && seq(at[side]) });
    const options = {
      ...{ view, eachChunk: values['each-chunk'], finder: nodeFinder },
      ...{ ...compareTerms(values), a: slice(values.left, 0), b: slice(values.right, 1) },
    };
    const format = formatOf(values.format);
    const files: DiffFile[] = [];
    // Chips are named in each file from S1 on: the two are no parts of one story.
    for (const [at, file] of paths.entries())
      files.push({ file, source: await readIndexed(file, `c${at + 1}`) });
    try {
      const pause = async () => progress(() => `Comparing ${paths.join(' with ')}`);
      return await compare(files, { options: { ...options, pause }, format, all: values.all });
    } catch (error) {
      endProgress();
      if (error instanceof SliceError || error instanceof DiffOptionError)
        throw new UsageError(error.message);
      throw error;
    }
  },
});

/** `3` or `3,5`: for the left and for the right. */
function pairOf(option: string, text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const [, left, right = left] = /^#?([1-9]\d*)(?:,#?([1-9]\d*))?$/.exec(text) ?? [];
  if (left === undefined)
    throw new UsageError(
      `${option} ${text} is no number, and no two: ${option} 3 or ${option} 3,5.`,
    );
  return [Number(left), Number(right)];
}

async function compare(
  files: readonly DiffFile[],
  { options, format, all }: Comparing,
): Promise<number> {
  const [left, right, ...more] = files;
  if (!left || !right) throw new Error('two files at least');
  if (more.length > 0) {
    const others = [right, ...more];
    const many = await diffMany(
      left.source,
      others.map(({ source }) => source),
      options,
    );
    endProgress();
    const names = files.map(({ file }) => file);
    printReport(
      format,
      () => manyDocument(many, names, all),
      () => safeJson(manyJson(many, names)),
    );
    return many.reports.every(({ equal }) => equal) ? EXIT.ok : EXIT.failed;
  }
  const report = await diffTraces(left.source, right.source, options);
  endProgress();
  const { isTTY, columns } = process.stdout;
  const width = isTTY ? { width: Math.max(60, columns) } : {};
  const about = [aboutFile(left), aboutFile(right)] as const;
  const told = { left: left.file, right: right.file, about, all, ...width };
  printReport(
    format,
    () => diffDocument(report, told),
    () => safeJson(diffJson(report)),
  );
  return report.equal ? EXIT.ok : EXIT.failed;
}

interface DiffFile {
  readonly file: string;
  readonly source: IndexedTrace;
}

/** `a.ndjson   OpenCode 1.18.33 · v1 · 640 frames`. */
function aboutFile({ source: { index } }: DiffFile): string {
  const { handshake, frames } = index.facts();
  const agent = handshake?.agent;
  const name = agent && facts(`${agent.name ?? ''} ${agent.version ?? ''}`.trim());
  const version = index.version;
  return facts(name, version !== undefined && `v${version}`, count(frames, 'frame'));
}
