// Family B, session/list: what it names, for which folder, page by page, and that it restores nothing.
import { CODE, type Json, type JsonObject } from '../../../acp/message.ts';
import { get, isArray, objects, str } from '../../../acp/json.ts';
import { isAbsolutePath } from '../../../lib/absolute-path.ts';
import { count } from '../../../lib/format-count.ts';
import { sameDirectory } from '../../../rules/sessions/setup-facts.ts';
import { pages } from '../pages.ts';
import { resultOf, type Answered, type ScriptedConnection } from '../../scripted.ts';
import { textBlocks } from '../../turn.ts';
import { sameSetting, entriesOf, idsOf, below, unusedFolder, withSlash } from './config-options.ts';
import {
  at,
  fail,
  info,
  pass,
  say,
  warn,
  worst,
  answerWords,
  refused,
  refusedSession,
} from '../probe.ts';
import { family } from '../world.ts';
import { savedSession } from '../restore/restored.ts';

const MOST_PAGES = 50;

const listing = pages('session-list', 'listing-sessions');

/** Every page of a list, at most so many. */
async function allPages(connection: ScriptedConnection, params: JsonObject) {
  const answers: Answered[] = [];
  const cursors: Json[] = [];
  for (let cursor: Json | undefined; answers.length < MOST_PAGES;) {
    const asked = cursor === undefined ? params : { ...params, cursor };
    const answered = await connection.request('session/list', asked);
    answers.push(answered);
    cursor = get(resultOf(answered), 'nextCursor') ?? undefined;
    if (cursor === undefined || cursors.includes(cursor)) {
      if (cursor !== undefined) cursors.push(cursor);
      break;
    }
    cursors.push(cursor);
  }
  return { answers, cursors, sessions: answers.flatMap(entriesOf) };
}

export const LISTING = family({ versions: [1, 2], needs: ['session/list'], source: listing })({
  'list/plain': {
    sentence: 'session/list answers an array of sessions, each with an absolute cwd.',
    async run(world) {
      const connection = await world.bench();
      const answered = await connection.request('session/list', {});
      world.show(at(connection, answered));
      const sessions = get(resultOf(answered), 'sessions');
      if (!isArray(sessions))
        return fail(
          `session/list ${answerWords(answered)} without an array of sessions, which is due.`,
        );
      const odd = objects(resultOf(answered), 'sessions').find(
        (entry) => !isAbsolutePath(str(entry, 'cwd') ?? ''),
      );
      if (odd)
        return warn(
          `session/list names a session whose cwd is ${JSON.stringify(get(odd, 'cwd') ?? null)}; an absolute one is due.`,
        );
      return pass(`session/list names ${count(sessions.length, 'session')}.`);
    },
  },
  'list/unused-cwd': {
    sentence: 'session/list for a folder that nobody used is an empty array.',
    async run(world) {
      const connection = await world.bench();
      const cwd = unusedFolder(world.settings.cwd, world.settings.random());
      const answered = await connection.request('session/list', { cwd });
      world.show(at(connection, answered));
      const sessions = get(resultOf(answered), 'sessions');
      if (!isArray(sessions))
        return fail(
          `session/list for a folder nobody used ${answerWords(answered)}; an empty array is due.`,
        );
      if (sessions.length > 0)
        return fail(
          `session/list for a folder nobody used names ${count(sessions.length, 'session')}; none is due.`,
        );
      return pass('session/list for a folder nobody used is empty.');
    },
  },
  'list/own-cwd': {
    saved: 'reads',
    sentence:
      'session/list for a folder names its sessions alone; whether one is named before its first prompt is told.',
    async run(world) {
      const { sessionId, listedAtFirst } = await savedSession(world);
      const connection = await world.bench();
      const { cwd } = world.settings;
      const mine = await allPages(connection, { cwd });
      const inside = await connection.request('session/list', { cwd: below(cwd, 'below') });
      const slash = await connection.request('session/list', { cwd: withSlash(cwd) });
      world.show(at(connection, ...mine.answers, inside, slash));
      const foreign = mine.sessions.find(
        (entry) => sameDirectory(str(entry, 'cwd') ?? '', cwd) === 'different',
      );
      if (foreign)
        return fail(
          `session/list for ${cwd} names a session of ${str(foreign, 'cwd') ?? 'no folder'}; that folder’s alone are due.`,
        );
      if (entriesOf(inside).length > 0)
        return fail(
          `session/list for a folder below names ${count(entriesOf(inside).length, 'session')} of others; none is due.`,
        );
      const isListed = idsOf(mine.sessions).includes(sessionId);
      const first =
        listedAtFirst === true ? 'already before its first prompt' : 'not before its first prompt';
      const told = isListed
        ? `It is named for its folder, ${first}`
        : 'A session with a finished prompt is not named for its folder';
      const slashed = idsOf(entriesOf(slash)).includes(sessionId) ? 'named' : 'not named';
      return say(isListed ? 'pass' : 'info', `${told}; with a slash at the end it is ${slashed}.`);
    },
  },
  'list/bad-cursor': {
    source: pages('session-list', 'pagination'),
    sentence: 'A list cursor that no page gave is refused with −32602.',
    async run(world) {
      const connection = await world.bench();
      const answered = await world.provoke(connection, 'session/list', {
        cursor: 'not-a-cursor',
      });
      return refused(
        connection,
        answered,
        'session/list with a cursor that no page gave',
        CODE.invalidParams,
        'warn',
        'info',
      );
    },
  },
  'list/pages': {
    source: pages('session-list', 'pagination'),
    sentence: 'Following nextCursor ends, and names no session twice.',
    async run(world) {
      const connection = await world.bench();
      const { answers, cursors, sessions } = await allPages(connection, {});
      world.show(at(connection, ...answers));
      const bad = answers.find((answered) => !isArray(get(resultOf(answered), 'sessions')));
      if (bad) return warn(`A page of session/list ${answerWords(bad)}.`);
      if (new Set(cursors).size < cursors.length)
        return warn('A page of session/list gave a cursor that was given before: it never ends.');
      const ids = idsOf(sessions);
      if (new Set(ids).size < ids.length)
        return warn(
          `The pages of session/list name ${count(ids.length - new Set(ids).size, 'session')} twice.`,
        );
      if (answers.length === MOST_PAGES) return info(`After ${MOST_PAGES} pages there are more.`);
      return pass(`${count(answers.length, 'page')}, ${count(ids.length, 'session')}, none twice.`);
    },
  },
  'list/passive': {
    prompts: 1,
    connections: 1,
    saved: 'reads',
    source: pages('session-list', 'interaction-with-other-session-methods'),
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
      const verdict = refusedSession(
        connection,
        answered,
        `${method} on a session that was only listed`,
        sessionId,
        isV2 ? 'fail' : 'warn',
        isV2 ? 'warn' : 'info',
      );
      return worst([verdict, pass('', at(connection, list))]);
    },
  },
});
