// Family F, what is unstable or final: delete, fork, status and archive. Only sessions that the run
// made itself are touched.
import { capabilityAt, isYes } from '../../../acp/gate.ts';
import { get, isObject, str } from '../../../acp/json.ts';
import { count } from '../../../lib/format.ts';
import type { Json } from '../../../acp/message.ts';
import {
  onPage,
  onPages,
  inRfd,
  inSchema,
  at,
  fail,
  info,
  pass,
  say,
  skip,
  warn,
  outcomeWords,
  quotedPlain,
  refusedSession,
  worstOf,
  type ProbeVerdict,
} from '../probe.ts';
import { takeTurn, textBlocks, updatesOf } from '../../turn.ts';
import { replayDifference } from '../restore/faithful.ts';
import { entryOf } from '../setup/config-options.ts';
import { family, type ProbeWorld } from '../world.ts';
import { unknownId } from '../restore/refusals.ts';
import {
  indexedBy,
  mustBeRestored,
  replaying,
  restoreOn,
  savedSession,
  savedAgain,
} from '../restore/restored.ts';
import { replayedItems } from '../../replayed-items.ts';
import { caught } from './running.ts';

/** Forks at the first cursor of two turns, and compares the replay of the fork with that of its source. */
async function forkAtCursor(world: ProbeWorld): Promise<ProbeVerdict> {
  const how = replaying(world);
  const takesCursors = { session: { cursors: {} } };
  const connection = await world.connect('a', undefined, undefined, takesCursors);
  const { agentCapabilities = {} } = connection.handshake ?? {};
  const path = world.version === 1 ? 'sessionCapabilities.fork.cursor' : 'session.fork.cursor';
  if (!isYes(capabilityAt(agentCapabilities, path)))
    return skip(`The agent does not advertise ${path}, so no fork names a cursor.`);
  const { sessionId } = await world.create(connection);
  for (const text of ['Reply with ONE.', 'Reply with TWO.'])
    await takeTurn(connection, sessionId, text);
  const announced = updatesOf(connection.heard, sessionId).find(
    ({ variant, update }) =>
      variant === 'cursor_update' && isObject(get(get(update, 'capabilities'), 'fork')),
  );
  const cursorId = str(announced?.update, 'cursorId');
  if (announced === undefined || cursorId === undefined)
    return skip('The agent announced no cursor that a fork may name.');
  const params = world.given({ sessionId, cursorId });
  const forked = await connection.request('session/fork', params);
  const spot = at(connection, announced, forked);
  const id = str(forked.result, 'sessionId');
  if (id === undefined)
    return fail(`A fork at the announced cursor ${cursorId} ${outcomeWords(forked)}.`, spot);
  const [source, fork] = [
    await restoreOn(world, connection, sessionId, how),
    await restoreOn(world, connection, id, how),
  ];
  mustBeRestored('fork/basic', source, fork);
  const [all, part] = [source, fork].map(({ answered }) =>
    replayedItems(indexedBy(connection), answered.requestSeq),
  );
  if (all === undefined || part === undefined) return info('There was nothing to compare.', spot);
  const both = at(connection, announced, forked, source.answered, fork.answered);
  // Ids of a fork may be its own.
  const isSame = part.every(({ kind, words }, i) => {
    const one = all[i];
    return one?.kind === kind && one.words === words;
  });
  const counts = `${part.length} of ${count(all.length, 'item')}`;
  if (!isSame) return fail(`The fork at ${cursorId} is no beginning of its source.`, both);
  if (part.length === 0 || part.length >= all.length)
    return fail(`The fork at ${cursorId}, the first of two turns, has ${counts}.`, both);
  return pass(`The fork at ${cursorId} has the first ${counts}, as announced.`, both);
}

const DELETE = 'session/delete';
const LIST = 'session/list';
const deleting = onPages('session-delete', 'semantics');

const deletion = family({ versions: [1, 2], needs: [DELETE], source: deleting })({
  'delete/active': {
    prompts: 1,
    sentence: 'A session deleted while it runs: noted, not judged.',
    async run(world) {
      const { connection, sessionId, end } = await caught(world, 'deleted');
      world.oddSessions.add(sessionId);
      const deleted = await connection.request(DELETE, { sessionId });
      const turn = await end();
      for (const answered of [deleted, turn.prompt]) world.provoked(connection, answered);
      world.show(at(connection, deleted, turn));
      const how = `ended with ${turn.stopReason ?? outcomeWords(turn.prompt)}`;
      const ended = turn.end === undefined ? 'did not end' : how;
      const told = `delete of a running session ${outcomeWords(deleted)}; its turn ${ended}`;
      if (!deleted.answer) return fail(`${told}.`);
      if (world.shut(LIST) !== undefined) return info(`${told}.`);
      await world.quiet(connection);
      const list = await connection.request(LIST, { cwd: world.settings.cwd });
      const after = entryOf(list, sessionId) ? 'it is listed again' : 'it is not listed any more';
      return info(`${told}, and ${after}.`, at(connection, deleted, turn, list));
    },
  },
  'delete/visible': {
    needs: [DELETE, LIST],
    connections: 1,
    saved: 'ends',
    sentence: 'A deleted session is not listed any more. (The run deletes its own shared session.)',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const { cwd } = world.settings;
      const before = await connection.request(LIST, { cwd });
      const deleted = await connection.request(DELETE, { sessionId });
      const after = await connection.request(LIST, { cwd });
      world.show(at(connection, before, deleted, after));
      if (deleted.result === undefined)
        return fail(`delete ${outcomeWords(deleted)}. Expected: a result.`);
      if (entryOf(before, sessionId) === undefined)
        return skip('The session was never listed, so nothing can be said.');
      if (entryOf(after, sessionId)) return fail('A deleted session is still listed.');
      return pass('Listed before, not after.');
    },
  },
  'delete/idempotent': {
    sentence: 'Deleting again, and deleting what nobody made, succeeds.',
    async run(world) {
      const { connection, sessionId } = await world.session();
      await connection.request(DELETE, { sessionId });
      const asked = [
        ['A second delete', sessionId],
        ['delete of an id nobody made', unknownId(world)],
      ] as const;
      return worstOf(asked, async ([what, id]) => {
        const again = await world.provoke(connection, DELETE, { sessionId: id });
        const told = `${what} ${outcomeWords(again)}`;
        if (again.result !== undefined) return pass(`${told}.`, again);
        return say(again.answer ? 'warn' : 'fail', `${told}. Expected: a result.`, again);
      });
    },
  },
  'resume2/deleted': {
    versions: [2],
    needs: [DELETE, 'session/resume'],
    connections: 1,
    saved: 'ends',
    source: onPage(2, 'session-delete', 'semantics'),
    sentence: 'A deleted session is refused with −32002.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const deleted = await connection.request(DELETE, { sessionId });
      if (deleted.result === undefined) return skip(`delete ${outcomeWords(deleted)}.`, deleted);
      const answered = await world.provoke(
        connection,
        'session/resume',
        world.given({ sessionId }),
      );
      return refusedSession(world, answered, 'resume of a deleted session', sessionId);
    },
  },
});

const unstable = family({
  versions: [1, 2],
  needs: ['session/status'],
  source: inSchema(2, 'SessionStatusRequest'),
})({
  'fork/basic': {
    needs: ['session/fork'],
    prompts: 1,
    connections: 2,
    saved: 'prompts',
    source: inRfd('session-fork'),
    sentence:
      'A fork has an id of its own and knows what was said; what it is asked does not change the session it came from.',
    async run(world) {
      const saved = await savedSession(world);
      const { sessionId } = saved;
      const how = world.version === 2 ? 'start' : 'load';
      const can = world.shut(how === 'load' ? 'session/load' : 'session/resume') === undefined;
      const before = can ? await world.connect('before') : undefined;
      const was = before && (await restoreOn(world, before, sessionId, how));
      await before?.leave();
      const connection = await world.connect('a');
      const forked = await connection.request('session/fork', world.given({ sessionId }));
      const id = str(forked.result, 'sessionId');
      if (id === undefined)
        return fail(`fork ${outcomeWords(forked)}. Expected: a new session.`, forked);
      if (id === sessionId) return fail('The fork has the id of the session it came from.', forked);
      const turn = await takeTurn(connection, id, world.settings.texts.recall);
      const now = can ? await restoreOn(world, connection, sessionId, how) : undefined;
      const spot = at(connection, forked, turn, now?.answered);
      // Ids may be others in every replay; that is told by load/repeat and resume2/stable.
      const isBoth = was && now?.answered.result !== undefined;
      const fault = isBoth ? replayDifference(was, now, false) : undefined;
      if (fault !== undefined)
        return fail(
          `A prompt to the fork changed the session it came from. ${fault}`,
          spot,
          was?.answered,
        );
      if (!turn.text.includes(saved.marker))
        return warn(
          `Asked for the word of the first turn, the fork said ${quotedPlain(turn.text)}.`,
          spot,
        );
      return pass('The fork knows what was said, and the session it came from is as it was.', spot);
    },
  },
  'fork/cursor': {
    needs: ['session/fork'],
    prompts: 2,
    connections: 1,
    source: inRfd('session-cursors'),
    sentence:
      'A fork at a cursor that the agent announced, to a client that takes cursors, has the history up to there and no more.',
    run: forkAtCursor,
  },
  'status/readonly': {
    versions: [2],
    prompts: 1,
    connections: 1,
    saved: 'reads',
    sentence:
      'session/status of a saved session says so twice, and neither restores it nor sends updates.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const from = connection.heard.length;
      const one = await connection.request('session/status', { sessionId });
      const two = await connection.request('session/status', { sessionId });
      await world.quiet(connection);
      const prompt = textBlocks('Reply with OK.');
      const prompted = await world.provoke(connection, 'session/prompt', { sessionId, prompt });
      world.show(at(connection, one, two, prompted));
      const [said, again] = [one, two].map((answered) => {
        return str(answered.result, 'status') ?? outcomeWords(answered);
      });
      if (prompted.result !== undefined)
        return fail('After session/status the session takes a prompt: it was restored.');
      if (updatesOf(connection.heard.slice(from), sessionId).length > 0)
        return fail('session/status made the agent send updates.');
      if (said !== again) return fail(`session/status says ${said}, then ${again}.`);
      return say(said === 'saved' ? 'pass' : 'warn', `session/status says ${said} twice.`);
    },
  },
  'status/unknown': {
    sentence: 'session/status of an id that nobody made is refused with −32002.',
    async run(world) {
      const sessionId = unknownId(world);
      const connection = await world.bench();
      const answered = await world.provoke(connection, 'session/status', { sessionId });
      const what = 'session/status of an id that nobody made';
      return refusedSession(world, answered, what, sessionId);
    },
  },
  'archive/cycle': {
    needs: ['session/archive', LIST],
    connections: 1,
    saved: 'reads',
    source: inSchema(2, 'ArchiveSessionRequest'),
    sentence:
      'An archived session is listed among the archived alone, twice changes nothing, and it comes back.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
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
      if (!archived.result || !again.result || !back.result)
        return warn(
          `archive ${outcomeWords(archived)}, again ${outcomeWords(again)}; unarchive ${outcomeWords(back)}.`,
        );
      if (hidden && shown && visible) return pass('Hidden, shown among the archived, and back.');
      const listed = (isIt: boolean) => (isIt ? 'listed' : 'not listed');
      return fail(
        `Archived it is ${hidden ? 'hidden' : 'still listed'}, ${listed(shown)} among the archived, and ${listed(visible)} when it is back.`,
      );
    },
  },
});

/** Those that take a session away come last. */
export const ENDING = [...unstable, ...deletion];
