// A frame that a query found, as the timeline says it: as JSON, and as a line of aligned columns.
import { count } from '../../lib/format-count.ts';
import { formatClock, formatSpan } from '../../lib/format-time.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { foundFrames, type FoundFrame } from '../../model/query/found-frame.ts';
import { facts } from '../../model/words.ts';
import type { Paint } from '../../report/text.ts';
import { cellsOf, cut, padEnd } from '../../report/cells.ts';
import type { ColumnHead, ReportDocument } from '../../report/document.ts';
import { arrowOf, code, lines, visibleLine } from '../../report/words.ts';
import type { Side } from '../../trace/event.ts';

/** As JSON says it. */
export interface FoundRow extends FoundFrame {
  /** `#12`; `c2#12` where several files are asked. */
  readonly name: string;
  readonly file: string;
}

/** Gives the row of each event by its place. `named`: with the name of its connection. */
export function foundRows(trace: IndexedTrace, file: string, named: boolean) {
  const frameAt = foundFrames(trace);
  return (place: number): FoundRow => {
    const frame = frameAt(place);
    return { name: `${named ? trace.connection : ''}#${frame.seq}`, file, ...frame };
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

/** `rows` undefined: only how many there are was asked. */
export function foundDocument(
  query: string,
  found: number,
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
      lines(count(found, 'frame')),
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
export function rowWriter({ index }: IndexedTrace, files: number, width: number, paint: Paint) {
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
