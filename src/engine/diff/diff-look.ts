// A comparison as the page gets it: typed arrays of what all rows are, and single rows cut to a line.
import { oneLine } from '../../model/words.ts';
import { excerpt, sharedPart, textChange, type ChangePiece } from '../../model/text-change.ts';
import { foldFields } from '../../diff/traces/changes.ts';
import type {
  Alias,
  DiffRow,
  FieldChange,
  RowMark,
  TraceDiffReport,
} from '../../diff/traces/report/report.ts';
import { ALIAS_NAME, type AliasKind } from '../../model/sessions/compare-terms.ts';
import type { AliasGroup, DiffLook, MarkCode, ShownField, ShownRow } from './diff-messages.ts';

type Rows = Pick<DiffLook, 'marks' | 'rowSections' | 'fields' | 'told'>;

const CODES: Readonly<Record<RowMark, MarkCode>> = {
  equal: 0,
  changed: 1,
  missing: 2,
  extra: 3,
  moved: 4,
};
const SHOWN = 200;
/** Texts that share less stand one beside the other. */
const ALIKE = 0.3;
/** Longer words are not compared word by word while somebody scrolls. */
const LONGEST = 2000;
/** More of what both say before the first difference is cut to what stands beside it. */
const FRONT = 44;
const BESIDE = 20;
/** So many of a kind are told at once. */
const FIRST = 2;

export function rowsLook({ rows, differences, view }: TraceDiffReport): Rows {
  const marks = new Uint8Array(rows.length);
  const rowSections = new Uint32Array(rows.length);
  const fields = new Uint16Array(rows.length);
  const told = new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    marks[row] = CODES[rows.mark(row)];
    rowSections[row] = rows.section(row);
  }
  let from = 0;
  while (from < differences.length) {
    const row = differences[from]?.row ?? 0;
    let to = from;
    const changes: Pick<FieldChange, 'path' | 'kind'>[] = [];
    for (; to < differences.length && differences[to]?.row === row; to++) {
      const one = differences[to];
      if (one?.kind !== 'changed') continue;
      const kind = !('before' in one) ? 'extra' : !('after' in one) ? 'missing' : 'changed';
      changes.push({ path: one.path, kind });
    }
    const shown = foldFields(changes);
    fields[row] = shown.length;
    const [only] = shown;
    const isInWords = only?.path === '$.text' || only?.path === '$.value';
    told[row] = view !== 'frames' && shown.length === 1 && isInWords ? 1 : 0;
    from = to;
  }
  return { marks, rowSections, fields, told };
}

export function rowLook(
  { mark, of, a, b, fields }: DiffRow,
  aliases: ReadonlyMap<string, Alias>,
): ShownRow {
  const folded = foldFields(fields);
  const change = mark === 'changed' ? wordsChange(a?.words, b?.words, folded) : undefined;
  const shown = folded.map(fieldLook);
  const texts = [a?.words, b?.words, ...shown.flatMap(({ before, after }) => [before, after])];
  const whole = [...(change ?? []), ...shown.flatMap((field) => field.change ?? [])];
  return {
    mark,
    of,
    ...(a && { a }),
    ...(b && { b }),
    ...(change && { change }),
    fields: shown,
    aliases: namedIn([...texts, ...whole.map(({ text }) => text)], aliases),
  };
}

function namedIn(
  texts: readonly (string | undefined)[],
  aliases: ReadonlyMap<string, Alias>,
): Alias[] {
  const names = new Set(texts.flatMap((text) => text?.match(ALIAS_NAME) ?? []));
  return [...names].flatMap((name) => aliases.get(name) ?? []);
}

/** What differs of a text may stand far behind what a line shows of it. */
function wordsChange(
  before: string | undefined,
  after: string | undefined,
  fields: readonly FieldChange[],
): readonly ChangePiece[] | undefined {
  const [only] = fields;
  if (before === undefined || after === undefined || before === after) {
    if (fields.length !== 1 || !only) return undefined;
    const change = textChange(only.before ?? '', only.after ?? '');
    if (sharedPart(change) < ALIKE) return undefined;
    // Whose words they are stands before the text.
    const [head] = /^[\w/]+ “/.exec(before ?? '') ?? [];
    const text = excerpt(change);
    return head === undefined || only.path !== '$.text'
      ? text
      : [{ how: 'same', text: head }, ...text, { how: 'same', text: '”' }];
  }
  if (before.length + after.length > LONGEST) return undefined;
  const change = textChange(before, after);
  return sharedPart(change) < ALIKE ? undefined : nearFront(change);
}

/** What differs must stand where a narrow row still shows it. */
function nearFront([first, ...rest]: readonly ChangePiece[]): readonly ChangePiece[] {
  if (first?.how !== 'same' || first.text.length <= FRONT) return first ? [first, ...rest] : [];
  const head = /^(?:[^“]{0,24}“|[^·]{0,36}· )/.exec(first.text)?.[0] ?? '';
  return [{ how: 'same', text: `${head}…${first.text.slice(-BESIDE)}` }, ...rest];
}

function fieldLook({ path, kind, before, after }: FieldChange): ShownField {
  const shown = {
    path,
    kind,
    ...(before !== undefined && { before: oneLine(before, SHOWN) }),
    ...(after !== undefined && { after: oneLine(after, SHOWN) }),
  };
  if (before === undefined || after === undefined) return shown;
  const whole = textChange(before, after);
  return sharedPart(whole) < ALIKE ? shown : { ...shown, change: excerpt(whole) };
}

/** All of both values of the nth field that a row shows. */
export function wholeField({ fields }: DiffRow, nth: number): readonly ChangePiece[] {
  const field = foldFields(fields)[nth];
  return field ? textChange(field.before ?? '', field.after ?? '') : [];
}

/** In the order in which kinds first appear. */
export function aliasGroups(aliases: readonly Alias[]): AliasGroup[] {
  const kinds = new Map<AliasKind, Alias[]>();
  for (const alias of aliases) {
    const known = kinds.get(alias.kind);
    if (known) known.push(alias);
    else kinds.set(alias.kind, [alias]);
  }
  return [...kinds].map(([kind, all]) => ({
    kind,
    total: all.length,
    differing: all.filter(({ a, b }) => a !== b).length,
    uses: all.reduce((sum, { uses }) => sum + uses.a + uses.b, 0),
    aliases: all.slice(0, FIRST),
  }));
}
