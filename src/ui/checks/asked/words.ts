// How the tests of an agent are worded: families, changes, and how many have which verdict.
import type { RunKind } from '../../../engine/runs/run-messages.ts';
import {
  changeOf,
  verdictsOf,
  type VerdictChange,
  type TestCase,
  type TestFilter,
} from '../../../state/runs/test-cases.ts';
import { verdictParts } from '../../../state/runs/run-words.ts';

export const CASE_NAMES: Readonly<Record<RunKind, string>> = {
  probes: 'probe',
  lab: 'cell',
  scenario: 'scenario',
  rerun: 'recording',
};

/** What the families of probes are about. */
export const FAMILY_WORDS: Readonly<Record<string, string>> = {
  ver: 'the handshake and its versions',
  rpc: 'JSON-RPC',
  caps: 'what is advertised',
  new: 'making sessions',
  list: 'listing sessions',
  load: 'v1 session/load',
  resume1: 'v1 session/resume',
  resume2: 'v2 session/resume and its cursors',
  close: 'closing sessions',
  fork: 'forking sessions',
  status: 'status of sessions',
  archive: 'archiving sessions',
  delete: 'deleting sessions',
  prompt: 'prompts and turns',
  cancel: 'cancelling',
  http: 'over HTTP',
  ws: 'over WebSocket',
};

export const FILTER_NAMES: Readonly<Record<TestFilter, string>> = {
  all: 'All',
  worse: 'Worse',
  fail: 'Failed',
  warn: 'Warned',
  info: 'Notes',
  pass: 'Passed',
  none: 'Not run',
};

/** `2 worse`, `1 better`, `65 same`; nothing where nothing is compared. */
export function changeCounts(
  cases: readonly TestCase[],
): readonly { readonly change: VerdictChange; readonly words: string }[] {
  const changes = cases.map(changeOf);
  return (['worse', 'better', 'same'] as const).flatMap((change) => {
    const many = changes.filter((one) => one === change).length;
    return many === 0 ? [] : [{ change, words: `${many} ${change}` }];
  });
}

/** `31 passed, 4 notes, 3 not run`. */
export function countsWords(cases: readonly TestCase[]): string {
  const { none, ...counts } = verdictsOf(cases);
  return [...verdictParts(counts), ...(none > 0 ? [`${none} not run`] : [])].join(', ');
}

/** What a row that stands for others says. `isAll`: it stands for all of its suite. */
export function moreWords(cases: readonly TestCase[], isAll: boolean): string {
  const isChoice = cases.every(({ verdict }) => verdict === undefined);
  if (isChoice && cases.every(({ chosen }) => chosen === undefined))
    return `${cases.length} probes`;
  const many = isAll ? `All ${cases.length}` : `${cases.length} more`;
  if (isChoice) return `${many}, ${cases.some(({ chosen }) => chosen) ? 'not run' : 'not chosen'}`;
  const same = cases.every((one) => changeOf(one) === 'same') ? ', all as last time' : '';
  return `${many}${same}: ${countsWords(cases)}`;
}
