// A report of the lab as Markdown: the matrix, and behind it the frames of each cell.
import { count } from '../../lib/format-count.ts';
import { table } from '../../lib/markdown.ts';
import { baseWords, FIELD_NAMES, fieldsOf, groupsOf, type Fields } from './report-words.ts';
import { agentWords, type LabCell, type LabCursors, type LabReport } from './report.ts';
import { STRIP_LEGEND, stripText } from './strip-text.ts';

type FrameWords = (trace: string, seq: number) => string;

const COLUMNS = Object.keys(FIELD_NAMES) as (keyof Fields)[];

/** `frame`: how a frame of a trace is named, `c2#12`. */
export function labMarkdown(report: LabReport, frame: FrameWords): string {
  const { agent, protocolVersion, promptsSent, cursors, ended } = report;
  return [
    `# Resume lab: ${agentWords(agent)}, ACP v${protocolVersion}`,
    '',
    `${count(promptsSent, 'prompt')} sent. Where a row says nothing else: ${baseWords(report)}.`,
    ...(ended === undefined ? [] : ['', ended]),
    '',
    table(
      ['', 'cell', 'verdict', ...COLUMNS.map((column) => FIELD_NAMES[column]), 'why', 'frames'],
      groupsOf(report).flatMap(({ title, cells }) =>
        cells.map(({ cell, name }, i) => [
          i === 0 ? title : '',
          name,
          cell.verdict,
          ...fieldCells(cell),
          cell.why,
          framesOf(cell, frame),
        ]),
      ),
    ),
    ...(cursors ? cursorLines(cursors) : []),
    '',
  ].join('\n');
}

function fieldCells(cell: LabCell): readonly string[] {
  const fields = fieldsOf(cell);
  return COLUMNS.map((column) => (cell.verdict === 'skip' ? '–' : fields[column]));
}

/** The restores of its runs. */
function framesOf({ runs }: LabCell, frame: FrameWords): string {
  return runs
    .flatMap(({ restored, traces }) => {
      if (restored?.requestSeq === undefined || traces.after === undefined) return [];
      return frame(traces.after, restored.requestSeq);
    })
    .join(' ');
}

function cursorLines({ laws, strip, verdict, why }: LabCursors): readonly string[] {
  return [
    '',
    `## Cursor algebra: ${verdict}`,
    '',
    why,
    '',
    table(
      ['law', 'verdict', 'why'],
      laws.map((law) => [law.law, law.verdict, law.why]),
    ),
    '',
    '```',
    ...strip.rows.map(({ name, rejected, cells }) =>
      [name, rejected === undefined ? stripText(cells) : `rejected: ${rejected}`].join('  '),
    ),
    STRIP_LEGEND,
    '```',
  ];
}
