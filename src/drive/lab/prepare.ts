// The first half of a cell: a session is made and prompted, and its agent is stopped as the cell says.
import { obj, str } from '../../acp/json.ts';
import { CODE } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import type { Seq } from '../../trace/event.ts';
import { asksPermission, type Heard, whyNoResult } from '../heard.ts';
import { takeTurn, TurnWatch, askPrompt } from '../turn.ts';
import type { Axes } from './axes.ts';
import {
  type Canary,
  type LabFolder,
  type LabEnvironment,
  type LabSettings,
  labWord,
  promptFor,
} from './environment.ts';
import {
  LabProblem,
  mcpServers,
  openPart,
  waitForCanary,
  type LabPart,
  type LabTry,
} from './part.ts';

export interface PreparedSession {
  readonly part: LabPart;
  readonly folder: LabFolder;
  readonly sessionId: string;
  readonly word: string;
  /** Words of other sessions. */
  readonly others: readonly string[];
  /** All sessions that the lab made. */
  readonly made: readonly string[];
  readonly canary: Canary;
  /** MCP servers were refused: the session has none. */
  readonly withoutMcp: boolean;
  /** Of a turn that was to be cut. */
  readonly cut: LabStop | undefined;
}

export interface LabStop {
  /** Its prompt. */
  readonly seq: Seq | undefined;
  /** Why the stop was not the one that was meant. */
  readonly missed: string | undefined;
}

/** Leaves a stopped agent. Throws `LabProblem`, and `BudgetSpent`. */
export async function prepare(tried: LabTry): Promise<PreparedSession> {
  const part = await openPart(tried, 'before');
  try {
    return await prepared(tried, part);
  } catch (error) {
    if (part.connection.exit === undefined) await part.connection.stop('SIGTERM');
    if (error instanceof LabProblem) error.part = part;
    throw error;
  }
}

async function prepared(
  { environment, settings, version, axes }: LabTry,
  part: LabPart,
): Promise<PreparedSession> {
  const { connection } = part;
  const canary = await environment.canary('canary');
  const folder = await environment.folder('here');
  const word = labWord(environment.token());
  const prompt = axes.subagents === 'none' ? settings.prompt : settings.delegatePrompt;
  const first = await newSession(part, version, folder, [canary]);
  const made = [first.sessionId];
  const base = { part, folder, made, canary, withoutMcp: first.withoutMcp, cut: undefined };
  if (axes.id === 'unknown') {
    await connection.leave();
    // Of the same form as an id of this agent, and of no session.
    const sessionId = unlike(first.sessionId, environment);
    return { ...base, sessionId, word, others: [] };
  }
  await mustTurn(part, first.sessionId, promptFor(prompt, word));
  if (!first.withoutMcp)
    await waitForCanary(connection, settings, async () => (await canary.seen()).listed > 0);
  let { sessionId } = first;
  let others: string[] = [];
  let sought = word;
  if (axes.id === 'other-cwd') {
    const there = await environment.folder('there');
    const second = await newSession(part, version, there, first.withoutMcp ? [] : [canary]);
    sought = labWord(environment.token());
    await mustTurn(part, second.sessionId, promptFor(prompt, sought));
    others = [word];
    sessionId = second.sessionId;
    made.push(sessionId);
  }
  if (axes.id === 'closed') await must(part, 'session/close', { sessionId });
  if (axes.id === 'deleted') await must(part, 'session/delete', { sessionId });
  const cut = await stop(part, sessionId, axes, settings);
  if (axes.cwd === 'deleted') await environment.remove(folder);
  return { ...base, made, sessionId, word: sought, others, cut };
}

/** A session of this folder; where its MCP servers are refused, without them. */
export async function newSession(
  part: LabPart,
  version: 1 | 2,
  folder: LabFolder,
  canaries: readonly Canary[],
): Promise<{ readonly sessionId: string; readonly withoutMcp: boolean }> {
  const { connection } = part;
  const params = { cwd: folder.path, mcpServers: mcpServers(version, canaries) };
  const answered = await connection.request('session/new', params);
  const { result, error } = answered;
  const sessionId = str(result, 'sessionId');
  if (sessionId !== undefined) return { sessionId, withoutMcp: canaries.length === 0 };
  if (error?.code === CODE.authRequired)
    throw new LabProblem('The agent wants a sign-in first. Sign in with it, then run again.', true);
  if (error && canaries.length > 0) return newSession(part, version, folder, []);
  throw new LabProblem(`no session could be made: ${whyNoResult(answered, part.connection.exit)}`);
}

/** A turn that must come to its end. */
export async function mustTurn(
  part: LabPart,
  sessionId: string,
  text: string,
  number = 1,
): Promise<void> {
  const { prompt, end } = await takeTurn(part.connection, sessionId, text);
  if (prompt.answer?.kind !== 'success' || end === undefined)
    throw new LabProblem(
      `turn ${number} did not end: ${whyNoResult(prompt, part.connection.exit)}`,
    );
}

async function must(part: LabPart, method: string, params: { sessionId: string }): Promise<void> {
  const answered = await part.connection.request(method, params);
  if (answered.result === undefined)
    throw new LabProblem(
      `${method} did not succeed: ${whyNoResult(answered, part.connection.exit)}`,
    );
}

async function stop(
  { connection }: LabPart,
  sessionId: string,
  { stop: how }: Axes,
  { longPrompt, permissionPrompt, delegateLongPrompt, patience }: LabSettings,
): Promise<LabStop | undefined> {
  if (how === 'stdin') return void (await connection.leave());
  if (how === 'term') return void (await connection.stop('SIGTERM'));
  if (how === 'kill') return void (await connection.stop('SIGKILL'));
  if (how === 'permission') connection.change({ permission: 'never' });
  const from = connection.heard.length;
  const { text, isMoment, missing } = {
    'mid-stream': {
      text: longPrompt,
      isMoment: isSpeaking(sessionId),
      missing: 'the turn ended without a message',
    },
    permission: {
      text: permissionPrompt,
      isMoment: asksPermission,
      missing: 'the turn asked for no permission',
    },
    child: {
      text: delegateLongPrompt,
      isMoment: isOfChild(sessionId),
      missing: 'no child session appeared',
    },
  }[how];
  const { id } = askPrompt(connection, sessionId, text);
  const ending = new TurnWatch(connection, ({ request }) => request.id.token === String(id));
  const hasCome = () => connection.heard.slice(from).some(isMoment);
  await connection.until(() => hasCome() || ending.end !== undefined, patience);
  const ended = connection.exit !== undefined;
  await connection.stop('SIGKILL');
  const heard = connection.heard.slice(from);
  const seq = heard.find(({ frame }) => frame.from === 'client')?.frame.seq;
  const missed = () => {
    if (ended) return 'the agent ended before it could be stopped';
    // A child may work behind a turn that is over.
    const isOver = how !== 'child' && ending.end !== undefined;
    if (hasCome()) return isOver ? 'the turn ended before the agent could be stopped' : undefined;
    if (ending.end === undefined) return 'the turn brought nothing in time';
    return missing;
  };
  return { seq, missed: missed() };
}

function isSpeaking(sessionId: string): (heard: Heard) => boolean {
  return ({ frame, message }) => {
    if (frame.from !== 'agent' || message.kind !== 'notification') return false;
    const found = updateOf(message.params);
    return found?.sessionId === sessionId && found.variant.startsWith('agent_message');
  };
}

/** It speaks in a session of its own, or is said to run. */
function isOfChild(sessionId: string): (heard: Heard) => boolean {
  return ({ frame, message }) => {
    if (frame.from !== 'agent' || message.kind !== 'notification') return false;
    const found = updateOf(message.params);
    const isTold = found?.variant === 'subagent_update' && str(obj(found.update, 'state'), 'state');
    return isTold === 'running' || (found !== undefined && found.sessionId !== sessionId);
  };
}

/** Another id of the same form: what decides is that nobody made it. */
function unlike(sessionId: string, environment: LabEnvironment): string {
  const figures = [...(environment.token() + environment.token())].map((letter) =>
    (parseInt(letter, 36) % 16).toString(16),
  );
  let next = 0;
  const tail = sessionId
    .slice(-TAIL)
    .replace(/[0-9a-f]/g, () => figures[next++ % figures.length] ?? '0');
  const made = sessionId.slice(0, -TAIL) + tail;
  return made === sessionId ? `${sessionId}-${figures.join('')}` : made;
}

const TAIL = 10;
