// The report card of an agent: versions, what it advertises against what works, and how it resumes.
// Rows name the probes they come from; nothing is judged anew.
import type { VerdictWord } from '../verdict.ts';
import type { LeftOutProbe } from './plan.ts';
import type { ProbeResult } from './probe.ts';
import type { ProbeReport } from './run.ts';

export interface CardRow {
  readonly name: string;
  /** Undefined: it was not asked. */
  readonly verdict: VerdictWord | undefined;
  readonly why: string;
  /** It could have been asked. */
  readonly isLeftOut: boolean;
  /** The probes it comes from. */
  readonly ids: readonly string[];
}

export interface Card {
  readonly versions: readonly CardRow[];
  readonly works: readonly CardRow[];
  readonly resume: readonly CardRow[];
}

type Row = readonly [name: string, ...ids: readonly string[]];

const VERSIONS: readonly Row[] = [
  ['version 1', 'ver/v1'],
  ['version 2', 'ver/v2'],
  ['a future version', 'ver/future'],
  ['version 0', 'ver/zero'],
];
/** Each with the probe that shows best whether it works. */
const WORKS: Readonly<Record<1 | 2, readonly Row[]>> = {
  1: [
    ['session/new', 'new/two'],
    ['session/prompt', 'prompt/turn'],
    ['session/cancel', 'cancel/turn'],
    ['session/list', 'list/plain'],
    ['session/load', 'load/roundtrip'],
    ['session/resume', 'resume1/no-history'],
    ['session/close', 'close/idle'],
    ['session/delete', 'delete/visible'],
    ['session/fork', 'fork/basic'],
  ],
  2: [
    ['session/new', 'new/two'],
    ['session/prompt', 'prompt/turn'],
    ['session/cancel', 'cancel/turn'],
    ['session/list', 'list/plain'],
    ['session/resume', 'resume2/omit'],
    ['session/resume from start', 'resume2/start'],
    ['session/close', 'close/idle'],
    ['session/delete', 'delete/visible'],
    ['session/fork', 'fork/basic'],
  ],
};
const RESUME: Readonly<Record<1 | 2, readonly Row[]>> = {
  1: [
    ['resume without replay', 'resume1/no-history'],
    ['replay', 'load/roundtrip'],
    ['replay complete', 'load/fold'],
    ['tool calls replayed', 'load/tools'],
    ['replays alike', 'load/repeat'],
    ['context kept', 'load/then-prompt'],
    ['survives a close', 'close/then-load'],
    ['kept before the first prompt', 'load/never-prompted'],
    ['another folder', 'load/other-cwd', 'resume1/other-cwd'],
    ['unknown session', 'load/unknown', 'resume1/unknown'],
  ],
  2: [
    ['resume without replay', 'resume2/omit'],
    ['replay', 'resume2/start'],
    ['replay complete', 'resume2/fold'],
    ['tool calls replayed', 'resume2/tools'],
    ['ids kept', 'resume2/prompt-id'],
    ['replays alike', 'resume2/stable'],
    ['context kept', 'resume2/then-prompt'],
    ['survives a close', 'close/then-load'],
    ['survives a lost connection', 'resume2/detach'],
    ['kept before the first prompt', 'resume2/never-prompted'],
    ['another folder', 'resume2/cwd'],
    ['unknown session', 'resume2/unknown-session'],
    ['unknown cursors', 'resume2/unknown-cursor', 'resume2/malformed-cursor'],
    ['a cursor of its own', 'resume2/inclusive'],
  ],
};

export function cardOf({ agent, probes, leftOut }: ProbeReport): Card {
  const byId = new Map(probes.map((result) => [result.id, result]));
  const rows = (list: readonly Row[]) => list.map((row) => cardRow(row, byId, leftOut));
  return {
    versions: rows(VERSIONS),
    works: rows(WORKS[agent.version]),
    resume: rows(RESUME[agent.version]),
  };
}

/** The first of its probes that could be asked speaks for the row. */
function cardRow(
  [name, ...ids]: Row,
  byId: ReadonlyMap<string, ProbeResult>,
  leftOut: readonly LeftOutProbe[],
): CardRow {
  const results = ids.flatMap((id) => byId.get(id) ?? []);
  const shown = results.find(({ verdict }) => verdict !== 'skip') ?? results[0];
  const left = leftOut.find(({ id }) => ids.includes(id));
  const none = left ? `Left out unless asked for. ${left.why}` : 'Not asked in this run.';
  return {
    name,
    verdict: shown?.verdict,
    why: shown?.why ?? none,
    isLeftOut: left !== undefined,
    ids,
  };
}
