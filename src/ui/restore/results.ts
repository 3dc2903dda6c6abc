// A row of the results table: its answer, and where its replay lies in the whole history; the table
// as a document.
import type { FidelityWindow } from '../../diff/fidelity/report/report.ts';
import type { SessionRestore, TraceSummary } from '../../engine/messages.ts';
import { heldOf } from '../../model/restore/restore-words.ts';
import { hasReplay, variantOf } from '../../model/restore/restore-shapes.ts';
import { RESTORE_VERDICT_WORDS, type Shortfall } from '../../model/restore/restore-verdict.ts';
import type { ReplayWindowView } from '../../model/timeline/row-view.ts';
import type { ReportDocument } from '../../report/document.ts';

/** `result`, the error, or why there is none. */
export function answerOf({ outcome, problem }: ReplayWindowView): string {
  switch (outcome) {
    case 'answered':
      return 'result';
    case 'rejected':
      return problem?.split(' ')[0] ?? 'error';
    case 'open':
      return 'open';
    case 'incomplete':
      return 'none';
  }
}

/** Of the longest replay of the session: the whole history, as far as anybody saw it. */
export function historyLength(results: readonly Pick<SessionRestore, 'window'>[]): number {
  return Math.max(1, ...results.map(({ window }) => window.figures.chunks + window.late));
}

export interface ShareStrip {
  /** Shares of the whole history. */
  readonly from: number;
  readonly to: number;
  /** A stick where the cursor points. */
  readonly cursor: boolean;
  readonly late: boolean;
  readonly rejected: boolean;
}

/** A replay from a cursor is the end of the history, every other one begins at its start. */
export function shareStrip(
  { window, verdict }: Pick<SessionRestore, 'window' | 'verdict'>,
  history: number,
): ShareStrip {
  const { chunks } = window.figures;
  const share = Math.min(1, chunks / history);
  const isCustom = variantOf(window).name === 'custom' && chunks > 0;
  const cursor = isCustom && verdict !== 'ignored-replayed-from-start';
  return {
    from: cursor ? 1 - share : 0,
    to: cursor ? 1 : share,
    cursor,
    late: window.late > 0,
    rejected: window.outcome === 'rejected' || window.outcome === 'incomplete',
  };
}

/** Runs about the session, by id, with their titles. */
export function runsOf(
  traces: readonly TraceSummary[],
  sessionId: string,
): ReadonlyMap<string, string> {
  const runs = new Map<string, string>();
  for (const { group } of traces) if (group?.session === sessionId) runs.set(group.id, group.title);
  return runs;
}

export function variantWords(window: ReplayWindowView): string {
  const { name, more } = variantOf(window);
  return more === undefined ? name : `${name} ${more}`;
}

/** `knows it`, `forgot`, or what the agent said. */
export function thenWords({ then }: Pick<SessionRestore, 'then'>): string {
  if (!then) return '';
  if (then.refusal !== undefined) return `refused: ${then.refusal}`;
  if (then.knows === 'knows') return 'knows it';
  if (then.knows === 'forgot') return 'forgot';
  return then.said === '' ? 'said nothing' : 'cannot be told';
}

/** Of a run that repeats one request: how often it came to each verdict. */
export function rateWords(results: readonly SessionRestore[]): string {
  const times = new Map<string, number>();
  for (const { verdict } of results)
    times.set(RESTORE_VERDICT_WORDS[verdict], (times.get(RESTORE_VERDICT_WORDS[verdict]) ?? 0) + 1);
  return [...times].map(([words, found]) => `${words} ${found} of ${results.length}`).join(', ');
}

/** `frame`: how a frame of a connection is named, `c2#12`. */
type FrameName = (result: SessionRestore) => string;

/** How faithful the replay of a row is. */
type Compared = Pick<FidelityWindow, 'verdict' | 'shortfall'>;
type FidelityWords = ReadonlyMap<SessionRestore, Compared>;

/** More had to come back than did. */
export function isShort(shortfall: Shortfall | undefined): boolean {
  return shortfall !== undefined && shortfall.weight !== 'hint';
}

/** Asks for each row that has a replay to compare. */
export async function fidelityWords(
  results: readonly SessionRestore[],
  ask: (result: SessionRestore) => Promise<Compared | undefined>,
): Promise<FidelityWords> {
  const asked = results
    .filter(({ window }) => hasReplay(window))
    .map(async (result) => [result, await ask(result)] as const);
  const words = new Map<SessionRestore, Compared>();
  for (const [result, word] of await Promise.all(asked)) if (word) words.set(result, word);
  return words;
}

const HEAD = [
  'version',
  'variant',
  'answer',
  'updates',
  'state before answer',
  'then a prompt',
  'fidelity',
  'verdict',
  'as due',
  'words',
  'frame',
];

function cellsOf(
  result: SessionRestore,
  frame: FrameName,
  fidelity: FidelityWords,
): readonly string[] {
  const { window, verdict, due, stateBeforeAnswer = '' } = result;
  const compared = fidelity.get(result);
  const { whole } = heldOf(result, compared?.shortfall);
  return [
    `v${window.version}`,
    variantWords(window),
    answerOf(window),
    String(window.updates),
    stateBeforeAnswer,
    thenWords(result),
    compared?.verdict ?? '',
    RESTORE_VERDICT_WORDS[verdict],
    dueWord(due, compared?.shortfall),
    whole,
    frame(result),
  ];
}

function dueWord(due: boolean | undefined, shortfall: Shortfall | undefined): string {
  if (due === undefined) return '?';
  if (!due) return 'no';
  if (shortfall === undefined) return 'yes';
  return isShort(shortfall) ? 'no, not whole' : 'yes, not whole';
}

/** Variants that were not sent, by version and by why: an agent of one version is told so once. */
export function unsentOf(
  unsent: readonly { readonly label: string; readonly words: string }[],
): readonly { readonly version: string; readonly words: string; readonly labels: string[] }[] {
  const groups = new Map<string, { version: string; words: string; labels: string[] }>();
  for (const { label, words } of unsent) {
    const version = label.slice(0, 2);
    const key = `${version} ${words}`;
    const group = groups.get(key) ?? { version, words, labels: [] };
    group.labels.push(label.slice(3));
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The table as a document: as Markdown for an issue, as text for a terminal or a mail. */
export function resultsDocument(
  results: readonly SessionRestore[],
  frame: FrameName,
  fidelity: FidelityWords,
): ReportDocument {
  return {
    ...{ name: 'acp-scope', title: 'Restores', untitled: true, suites: [] },
    blocks: [
      {
        kind: 'table',
        heads: HEAD.map((name) => ({ name })),
        rows: results.map((result) => cellsOf(result, frame, fidelity)),
      },
    ],
  };
}
