// What came of a restore, in words; all of a session as a table that is copied.
import type { Answer } from '../../model/fidelity/report/answer.ts';
import type { SessionRestore } from '../../engine/messages.ts';
import { variantOf } from '../../model/restore/restore-shapes.ts';
import { RESTORE_VERDICT_WORDS } from '../../model/restore/restore-verdict.ts';
import type { ReplayWindowView } from '../../model/timeline/row-view.ts';
import type { ReportDocument } from '../../report/document.ts';

/** `result`, the error, or why there is none. */
export function resultOrError({ outcome, problem }: ReplayWindowView): string {
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

function variantWords(window: ReplayWindowView): string {
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

/** `frame`: how a frame of a connection is named, `c2#12`. */
type FrameName = (result: SessionRestore) => string;

type AnswerOf = (result: SessionRestore) => Answer | undefined;

const HEAD = [
  'version',
  'variant',
  'answer',
  'updates',
  'state before answer',
  'then a prompt',
  'restore',
  'protocol',
  'history',
  'headline',
  'figures',
  'frame',
];

function cellsOf(result: SessionRestore, frame: FrameName, answerOf: AnswerOf): readonly string[] {
  const { window, verdict, stateBeforeAnswer = '' } = result;
  const answer = answerOf(result);
  return [
    `v${window.version}`,
    variantWords(window),
    resultOrError(window),
    String(window.updates),
    stateBeforeAnswer,
    thenWords(result),
    RESTORE_VERDICT_WORDS[verdict],
    answer?.protocol ?? '',
    answer?.history ?? '',
    answer?.headline ?? '',
    answer?.figures ?? '',
    frame(result),
  ];
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
  answerOf: AnswerOf,
): ReportDocument {
  return {
    ...{ name: 'acp-scope', title: 'Restores', untitled: true, suites: [] },
    blocks: [
      {
        kind: 'table',
        heads: HEAD.map((name) => ({ name })),
        rows: results.map((result) => cellsOf(result, frame, answerOf)),
      },
    ],
  };
}
