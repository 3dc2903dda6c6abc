// Family F, what is unstable or final: delete, fork, status and archive. Only sessions that the run
// made itself are touched.
import { str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { page, pages, rfd, schema } from '../pages.ts';
import { resultOf } from '../../scripted.ts';
import { takeTurn, textBlocks, updatesOf } from '../../turn.ts';
import { replayDifferences } from '../restore/compare.ts';
import { entryOf } from '../setup/config-options.ts';
import {
  at,
  fail,
  info,
  pass,
  say,
  skip,
  warn,
  answerWords,
  quoted,
  refusedSession,
  worstOf,
} from '../probe.ts';
import { family } from '../world.ts';
import { unknownId } from '../restore/refusals.ts';
import { restoreOn, savedSession } from '../restore/restored.ts';
import { caught } from './running.ts';

const DELETE = 'session/delete';
const LIST = 'session/list';
const deleting = pages('session-delete', 'semantics');

const deletion = family({ versions: [1, 2], needs: [DELETE], source: deleting })({
  'delete/active': {
    prompts: 1,
    sentence: 'A session deleted while it runs: told, not judged.',
    async run(world) {
      const { connection, sessionId, end } = await caught(world, 'deleted');
      world.oddSessions.add(sessionId);
      const deleted = await connection.request(DELETE, { sessionId });
      const turn = await end();
      for (const answered of [deleted, turn.prompt]) world.provoked(connection, answered);
      world.show(at(connection, deleted, turn.prompt, turn.end));
      const ended =
        turn.end === undefined
          ? 'did not end'
          : `ended with ${turn.stopReason ?? answerWords(turn.prompt)}`;
      const told = `delete of a running session ${answerWords(deleted)}; its turn ${ended}`;
      if (!deleted.answer) return fail(`${told}.`);
      if (world.shut(LIST) !== undefined) return info(`${told}.`);
      await world.quiet(connection);
      const list = await connection.request(LIST, { cwd: world.settings.cwd });
      const after = entryOf(list, sessionId) ? 'it is listed again' : 'it is not listed any more';
      return info(`${told}, and ${after}.`, at(connection, deleted, turn.prompt, turn.end, list));
    },
  },
  'delete/visible': {
    needs: [DELETE, LIST],
    connections: 1,
    saved: 'ends',
    sentence: 'A deleted session is not listed any more. (The run deletes its own shared session.)',
    async run(world) {
      const { sessionId } = await savedSession(world);
      const connection = await world.connect('a');
      const { cwd } = world.settings;
      const before = await connection.request(LIST, { cwd });
      const deleted = await connection.request(DELETE, { sessionId });
      const after = await connection.request(LIST, { cwd });
      world.show(at(connection, before, deleted, after));
      if (resultOf(deleted) === undefined)
        return fail(`delete ${answerWords(deleted)}; a result is due.`);
      if (entryOf(before, sessionId) === undefined)
        return skip('The session was never listed, so nothing can be said.');
      if (entryOf(after, sessionId)) return fail('A deleted session is still listed.');
      return pass('Listed before, not after.');
    },
  },
  'delete/idempotent': {
    sentence: 'Deleting again, and deleting what nobody made, succeeds.',
    async run(world) {
      const connection = await world.bench();
      const { sessionId } = await world.create(connection);
      await connection.request(DELETE, { sessionId });
      const asked = [
        ['A second delete', sessionId],
        ['delete of an id nobody made', unknownId(world)],
      ] as const;
      return worstOf(asked, async ([what, id]) => {
        const again = await world.provoke(connection, DELETE, { sessionId: id });
        const told = `${what} ${answerWords(again)}`;
        const spot = at(connection, again);
        if (resultOf(again) !== undefined) return pass(`${told}.`, spot);
        return say(again.answer ? 'warn' : 'fail', `${told}; a result is due.`, spot);
      });
    },
  },
  'resume2/deleted': {
    versions: [2],
    needs: [DELETE, 'session/resume'],
    connections: 1,
    saved: 'ends',
    source: page(2, 'session-delete', 'semantics'),
    sentence: 'A deleted session is refused with −32002.',
    async run(world) {
      const { sessionId } = await savedSession(world);
      const connection = await world.connect('a');
      const deleted = await connection.request(DELETE, { sessionId });
      if (resultOf(deleted) === undefined)
        return skip(`delete ${answerWords(deleted)}.`, at(connection, deleted));
      const answered = await world.provoke(
        connection,
        'session/resume',
        world.given({ sessionId }),
      );
      return refusedSession(connection, answered, 'resume of a deleted session', sessionId);
    },
  },
});

const unstable = family({
  versions: [1, 2],
  needs: ['session/status'],
  source: schema(2, 'SessionStatusRequest'),
})({
  'fork/basic': {
    needs: ['session/fork'],
    prompts: 1,
    connections: 2,
    saved: 'prompts',
    source: rfd('session-fork'),
    sentence:
      'A fork has an id of its own and knows what was said; what it is asked does not change the session it came from.',
    async run(world) {
      const saved = await savedSession(world);
      const how = world.version === 2 ? 'start' : 'load';
      const can = world.shut(how === 'load' ? 'session/load' : 'session/resume') === undefined;
      const before = can ? await world.connect('before') : undefined;
      const was = before && (await restoreOn(world, before, saved.sessionId, how));
      await before?.leave();
      const connection = await world.connect('a');
      const forked = await connection.request(
        'session/fork',
        world.given({ sessionId: saved.sessionId }),
      );
      const id = str(resultOf(forked), 'sessionId');
      const spot = at(connection, forked);
      if (id === undefined) return fail(`fork ${answerWords(forked)}; a new session is due.`, spot);
      if (id === saved.sessionId)
        return fail('The fork has the id of the session it came from.', spot);
      const turn = await takeTurn(
        connection,
        id,
        world.settings.texts.recall,
        world.settings.turnPatience,
      );
      const now = can ? await restoreOn(world, connection, saved.sessionId, how) : undefined;
      const spots = [at(connection, forked, turn.prompt, turn.end, now?.answered)];
      if (was && now && resultOf(now.answered) !== undefined) {
        // Ids may be others in every replay; that is told by load/repeat and resume2/stable.
        const faults = replayDifferences(was, now, false);
        if (faults.length > 0)
          return fail(
            `A prompt to the fork changed the session it came from. ${faults.join(' ')}`,
            ...spots,
            at(was.connection, was.answered),
          );
      }
      if (!turn.text.includes(saved.marker))
        return warn(
          `Asked for the word of the first turn, the fork said ${quoted(turn.text)}.`,
          ...spots,
        );
      return pass(
        'The fork knows what was said, and the session it came from is as it was.',
        ...spots,
      );
    },
  },
  'status/readonly': {
    versions: [2],
    prompts: 1,
    connections: 1,
    saved: 'reads',
    sentence:
      'session/status of a saved session says so twice, and neither restores it nor sends updates.',
    async run(world) {
      const { sessionId } = await savedSession(world);
      const connection = await world.connect('a');
      const from = connection.heard.length;
      const one = await connection.request('session/status', { sessionId });
      const two = await connection.request('session/status', { sessionId });
      await world.quiet(connection);
      const prompt = textBlocks('Reply with OK.');
      const prompted = await world.provoke(connection, 'session/prompt', { sessionId, prompt });
      world.show(at(connection, one, two, prompted));
      const said = [one, two].map(
        (answered) => str(resultOf(answered), 'status') ?? answerWords(answered),
      );
      if (resultOf(prompted) !== undefined)
        return fail('After session/status the session takes a prompt: it was restored.');
      if (updatesOf(connection.heard.slice(from), sessionId).length > 0)
        return fail('session/status made the agent send updates.');
      if (said[0] !== said[1]) return fail(`session/status says ${said[0]}, then ${said[1]}.`);
      return say(said[0] === 'saved' ? 'pass' : 'warn', `session/status says ${said[0]} twice.`);
    },
  },
  'status/unknown': {
    sentence: 'session/status of an id that nobody made is refused with −32002.',
    async run(world) {
      const sessionId = unknownId(world);
      const connection = await world.bench();
      const answered = await world.provoke(connection, 'session/status', { sessionId });
      return refusedSession(
        connection,
        answered,
        'session/status of an id that nobody made',
        sessionId,
      );
    },
  },
  'archive/cycle': {
    needs: ['session/archive', LIST],
    connections: 1,
    saved: 'reads',
    source: schema(2, 'ArchiveSessionRequest'),
    sentence:
      'An archived session is listed among the archived alone, twice changes nothing, and it comes back.',
    async run(world) {
      const { sessionId } = await savedSession(world);
      const connection = await world.connect('a');
      const { cwd } = world.settings;
      const act = (name: string) => connection.request(`session/${name}`, { sessionId });
      const isListed = async (more: Readonly<Record<string, Json>> = {}) =>
        entryOf(await connection.request(LIST, { cwd, ...more }), sessionId) !== undefined;
      const archived = await act('archive');
      const hidden = !(await isListed());
      const shown = await isListed({ archived: 'only' });
      const again = await act('archive');
      const back = await act('unarchive');
      const visible = await isListed();
      world.show(at(connection, archived, again, back, connection.last));
      if (!resultOf(archived) || !resultOf(again) || !resultOf(back))
        return warn(
          `archive ${answerWords(archived)}, again ${answerWords(again)}; unarchive ${answerWords(back)}.`,
        );
      if (!hidden || !shown || !visible)
        return fail(
          `Archived it is ${hidden ? 'hidden' : 'still listed'}, ${shown ? 'listed' : 'not listed'} among the archived, and ${visible ? 'listed' : 'not listed'} when it is back.`,
        );
      return pass('Hidden, shown among the archived, and back.');
    },
  },
});

/** Those that take a session away come last. */
export const ENDING = [...unstable, ...deletion];
