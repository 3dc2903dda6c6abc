// Family B, session/list: what it names, for which folder, page by page, and that it restores nothing.
import { CODE, type Json, type JsonObject } from '../../../acp/message.ts';
import { get, isArray, str } from '../../../acp/json.ts';
import { isAbsolutePath, sameDirectory } from '../../../lib/absolute-path.ts';
import { count } from '../../../lib/format.ts';
import {
  onPages,
  at,
  fail,
  info,
  pass,
  say,
  warn,
  worstVerdict,
  outcomeWords,
  refused,
  refusedSession,
} from '../probe.ts';
import type { ScriptedConnection } from '../../scripted.ts';
import type { Answered } from '../../heard.ts';
import { textBlocks } from '../../turn.ts';
import {
  sameSetting,
  listedSessions,
  sessionIdsOf,
  below,
  unusedFolder,
  withSlash,
} from './config-options.ts';
import { family } from '../world.ts';
import { savedSession } from '../restore/restored.ts';

const MOST_PAGES = 50;

const listing = onPages('session-list', 'listing-sessions');

/** Every page of a list, at most so many. */
async function allPages(connection: ScriptedConnection, params: JsonObject) {
  const answers: Answered[] = [];
  const cursors: Json[] = [];
  for (let asked = params; answers.length < MOST_PAGES;) {
    const answered = await connection.request('session/list', asked);
    answers.push(answered);
    const cursor = get(answered.result, 'nextCursor') ?? undefined;
    if (cursor === undefined) break;
    const isKnown = cursors.includes(cursor);
    cursors.push(cursor);
    if (isKnown) break;
    asked = { ...params, cursor };
  }
  return { answers, cursors, sessions: answers.flatMap(listedSessions) };
}

export const LISTING = family({ versions: [1, 2], needs: ['session/list'], source: listing })({
  'list/plain': {
    sentence: 'session/list answers an array of sessions, each with an absolute cwd.',
    async run(world) {
      const connection = await world.bench();
      const answered = await connection.request('session/list', {});
      world.show(answered);
      const sessions = get(answered.result, 'sessions');
      const told = `session/list ${outcomeWords(answered)}`;
      if (!isArray(sessions))
        return fail(`${told} without an array of sessions. Expected: an array.`);
      const odd = listedSessions(answered).find(
        (entry) => !isAbsolutePath(str(entry, 'cwd') ?? ''),
      );
      const cwd = JSON.stringify(get(odd, 'cwd') ?? null);
      if (odd)
        return warn(`session/list names a session whose cwd is ${cwd}. Expected: an absolute one.`);
      return pass(`session/list names ${count(sessions.length, 'session')}.`);
    },
  },
  'list/unused-cwd': {
    sentence: 'session/list for a folder that nobody used is an empty array.',
    async run(world) {
      const connection = await world.bench();
      const cwd = unusedFolder(world.settings.cwd, world.settings.random());
      const answered = await connection.request('session/list', { cwd });
      world.show(answered);
      const sessions = get(answered.result, 'sessions');
      const what = 'session/list for a folder nobody used';
      if (!isArray(sessions))
        return fail(`${what} ${outcomeWords(answered)}. Expected: an empty array.`);
      if (sessions.length === 0) return pass(`${what} is empty.`);
      return fail(`${what} names ${count(sessions.length, 'session')}. Expected: none.`);
    },
  },
  'list/own-cwd': {
    saved: 'reads',
    sentence:
      'session/list for a folder names its sessions alone; whether one is named before its first prompt is noted.',
    async run(world) {
      const { sessionId, listedAtFirst } = await savedSession(world);
      const connection = await world.bench();
      const { cwd } = world.settings;
      const mine = await allPages(connection, { cwd });
      const inside = await connection.request('session/list', { cwd: below(cwd, 'below') });
      const slash = await connection.request('session/list', { cwd: withSlash(cwd) });
      world.show(at(connection, ...mine.answers, inside, slash));
      const foreign = mine.sessions
        .map((entry) => str(entry, 'cwd') ?? '')
        .find((folder) => sameDirectory(folder, cwd) === 'different');
      if (foreign !== undefined)
        return fail(
          `session/list for ${cwd} names a session of ${foreign || 'no folder'}. Expected: sessions of that folder alone.`,
        );
      const inner = listedSessions(inside).length;
      if (inner > 0)
        return fail(
          `session/list for a folder below names ${count(inner, 'session')} of others. Expected: none.`,
        );
      const isListed = sessionIdsOf(mine.sessions).includes(sessionId);
      const first =
        listedAtFirst === true ? 'already before its first prompt' : 'not before its first prompt';
      const told = isListed
        ? `It is named for its folder, ${first}`
        : 'A session with a finished prompt is not named for its folder';
      const slashed = sessionIdsOf(listedSessions(slash)).includes(sessionId)
        ? 'named'
        : 'not named';
      return say(isListed ? 'pass' : 'info', `${told}; with a slash at the end it is ${slashed}.`);
    },
  },
  'list/bad-cursor': {
    source: onPages('session-list', 'pagination'),
    sentence: 'A list cursor that no page gave is refused with −32602.',
    async run(world) {
      const connection = await world.bench();
      const params = { cursor: 'not-a-cursor' };
      const answered = await world.provoke(connection, 'session/list', params);
      const what = 'session/list with a cursor that no page gave';
      return refused(answered, what, CODE.invalidParams, 'warn', 'info');
    },
  },
  'list/pages': {
    source: onPages('session-list', 'pagination'),
    sentence: 'Following nextCursor ends, and names no session twice.',
    async run(world) {
      const connection = await world.bench();
      const { answers, cursors, sessions } = await allPages(connection, {});
      world.show(at(connection, ...answers));
      const bad = answers.find((answered) => !isArray(get(answered.result, 'sessions')));
      if (bad) return warn(`A page of session/list ${outcomeWords(bad)}.`);
      if (new Set(cursors).size < cursors.length)
        return warn('A page of session/list gave a cursor that was given before: it never ends.');
      const ids = sessionIdsOf(sessions);
      const twice = ids.length - new Set(ids).size;
      if (twice > 0)
        return warn(`The pages of session/list name ${count(twice, 'session')} twice.`);
      if (answers.length === MOST_PAGES) return info(`After ${MOST_PAGES} pages there are more.`);
      return pass(`${count(answers.length, 'page')}, ${count(ids.length, 'session')}, none twice.`);
    },
  },
  'list/passive': {
    prompts: 1,
    connections: 1,
    saved: 'reads',
    source: onPages('session-list', 'interaction-with-other-session-methods'),
    sentence:
      'A session that was only listed is not active: what is asked of it is refused with −32002.',
    async run(world) {
      const { sessionId, result } = await savedSession(world);
      const connection = await world.connect('a');
      const list = await connection.request('session/list', { cwd: world.settings.cwd });
      const setting = sameSetting(world.version, sessionId, result);
      const method = setting ? 'session/set_config_option' : 'session/prompt';
      const params = setting ?? { sessionId, prompt: textBlocks('Reply with OK.') };
      const answered = await world.provoke(connection, method, params);
      const isV2 = world.version === 2;
      const what = `${method} on a session that was only listed`;
      const bad = isV2 ? (['fail', 'warn'] as const) : (['warn', 'info'] as const);
      const verdict = refusedSession(world, answered, what, sessionId, ...bad);
      return worstVerdict([verdict, pass('', list)]);
    },
  },
});
