// A report of the lab: the matrix, the algebra of cursors, then every cell that has something to say;
// behind each, where it can be folded away, all of its runs.
import { count } from '../../lib/format.ts';
import { peerWords } from '../../model/words.ts';
import { resultWords } from '../../model/restore/restore-words.ts';
import { differenceItem } from '../../model/fidelity/report/document.ts';
import type {
  Block,
  ReportDetail,
  Frames,
  ReportItem,
  TextPiece,
  ReportDocument,
  Table,
  LineWords,
} from '../../report/document.ts';
import { code, detail, lines, section, toned } from '../../report/words.ts';
import {
  isKnown,
  type Judging,
  type FrameWords,
  TONES,
  type VerdictWord,
  WORST_FIRST,
  runCases,
  verdictCase,
} from '../verdict.ts';
import { type StripCell, STRIP_LEGEND, stripSign } from './cursor-strip.ts';
import {
  baseWords,
  FIELD_NAMES,
  fieldsOf,
  groupsOf,
  windowWords,
  type LabFields,
} from './report-words.ts';
import {
  isLabPassed,
  judgedIn,
  cellRate,
  labSummary,
  type Excerpt,
  type LabCell,
  type LabCursors,
  type LabReport,
  type LabRun,
} from './report.ts';

const COLUMNS = Object.keys(FIELD_NAMES) as (keyof LabFields)[];
const WIDEST = 44;
const MOST_DIFFERENCES = 40;

/** `frame`: of the page, which opens traces by connection; absent: traces are files. */
export function labDocument(
  report: LabReport,
  judging: Judging = {},
  frame?: FrameWords,
): ReportDocument {
  const { agent, protocolVersion, cost, promptsSent, cursors, cells, ended } = report;
  const groups = alike(cells.filter(({ verdict }) => verdict !== 'skip'));
  const suite = `acp-scope lab ${peerWords(agent)} v${protocolVersion}`;
  return {
    name: 'acp-scope lab',
    title: `${peerWords(agent)}, ACP v${protocolVersion}: does a session come back?`,
    blocks: [
      lines(
        [toned('quiet', `Where a row says nothing else: ${baseWords(report)}.`)],
        [
          toned(
            'quiet',
            `${count(promptsSent, 'prompt')} sent; ${cost.expected} were expected, ${cost.most} the most.`,
          ),
        ],
      ),
      matrix(report, groups),
      ...(cursors ? [cursorsBlock(cursors)] : []),
      { kind: 'items', items: groups.map((group) => itemOf(group, judging, frame)) },
      lines(...closing(report, judging)),
    ],
    suites: [
      {
        name: suite,
        cases: [
          ...runCases('ended', ended),
          ...judgedIn(report).map((one) =>
            verdictCase(one, judging, 'runs' in one ? cellWords(one) : one.why),
          ),
        ],
      },
    ],
  };
}

type Alike = readonly [LabCell, ...LabCell[]];

/** A cell leads to where it is told of. */
function matrix(report: LabReport, groups: readonly Alike[]): Table {
  const anchors = new Map(groups.flatMap((group) => group.map(({ id }) => [id, group[0].id])));
  const fields = COLUMNS.map((column) => ({ name: FIELD_NAMES[column], most: WIDEST }));
  return {
    kind: 'table',
    heads: [{ name: 'cell' }, { name: 'verdict' }, ...fields],
    rows: groupsOf(report).flatMap(({ title, cells }) => [
      { group: title },
      ...cells.map(({ cell, name }): readonly LineWords[] => {
        const { verdict, why, id } = cell;
        const word = [toned(TONES[verdict], verdict.toUpperCase())];
        if (verdict === 'skip') return [['  ', name], word, [toned('quiet', why)]];
        const shown = fieldsOf(cell);
        return [
          ['  ', { text: name, link: `#${anchors.get(id) ?? id}` }],
          word,
          ...COLUMNS.map((column) => [fieldPiece(verdict, column, shown[column])]),
        ];
      }),
    ]),
  };
}

function fieldPiece(verdict: VerdictWord, column: keyof LabFields, text: string): TextPiece {
  const isBad = verdict === 'fail' || verdict === 'warn';
  if (!isBad) return { text };
  if (column === 'fidelity')
    return { text, tone: text === 'corrupt' ? 'bad' : text === 'lossy' ? 'warn' : undefined };
  const isLost = (column === 'remembers' || column === 'tools') && text === 'no';
  return { text, tone: isLost ? 'bad' : undefined };
}

function cursorsBlock({ laws, strip, verdict, why }: LabCursors): Block {
  return section(
    [toned(TONES[verdict], verdict.toUpperCase()), `  cursor algebra: ${why}`],
    {
      kind: 'table',
      heads: [{ name: 'law' }, { name: 'verdict' }, { name: 'why' }],
      rows: laws.map((law) => [law.law, law.verdict, law.why]),
    },
    {
      kind: 'strip',
      columns: strip.columns.map(({ kind, words, id }) => `${kind} ${id ?? ''} ${words}`),
      rows: strip.rows.map(({ name, rejected, cells }) => ({
        name,
        cells: rejected === undefined ? cells.map(signPiece) : `rejected: ${rejected}`,
      })),
      legend: STRIP_LEGEND,
    },
  );
}

function signPiece(cell: StripCell): TextPiece {
  const { mark, due } = cell;
  const isRight = (mark === 'present') === due && mark !== 'other' && mark !== 'extra';
  return { text: stripSign(cell), tone: !isRight ? 'bad' : due ? 'info' : 'quiet' };
}

/** Cells that say the same, in the order of the worst; those that passed each by itself. */
function alike(cells: readonly LabCell[]): readonly Alike[] {
  const groups = new Map<string, [LabCell, ...LabCell[]]>();
  for (const cell of cells) {
    const key = `${cell.verdict} ${cell.why}`;
    const group = groups.get(key);
    if (group) group.push(cell);
    else groups.set(key, [cell]);
  }
  const rank = ([{ verdict }]: Alike) => WORST_FIRST.indexOf(verdict);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

/** Told once, with the traces of the first. */
function itemOf(cells: Alike, judging: Judging, frame: FrameWords | undefined): ReportItem {
  const [{ runs, verdict, why, id }] = cells;
  const run = runs.find((one) => one.verdict === verdict);
  const names = cells.map((one) => (isKnown(one, judging) ? `${one.id} (known)` : one.id));
  return {
    word: verdict.toUpperCase(),
    tone: TONES[verdict],
    title: names.join(' · '),
    anchor: id,
    details: verdict === 'pass' || run === undefined ? [] : [why, ...runDetails(run, frame)],
    more: cells.flatMap(cellBlocks),
  };
}

function runDetails(run: LabRun, frame: FrameWords | undefined): readonly ReportDetail[] {
  const { before, after } = run.traces;
  const window = windowWords(run);
  const { requestSeq } = run.restored ?? {};
  const place = frame && after && requestSeq ? frame(after, requestSeq) : after;
  return [
    ...(run.reconnect?.open ?? []).map(({ words, fate, why, before: was, after: is }) =>
      detail('open before', `${words} ${seqs(was)}: ${fate}, ${why} ${seqs(is)}`.trimEnd()),
    ),
    ...(before === undefined
      ? []
      : [detail('before', [toned('quiet', `${before}  ended: ${run.stopped ?? 'unknown'}`)])]),
    ...(place === undefined
      ? []
      : [
          detail('after', [toned('quiet', `${place}${window === undefined ? '' : `  ${window}`}`)]),
        ]),
  ];
}

function seqs(named: readonly { readonly seq: number }[]): string {
  return named.map(({ seq }) => `#${seq}`).join(' ');
}

function cellBlocks(cell: LabCell): readonly Block[] {
  const { passed, of } = cellRate(cell);
  return [
    section(
      of > 1 ? `${cell.id}: ${passed} of ${of} runs did not fail` : cell.id,
      ...cell.runs.flatMap(runBlocks),
    ),
  ];
}

function runBlocks(run: LabRun): readonly Block[] {
  const { verdict, why, restored, fidelity, memory, tools, traces, excerpts } = run;
  const facts: readonly (LineWords | undefined)[] = [
    run.stopped === undefined ? undefined : `The first agent ended: ${run.stopped}`,
    restored && `The restore (${windowWords(run) ?? 'not sent'}): ${resultWords(restored).whole}`,
    fidelity && `Fidelity: ${fidelity.verdict}. ${fidelity.sentence}`,
    ...(fidelity?.children ?? []).map(
      ({ session, verdict, sentence }) =>
        `Fidelity of the child ${session}: ${verdict}. ${sentence}`,
    ),
    memory && `Memory: ${memory.why}${memory.asked > 1 ? ', asked twice' : ''}`,
    tools &&
      `MCP tools given: ${tools.given.length}, asked for by the agent: ${tools.listed.length}${tools.uninvited.length > 0 ? '; one of before came back uninvited' : ''}`,
    ...Object.values(traces).map((path) => [code(path)]),
  ];
  const differences = fidelity?.differences ?? [];
  return [
    lines([toned(TONES[verdict], verdict), ` ${why}`], ...facts),
    ...(differences.length === 0
      ? []
      : [
          section(`Live against replayed: ${count(differences.length, 'difference')}`, {
            kind: 'items',
            items: differences
              .slice(0, MOST_DIFFERENCES)
              .map((one) =>
                differenceItem(one, (ref) => (ref ? `${ref.connection}#${ref.seq}` : '–')),
              ),
          }),
        ]),
    ...excerpts.map(framesBlock),
  ];
}

function framesBlock({ trace, title, frames, left }: Excerpt): Frames {
  return { kind: 'frames', title: `${title} (${trace})`, frames, left };
}

function closing(report: LabReport, judging: Judging): readonly LineWords[] {
  const { ended } = report;
  const summary = labSummary(report);
  const parts = WORST_FIRST.flatMap((word) =>
    summary[word] === 0 ? [] : [toned(TONES[word], `${summary[word]} ${word}`)],
  ).flatMap((part, at) => (at === 0 ? [part] : [' · ', part]));
  const isForgiven = summary.warn > 0 && judging.failOn !== 'warn' && isLabPassed(report, judging);
  return [
    ...(ended === undefined ? [] : [ended]),
    ...(parts.length > 0 ? [parts] : []),
    ...(isForgiven ? ['Warnings fail no run: --fail-on warn makes them.'] : []),
  ];
}

function cellWords(cell: LabCell): string {
  const { passed, of } = cellRate(cell);
  return [
    `${cell.verdict}: ${cell.why}`,
    `${passed} of ${of} runs did not fail`,
    ...cell.runs.flatMap(({ traces }) => Object.values(traces)),
  ].join('\n');
}
