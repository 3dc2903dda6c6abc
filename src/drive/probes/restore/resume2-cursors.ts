// Family E, replay cursors and what else a v2 resume is given.
import { CODE, type Json } from '../../../acp/message.ts';
import { FROM_START, cursorNaming } from '../../../acp/replay-cursors.ts';
import { count } from '../../../lib/format.ts';
import {
  onDraft,
  onPage,
  at,
  fail,
  info,
  pass,
  say,
  skip,
  worstVerdict,
  type ProbeVerdict,
  outcomeWords,
  refused,
  worstOf,
} from '../probe.ts';
import { type ScriptedConnection } from '../../scripted.ts';
import { updatesOf, type SeenUpdate } from '../../turn.ts';
import { otherSetting, sameSetting, settingNow, entryOf } from '../setup/config-options.ts';
import { family, type ProbeWorld } from '../world.ts';
import {
  cancelledRestore,
  otherFolder,
  relativeFolder,
  slashAtEnd,
  unknownSession,
} from './refusals.ts';
import {
  isReplayed,
  replayedIn,
  type Saved,
  savedAgain,
  restoredOf,
  type Restored,
  savedSession,
} from './restored.ts';
import { since } from './faithful.ts';
import { parseJson } from '../../../acp/json.ts';
import { CandidateFold } from '../../../model/restore/cursor-candidates.ts';
import { cursorFor } from '../../../model/restore/restore-shapes.ts';
import { itemIdOf, itemKindOf } from '../../../model/facts/variants.ts';

/** So many guesses; each is a request on one connection. */
const GUESSES = 4;

/** What was replayed last, and what it is called. */
interface Last {
  readonly id: string;
  readonly kind: string;
  /** Its frames. */
  readonly seqs: ReadonlySet<number>;
}

const INCLUSIVE = {
  connections: 1,
  saved: 'reads',
  source: onDraft('session-setup', 'resuming-sessions'),
  sentence:
    'A cursor of the agent’s own (--cursor, else guessed) replays from what it names on, itself included.',
  async run(world: ProbeWorld) {
    const { sessionId } = await savedSession(world);
    const start = await restoredOf(world, 'start');
    const last = lastIn(start.history);
    if (last === undefined)
      return skip('Nothing with an id was replayed, so there is none to name.', start.answered);
    const connection = await world.connect('a');
    const cursors = cursorsFor(world, start, sessionId, last);
    for (const [place, cursor] of cursors.entries()) {
      const params = world.given({ sessionId, replayFrom: cursor });
      const answered = await world.provoke(connection, 'session/resume', params);
      const asked = JSON.stringify(cursor);
      if (answered.error && place < cursors.length - 1) continue;
      if (answered.error && world.settings.cursor !== undefined)
        return fail(
          `The cursor ${asked}, which the agent is said to know, ${outcomeWords(answered)}.`,
          answered,
        );
      if (answered.error)
        return skip(
          `The agent takes none of ${cursors.length} guessed cursors: ${asked} ${outcomeWords(answered)}. Give one that it documents: --cursor.`,
          answered,
        );
      const [first] = replayedIn(updatesOf(answered.window, sessionId));
      const begins = first && itemIdOf(first.variant, first.update);
      if (begins === last.id)
        return pass(`From ${asked} the replay begins with what it names.`, answered);
      const told = first === undefined ? 'without it' : `with ${begins ?? 'what has no id'}`;
      return fail(
        `From ${asked}, which names ${last.id}, the replay begins ${told}; cursors are inclusive.`,
        answered,
      );
    }
    return skip('There is no cursor to try.');
  },
} as const;

function lastIn(history: readonly SeenUpdate[]): Last | undefined {
  const items = new Map<string, { id: string; kind: string; seqs: Set<number> }>();
  for (const { seq, variant, update } of history) {
    const id = itemIdOf(variant, update);
    const kind = itemKindOf(variant);
    if (id === undefined || kind === undefined) continue;
    const key = `${kind} ${id}`;
    const item = items.get(key) ?? { id, kind, seqs: new Set() };
    items.set(key, item);
    item.seqs.add(seq);
  }
  return [...items.values()].at(-1);
}

/** The one that is named; else guesses, the likeliest first. */
function cursorsFor(
  { settings }: ProbeWorld,
  { connection }: Restored,
  sessionId: string,
  { id, seqs }: Last,
): readonly Json[] {
  if (settings.cursor !== undefined) return [cursorNaming(settings.cursor, id)];
  const fold = new CandidateFold(sessionId);
  for (const { frame, message } of connection.heard)
    if (seqs.has(frame.seq)) fold.append(frame, message);
  return fold
    .list('', new Map())
    .reverse()
    .slice(0, GUESSES)
    .flatMap((candidate) => parseJson(cursorFor(candidate)) ?? []);
}

const RESUME = 'session/resume';
const resuming = onPage(2, 'session-setup', 'resuming-sessions');
const cursors = onDraft('session-setup', 'resuming-sessions');

/** A cursor that no agent may follow: refused, and nothing came of it. */
async function refusedCursor(
  world: ProbeWorld,
  connection: ScriptedConnection,
  saved: Saved,
  cursor: Json,
): Promise<ProbeVerdict> {
  const { sessionId, result } = saved;
  const params = world.given({ sessionId, replayFrom: cursor });
  const answered = await world.provoke(connection, RESUME, params);
  const what = `resume with the cursor ${JSON.stringify(cursor)}`;
  const history = replayedIn(updatesOf(answered.window, sessionId));
  if (history.length > 0)
    return since(
      world,
      fail(
        `${what} replayed ${count(history.length, 'update')} and ${outcomeWords(answered)}. Expected: −32602, and no history.`,
        answered,
      ),
    );
  const verdict = refused(answered, what, CODE.invalidParams, 'fail');
  const setting = sameSetting(2, sessionId, result);
  if (verdict.verdict !== 'pass' || !setting) return since(world, verdict);
  const after = await world.provoke(connection, 'session/set_config_option', setting);
  if (after.result === undefined) return verdict;
  return since(
    world,
    fail(
      `${what} was refused, and yet the session is active: session/set_config_option ${outcomeWords(after)}.`,
      at(connection, answered, after),
    ),
  );
}

async function refusedCursors(
  world: ProbeWorld,
  list: (saved: Saved) => readonly Json[],
): Promise<ProbeVerdict> {
  const saved = await savedAgain(world);
  const { connection } = saved;
  const verdicts: ProbeVerdict[] = [];
  for (const cursor of list(saved))
    verdicts.push(await refusedCursor(world, connection, saved, cursor));
  // In one look for all of them: what comes late comes in the silence behind the last.
  await world.quiet(connection);
  const came = updatesOf(connection.heard, saved.sessionId).filter(isReplayed);
  if (came.length > 0 && verdicts.every(({ verdict }) => verdict === 'pass'))
    return since(
      world,
      fail(
        `Each cursor was refused, and yet ${count(came.length, 'update')} of history came. Expected: none.`,
        at(connection, ...came),
      ),
    );
  const word = worstVerdict(verdicts);
  return word.verdict === 'pass'
    ? { ...word, why: `${count(verdicts.length, 'cursor')}, each refused with −32602.` }
    : word;
}

const refusing = family({ versions: [2], needs: [RESUME], source: cursors })({
  'resume2/unknown-cursor': {
    connections: 1,
    saved: 'reads',
    sentence:
      'A cursor of a type that the agent does not know is refused with −32602, and restores nothing.',
    run: (world) =>
      refusedCursors(world, ({ turn }) => [
        { type: '_acp_inspector_probe' },
        { type: 'message', messageId: turn.messageId ?? 'none' },
      ]),
  },
  'resume2/malformed-cursor': {
    connections: 1,
    saved: 'reads',
    sentence:
      'What is no cursor is refused with −32602: text, {}, a type that is no text, an array, START.',
    run: (world) => refusedCursors(world, () => ['start', {}, { type: 5 }, [], { type: 'START' }]),
  },
  'resume2/extra-cursor-field': {
    connections: 1,
    saved: 'reads',
    sentence: 'A further field beside {"type":"start"}: noted, not judged.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const params = world.given({ sessionId, replayFrom: { ...FROM_START, foo: 1 } });
      const answered = await world.provoke(connection, RESUME, params);
      const told = `resume from {"type":"start","foo":1} ${outcomeWords(answered)}.`;
      return say(answered.answer ? 'info' : 'fail', told, answered);
    },
  },
  'resume2/inclusive': INCLUSIVE,
  'resume2/unknown-session': {
    source: onPage(2, 'error'),
    sentence:
      'resume of an id that nobody made is refused with −32002 and data.sessionId, with and without a cursor.',
    run: async (world) =>
      worstVerdict([
        await unknownSession(world, RESUME),
        await unknownSession(world, RESUME, { replayFrom: FROM_START }),
      ]),
  },
});

const given = family({ versions: [2], needs: [RESUME], connections: 1 })({
  'resume2/cwd': {
    connections: 3,
    saved: 'reads',
    source: onPage(2, 'session-setup', 'working-directory'),
    sentence:
      'resume from another folder, from ".", and with a slash at the end: "." is refused with −32602.',
    run: async (world) => {
      const verdicts = [
        await relativeFolder(world, RESUME),
        await otherFolder(world, RESUME),
        await slashAtEnd(world, RESUME),
      ];
      const judged = verdicts.filter(({ verdict }) => verdict !== 'info');
      const told = verdicts.filter(({ verdict }) => verdict === 'info').map(({ why }) => why);
      const word = worstVerdict(judged);
      return {
        ...word,
        why: [word.why, ...told].join(' '),
        evidence: verdicts.flatMap(({ evidence }) => evidence),
      };
    },
  },
  'resume2/no-mcp': {
    saved: 'reads',
    source: resuming,
    sentence: 'resume without mcpServers, with [] and with null is accepted.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const { cwd } = world.settings;
      const asked = [
        ['without mcpServers', {}, 'fail'],
        ['with mcpServers []', { mcpServers: [] }, 'fail'],
        ['with mcpServers null', { mcpServers: null }, 'info'],
      ] as const;
      return worstOf(asked, async ([what, more, bad]) => {
        const answered = await world.provoke(connection, RESUME, { sessionId, cwd, ...more });
        const told = `resume ${what} ${outcomeWords(answered)}`;
        if (answered.result !== undefined) return pass(`${told}.`, answered);
        return say(bad, `${told}. Expected: a result.`, answered);
      });
    },
  },
  'resume2/cancel-request': {
    saved: 'reads',
    source: onPage(2, 'cancellation', 'cancel_request-notification'),
    sentence:
      'resume from start, cancelled at once with $/cancel_request, is still answered, once; no history comes after.',
    run: (world) => cancelledRestore(world, RESUME, { replayFrom: FROM_START }),
  },
  'resume2/dirs': {
    needs: [RESUME, 'session/list'],
    connections: 2,
    source: onPage(2, 'session-setup', 'additional-workspace-roots'),
    sentence:
      'Additional directories are not restored by themselves: a resume without them has none.',
    async run(world) {
      if (!world.advertises('session.additionalDirectories'))
        return skip('The agent does not advertise session.additionalDirectories.');
      const { otherCwd, cwd } = world.settings;
      const a = await world.connect('a');
      const { sessionId, made } = await world.create(a, { additionalDirectories: [otherCwd] });
      await a.leave();
      const b = await world.connect('b');
      const answered = await b.request(RESUME, world.given({ sessionId }));
      world.show(answered, made);
      if (answered.result === undefined)
        return skip(
          `A session without a prompt ${outcomeWords(answered)} on resume, so nothing can be said of its directories.`,
        );
      const list = await b.request('session/list', { cwd });
      const entry = entryOf(list, sessionId);
      if (entry === undefined)
        return skip(
          'The resumed session is not listed, so nothing can be said of its directories.',
          answered,
          made,
          list,
        );
      const kept = JSON.stringify(entry).includes(JSON.stringify(otherCwd));
      if (kept)
        return say(
          'warn',
          'A resume without additionalDirectories, yet session/list still names them; each request gives the whole list.',
          at(b, answered, list),
          made,
        );
      return pass(
        'A resume without additionalDirectories leaves none.',
        at(b, answered, list),
        made,
      );
    },
  },
  'resume2/config': {
    connections: 2,
    saved: 'reads',
    source: onPage(2, 'session-config-options', 'setting-a-config-option'),
    sentence:
      'A config option that was set is as it was set after a resume: noted, and warned of where it is not.',
    async run(world) {
      const a = await world.connect('a');
      const { sessionId, result } = await world.create(a);
      const setting = otherSetting(2, sessionId, result);
      if (setting === undefined)
        return skip('The session has no config option with another value to choose.');
      const set = await a.request('session/set_config_option', setting);
      await a.leave();
      const b = await world.connect('b');
      const answered = await b.request(RESUME, world.given({ sessionId }));
      world.show(answered, set);
      if (set.result === undefined || answered.result === undefined)
        return info(`Setting it ${outcomeWords(set)}; the resume ${outcomeWords(answered)}.`);
      const now = settingNow(2, answered.result, String(setting['configId']));
      if (now === undefined) return info('The answer to resume names no config options.');
      if (now === setting['value'])
        return pass(`${String(setting['configId'])} is ${now}, as it was set.`);
      return say(
        'warn',
        `${String(setting['configId'])} was set to ${String(setting['value'])}, and is ${now} after the resume.`,
      );
    },
  },
});

export const RESUME2_CURSORS = [...refusing, ...given];
