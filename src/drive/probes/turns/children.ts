// Family H, child sessions: how they are announced, what a restore tells of them, and that a client may
// do nothing to them but cancel. What an agent sends of them, the rules judge.
import { isYes } from '../../../acp/gate.ts';
import { get, str } from '../../../acp/json.ts';
import type { JsonObject } from '../../../acp/message.ts';
import { count } from '../../../lib/format.ts';
import { chipBook } from '../../../model/facts/chips.ts';
import { TraceIndex } from '../../../model/trace-index.ts';
import { connectionId } from '../../../trace/event.ts';
import type { ScriptedConnection } from '../../scripted.ts';
import { asksPermission } from '../../heard.ts';
import type { ClientSettings } from '../../settings.ts';
import { takeTurn, textBlocks } from '../../turn.ts';
import { brokenRules } from '../by-rules.ts';
import {
  onPage,
  inRfd,
  at,
  CannotAsk,
  fail,
  info,
  pass,
  skip,
  warn,
  worstVerdict,
  outcomeWords,
  worstOf,
  stopReasonOf,
} from '../probe.ts';
import { ruleVerdicts } from '../by-rules.ts';
import { family, type ProbeWorld } from '../world.ts';
import { heldAgainst } from '../restore/faithful.ts';
import { isReplayed, placed, replaying, restoreOn } from '../restore/restored.ts';
import { startTurn } from './running.ts';
import { giveAnother } from '../../../model/probe-texts.ts';
import { lowered } from '../../../lib/sentence.ts';

const announcing = [
  ...onPage(1, 'draft/subagents', 'announcing-a-child-session'),
  ...onPage(2, 'subagents', 'announcing-a-child-session'),
];

interface Seen {
  readonly id: string;
  readonly mayCancel: boolean;
  /** As told last, by its parent or itself. */
  readonly state: string | undefined;
  readonly stopReason: string | undefined;
}

/** The child sessions that a connection has told of. */
class Kin {
  readonly #connection: ScriptedConnection;
  readonly #index: TraceIndex;
  readonly #parent: string;
  #next = 0;

  constructor(connection: ScriptedConnection, parent: string) {
    this.#connection = connection;
    this.#index = new TraceIndex(connectionId(connection.trace), chipBook());
    this.#parent = parent;
  }

  /** Of the session and of its children, in the order they were announced. */
  get all(): readonly Seen[] {
    const { heard } = this.#connection;
    for (; this.#next < heard.length; this.#next++) {
      const one = heard[this.#next];
      if (one) this.#index.append(one.frame, one.message);
    }
    const parent = this.#index.sessionNamed(this.#parent);
    if (parent === undefined) return [];
    return this.#index.children.below(parent, true).map(({ session, now }) => ({
      id: session.sessionId,
      mayCancel: isYes(now.capabilities?.['cancel']),
      state: str(now.state, 'state') ?? session.activity.state,
      stopReason: str(now.state, 'stopReason'),
    }));
  }

  get atWork(): Seen | undefined {
    return this.all.find(({ state }) => state !== 'idle');
  }
}

/** A connection that takes child sessions, in either version. */
function connected(world: ProbeWorld, part: string, settings?: Partial<ClientSettings>) {
  return world.connect(part, settings, true);
}

/** A session of which a child did the work; its process has ended. */
async function delegated(world: ProbeWorld) {
  const made = await world.shared('delegated', () => delegate(world));
  if (made.children.length > 0) return made;
  throw new CannotAsk(`No child session appeared. ${giveAnother('delegate')}`, made.turn);
}

async function delegate(world: ProbeWorld) {
  const { texts, turnPatience, cwd } = world.settings;
  const live = await connected(world, 'parent');
  const { sessionId } = await world.create(live);
  const turn = await takeTurn(live, sessionId, texts.delegate);
  const kin = new Kin(live, sessionId);
  await live.until(() => kin.atWork === undefined, turnPatience);
  if (world.shut('session/list') === undefined) await live.request('session/list', { cwd });
  await world.quiet(live);
  await live.leave();
  return { live, sessionId, turn, children: kin.all.map(({ id }) => id) };
}

/** Caught while a child works: in a turn that goes on, or behind one that has ended. */
async function working(world: ProbeWorld, text: 'delegate' | 'delegateLong') {
  await delegated(world);
  const { texts, turnPatience, quiet } = world.settings;
  const running = await startTurn(world, await connected(world, 'a'), texts[text]);
  const { connection, sessionId, hasEnded } = running;
  const kin = new Kin(connection, sessionId);
  await connection.until(() => kin.atWork !== undefined || hasEnded(), turnPatience);
  await connection.until(() => kin.atWork === undefined || hasEnded(), quiet);
  const child = kin.atWork;
  if (child) return { ...running, kin, child };
  throw new CannotAsk(
    `No child session was caught at work. ${giveAnother('delegateLong')}`,
    at(connection, connection.last),
  );
}

/** What a client must not ask of a child. */
function mutations({ version }: ProbeWorld, child: string, params: JsonObject) {
  const value = { configId: 'mode', value: 'probe', ...(version === 2 && { type: 'id' }) };
  return [
    ['session/prompt', { sessionId: child, prompt: textBlocks('Reply with OK.') }],
    [version === 1 ? 'session/load' : 'session/resume', params],
    ['session/set_config_option', { sessionId: child, ...value }],
    ['session/close', { sessionId: child }],
  ] as const;
}

export const CHILD_PROBES = family({
  versions: [1, 2],
  connections: 1,
  source: inRfd('subagents', 'reconnection-and-replay'),
})({
  'child/exposed': {
    prompts: 1,
    source: announcing,
    sentence:
      'A child session is announced before anything else names it, has one parent, and is not listed.',
    async run(world) {
      const { live, children, turn } = await delegated(world);
      return worstVerdict([
        ...brokenRules(world, live, 'child/', 'content/session-unknown'),
        pass(`${count(children.length, 'child session')}, announced first.`, turn),
      ]);
    },
  },
  'child/hidden': {
    versions: [1],
    prompts: 1,
    source: onPage(1, 'draft/subagents', 'checking-support'),
    sentence: 'A client that does not say that it takes child sessions is told of none.',
    async run(world) {
      await delegated(world);
      const connection = await world.connect('a', undefined, false);
      const { sessionId } = await world.create(connection);
      const turn = await takeTurn(connection, sessionId, world.settings.texts.delegate);
      await world.quiet(connection);
      return worstVerdict([
        ...brokenRules(world, connection, 'cap/gated-update', 'child/'),
        pass('Nothing was told of child sessions.', turn),
      ]);
    },
  },
  'child/replay': {
    sentence:
      'A replay announces each child before its history, tells it before the answer, and asks nothing for it.',
    async run(world) {
      const { live, sessionId, children } = await delegated(world);
      const connection = await connected(world, 'a');
      const replay = await restoreOn(world, connection, sessionId, replaying(world));
      const { answered } = replay;
      world.show(answered);
      if (answered.result === undefined) return skip(`The restore ${outcomeWords(answered)}.`);
      const rules = ['child/', 'replay/after-response', 'replay/complete-'];
      const held = heldAgainst(live, replay, sessionId)?.children ?? [];
      const lacking = held.filter(({ verdict }) => LACKS.has(verdict));
      return worstVerdict([
        ...brokenRules(world, connection, ...rules),
        ...lacking.map(({ verdict, sentence, session }) =>
          warn(`Of the child ${session}, the replay is ${verdict}: ${lowered(sentence)}`, answered),
        ),
        pass(`${count(children.length, 'child session')} came back, announced first.`, answered),
      ]);
    },
  },
  'child/quiet': {
    needs: ['session/resume'],
    sentence: 'A restore without history brings none of a child either.',
    async run(world) {
      const { sessionId, children } = await delegated(world);
      const connection = await connected(world, 'a');
      const how = world.version === 1 ? 'resume' : 'omit';
      const { answered } = await restoreOn(world, connection, sessionId, how);
      const came = children.flatMap((id) =>
        placed(connection, id, ['replay', 'late']).filter(isReplayed),
      );
      if (came.length === 0) return pass('No history of a child came.', answered);
      const words = `${count(came.length, 'update')} of a child’s history`;
      return fail(`${words}. Expected: none.`, at(connection, ...came), answered);
    },
  },
  'child/running': {
    prompts: 1,
    sentence: 'After a restore, a child that is at work is announced again before it goes on.',
    async run(world) {
      const { connection, sessionId, kin } = await working(world, 'delegateLong');
      const { answered } = await restoreOn(world, connection, sessionId, replaying(world));
      const later = connection.heard.length;
      await connection.until(() => kin.atWork === undefined, world.settings.turnPatience);
      await world.quiet(connection);
      world.show(answered);
      if (answered.result === undefined)
        return info(`A restore while a child works ${outcomeWords(answered)}.`);
      const broken = brokenRules(world, connection, 'child/reannounce');
      if (broken.length > 0) return worstVerdict(broken);
      return connection.heard.length === later
        ? skip(`The child was over before the restore. ${giveAnother('delegateLong')}`)
        : pass('The child was announced again, and went on.');
    },
  },
  'child/mutations': {
    prompts: 1,
    source: inRfd('subagents', 'restricted-session-methods'),
    sentence: 'A child takes no prompt, restore, option or close from the client.',
    async run(world) {
      const { sessionId, children } = await delegated(world);
      const connection = await connected(world, 'a');
      await restoreOn(world, connection, sessionId, replaying(world));
      const [child = ''] = children;
      const asked = mutations(world, child, world.given({ sessionId: child }));
      return worstOf<readonly [string, JsonObject]>(asked, async ([method, params]) => {
        const answered = await world.provoke(connection, method, params);
        const told = `${method} of a child ${outcomeWords(answered)}`;
        if (answered.answer?.kind === 'failure') return pass(`${told}.`, answered);
        return fail(`${told}. Expected: an error, since the child belongs to the agent.`, answered);
      });
    },
  },
  'child/cancel': {
    prompts: 1,
    source: inRfd('subagents', 'cancellation-and-resource-ownership'),
    sentence:
      'session/cancel of a child ends its work as cancelled, and its parent’s turn goes on.',
    async run(world) {
      const { connection, kin, child, end } = await working(world, 'delegateLong');
      const last = at(connection, connection.last);
      if (!child.mayCancel) return skip('The agent does not let its child be cancelled.', last);
      connection.notify('session/cancel', { sessionId: child.id });
      await connection.until(() => kin.atWork === undefined, world.settings.patience);
      const turn = await end();
      await world.quiet(connection);
      world.show(at(connection, turn, connection.last));
      if (turn.stopReason === 'cancelled')
        return fail('The turn of the parent was cancelled with its child.');
      if (kin.atWork) return warn('The child was cancelled and did not end.');
      const found = ruleVerdicts(world, connection, child.id, 'child/cancel-confirm');
      if (found.length > 0) return worstVerdict(found);
      const { stopReason = 'cancelled' } = kin.all.find(({ id }) => id === child.id) ?? {};
      if (stopReason !== 'cancelled') return info(`The cancelled child ended with ${stopReason}.`);
      return pass('The child ended as cancelled, and its parent’s turn did not.');
    },
  },
  'child/parent-cancel': {
    prompts: 1,
    source: inRfd('subagents', 'cancellation-and-resource-ownership'),
    sentence: 'What becomes of a child when its parent is cancelled: noted, not judged.',
    async run(world) {
      const { connection, sessionId, kin, child, end } = await working(world, 'delegate');
      connection.notify('session/cancel', { sessionId });
      const turn = await end();
      await world.quiet(connection);
      const { state, stopReason } = kin.all.find(({ id }) => id === child.id) ?? child;
      const became = [state ?? 'not sent', stopReason].filter(Boolean).join(', ');
      return info(
        `The turn of the parent ended with ${stopReasonOf(turn)}; its child is ${became}.`,
        at(connection, turn, connection.last),
      );
    },
  },
  'child/permission': {
    prompts: 1,
    source: announcing,
    sentence: 'A child that asks for a permission asks under its own id.',
    async run(world) {
      await delegated(world);
      const { turnPatience, texts } = world.settings;
      const running = await startTurn(world, await connected(world, 'a'), texts.delegateEdit);
      const { connection, sessionId, hasEnded, end } = running;
      const asks = () => connection.heard.find(asksPermission);
      await connection.until(() => asks() !== undefined || hasEnded(), turnPatience);
      const asked = asks();
      const turn = await end();
      world.show(at(connection, asked?.frame, turn));
      if (asked?.message.kind !== 'request')
        return skip(`No permission was asked for. ${giveAnother('delegateEdit')}`);
      return get(asked.message.params, 'sessionId') === sessionId
        ? warn('The permission was asked for in the name of the parent.')
        : pass('The permission was asked for in the name of the child.');
    },
  },
});

/** What a child lost in a replay; that an agent need not keep it does not make it unseen. */
const LACKS: ReadonlySet<string> = new Set(['lossy', 'corrupt', 'not kept']);
