// `acp-scope query`: the frames of trace files that a query lets through, or whether assertions hold.
import { existsSync } from 'node:fs';
import { parseAssertion } from '../drive/scenario/assert/assertion.ts';
import { markFindings, recordOf } from '../drive/scenario/assert/record.ts';
import type { Assert } from '../drive/scenario/file/scenario.ts';
import { queryNames } from '../drive/scenario/file/query-names.ts';
import { assertionsDocument, assertionsJson } from '../drive/scenario/report/document.ts';
import { judgeAll } from '../drive/scenario/report/report.ts';
import { formatCount, count } from '../lib/format.ts';
import { formatClock, formatSpan } from '../lib/format-time.ts';
import { safeJson } from '../lib/safe-json.ts';
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import { chipBook } from '../model/facts/chips.ts';
import type { IndexedTrace } from '../model/indexed-trace.ts';
import { searchedBy } from '../model/query/match.ts';
import { FLAG } from '../model/columns.ts';
import { countedAs } from '../model/query/verdicts.ts';
import { parseQuery } from '../model/query/parse.ts';
import { asks, type Query, type QueryProblem } from '../model/query/query.ts';
import { Search } from '../model/query/search.ts';
import { hintFor } from '../model/query/vocabulary.ts';
import { PLAIN, type Paint } from '../report/text.ts';
import { World } from '../rules/connection.ts';
import { loadRemarks } from '../rules/steps.ts';
import { command, EXIT, FileError, UsageError, type Command } from './command.ts';
import { WORDS } from './words.ts';
import { nodeFinder } from './parts/node-finder.ts';
import { numberOption, oneOf } from './parts/option-values.ts';
import {
  endWithReader,
  FIGURE_FORMATS,
  formatOf,
  formatWords,
  printReport,
  terminalPaint,
  type ReportFormat,
  tellProblem,
} from './parts/print-report.ts';
import { onceEach, readIndexed, readTrace } from './parts/trace-files.ts';
import { foundFrames, foundName, type FoundFrame } from '../model/query/found-frame.ts';
import { facts } from '../model/words.ts';
import { cellsOf, cut, padEnd, arrowOf, code, lines, visibleLine } from '../report/words.ts';
import type { ColumnHead, ReportDocument } from '../report/document.ts';
import type { Seq, Side } from '../trace/event.ts';

const FORMATS = [...FIGURE_FORMATS, 'ndjson'] as const;
/** Rows that are written together. */
const BATCH = 1000;

const read = command({
  ...WORDS.query,
  details: [
    '--count      only how many frames, as the page counts them; other matches are counted on stderr',
    '--limit N    no more than the first N',
    "--assert A   instead of a query: an assertion, as scenarios have them; 'none(is:late)'",
    `--format F   ${formatWords(FORMATS)}, on stdout; ndjson writes a line for each frame as it is found;`,
    `             with --assert ${formatWords()}`,
    'docs/query.md has the language. In several files a frame is named by the place of its file: c2#12.',
    'Exit 1 where nothing matches or an assertion does not hold, 2 for a query that is broken or takes',
    'too long, 3 for a file that cannot be read.',
  ],
  takes: ['files'],
  options: {
    count: { type: 'boolean', default: false },
    limit: { type: 'string' },
    assert: { type: 'string', multiple: true, default: [] },
    format: { type: 'string', default: 'text' },
  },
  async run({ values, files: words }) {
    if (values.assert.length > 0) {
      if (words.length === 0 || values.count || values.limit !== undefined)
        throw new UsageError('--assert takes trace files, and no query, --count or --limit.');
      return holdAssertions(await onceEach(words), values.assert, formatOf(values.format));
    }
    const format = oneOf('format', values.format, FORMATS);
    const limit = values.limit === undefined ? Infinity : numberOption('limit', values.limit, 1);
    const files = words.slice(0, -1).map((word) => word.trimStart());
    const text = words.at(-1)?.trimStart() ?? '';
    if (files.length === 0)
      throw new UsageError('query takes trace files and, behind them, a query in quotes.');
    if (existsSync(text))
      throw new UsageError(
        `There is a file or folder ${text}: behind the files stands a query, in quotes. To look for these words write text:${JSON.stringify(text)}.`,
      );
    const query = queryIn(text);
    if (!query) return EXIT.usage;
    return new Asking(query, text, await onceEach(files), {
      format,
      limit,
      isCount: values.count,
    }).run();
  },
});

/** A query may begin with `-`, as no option of this command with one letter does. */
export const query: Command = {
  ...read,
  run: (args) => read.run(args.map((word) => (/^-[^-]/.test(word) ? ` ${word}` : word))),
};

/** Undefined: it is broken, and that was told. */
function queryIn(text: string): Query | undefined {
  const parsed = parseQuery(text);
  if (!parsed.ok) return void tellProblem(text, parsed.problem);
  const names = queryNames(parsed.query, 'recorded');
  for (const name of names) if (name.isWarning) tellProblem(text, name);
  const wrong = names.find(({ isWarning }) => !isWarning);
  if (wrong) return void tellProblem(text, wrong);
  return parsed.query;
}

interface How {
  readonly format: (typeof FORMATS)[number];
  readonly limit: number;
  readonly isCount: boolean;
}

class Asking {
  readonly #query: Query;
  readonly #text: string;
  readonly #files: readonly string[];
  readonly #how: How;
  readonly #counts: { readonly file: string; count: number }[] = [];
  /** Matches in all files, as the page counts them. `#count`: the sum. */
  readonly #found = { frame: 0, stderr: 0, event: 0 };
  readonly #rows: FoundRow[] = [];
  readonly #chipOf = chipBook();
  readonly #world = new World();
  /** The traces that were read, for findings alone: a replay is compared with the live session in them. */
  readonly #traces: IndexedTrace[] = [];
  #count = 0;
  #problem: QueryProblem | undefined;

  constructor(query: Query, text: string, files: readonly string[], how: How) {
    this.#query = query;
    this.#text = text;
    this.#files = files;
    this.#how = how;
  }

  async run(): Promise<number> {
    endWithReader();
    const { format, isCount, limit } = this.#how;
    let isUnread = false;
    for (const [at, file] of this.#files.entries()) {
      if (this.#count >= limit || this.#problem) break;
      try {
        await this.#ask(file, at + 1);
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        console.error(error.message);
        isUnread = true;
      }
    }
    if (format !== 'text' && format !== 'ndjson')
      printReport(
        format,
        () => foundDocument(this.#text, this.#found, isCount ? undefined : this.#rows),
        () => this.#json(),
      );
    else if (isCount && format === 'text') console.log(String(this.#found.frame));
    else if (isCount) console.log(JSON.stringify(this.#figures()));
    const besides = besidesWords(this.#found);
    if (isCount && format === 'text' && besides !== '') console.error(`Besides: ${besides}.`);
    if (this.#problem) tellProblem(this.#text, this.#problem);
    else if (this.#count >= limit)
      console.error(`The first ${formatCount(limit)}; there may be more.`);
    if (isUnread) return EXIT.environment;
    if (this.#problem) return EXIT.usage;
    return this.#count > 0 ? EXIT.ok : EXIT.failed;
  }

  async #ask(file: string, number: number): Promise<void> {
    const trace = await readIndexed(file, `c${number}`, { chipOf: this.#chipOf });
    const { index, eventAt } = trace;
    index.isOver = () => true;
    if (asks(this.#query, 'finding', 'sev')) {
      this.#traces.push(trace);
      const windows = index.windowRecords.length > 0 ? fidelityOf(this.#traces).windows : [];
      markFindings(trace, this.#world, windows, await loadRemarks());
    }
    const counted = { file, count: 0 };
    this.#counts.push(counted);
    const take = this.#taker(trace, file);
    const among = this.#files.length > 1 ? number : undefined;
    const searched = searchedBy(eventAt, () => index.length, among);
    const search = new Search(this.#query, index, searched, nodeFinder);
    const enough = new AbortController();
    let at = 0;
    let lastSeq: Seq | undefined;
    /** Takes a batch of what is known by now; false: that was all. */
    const look = (): boolean => {
      const found: number[] = [];
      for (; at < search.end && found.length < BATCH && this.#count < this.#how.limit; at++) {
        if (!search.test(at)) continue;
        this.#count++;
        found.push(at);
        const seq = index.columns.seqOf(at);
        // A line counts once, however many messages of its array match.
        if (index.columns.has(at, FLAG.member) && seq === lastSeq) continue;
        lastSeq = seq;
        const counts = countedAs(index.columns.kind.get(at));
        this.#found[counts]++;
        if (counts === 'frame') counted.count++;
      }
      take(found);
      if (this.#count >= this.#how.limit) enough.abort();
      return found.length === BATCH;
    };
    this.#problem = await search.ask(enough.signal, () => {
      while (look());
    });
    // Between batches it is heard that nobody reads any more.
    while (look()) await new Promise((resolve) => void setImmediate(resolve));
    if (this.#count === 0 && !this.#problem) this.#hint(trace, search);
  }

  /** Writes what was found, or keeps it. */
  #taker(trace: IndexedTrace, file: string): (places: readonly number[]) => void {
    const { format, isCount } = this.#how;
    if (isCount) return () => undefined;
    const named = this.#files.length > 1;
    const rowAt = foundRows(trace, file, named);
    if (format !== 'text' && format !== 'ndjson')
      return (places) => {
        for (const place of places) this.#rows.push(rowAt(place));
      };
    const { columns, isTTY } = process.stdout;
    const width = isTTY ? columns : Infinity;
    const lineOf =
      format === 'ndjson'
        ? (row: FoundRow) => safeJson(row, 0)
        : rowWriter(trace, this.#files.length, width, terminalPaint() ?? PLAIN);
    return (places) => {
      if (places.length > 0) console.log(places.map((place) => lineOf(rowAt(place))).join('\n'));
    };
  }

  /** Why nothing matches, where that can be told; of one file alone. */
  #hint({ index }: IndexedTrace, { query, tests }: Search): void {
    if (this.#files.length > 1 || this.#how.isCount) return;
    for (const [at, part] of query.entries()) {
      const test = tests[at];
      let place = 0;
      while (place < index.length && test?.(place) !== true) place++;
      const hint = place < index.length ? undefined : hintFor(part, index);
      if (hint !== undefined) return console.error(hint);
    }
    console.error('No frame matches.');
  }

  #figures() {
    const { frame, stderr, event } = this.#found;
    return { count: frame, ...(stderr > 0 && { stderr }), ...(event > 0 && { events: event }) };
  }

  #json(): string {
    const { isCount, limit } = this.#how;
    const isWhole = this.#problem === undefined && this.#count < limit;
    return safeJson({
      ...{ query: this.#text, ...this.#figures(), whole: isWhole, files: this.#counts },
      ...(!isCount && { rows: this.#rows }),
      ...(this.#problem && { problem: this.#problem.message }),
    });
  }
}

/** Assertions held against trace files, as a scenario holds them against its run, a connection each. The exit status; throws FileError. */
async function holdAssertions(
  files: readonly string[],
  sources: readonly string[],
  format: ReportFormat,
): Promise<number> {
  const asserts: Assert[] = [];
  for (const source of sources) {
    const read = parseAssertion(source, 'recorded');
    for (const told of read.ok ? read.warnings : [read.problem]) tellProblem(source, told);
    if (read.ok) asserts.push({ source, name: undefined, assertion: read.assertion });
  }
  if (asserts.length < sources.length) return EXIT.usage;
  const traces = [];
  for (const file of files) traces.push(await readTrace(file));
  const judged = await judgeAll(asserts, recordOf(traces, await loadRemarks()), nodeFinder);
  const passed = judged.every(({ verdict }) => verdict === 'pass');
  printReport(
    format,
    () => assertionsDocument(files, judged),
    () => safeJson({ passed, files, assertions: assertionsJson(judged) }),
  );
  return passed ? EXIT.ok : EXIT.failed;
}

/** As JSON says it. */
interface FoundRow extends FoundFrame {
  /** `#12`; `c2#12` where several files are asked. */
  readonly name: string;
  readonly file: string;
}

/** Gives the row of each event by its place. `named`: with the name of its connection. */
function foundRows(trace: IndexedTrace, file: string, named: boolean) {
  const frameAt = foundFrames(trace);
  return (place: number): FoundRow => {
    const frame = frameAt(place);
    return { name: `${named ? trace.connection : ''}${foundName(frame)}`, file, ...frame };
  };
}

const HEADS: readonly ColumnHead[] = [
  { name: 'frame' },
  { name: 'time', right: true },
  { name: 'kind' },
  { name: 'method' },
  { name: 'session' },
  { name: 'summary' },
];

type Found = Readonly<Record<ReturnType<typeof countedAs>, number>>;

/** Returns the counts of matches that are no frames: `3 lines of stderr · 1 event`. */
function besidesWords({ stderr, event }: Found): string {
  return facts(
    stderr > 0 && count(stderr, 'line of stderr', 'lines of stderr'),
    event > 0 && count(event, 'event'),
  );
}

/** `rows` undefined: only how many there are was asked. */
function foundDocument(
  query: string,
  found: Found,
  rows: readonly FoundRow[] | undefined,
): ReportDocument {
  const cells = ({ name, at, from, kind, method, session = '', history, summary }: FoundRow) => [
    name,
    at === undefined ? '' : formatClock(at),
    `${arrowOf(from)} ${kind}`.trim(),
    [code(method)],
    session,
    facts(history, summary),
  ];
  return {
    ...{ name: 'acp-scope query', title: ['Frames that match ', code(query)], suites: [] },
    blocks: [
      lines(facts(count(found.frame, 'frame'), besidesWords(found))),
      ...(rows === undefined || rows.length === 0
        ? []
        : [{ kind: 'table', heads: HEADS, rows: rows.map(cells) } as const]),
    ],
  };
}

/** So wide a terminal shows methods whole. */
const WIDE = 100;
const ARROWS: Readonly<Record<Side, string>> = { client: '→', agent: '←' };

/** Writes rows of one trace under each other. `files`: how many are asked. `width`: characters of a line; what is longer is cut. */
function rowWriter({ index }: IndexedTrace, files: number, width: number, paint: Paint) {
  const { columns } = index;
  const last = columns.length - 1;
  const most = width < WIDE ? 20 : 28;
  const longest = (texts: Iterable<string>) =>
    [...texts].reduce((most, text) => Math.max(most, cellsOf(visibleLine(text))), 0);
  const widths = {
    name: `${files > 1 ? `c${files}` : ''}#${last < 0 ? 0 : columns.seqOf(last)}`.length,
    at: formatClock(last < 0 ? 0 : columns.timeOf(last)).length,
    method: Math.min(most, longest(columns.names.all)),
    session: longest(index.facts().sessions.map(({ chip }) => chip)),
  };
  return (row: FoundRow): string => {
    const { name, at, from, kind, method, history, session = '', latency, summary } = row;
    const isAnswer = kind === 'res' || kind === 'err';
    const took = isAnswer && latency !== undefined && formatSpan(latency);
    const front = [
      paint('strong', name.padStart(widths.name)),
      paint('quiet', (at === undefined ? '' : formatClock(at)).padStart(widths.at)),
      `${from === undefined ? ' ' : ARROWS[from]} ${kind === 'err' || kind === 'bad' ? paint('bad', kind) : kind}`,
      padEnd(cut(visibleLine(method), widths.method), widths.method),
      ...(widths.session > 0 ? [session.padEnd(widths.session)] : []),
    ];
    const taken = widths.name + widths.at + 5 + widths.method + widths.session;
    const room = width - taken - 2 * front.length;
    const said = cut(visibleLine(facts(history, took, summary)), Math.max(12, room));
    return `${front.join('  ')}  ${said}`.trimEnd();
  };
}
