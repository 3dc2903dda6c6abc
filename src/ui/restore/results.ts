// A row of the results table: which variant it was, where its replay lies in the whole history.
import { isObject, parseJson, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { RestoreResult } from '../../engine/messages.ts';
import type { ReplayWindowView } from '../../model/row-view.ts';

export interface Variant {
  readonly version: 1 | 2;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly more?: string;
}

export function variantOf({ version, method, cursor }: ReplayWindowView): Variant {
  if (version === 1) return { version, name: method === 'session/load' ? 'load' : 'resume' };
  if (cursor === undefined || cursor === 'omitted') return { version, name: 'omitted' };
  if (cursor === 'null') return { version, name: 'null' };
  const type = typeOf(cursor);
  if (type === undefined) return { version, name: 'malformed', more: cursor };
  if (type === 'start') return { version, name: 'start' };
  return type.startsWith('_')
    ? { version, name: 'custom', more: [type, valueOf(cursor)].filter(Boolean).join(' ') }
    : { version, name: 'unknown', more: type };
}

function typeOf(cursor: string): string | undefined {
  return str(parseJson(cursor), 'type');
}

/** The one value beside the type. */
function valueOf(cursor: string): string | undefined {
  const values = Object.entries(fieldsOf(cursor)).flatMap(([key, value]) =>
    key === 'type' ? [] : [typeof value === 'string' ? value : JSON.stringify(value)],
  );
  return values.length === 1 ? values[0] : undefined;
}

function fieldsOf(cursor: string): JsonObject {
  const value = parseJson(cursor);
  return isObject(value) ? value : {};
}

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
  const rows = results.map(({ window, verdict, stateBeforeAnswer = '' }) => {
    const { version, name, more } = variantOf(window);
    const variant = more === undefined ? name : `${name} \`${more}\``;
    return [
      `v${version}`,
      variant,
      answerOf(window),
      String(window.updates),
      stateBeforeAnswer,
      verdict,
      `#${window.request}`,
    ];
  });
  const head = ['', 'variant', 'answer', 'updates', 'state before answer', 'verdict', 'frame'];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
