// Restores that an agent must refuse, and spellings of a folder that it may: the same questions for
// load, and for resume in either version.
import { answersTo } from '../turns/running.ts';
import { CODE, type JsonObject } from '../../../acp/message.ts';
import { type ScriptedConnection } from '../../scripted.ts';
import { withSlash } from '../setup/config-options.ts';
import {
  at,
  fail,
  info,
  pass,
  say,
  warn,
  type ProbeVerdict,
  outcomeWords,
  refused,
  refusedSession,
} from '../probe.ts';
import {
  isReplayed,
  mustBeRestored,
  replayedBy,
  restoredOf,
  savedAgain,
  toldOf,
} from './restored.ts';
import { updatesOf } from '../../turn.ts';
import type { ProbeWorld } from '../world.ts';
import type { RestoreResult } from '../../../model/restore/restore-results.ts';

type Method = 'session/load' | 'session/resume';

/** Throws where the saved session does not come back as it should be asked for: no variation tells anything. */
async function mustBeRestorable(world: ProbeWorld, method: Method): Promise<void> {
  const v1 = method === 'session/load' ? 'load' : 'resume';
  const restored = await restoredOf(world, world.version === 1 ? v1 : 'omit');
  mustBeRestored(SEE[v1][world.version], restored);
}

/** The saved session, where it does, and a new process to ask for it in. */
export async function restorable(world: ProbeWorld, method: Method) {
  await mustBeRestorable(world, method);
  return savedAgain(world);
}

/** Where a plain restore is judged. */
const SEE = {
  load: { 1: 'load/roundtrip', 2: 'resume2/omit' },
  resume: { 1: 'resume1/no-history', 2: 'resume2/omit' },
} as const;

/** The saved session asked for with other params, in a process of its own. */
async function asked(world: ProbeWorld, method: Method, more: JsonObject) {
  const { sessionId, connection } = await restorable(world, method);
  const answered = await world.provoke(connection, method, world.given({ sessionId, ...more }));
  return { connection, answered, sessionId };
}

/** An id that nobody made. v1 agents may be lenient, and warn at worst. */
export async function unknownSession(
  world: ProbeWorld,
  method: Method,
  more: JsonObject = {},
): Promise<ProbeVerdict> {
  const connection = await world.bench();
  const sessionId = unknownId(world);
  const params = world.given({ sessionId, ...more });
  const answered = await world.provoke(connection, method, params);
  return refusedSession(
    world,
    answered,
    `${method} of an id that nobody made`,
    sessionId,
    world.version === 2 ? 'fail' : 'warn',
  );
}

/** Shaped as most agents make theirs. */
export function unknownId(world: ProbeWorld): string {
  const part = (length: number) =>
    Array.from({ length }, () => world.settings.random())
      .join('')
      .replace(/[^0-9a-f]/g, '0')
      .padEnd(12, '0')
      .slice(0, length);
  return [part(8), part(4), `4${part(3)}`, `8${part(3)}`, part(12)].join('-');
}

export async function relativeFolder(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  const { answered } = await asked(world, method, { cwd: '.' });
  return refused(answered, `${method} with the folder "."`, CODE.invalidParams);
}

export async function otherFolder(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  const { otherCwd } = world.settings;
  const { connection, answered, sessionId } = await asked(world, method, { cwd: otherCwd });
  await world.quiet(connection);
  const told = `${method} from another folder ${outcomeWords(answered)}`;
  const code = answered.error?.code;
  if (!answered.answer) return fail(`${told}. Expected: a response.`, answered);
  if (code === CODE.invalidParams || code === CODE.notFound) return info(`${told}.`, answered);
  if (code !== undefined) return info(`${told}; −32602 or −32002 would say why.`, answered);
  if (method !== 'session/load') return info(`${told}.`, answered);
  if (replayedBy(connection, answered, sessionId).all.length > 0)
    return info(`${told}, with its history.`, answered);
  return warn(`${told} and replayed nothing: a session without its history.`, answered);
}

/** What becomes of the session asked for with other params: noted, not judged. */
async function told(world: ProbeWorld, method: Method, more: JsonObject, what: string) {
  const { answered } = await asked(world, method, more);
  const words = `${method} with ${what} ${outcomeWords(answered)}.`;
  return say(answered.answer ? 'info' : 'fail', words, answered);
}

export function slashAtEnd(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  const cwd = withSlash(world.settings.cwd);
  return told(world, method, { cwd }, 'a slash at the end of its folder');
}

export function nullServers(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  return told(world, method, { mcpServers: null }, 'mcpServers null');
}

/** `mcpServers` must be there in v1's load. */
export async function withoutServers(world: ProbeWorld): Promise<ProbeVerdict> {
  const { sessionId, connection } = await restorable(world, 'session/load');
  const { cwd } = world.settings;
  const answered = await world.provoke(connection, 'session/load', { sessionId, cwd });
  const told = `session/load without mcpServers ${outcomeWords(answered)}`;
  const { error } = answered;
  if (!answered.answer) return fail(`${told}. Expected: a response.`, answered);
  if (!error) return info(`${told}: lenient; v1 makes it required.`, answered);
  if (error.code !== CODE.invalidParams) return warn(`${told}. Expected: −32602.`, answered);
  if (`${error.message}${JSON.stringify(error.data ?? '')}`.includes('mcpServers'))
    return pass(`${told}, as due, and names mcpServers.`, answered);
  return warn(
    `${told}, which does not name mcpServers: who reads it cannot mend the request.`,
    answered,
  );
}

/** A session without a prompt, restored in another process. Told, not judged. */
export async function neverPrompted(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  await mustBeRestorable(world, method);
  const a = await world.connect('a');
  const { sessionId, made } = await world.create(a);
  // What an agent greets with is no history, but rules cannot know.
  world.oddSessions.add(sessionId);
  await a.leave();
  const b = await world.connect('b');
  const answered = await b.request(method, world.given({ sessionId }));
  const isFound = answered.result !== undefined;
  const from = isFound ? 'from the start' : 'from their first prompt on';
  const told = `${method} of a session that never had a prompt ${outcomeWords(answered)}`;
  if (!answered.answer) return fail(`${told}. Expected: a response.`, answered, made);
  return info(`${told}: sessions are kept ${from}.`, answered, made);
}

/** The restore and `$/cancel_request` right behind it: one answer, whichever. */
export async function cancelledRestore(
  world: ProbeWorld,
  method: Method,
  more: JsonObject = {},
): Promise<ProbeVerdict> {
  const { sessionId, connection } = await restorable(world, method);
  const params = world.given({ sessionId, ...more });
  const { answered: first, answers } = await cancelledAtOnce(world, connection, method, params);
  const spot = at(connection, first, ...answers);
  const told = `${method}, cancelled at once, ${outcomeWords(first)}`;
  if (!first.answer) return fail(`${told}. Expected: one response.`, spot);
  if (answers.length > 1) return fail(`${told} and then another answer. Expected: one.`, spot);
  // Where it was refused the session is not there, and nothing of it can go on.
  const late = first.error
    ? updatesOf(connection.heard.slice(first.after), sessionId).filter(isReplayed)
    : replayedBy(connection, first, sessionId).late;
  const isSure = first.error || isSurelyLate(toldOf(world, connection, first));
  if (late.length > 0)
    return say(
      isSure ? 'fail' : 'info',
      `${told}, and ${isSure ? 'history' : 'what may be history'} came after that. Expected: none.`,
      at(connection, ...late),
      spot,
    );
  const code = first.error?.code;
  if (code !== undefined && code !== CODE.requestCancelled)
    return warn(`${told}. Expected: a result, or −32800.`, spot);
  return pass(`${told}, once.`, spot);
}

function isSurelyLate(told: RestoreResult | undefined): boolean {
  return told?.seen.some(({ clause, code }) => clause === 'in-time' && code !== 'perhaps') === true;
}

/** Asks, and takes it back with `$/cancel_request` right behind; `answers`: all that came. */
export async function cancelledAtOnce(
  world: ProbeWorld,
  connection: ScriptedConnection,
  method: string,
  params: JsonObject,
) {
  const { id, answered } = connection.ask(method, params);
  connection.notify('$/cancel_request', { requestId: id });
  const first = await answered;
  await world.quiet(connection);
  return { answered: first, answers: answersTo(connection, id) };
}
