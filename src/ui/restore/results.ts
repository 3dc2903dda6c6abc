// A row of the results table: its answer, and where its replay lies in the whole history.
import type { RestoreResult } from '../../engine/messages.ts';
import { variantOf } from '../../model/restore-variant.ts';
import type { ReplayWindowView } from '../../model/row-view.ts';

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

/** Updates of the longest replay of the session: the whole history, as far as anybody saw it. */
export function historyLength(results: readonly RestoreResult[]): number {
  return Math.max(1, ...results.map(({ window }) => window.updates));
}

export interface Strip {
  /** Shares of the whole history. */
  readonly from: number;
  readonly to: number;
  /** A stick where the cursor points. */
  readonly cursor: boolean;
  readonly late: boolean;
  readonly rejected: boolean;
}

/** A replay from a cursor is the end of the history, every other one begins at its start. */
export function stripOf(window: ReplayWindowView, history: number): Strip {
  const share = Math.min(1, window.updates / history);
  const cursor = variantOf(window).name === 'custom' && window.updates > 0;
  return {
    from: cursor ? 1 - share : 0,
    to: cursor ? 1 : share,
    cursor,
    late: window.late > 0,
    rejected: window.outcome === 'rejected' || window.outcome === 'incomplete',
  };
}

/** The table as Markdown. */
export function asMarkdown(results: readonly RestoreResult[]): string {
  const rows = results.map(({ window, words, stateBeforeAnswer = '' }) => {
    const { version, name, more } = variantOf(window);
    const variant = more === undefined ? name : `${name} \`${more}\``;
    return [
      `v${version}`,
      variant,
      answerOf(window),
      String(window.updates),
      stateBeforeAnswer,
      words,
      `#${window.request}`,
    ];
  });
  const head = ['', 'variant', 'answer', 'updates', 'state before answer', 'verdict', 'frame'];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
