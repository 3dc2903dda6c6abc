// Restores that an agent must refuse, and spellings of a folder that it may: the same questions for
// load, and for resume in either version.
import { answersTo } from '../turns/running.ts';
import { CODE, type JsonObject } from '../../../acp/message.ts';
import { get } from '../../../acp/json.ts';
import { errorOf, resultOf, type Answered } from '../../scripted.ts';
import { withSlash } from '../setup/config-options.ts';
import {
  at,
  fail,
  info,
  pass,
  say,
  warn,
  type ProbeVerdict,
  answerWords,
  refused,
  refusedSession,
} from '../probe.ts';
import { replayedBy, restoredOf, savedSession, type Saved, mustBeRestored } from './restored.ts';
import type { ProbeWorld } from '../world.ts';

type Method = 'session/load' | 'session/resume';

/** The saved session, where it comes back as it should be asked for: else no variation tells anything. */
export async function restorable(world: ProbeWorld, method: Method): Promise<Saved> {
  const saved = await savedSession(world);
  const v1 = method === 'session/load' ? 'load' : 'resume';
  const restored = await restoredOf(world, { how: world.version === 1 ? v1 : 'omit' });
  mustBeRestored(SEE[v1][world.version], restored);
  return saved;
}

/** Where a plain restore is judged. */
const SEE = {
  load: { 1: 'load/roundtrip', 2: 'resume2/omit' },
  resume: { 1: 'resume1/no-history', 2: 'resume2/omit' },
} as const;

/** The saved session asked for with other params, in a process of its own. */
async function asked(world: ProbeWorld, method: Method, more: JsonObject) {
  const { sessionId } = await restorable(world, method);
  const connection = await world.connect('a');
  const answered = await world.provoke(connection, method, world.given({ sessionId, ...more }));
  return { connection, answered, sessionId, spot: at(connection, answered) };
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
    connection,
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
  const { connection, answered } = await asked(world, method, { cwd: '.' });
  return refused(connection, answered, `${method} with the folder "."`, CODE.invalidParams);
}

export async function otherFolder(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  const { connection, answered, sessionId, spot } = await asked(world, method, {
    cwd: world.settings.otherCwd,
  });
  await world.quiet(connection);
  const told = `${method} from another folder ${answerWords(answered)}`;
  const code = errorOf(answered)?.code;
  if (!answered.answer) return fail(`${told}; an answer is due.`, spot);
  if (code === CODE.invalidParams || code === CODE.notFound) return info(`${told}.`, spot);
  if (code !== undefined) return info(`${told}; −32602 or −32002 would say why.`, spot);
  const isEmpty = replayedBy(connection, answered, sessionId).all.length === 0;
  if (method === 'session/load' && isEmpty)
    return warn(`${told} and replayed nothing: a session without its history.`, spot);
  return info(method === 'session/load' ? `${told}, with its history.` : `${told}.`, spot);
}

/** Told, not judged. */
export async function slashAtEnd(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  const { answered, spot } = await asked(world, method, { cwd: withSlash(world.settings.cwd) });
  const told = `${method} with a slash at the end of its folder ${answerWords(answered)}.`;
  return say(answered.answer ? 'info' : 'fail', told, spot);
}

/** `mcpServers` must be there in v1's load. */
export async function withoutServers(world: ProbeWorld): Promise<ProbeVerdict> {
  const { sessionId } = await restorable(world, 'session/load');
  const connection = await world.connect('a');
  const { cwd } = world.settings;
  const answered = await world.provoke(connection, 'session/load', { sessionId, cwd });
  const spot = at(connection, answered);
  const told = `session/load without mcpServers ${answerWords(answered)}`;
  const error = errorOf(answered);
  if (!answered.answer) return fail(`${told}; an answer is due.`, spot);
  if (!error) return info(`${told}: lenient; v1 makes it required.`, spot);
  if (error.code !== CODE.invalidParams) return warn(`${told}; −32602 is due.`, spot);
  if (namesServers(answered)) return pass(`${told}, as due, and names mcpServers.`, spot);
  return warn(
    `${told}, which does not name mcpServers: who reads it cannot mend the request.`,
    spot,
  );
}

function namesServers(answered: Answered): boolean {
  const error = errorOf(answered);
  return `${error?.message ?? ''}${JSON.stringify(error?.data ?? '')}`.includes('mcpServers');
}

/** Told, not judged. */
export async function nullServers(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  const { answered, spot } = await asked(world, method, { mcpServers: null });
  const told = `${method} with mcpServers null ${answerWords(answered)}.`;
  return say(answered.answer ? 'info' : 'fail', told, spot);
}

/** A session without a prompt, restored in another process. Told, not judged. */
export async function neverPrompted(world: ProbeWorld, method: Method): Promise<ProbeVerdict> {
  await restorable(world, method);
  const a = await world.connect('a');
  const { sessionId, made } = await world.create(a);
  // What an agent greets with is no history, but rules cannot know.
  world.oddSessions.add(sessionId);
  await a.leave();
  const b = await world.connect('b');
  const answered = await b.request(method, world.given({ sessionId }));
  const from = isFound(answered) ? 'from the start' : 'from their first prompt on';
  const told = `${method} of a session that never had a prompt ${answerWords(answered)}`;
  const spots = [at(b, answered), at(a, made)];
  if (!answered.answer) return fail(`${told}; an answer is due.`, ...spots);
  return info(`${told}: sessions are kept ${from}.`, ...spots);
}

function isFound(answered: Answered): boolean {
  return resultOf(answered) !== undefined;
}

/** The restore and `$/cancel_request` right behind it: one answer, whichever. */
export async function cancelledRestore(
  world: ProbeWorld,
  method: Method,
  more: JsonObject = {},
): Promise<ProbeVerdict> {
  const { sessionId } = await restorable(world, method);
  const connection = await world.connect('a');
  const { id, answered } = connection.ask(method, world.given({ sessionId, ...more }));
  connection.notify('$/cancel_request', { requestId: id });
  const first = await answered;
  await world.quiet(connection);
  const answers = answersTo(connection, id);
  const spot = at(connection, first, ...answers);
  const told = `${method}, cancelled at once, ${answerWords(first)}`;
  if (!first.answer) return fail(`${told}; one answer is due.`, spot);
  if (answers.length > 1) return fail(`${told} and then another answer; one is due.`, spot);
  const { late } = replayedBy(connection, first, sessionId);
  if (late.length > 0)
    return fail(
      `${told}, and history came after that; none is due.`,
      at(connection, ...late.map(({ seq }) => seq)),
      spot,
    );
  const code = errorOf(first)?.code;
  if (code !== undefined && code !== CODE.requestCancelled)
    return warn(`${told}; a result, or −32800, is due.`, spot);
  return pass(`${told}, once.`, spot);
}

/** Whether two answers tell the same settings. */
export function sameSettings(one: Answered, two: Answered): string[] {
  return ['modes', 'configOptions'].filter(
    (key) =>
      JSON.stringify(get(resultOf(one), key) ?? null) !==
      JSON.stringify(get(resultOf(two), key) ?? null),
  );
}
