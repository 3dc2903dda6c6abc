// How marks and verdicts look and read.
import type {
  FidelityKind,
  FidelityVerdict,
  FidelityWindow,
  KindScore,
  Row,
  WindowVerdict,
} from '../../../model/fidelity/report/report.ts';
import { count } from '../../../lib/format.ts';
import { KIND_WORDS, COMPARED_KINDS } from '../../../model/sessions/compare-terms.ts';
import type { OtherWindow } from '../../../engine/fidelity/fidelities.ts';
import type { TraceSummary } from '../../../engine/messages.ts';
import { itemWord } from '../../../model/fidelity/report/answer-of.ts';
import type { ItemWord } from '../../../model/fidelity/report/answer.ts';
import { marksInOrder } from '../../../state/compare/marks.ts';

/** The same four steps wherever a replay is judged. */
export const SCALE = [
  'equal',
  'cosmetic',
  'lossy',
  'corrupt',
] as const satisfies readonly FidelityVerdict[];

/** The class of its tone; empty: nothing is wrong. */
export function verdictTone(verdict: WindowVerdict): 'warn' | 'err' | '' {
  return verdict === 'corrupt' ? 'err' : verdict === 'lossy' ? 'warn' : '';
}

export function windowKey({ connection, request }: Pick<OtherWindow, 'connection' | 'request'>) {
  return `${connection} ${request}`;
}

/** `c7#12`, where windows of several connections stand together; else `#12`. */
export function windowName(
  { connection, request }: Pick<OtherWindow, 'connection' | 'request'>,
  traces: readonly Pick<TraceSummary, 'connection' | 'number'>[],
  isMany: boolean,
): string {
  const trace = traces.find((one) => one.connection === connection);
  return `${isMany ? `c${trace?.number ?? '?'}` : ''}#${request}`;
}

const MARK_WORDS = {
  equal: 'identical',
  cosmetic: 'equivalent',
  synthetic: 'added by agent',
} as const;

/** What stands in a row's mark, where it is not the name of the mark. */
export function fidelityMarkWords(
  { of, mark, live, replayed }: Row,
  version: 1 | 2,
): string | undefined {
  if (mark === 'cannot say') return `v${live ? version : 3 - version} cannot say`;
  if (mark === 'equal' || mark === 'cosmetic' || mark === 'synthetic') return MARK_WORDS[mark];
  if (mark !== 'unknown' || !isSetting(of)) return undefined;
  if (!replayed) return 'not sent';
  return live ? undefined : 'only here';
}

/** Settings come after the items. */
export function isSetting(kind: FidelityKind): boolean {
  return ['mode', 'config', 'commands', 'title', 'state'].includes(kind);
}

/** `Tool calls`, `Mode`. */
export function kindHead(kind: FidelityKind): string {
  const isOne = kind === 'mode' || kind === 'title' || kind === 'state';
  const words = KIND_WORDS[kind][isOne ? 0 : 1];
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** How many rows have each mark. */
export type MarkCounts = readonly (readonly [mark: ItemWord, count: number])[];

/** Of each kind. */
export function marksByKind({ groups }: FidelityWindow): ReadonlyMap<FidelityKind, MarkCounts> {
  const found = new Map<FidelityKind, Map<ItemWord, number>>();
  for (const { rows } of groups)
    for (const row of rows) {
      if (row.of === 'aside') continue;
      const marks = found.get(row.of) ?? new Map<ItemWord, number>();
      const word = itemWord(row);
      marks.set(word, (marks.get(word) ?? 0) + 1);
      found.set(row.of, marks);
    }
  return new Map(
    COMPARED_KINDS.flatMap((kind) => {
      const marks = found.get(kind);
      return marks ? [[kind, marksInOrder(marks)] as const] : [];
    }),
  );
}

/** `3 tool calls`; of a setting there is one: `title`. */
export function equalItemWords(kind: FidelityKind, many: number): string {
  const [one, more] = KIND_WORDS[kind];
  return isSetting(kind) && many === 1 ? one : count(many, one, more);
}

/** `83 %`; a dash where nothing could be told. */
export function scoreWords(score: KindScore | undefined): string {
  if (score === undefined) return '';
  return score.score === undefined ? '–' : `${Math.floor(score.score * 100)} %`;
}

/** `1 missing, 1 late`; `identical`. A setting that is not sent is no fault. */
export function marksWords(marks: MarkCounts): string {
  const odd = marks.filter(([mark]) => mark !== 'identical');
  if (odd.length === 0) return 'identical';
  return odd
    .map(([mark, many]) => `${many} ${mark === 'not compared' ? 'not sent' : mark}`)
    .join(', ');
}
