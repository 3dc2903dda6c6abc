// A comparison as a person reads it in a terminal: first in figures, then what differs, in order, with
// what is equal folded.
import { count, formatCount } from '../../../lib/format-count.ts';
import { visibleWords } from '../../../lib/visible-text.ts';
import { DEFAULT_IGNORE } from '../../../model/sessions/compare-terms.ts';
import { aliasWords } from './alias-words.ts';
import { foldFields } from '../fold-fields.ts';
import type {
  DiffRow,
  FieldChange,
  LeftOut,
  RowMark,
  SameText,
  TextSpan,
  TraceDiffReport,
} from './report.ts';

export type DiffTone = RowMark | 'quiet' | 'head';
export type DiffPaint = (tone: DiffTone, text: string) => string;

export interface DiffTextOptions {
  readonly left: string;
  readonly right: string;
  /** Also what would take many screens. */
  readonly all?: boolean;
  readonly width?: number;
  readonly paint?: DiffPaint;
}

export const SIGNS: Readonly<Record<RowMark, string>> = {
  equal: '=',
  changed: '≠',
  missing: '−',
  extra: '+',
  moved: '⇅',
};
const MARK_WORDS: Readonly<Record<RowMark, string>> = {
  equal: 'equal',
  changed: 'changed',
  missing: 'only left',
  extra: 'only right',
  moved: 'moved',
};

/** Rows and fields of a row that are shown without `all`. */
const MOST_ROWS = 200;
const MOST_FIELDS = 12;
const WIDTH = 110;
const plain: DiffPaint = (_, text) => text;

export function diffText(report: TraceDiffReport, options: DiffTextOptions): string {
  const { paint = plain, all = false, width = WIDTH } = options;
  const lines = [...headLines(report, options, paint), ''];
  const { rows, sections } = report;
  const sameText = new Map(report.sameText.map((same) => [same.row, same]));
  const body = new Body(width, paint, all);
  let shownRows = 0;
  let hidden = 0;
  for (let row = 0; row < rows.length; row++) {
    const isEqual = rows.mark(row) === 'equal';
    if (!isEqual && !all && shownRows >= MOST_ROWS) {
      hidden++;
      continue;
    }
    body.section(sections[rows.section(row)]);
    if (isEqual) body.equal(sameText.get(row));
    else {
      shownRows++;
      body.row(rows.row(row));
    }
  }
  lines.push(...body.done());
  if (hidden > 0)
    lines.push('', `${count(hidden, 'more difference')} not shown; --all shows them.`);
  return lines.join('\n');
}

const UNITS: Readonly<Record<TraceDiffReport['view'], readonly [one: string, many: string]>> = {
  story: ['step', 'steps'],
  frames: ['row', 'rows'],
  state: ['item', 'items'],
  timing: ['time', 'times'],
  handshake: ['part', 'parts'],
};

/** `118 steps · 106 equal · ≠ 6 changed`. */
export function countWords(
  { view, counts, rows }: TraceDiffReport,
  paint: DiffPaint = plain,
): string {
  const [one, many] = UNITS[view];
  const parts = (['equal', 'changed', 'missing', 'extra', 'moved'] as const).flatMap((mark) =>
    counts[mark] === 0
      ? []
      : [paint(mark, `${SIGNS[mark]} ${formatCount(counts[mark])} ${MARK_WORDS[mark]}`)],
  );
  return [count(rows.length, one, many), ...parts].join('  ');
}

function headLines(report: TraceDiffReport, options: DiffTextOptions, paint: DiffPaint): string[] {
  const { view, aliases, leftOut, notices } = report;
  const head = (name: string, text: string) => `${paint('head', name.padEnd(10))}${text}`;
  const lines = [
    head('left', safe(options.left)),
    head('right', safe(options.right)),
    head(view, countWords(report, paint)),
  ];
  const names = aliasWords(aliases);
  const room = (options.width ?? WIDTH) - 10;
  wrapped(names.map(safe), room).forEach((line, at) => {
    lines.push(head(at === 0 ? 'same' : '', line));
  });
  const out = leftOutWords(leftOut);
  if (out !== undefined) lines.push(head('left out', out));
  return [...lines, ...notices.map((notice) => head('note', notice))];
}

/**
 * `12 differences by 2 rules: usage_update 11, $.._meta 1`, and behind that the rules of the user that
 * met nothing; undefined: nothing to tell.
 */
export function leftOutWords(all: readonly LeftOut[]): string | undefined {
  const out = all.filter(({ differences }) => differences > 0);
  const idle = all.filter(({ rule, a, b }) => a + b === 0 && !DEFAULT_IGNORE.includes(rule));
  const met = idle.map(({ rule }) => `${safe(rule)} 0|0`).join(', ');
  const nothing = met && `${met} (met nothing)`;
  if (out.length === 0) return nothing || undefined;
  const sum = out.reduce((total, { differences }) => total + differences, 0);
  const each = out.map(({ rule, differences }) => `${safe(rule)} ${formatCount(differences)}`);
  const told = `${count(sum, 'difference')} by ${count(out.length, 'rule')}: ${each.join(', ')}`;
  return nothing ? `${told}; ${nothing}` : told;
}

/** As many parts on a line as have room. */
function wrapped(parts: readonly string[], room: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + 3 <= room)
      lines[lines.length - 1] = `${last}   ${part}`;
    else lines.push(part);
  }
  return lines;
}

type Section = TraceDiffReport['sections'][number] | undefined;

class Body {
  readonly #lines: string[] = [];
  readonly #width: number;
  readonly #paint: DiffPaint;
  readonly #all: boolean;
  #section: Section;
  #isTold = false;
  #equal = 0;
  /** Of those that are equal. */
  #cut: SameText[] = [];
  /** Sections of which everything is equal, told as one. */
  #same:
    { readonly first: Section; last: Section; equal: number; readonly cut: SameText[] } | undefined;

  constructor(width: number, paint: DiffPaint, all: boolean) {
    this.#width = width;
    this.#paint = paint;
    this.#all = all;
  }

  section(section: Section): void {
    if (section === this.#section) return;
    this.#close();
    this.#section = section;
    this.#isTold = false;
  }

  /** `sameText`: the row is a message that is only cut otherwise. */
  equal(sameText?: SameText): void {
    this.#equal++;
    if (sameText) this.#cut.push(sameText);
  }

  row(row: DiffRow): void {
    if (!this.#isTold) this.#tellSection();
    this.#flush();
    const sign = this.#paint(row.mark, SIGNS[row.mark]);
    const [left, right] = [seqWords(row.a?.seq), seqWords(row.b?.seq)];
    const words = (row.a ?? row.b)?.words ?? '';
    const timed = timeWords(row);
    const what = timed ?? (words === '' ? row.of : words);
    this.#lines.push(
      `  ${sign} ${this.#paint('quiet', `${left} ${right}`)}  ${cut(safe(what), this.#width - 18)}`,
    );
    if (timed !== undefined) return;
    const fields = this.#all ? row.fields : foldFields(row.fields);
    const shown = this.#all ? fields : fields.slice(0, MOST_FIELDS);
    for (const field of shown) this.#lines.push(this.#field(field));
    if (shown.length < fields.length)
      this.#lines.push(
        `${INDENT}${this.#paint('quiet', `and ${fields.length - shown.length} more; --all shows them`)}`,
      );
  }

  done(): readonly string[] {
    this.#close();
    this.#flushSame();
    return this.#lines;
  }

  #field(field: FieldChange): string {
    const { path, kind, before, after, merge } = field;
    const name = path.replace(/^\$\.?/, '') || '$';
    const room = Math.max(30, this.#width - INDENT.length - 2);
    const head = `${INDENT}${safe(name)}  `;
    if (merge) {
      const merged = mergeWords(merge, this.#paint);
      if (merged !== undefined) return `${head}${merged}`;
    }
    const half = Math.max(24, Math.floor((room - name.length - 6) / 2));
    const [left, right] = [cut(safe(before ?? ''), half), cut(safe(after ?? ''), half)];
    if (kind === 'missing')
      return `${head}${this.#paint('missing', `− ${cut(safe(before ?? ''), room)}`)}`;
    if (kind === 'extra')
      return `${head}${this.#paint('extra', `+ ${cut(safe(after ?? ''), room)}`)}`;
    return `${head}${this.#paint('missing', left || '""')} → ${this.#paint('extra', right || '""')}`;
  }

  #close(): void {
    if (this.#section === undefined) return;
    if (this.#isTold) return this.#flush();
    if (this.#equal === 0) return;
    this.#same ??= { first: this.#section, last: this.#section, equal: 0, cut: [] };
    this.#same.last = this.#section;
    this.#same.equal += this.#equal;
    this.#same.cut.push(...this.#cut);
    this.#equal = 0;
    this.#cut = [];
  }

  #tellSection(): void {
    this.#flushSame();
    this.#isTold = true;
    this.#lines.push(this.#heading(this.#section));
  }

  #heading(section: Section): string {
    const { name = '', words = '' } = section ?? {};
    return `${this.#paint('head', name)} ${cut(safe(words), this.#width - name.length - 2)}`.trimEnd();
  }

  #flush(): void {
    if (this.#equal > 0)
      this.#lines.push(
        this.#paint(
          'equal',
          `  =             ${count(this.#equal, 'equal', 'equal')}${cutWords(this.#cut)}`,
        ),
      );
    this.#equal = 0;
    this.#cut = [];
  }

  #flushSame(): void {
    const same = this.#same;
    if (!same) return;
    this.#same = undefined;
    const names =
      same.first === same.last ? same.first?.name : `${same.first?.name} – ${same.last?.name}`;
    this.#lines.push(
      `${this.#paint('head', names ?? '')}  ${this.#paint('equal', `= ${formatCount(same.equal)} equal${cutWords(same.cut)}`)}`,
    );
  }
}

/** `, 1 the same text in 10 | 12 chunks`. */
function cutWords(all: readonly SameText[]): string {
  const [only] = all;
  if (!only) return '';
  const chunks = all.length > 1 ? 'other' : `${only.a.frames} | ${only.b.frames}`;
  return `, ${all.length} the same text in ${chunks} chunks`;
}

/** Of the view `timing`: both sides on one line. */
function timeWords({ of, mark, fields, a, b }: DiffRow): string | undefined {
  const [field] = fields;
  const isTime = field?.path === '$.took' || /^(?:[→←] |turn \d+$)/.test(of);
  if (!isTime) return undefined;
  if (mark !== 'changed') return `${of}  ${(a ?? b)?.words ?? ''}`;
  return `${of}  ${a?.words ?? '–'} → ${b?.words ?? '–'}`;
}

const INDENT = ' '.repeat(18);

function seqWords(seq: number | undefined): string {
  return (seq === undefined || seq === 0 ? '' : `#${seq}`).padStart(6);
}

/** Around what differs, so much of what both say. */
const CONTEXT = 24;
const MOST_MERGED = 400;

/** Undefined: so little is common that both are better told one after the other. */
function mergeWords(merge: readonly TextSpan[], paint: DiffPaint): string | undefined {
  const common = merge.reduce((sum, { of, text }) => sum + (of === 'both' ? text.length : 0), 0);
  const all = merge.reduce((sum, { text }) => sum + text.length, 0);
  if (common * 3 < all) return undefined;
  let words = '';
  for (const [at, { of, text }] of merge.entries()) {
    if (words.length > MOST_MERGED) return `${words}…`;
    if (of === 'a') words += paint('missing', `[−${safe(text)}−]`);
    else if (of === 'b') words += paint('extra', `{+${safe(text)}+}`);
    else words += shortened(safe(text), at === 0, at === merge.length - 1);
  }
  return words;
}

function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * CONTEXT + 3) return text;
  const [head, tail] = [text.slice(0, CONTEXT), text.slice(-CONTEXT)];
  if (isFirst) return `…${tail}`;
  return isLast ? `${head}…` : `${head} … ${tail}`;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, Math.max(1, longest - 1))}…` : text;
}

function safe(text: string): string {
  return visibleWords(text).replace(/\s+/g, ' ');
}
