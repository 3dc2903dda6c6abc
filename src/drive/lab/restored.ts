// The second half of a cell: a new agent restores the session as the cell says, and is asked what it
// remembers of turn 1.
import { CandidateFold } from '../../model/restore/cursor-candidates.ts';
import { cursorFor } from '../../model/restore/restore-shapes.ts';
import {
  cursorNaming,
  FROM_START,
  MALFORMED_CURSOR,
  UNKNOWN_CURSOR,
} from '../../acp/replay-cursors.ts';
import { parseJson } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import type { ScriptedConnection } from '../scripted.ts';
import type { Answered } from '../heard.ts';
import { BudgetSpent } from '../prompt-budget.ts';
import { takeTurn } from '../turn.ts';
import type { Axes, LabVariant } from './axes.ts';
import {
  type Canary,
  type CanarySeen,
  type LabEnvironment,
  type LabSettings,
  remembered,
} from './environment.ts';
import {
  deleteSessions,
  mcpServers,
  openPart,
  waitForCanary,
  type LabPart,
  type LabTry,
} from './part.ts';
import { isAsked } from './plan.ts';
import type { PreparedSession } from './prepare.ts';
import type { LabMemory, LabTools } from './report.ts';

export interface RestoredSession {
  readonly part: LabPart;
  readonly answered: Answered;
  /** What the cursor names, of a custom one. */
  readonly named: string | undefined;
  readonly memory: LabMemory | undefined;
  /** Undefined: without a turn, nothing says whether they were still to come. */
  readonly tools: LabTools | undefined;
}

/** Throws `LabProblem`. */
export async function restore(tried: LabTry, prepared: PreparedSession): Promise<RestoredSession> {
  const { environment, settings, version, axes } = tried;
  const { canary, sessionId } = prepared;
  const other = axes.mcp === 'other' ? await environment.canary('other') : undefined;
  const given = axes.mcp === 'none' ? [] : [other ?? canary];
  const atFirst = await canary.seen();
  if (settings.pause > 0) await prepared.part.connection.pause(settings.pause);
  const part = await openPart(tried, 'after');
  const { connection } = part;
  try {
    const servers = prepared.withoutMcp ? [] : given;
    const named = axes.variant === 'custom' ? cursorIn(prepared) : undefined;
    const cursor = replayFrom(axes.variant, named, settings);
    const cwd = await cwdOf(environment, axes, prepared);
    const method = axes.variant === 'load' ? 'session/load' : 'session/resume';
    const answered = await connection.request(method, {
      ...{ sessionId, cwd, mcpServers: mcpServers(version, servers) },
      ...(cursor === undefined ? {} : { replayFrom: cursor }),
    });
    await connection.quiet(settings.quiet, settings.quiet * 10);
    const isToAsk = answered.result !== undefined && isAsked(axes);
    const memory = isToAsk ? await ask(part, prepared, settings) : undefined;
    const tools = memory?.asked
      ? await toolsOf(servers, { canary, atFirst }, connection, settings)
      : undefined;
    await deleteSessions(part, prepared.made);
    return { part, answered, named, memory, tools };
  } finally {
    if (connection.exit === undefined) await connection.leave();
  }
}

async function cwdOf(
  environment: LabEnvironment,
  { cwd }: Axes,
  { folder }: PreparedSession,
): Promise<string> {
  switch (cwd) {
    case 'exact':
    case 'deleted':
      return folder.path;
    case 'slash':
      return folder.path + folder.separator;
    case 'relative':
      return folder.relative;
    case 'other':
      return (await environment.folder('other')).path;
  }
}

function replayFrom(
  variant: LabVariant,
  named: string | undefined,
  settings: LabSettings,
): Json | undefined {
  switch (variant) {
    case 'load':
    case 'resume':
    case 'omitted':
      return undefined;
    case 'null':
      return null;
    case 'start':
      return FROM_START;
    case 'custom':
      return named === undefined ? FROM_START : customCursor(named, settings);
    case 'unknown':
      return UNKNOWN_CURSOR;
    case 'malformed':
      return MALFORMED_CURSOR;
  }
}

/** As the agent documents it, or as its ids let one guess. */
export function customCursor(messageId: string, { cursor }: Pick<LabSettings, 'cursor'>): Json {
  if (cursor !== undefined) return cursorNaming(cursor, messageId);
  return parseJson(cursorFor({ field: 'messageId', value: messageId })) ?? FROM_START;
}

/** A message in the middle of what was said live: neither the start nor the end can be mistaken for it. */
function cursorIn({ part, sessionId }: PreparedSession): string | undefined {
  const fold = new CandidateFold(sessionId);
  for (const { frame, message } of part.connection.heard) fold.append(frame, message);
  const ids = fold
    .list('', new Map())
    .flatMap(({ field, value }) => (field === 'messageId' ? [String(value)] : []))
    .reverse();
  return ids[Math.ceil((ids.length - 1) / 2)];
}

/** Asked once more where it does not know: a model may have misheard. */
async function ask(
  { connection }: LabPart,
  { sessionId, word, others }: PreparedSession,
  { ask: text }: LabSettings,
): Promise<LabMemory> {
  const seqs: Seq[] = [];
  let asked = 0;
  let found: Pick<LabMemory, 'remembers' | 'why'> = { remembers: 'unknown', why: 'not asked' };
  while (asked < 2 && connection.exit === undefined) {
    try {
      const turn = await takeTurn(connection, sessionId, text);
      asked++;
      found = remembered(turn, word, others);
      for (const seq of [turn.prompt.requestSeq, turn.prompt.answerSeq, turn.end])
        if (seq !== undefined && !seqs.includes(seq)) seqs.push(seq);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      if (asked === 0) found = { remembers: 'unknown', why: error.message };
      break;
    }
    if (found.remembers !== 'no') break;
  }
  if (asked > 0 && found.remembers === 'unknown' && connection.exit)
    found = { ...found, why: 'the agent ended' };
  return { ...found, asked, seqs };
}

async function toolsOf(
  servers: readonly Canary[],
  { canary, atFirst }: { readonly canary: Canary; readonly atFirst: CanarySeen },
  connection: ScriptedConnection,
  settings: LabSettings,
): Promise<LabTools> {
  const before = atFirst.listed > 0;
  const isListed = async (server: Canary) =>
    (await server.seen()).listed > (server === canary ? atFirst.listed : 0);
  const listed: string[] = [];
  for (const server of servers) {
    // Agents connect servers beside the turn; where none came before, none is waited for.
    if (before) await waitForCanary(connection, settings, () => isListed(server));
    if (await isListed(server)) listed.push(server.tool);
  }
  const isGiven = servers.includes(canary);
  const uninvited = !isGiven && (await isListed(canary)) ? [canary.tool] : [];
  return { given: servers.map(({ tool }) => tool), listed, uninvited, before };
}
