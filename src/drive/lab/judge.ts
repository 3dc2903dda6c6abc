// What is due of a cell, and whether it came. What the protocol makes due of the restore itself is
// judged where restores are (model/restore/restore-judge.ts); here, the whole of it: history, memory, tools.
import { asSentence, withoutEnd, lowered } from '../../lib/sentence.ts';
import { type VerdictWord, worstWord } from '../verdict.ts';
import { CODE } from '../../acp/message.ts';
import { count } from '../../lib/format.ts';
import type { Axes } from './axes.ts';
import { type LabMemory, type LabRestored, type LabTools } from './report.ts';
import { resultWords } from '../../model/restore/restore-words.ts';
import { minus } from '../../model/words.ts';
import type { FidelityWindow } from '../../model/fidelity/report/report.ts';
import type { Seq } from '../../trace/event.ts';
import type { LabStop } from './prepare.ts';
import type { ReconnectTruth } from '../../model/restore/reconnect.ts';

interface CellSeen {
  readonly version: 1 | 2;
  readonly axes: Axes;
  readonly restored: LabRestored;
  readonly fidelity: FidelityWindow | undefined;
  readonly memory: LabMemory | undefined;
  readonly tools: LabTools | undefined;
  readonly reconnect: ReconnectTruth | undefined;
  readonly cut: LabStop | undefined;
}

interface JudgedCell {
  readonly verdict: VerdictWord;
  readonly why: string;
}

type Say = readonly [VerdictWord, string];

/** The worst of all that was seen, in the clauses that say so. */
export function judgeCell(seen: CellSeen): JudgedCell {
  const said = sayings(seen);
  const verdict = worstWord(said.map(([word]) => word));
  // A cell that did not come about as it is named says so beside any verdict.
  const clauses = said.flatMap(([word, clause]) =>
    word === verdict || clause === seen.cut?.missed ? [clause] : [],
  );
  return { verdict, why: asSentence([...new Set(clauses)].join('; ')) };
}

function sayings(seen: CellSeen): Say[] {
  const { axes, restored, cut: stopped } = seen;
  const { verdict } = restored;
  if (verdict === 'incomplete')
    return [['fail', `no answer came (${resultWords(restored).whole})`]];
  if (verdict === 'open') return [['fail', 'the restore was not answered in time']];
  const cut: Say[] = stopped?.missed === undefined ? [] : [['info', stopped.missed]];
  if (axes.id === 'unknown' || axes.id === 'deleted') return [gone(seen), ...cut];
  if (axes.variant === 'unknown' || axes.variant === 'malformed') return [asDue(restored, 'fail')];
  if (axes.cwd === 'relative')
    return [asDue(restored, 'warn', restored.code === CODE.invalidParams)];
  if (restored.code !== undefined) return [...refused(seen), ...cut];
  return [...came(seen), ...cut];
}

/** What the clauses on a restore say of it. */
function asDue(restored: LabRestored, bad: VerdictWord, isFine = true): Say {
  return [restored.due === true && isFine ? 'pass' : bad, resultWords(restored).whole];
}

/** No agent can know the session. */
function gone({ axes, restored, fidelity }: CellSeen): Say {
  const { code } = restored;
  if (code === undefined && axes.id === 'deleted') {
    const back = replayedItems(fidelity) > 0 ? ', with its history' : '';
    return ['warn', `a deleted session was restored${back}; expected −32002`];
  }
  // In v1 another error says it too, less well.
  return asDue(restored, restored.due === true ? 'warn' : 'fail', code === CODE.notFound);
}

/** Refused, though it may be that it had to come back. */
function refused({ axes, restored }: CellSeen): Say[] {
  const { code = 0, due } = restored;
  const words = agentSaid(restored);
  const error = minus(code);
  const isAbout = code === CODE.invalidParams || code === CODE.notFound;
  if (axes.cwd === 'other' || axes.id === 'other-cwd') {
    const what = axes.cwd === 'other' ? 'another cwd' : 'a session of another cwd';
    return isAbout
      ? [['pass', `rejected with ${error} for ${what}, as an agent may`]]
      : [['warn', `${what}: ${words}; −32602 or −32002 would say why`]];
  }
  if (axes.cwd === 'deleted') return [['info', `rejected with ${error}: the folder is gone`]];
  if (axes.cwd === 'slash')
    return [['info', `rejected with ${error}: a trailing slash is another folder to it`]];
  if (axes.variant === 'custom' && due === true)
    return [['pass', 'rejected with −32602: it takes no cursor that names a message']];
  if (axes.id === 'closed') return [['warn', `a closed session was not restored: ${words}`]];
  const which = axes.stop === 'stdin' ? '' : ' after that stop';
  return [['fail', `not restored${which}: ${words}`]];
}

/** What the agent said; whether it had to is judged here. */
function agentSaid(restored: LabRestored): string {
  const problem = restored.seen.find(({ facts }) => facts?.problem !== undefined)?.facts?.problem;
  return problem === undefined
    ? resultWords(restored).whole
    : `rejected: ${withoutEnd(problem, '.')}`;
}

function came(seen: CellSeen): Say[] {
  const { axes, restored, tools } = seen;
  const said: Say[] = [];
  if (restored.due === false) said.push(['fail', resultWords(restored).whole]);
  said.push(...history(seen), ...children(seen), ...left(seen), ...memory(seen));
  if (tools) said.push(...toolSayings(axes, tools));
  if (axes.cwd === 'other' || axes.id === 'other-cwd')
    said.push(['info', 'another cwd than the session’s was accepted']);
  return said;
}

/** Whether the session comes back in another folder is the agent's to say. */
function isElsewhere({ cwd, id }: Axes): boolean {
  return cwd === 'other' || cwd === 'deleted' || id === 'other-cwd';
}

function replayedItems(fidelity: FidelityWindow | undefined): number {
  return Object.values(fidelity?.kinds ?? {}).reduce((sum, { replayed }) => sum + replayed, 0);
}

const REPLAYS: ReadonlySet<string> = new Set(['load', 'start']);

function history(seen: CellSeen): Say[] {
  const { variant } = seen.axes;
  if (REPLAYS.has(variant)) return compared(seen);
  // What stands from the cursor on is due whole, as all of it is from the start.
  return variant === 'custom' ? [...begun(seen), ...compared(seen)] : begun(seen);
}

function begun({ restored }: CellSeen): Say[] {
  const { whole, plain } = resultWords(restored);
  if (restored.due === undefined) return [['info', whole]];
  return restored.due ? [['pass', `as due, ${plain}`]] : [];
}

function compared({ version, axes, fidelity, cut }: CellSeen): Say[] {
  if (fidelity === undefined) return [['info', 'the replay was not compared']];
  const { verdict, sentence } = fidelity;
  const said = lowered(withoutEnd(sentence, '.'));
  const renamed = version === 1 ? otherIds(fidelity) : [];
  if (verdict === 'equal') return [['pass', 'the replay is equal'], ...renamed];
  if (verdict === 'cosmetic')
    return [['pass', 'nothing is lost, some is told differently'], ...renamed];
  if (verdict === 'undecidable')
    return [['info', `the replay cannot be compared: ${said}`], ...renamed];
  if (renamed.length > 0 && isOnlyIds(fidelity)) return renamed;
  if (cut && isOnlyOfCutTurn(fidelity, cut.seq))
    return [
      verdict === 'lossy'
        ? ['pass', 'all before the cut turn came back, and of that turn a part']
        : ['warn', `of the cut turn, the replay is ${verdict}: ${said}`],
    ];
  return [[isElsewhere(axes) ? 'warn' : 'fail', `the replay is ${verdict}: ${said}`]];
}

/** Of each child of the tree: an agent need not keep one, but what it tells of it must be so. */
function children({ axes, fidelity }: CellSeen): Say[] {
  if (!REPLAYS.has(axes.variant)) return [];
  const told = (fidelity?.children ?? []).flatMap(({ session, verdict, sentence }): Say[] => {
    const words = `of the child ${session}, the replay is ${verdict}: ${lowered(withoutEnd(sentence, '.'))}`;
    if (verdict === 'lossy' || verdict === 'corrupt') return [['warn', words]];
    return verdict === 'equal' || verdict === 'cosmetic' ? [] : [['info', words]];
  });
  const isMissing = axes.subagents === 'with' && fidelity?.children.length === 0;
  return isMissing ? [['info', 'no child session appeared']] : told;
}

/** v1 does not require ids to be stable across loads; clients that go by them stumble. */
function otherIds({ differences }: FidelityWindow): Say[] {
  const lost = new Set(
    differences.flatMap(({ kind, live }) => (kind === 'lost id' && live ? [live.seq] : [])),
  );
  if (lost.size === 0) return [];
  const came = `${count(lost.size, 'item')} came back without the ids they had live`;
  return [['warn', `${came}; v1 leaves it open, and a client that goes by ids does not know them`]];
}

function isOnlyIds({ verdict, differences }: FidelityWindow): boolean {
  return (
    verdict === 'lossy' &&
    differences.every(({ kind, verdict: word }) => kind === 'lost id' || word === 'cosmetic')
  );
}

/** No agent can keep what it had no time to keep; what was over before must be there. */
function isOnlyOfCutTurn({ groups, differences }: FidelityWindow, cut: Seq | undefined): boolean {
  const ofCut = new Set<number>();
  for (const { turn, rows } of groups)
    for (const row of rows)
      if (turn > 1 && 'differences' in row) for (const at of row.differences) ofCut.add(at);
  return differences.every(({ verdict, live }, at) => {
    if (verdict === 'cosmetic' || ofCut.has(at)) return true;
    return cut !== undefined && live?.connection === 'before' && live.seq >= cut;
  });
}

/** What was open when the agent was stopped, and of which a replay says nothing. */
function left({ axes, reconnect }: CellSeen): Say[] {
  if (!REPLAYS.has(axes.variant)) return [];
  const gone = reconnect?.open.filter(({ fate }) => fate === 'silently gone') ?? [];
  return gone.map(({ words, why }) => ['warn', `${words} is silently gone: ${why}`]);
}

function memory({ axes, memory }: CellSeen): Say[] {
  if (memory === undefined) return [];
  const { remembers, why, asked } = memory;
  const bad: VerdictWord = isElsewhere(axes) ? 'warn' : 'fail';
  if (remembers === 'yes') return [['pass', 'it remembers turn 1']];
  if (remembers === 'no') return [[bad, `it does not remember turn 1: ${why}`]];
  if (asked === 0) return [['info', `it was not asked what it remembers: ${why}`]];
  return [[bad, `the restored session took no prompt: ${why}`]];
}

function toolSayings(axes: Axes, { given, listed, uninvited, before }: LabTools): Say[] {
  const said: Say[] = [];
  if (uninvited.length > 0)
    said.push(['warn', 'it connected an MCP server of before, which was not given again']);
  const missing = given.filter((tool) => !listed.includes(tool));
  if (missing.length === 0)
    return given.length > 0 ? [...said, ['pass', 'it has the MCP tools it was given']] : said;
  // No program starts in a folder that is gone.
  if (axes.cwd === 'deleted') return said;
  said.push(
    before
      ? ['fail', 'the restored session does not have the MCP tools it was given']
      : ['info', 'it connects no MCP server over stdio here'],
  );
  return said;
}
