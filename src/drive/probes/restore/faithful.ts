// The shared session's replay held against what was said live, as `acp-scope fidelity` does it: both
// folded to one form and aligned; and two ways in which it was seen, held against each other.
import { fidelityOf } from '../../../model/fidelity/fidelity.ts';
import type { FidelityWindow, Row } from '../../../model/fidelity/report/report.ts';
import {
  at,
  pass,
  say,
  skip,
  type ProbeVerdict,
  fail,
  outcomeWords,
  quotedPlain,
} from '../probe.ts';
import {
  indexedBy,
  isMessage,
  type RecordedConnection,
  type Restored,
  type Saved,
} from './restored.ts';
import type { ProbeWorld } from '../world.ts';
import type { Answered } from '../../heard.ts';
import { asSentence } from '../../../lib/sentence.ts';
import { clauseCounts, clauseWords, type ClauseId } from '../../../model/restore/clauses.ts';
import { replayedItems, difference } from '../../replayed-items.ts';
import { str } from '../../../acp/json.ts';
import { saidText, type SeenUpdate } from '../../turn.ts';

interface Replay {
  readonly connection: RecordedConnection;
  readonly answered: Answered;
}

/**
 * Warns of what a client that trusts the replay would get wrong. In v1, where load owes the entire
 * conversation, it fails for what did not come back; an agent of v2 may retain less.
 */
export function faithful(
  live: RecordedConnection,
  { connection, answered }: Replay,
  sessionId: string,
): ProbeVerdict {
  const window = heldAgainst(live, { connection, answered }, sessionId);
  if (!window) return skip('There is no replay to compare.', answered);
  const { verdict, sentence, differences } = window;
  const isBroken = connection.version === 1 && owed(window).length > 0;
  const counted = differences.filter((one) => one.verdict === 'lossy' || one.verdict === 'corrupt');
  const mine = counted.flatMap(({ replayed }) => replayed?.seq ?? []);
  const theirs = counted.flatMap(({ live: said }) => said?.seq ?? []);
  const spots = [at(connection, answered, ...mine), at(live, ...theirs)];
  switch (verdict) {
    case 'equal':
      return pass('The agent replayed the live part unchanged.', answered);
    case 'cosmetic':
      return pass(`What was said live came back. ${sentence}`, answered);
    case 'undecidable':
    case 'nothing due':
      return skip(sentence, answered);
    case 'lossy':
      return say(isBroken ? 'fail' : 'warn', `${sentence}${duty(connection, isBroken)}`, ...spots);
    case 'corrupt':
      return say(isBroken ? 'fail' : 'warn', sentence, ...spots);
  }
}

function duty({ version }: RecordedConnection, isBroken: boolean): string {
  if (isBroken) return ' Expected: the entire conversation.';
  return version === 2 ? ' In version 2 an agent may retain less than was said.' : '';
}

/** Undefined: nothing was restored. */
export function heldAgainst(
  live: RecordedConnection,
  { connection: back, answered }: Replay,
  session: string,
): FidelityWindow | undefined {
  const { windows } = fidelityOf([live, back].map(indexedBy), { session });
  return windows.find(
    ({ connection, requestSeq }) => connection === back.trace && requestSeq === answered.requestSeq,
  );
}

/** What was said live in each turn. */
export function turnsIn({ groups }: FidelityWindow): readonly (readonly Row[])[] {
  return groups
    .filter(({ at }) => at === 'turn')
    .map(({ rows }) => rows.flatMap((row) => (row.of !== 'aside' && row.live ? [row] : [])));
}

/** Prompts, tool calls and last answers that did not come back; of the rest agents keep less. */
function owed(window: FidelityWindow): readonly Row[] {
  return turnsIn(window).flatMap((rows) => {
    const answer = rows.findLast(({ of }) => of === 'agent');
    return rows.filter(
      (row) => row.mark === 'missing' && (row.of === 'user' || row.of === 'tool' || row === answer),
    );
  });
}

// A restore of the saved session, held against the clauses on it: what the restore form and the rules
// read there too.

/** What is wrong with it, or may be, each; none: it is as due. A result is due of what was saved. */
export function faultsOf(world: ProbeWorld, restored: Restored): ProbeVerdict[] {
  const { how, told, connection, answered, history, late } = restored;
  if (answered.result === undefined) {
    const what = how === 'start' ? 'resume from start' : `${answered.method} of the saved session`;
    return [fail(`${what} ${outcomeWords(answered)}. Expected: a result.`, answered)];
  }
  const frames: Partial<Record<ClauseId, readonly (typeof history)[number][]>> = {
    none: history,
    'in-time': late,
    state: history.slice(-1),
  };
  // Where nobody can tell, what came late is noted; that nothing came says each probe itself.
  const isOpen = told?.due === undefined;
  const seen = told?.due === true ? [] : (told?.seen ?? []);
  return seen.flatMap((one): ProbeVerdict[] => {
    if (isOpen && one.clause !== 'in-time') return [];
    const seqs = (frames[one.clause] ?? []).map(({ seq }) => seq);
    // Tool calls and plans may be told to set the session up.
    const isMild = one.clause === 'none' && !history.some(isMessage);
    const found = say(
      isOpen ? 'info' : isMild ? 'warn' : 'fail',
      asSentence(clauseWords(one)),
      seqs.length > 0 ? at(connection, ...seqs) : undefined,
      answered,
    );
    return [clauseCounts(one, 'v2-2026-08') === 'off' ? since(world, found) : found];
  });
}

/** A failure over what came only with SDK 2.4.0 is a warning for an agent that still speaks the draft of August 2026. */
export function since(world: ProbeWorld, verdict: ProbeVerdict): ProbeVerdict {
  if (verdict.verdict !== 'fail' || !world.isAugust) return verdict;
  return {
    ...verdict,
    verdict: 'warn',
    why: `${verdict.why} (Due since SDK 2.4.0; this agent speaks the August draft.)`,
  };
}

/**
 * What of the saved turn a replay lacks, as sentences; empty: it is all there. `isGone`: something did
 * not come back, or without the word it is about.
 */
export function missingText(
  { prompt, marker, turn }: Saved,
  replayed: readonly SeenUpdate[],
): { readonly why: string; readonly isGone: boolean } {
  const user = plain(saidText(replayed, 'user'));
  const agent = plain(saidText(replayed, 'agent'));
  const live = plain(turn.text);
  // Agents put one-off remarks into message chunks and do not replay them: the answer counts.
  const isAnswer = live.includes(marker);
  const isLost = agent === '' && live !== '';
  const isOther = !agent.includes(isAnswer ? marker : live);
  const faults = [
    user === ''
      ? 'The user message is missing.'
      : !user.includes(plain(prompt)) && `The user message differs: ${quotedPlain(user)}.`,
    isLost
      ? 'The agent’s message is missing.'
      : isOther &&
        `The agent’s message differs: live ${quotedPlain(live)}, replayed ${quotedPlain(agent)}.`,
  ];
  return {
    why: faults.filter(Boolean).join(' '),
    isGone: user === '' || isLost || (isOther && isAnswer),
  };
}

/** How two replays of one history differ, a sentence; `ids`: whether theirs count. Undefined: not at all. */
export function replayDifference(one: Restored, two: Restored, ids = true): string | undefined {
  const [first = [], second = []] = [one, two].map(({ connection, answered }) => {
    const items = replayedItems(indexedBy(connection), answered.requestSeq);
    return ids ? items : items.map((item) => ({ ...item, id: undefined }));
  });
  const fault = difference(first, second);
  return fault && asSentence(fault);
}

/** Messages without an id, by their variants. */
export function withoutId(updates: readonly SeenUpdate[]): readonly SeenUpdate[] {
  return updates.filter((seen) => isMessage(seen) && str(seen.update, 'messageId') === undefined);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
