// A comparison as a report: first in figures, then what differs, in order, with what is equal folded.
import { count, formatCount } from '../../../lib/format.ts';
import {
  DEFAULT_IGNORE,
  LIVE_PART,
  REPLAYED_PART,
  REPLAYS,
} from '../../../model/sessions/compare-terms.ts';
import type {
  Block,
  JUnitCase,
  ReportItem,
  TextPiece,
  ReportDocument,
  Tone,
  LineWords,
} from '../../../report/document.ts';
import { cut, code, lines, visibleLine, section, toned } from '../../../report/words.ts';
import { foldFields } from '../changes.ts';
import { aliasWords, mergePieces } from './words.ts';
import type {
  DiffRow,
  DiffSection,
  DiffView,
  FieldChange,
  LeftOutByRule,
  RowMark,
  SameText,
  TraceDiffReport,
} from './report.ts';

interface DiffTold {
  /** The names of both sides. */
  readonly left: string;
  readonly right: string;
  /** What stands behind each name where the sides are listed: the agent, how many frames. */
  readonly about?: readonly [left: string, right: string];
  /** Also what would take many screens. */
  readonly all?: boolean;
  /** Characters of a line. */
  readonly width?: number;
}

interface MarkLook {
  readonly sign: string;
  readonly tone: Tone;
  readonly words: string;
}

export const ROW_MARK_LOOKS: Readonly<Record<RowMark, MarkLook>> = {
  equal: { sign: '=', tone: 'quiet', words: 'equal' },
  changed: { sign: '≠', tone: 'warn', words: 'changed' },
  missing: { sign: '−', tone: 'bad', words: 'only left' },
  extra: { sign: '+', tone: 'info', words: 'only right' },
  moved: { sign: '⇅', tone: 'warn', words: 'moved' },
};

/** Rows and fields of a row that are shown without `all`. */
const MOST_ROWS = 200;
const MOST_FIELDS = 12;
const WIDTH = 110;

export function diffDocument(report: TraceDiffReport, told: DiffTold): ReportDocument {
  const { equal, view } = report;
  const { left, right } = told;
  return {
    name: 'acp-scope diff',
    title: `${equal ? 'Equal' : 'Different'}: ${view} of ${left} and ${right}`,
    untitled: true,
    blocks: [headBlock(report, told), ...sectionBlocks(report, told)],
    suites: [{ name: `${left} | ${right}`, cases: [caseOf(report)] }],
  };
}

function caseOf({ equal, view, differences }: TraceDiffReport): JUnitCase {
  if (equal) return { name: view, outcome: 'pass' };
  return {
    name: view,
    outcome: 'fail',
    type: 'different',
    message: count(differences.length, 'difference'),
    body: differences.map(({ kind, of, path }) => `${kind} ${of} ${path}`).join('\n'),
  };
}

const UNITS: Readonly<Record<DiffView, readonly [one: string, many: string]>> = {
  story: ['step', 'steps'],
  frames: ['row', 'rows'],
  state: ['item', 'items'],
  handshake: ['part', 'parts'],
};

/** `118 steps  = 106 equal  ≠ 6 changed`. */
function countWords({ view, counts, rows }: TraceDiffReport): LineWords {
  const [one, many] = UNITS[view];
  const parts = (Object.keys(ROW_MARK_LOOKS) as RowMark[]).flatMap((mark) => {
    const { sign, tone, words } = ROW_MARK_LOOKS[mark];
    const found = counts[mark];
    return found === 0 ? [] : ['  ', toned(tone, `${sign} ${formatCount(found)} ${words}`)];
  });
  return [count(rows.length, one, many), ...parts];
}

function headBlock(report: TraceDiffReport, told: DiffTold): Block {
  const { left, right, about, width = WIDTH } = told;
  const { view, aliases, leftOut, notices, replays } = report;
  const head = (name: string, words: LineWords): LineWords => [
    toned('strong', name.padEnd(10)),
    ...(typeof words === 'string' ? [words] : words),
  ];
  const names = wrapped(aliasWords(aliases).map(visibleLine), width - 10);
  const out = leftOutWords(leftOut);
  return lines(
    head('left', about ? `${left}   ${about[0]}` : left),
    head('right', about ? `${right}   ${about[1]}` : right),
    head(view, countWords(report)),
    ...names.map((line, at) => head(at === 0 ? 'same' : '', line)),
    out === undefined ? undefined : head('left out', out),
    ...notices.map((notice) => head('note', notice)),
    ...(replays ? replayNotes(replays).map((note) => head('note', note)) : []),
  );
}

function replayNotes(replays: 'a' | 'b'): LineWords[] {
  const parts = [LIVE_PART, REPLAYED_PART];
  const [left, right] = replays === 'b' ? parts : parts.toReversed();
  const options = code(`--left ${left} --right ${right}`);
  return [
    REPLAYS[replays],
    [
      'What was said is held against what came back by ',
      options,
      '; ',
      code('acp-scope fidelity'),
      ' judges it.',
    ],
  ];
}

/**
 * `12 differences by 2 rules: usage_update 11, $.._meta 1`, and behind that the rules of the user that
 * met nothing; undefined: nothing to tell.
 */
function leftOutWords(all: readonly LeftOutByRule[]): string | undefined {
  const out = all.filter(({ differences }) => differences > 0);
  const idle = all.filter(({ rule, a, b }) => a + b === 0 && !DEFAULT_IGNORE.includes(rule));
  const met = idle.map(({ rule }) => `${rule} 0|0`).join(', ');
  const nothing = met && `${met} (met nothing)`;
  if (out.length === 0) return nothing || undefined;
  const sum = out.reduce((total, { differences }) => total + differences, 0);
  const each = out.map(({ rule, differences }) => `${rule} ${formatCount(differences)}`);
  const told = `${count(sum, 'difference')} by ${count(out.length, 'rule')}: ${each.join(', ')}`;
  return nothing ? `${told}; ${nothing}` : told;
}

/** As many parts on a line as have room. */
function wrapped(parts: readonly string[], room: number): string[] {
  const all: string[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last !== undefined && last.length + part.length + 3 <= room)
      all[all.length - 1] = `${last}   ${part}`;
    else all.push(part);
  }
  return all;
}

/** Rows of one section in their order, those that are not shown left out. */
interface Stretch {
  readonly section: DiffSection;
  readonly rows: number[];
  differs: boolean;
}

/** Sections of which everything is equal are told as one. */
function sectionBlocks(report: TraceDiffReport, told: DiffTold): readonly Block[] {
  const { rows } = report;
  const { all = false, width = WIDTH } = told;
  const sameText = new Map(report.sameText.map((same) => [same.row, same]));
  const { stretches, hidden } = stretchesOf(report, all);
  const blocks: Block[] = [];
  let equal: Stretch[] = [];
  const flush = () => {
    if (equal.length > 0) blocks.push(equalBlock(equal, sameText));
    equal = [];
  };
  for (const stretch of stretches) {
    if (!stretch.differs) {
      equal.push(stretch);
      continue;
    }
    flush();
    const { name, words } = stretch.section;
    const shown = cut(visibleLine(words), width - name.length - 2);
    const items = runsOf(stretch, rows).map((run) =>
      typeof run === 'number' ? rowItem(rows.row(run), all, width) : equalItem(run, sameText),
    );
    const title = [toned('strong', name), ...(shown === '' ? [] : [' ', code(shown)])];
    blocks.push(section(title, { kind: 'items', items }));
  }
  flush();
  const more = `${count(hidden, 'more difference')} not shown; --all shows them.`;
  return hidden > 0 ? [...blocks, lines(more)] : blocks;
}

function stretchesOf({ rows, sections }: TraceDiffReport, all: boolean) {
  const stretches: Stretch[] = [];
  let number: number | undefined;
  let [shown, hidden] = [0, 0];
  for (let row = 0; row < rows.length; row++) {
    const differs = rows.mark(row) !== 'equal';
    if (differs && !all && shown >= MOST_ROWS) {
      hidden++;
      continue;
    }
    if (differs) shown++;
    if (rows.section(row) !== number) {
      number = rows.section(row);
      const section = sections[number] ?? { name: '', words: '' };
      stretches.push({ section, rows: [], differs: false });
    }
    const at = stretches.at(-1);
    at?.rows.push(row);
    if (at && differs) at.differs = true;
  }
  return { stretches, hidden };
}

/** Rows that differ, and between them runs of those that are equal. */
function runsOf(stretch: Stretch, rows: TraceDiffReport['rows']): readonly (number | number[])[] {
  const runs: (number | number[])[] = [];
  for (const row of stretch.rows) {
    const last = runs.at(-1);
    if (rows.mark(row) !== 'equal') runs.push(row);
    else if (Array.isArray(last)) last.push(row);
    else runs.push([row]);
  }
  return runs;
}

type SameTexts = ReadonlyMap<number, SameText>;

function equalBlock(stretches: readonly Stretch[], sameText: SameTexts): Block {
  const [first, last] = [stretches[0]?.section.name, stretches.at(-1)?.section.name];
  const names = stretches.length === 1 ? first : `${first} – ${last}`;
  const words = equalWords(
    stretches.flatMap(({ rows }) => rows),
    sameText,
  );
  return lines([
    toned('strong', `${names}  `),
    toned('quiet', `${ROW_MARK_LOOKS.equal.sign} ${words}`),
  ]);
}

function equalItem(rows: readonly number[], sameText: SameTexts): ReportItem {
  const title = [toned('quiet', equalWords(rows, sameText))];
  return { word: ROW_MARK_LOOKS.equal.sign, tone: ROW_MARK_LOOKS.equal.tone, title, details: [] };
}

/** `8 equal, 1 the same text in 10 | 12 chunks`. */
function equalWords(rows: readonly number[], sameText: SameTexts): string {
  const equal = count(rows.length, 'equal', 'equal');
  const cut = rows.flatMap((row) => sameText.get(row) ?? []);
  const [only] = cut;
  if (!only) return equal;
  const chunks = cut.length > 1 ? 'other' : `${only.a.frames} | ${only.b.frames}`;
  return `${equal}, ${cut.length} the same text in ${chunks} chunks`;
}

function rowItem(row: DiffRow, all: boolean, width: number): ReportItem {
  const { mark, a, b, of } = row;
  const words = (a ?? b)?.words ?? '';
  const what = words === '' ? of : words;
  const fields = all ? row.fields : foldFields(row.fields);
  const shown = all ? fields : fields.slice(0, MOST_FIELDS);
  const more = fields.length - shown.length;
  return {
    word: ROW_MARK_LOOKS[mark].sign,
    tone: ROW_MARK_LOOKS[mark].tone,
    title: [
      toned('quiet', `${seqWords(a?.seq)} ${seqWords(b?.seq)}  `),
      code(cut(visibleLine(what), width - 18)),
    ],
    details: [
      ...shown.map((field) => fieldDetail(field, width)),
      ...(more > 0 ? [[toned('quiet', `and ${more} more; --all shows them`)]] : []),
    ],
  };
}

function seqWords(seq: number | undefined): string {
  return (seq === undefined || seq === 0 ? '' : `#${seq}`).padStart(6);
}

function fieldDetail(field: FieldChange, width: number): LineWords {
  const { path, kind, before, after, merge } = field;
  const room = Math.max(30, width - 20);
  const half = Math.max(24, Math.floor((room - path.length - 6) / 2));
  const head = [code(path), ': '];
  const merged = merge && mergePieces(merge());
  if (merged) return [...head, ...merged];
  const value = (tone: Tone, text = '', most = half): TextPiece => ({
    ...code(cut(visibleLine(text), most) || '""'),
    tone,
  });
  if (kind === 'missing') return [...head, 'only left ', value('bad', before, room)];
  if (kind === 'extra') return [...head, 'only right ', value('info', after, room)];
  return [...head, value('bad', before), ' → ', value('info', after)];
}
