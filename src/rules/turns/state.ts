// What a v2 agent reports of its foreground work: that it began, waits for the user, and ended, and
// why; and of its background work. Family `state` of the catalogue.
import { get, isObject, str, isArray } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import { isChild } from '../children/child-facts.ts';
import { type Connection, type Session, crashWords } from '../connection.ts';
import { onAnswer, onUpdate, onEndOfEach } from '../listen.ts';
import { silenceEvidence } from '../wire/silence.ts';
import type { EndStep, UpdateStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  undecidable,
  type RuleFault,
  type Undecided,
  quote,
  judged,
} from '../rule.ts';
import { endsWork, isLiveState, isUnreported, isWorking, OUTPUT, turnOf } from './turn-facts.ts';
import { displayTerminals } from '../work/terminals.ts';
import { isReplay, toolCalls } from '../work/tool-facts.ts';
import {
  backgroundOf,
  byWords,
  hasBackground,
  workOf,
  workWords,
  type BackgroundWork,
} from '../../model/facts/activity.ts';

/** What was reported of the session is all there was to report. */
function isKnown({ origin }: Session, { gaps }: Connection): boolean {
  return origin !== undefined && gaps === 0;
}

function firstWords({ variant }: UpdateStep): string {
  return `\`${variant}\``;
}

/** Milliseconds of silence in which work that is done would have said so. */
const LONG_ENOUGH = 30_000;

function stillWorking(
  session: Session,
  { at, exit }: EndStep,
  connection: Connection,
): (RuleFault | Undecided)[] {
  const { last } = connection;
  const { stateSeq, asking } = turnOf.of(session);
  const { own: state } = session.activity;
  // The end of closed work is close/cancel-first.
  if (!isWorking(session) || stateSeq === undefined || session.closed !== undefined) return [];
  // A child may work on when its parent rests.
  if (isChild(session)) return [];
  const where = { seqs: [stateSeq], session: session.id, method: 'session/update' } as const;
  const seen = `${quote(state)} (#${stateSeq}) is the last that was reported`;
  const crash = crashWords(exit);
  const { words, seqs } = silenceEvidence('agent', stateSeq, session, connection);
  const known = { ...where, seqs: [stateSeq, ...seqs] };
  if (crash !== undefined) return [fail(`${seen}; ${crash}${words}`, known)];
  const silence = at - Math.max(last.agent?.at ?? 0, last.client?.at ?? 0);
  if (state === 'running' && asking === 0 && silence >= LONG_ENOUGH)
    return [fail(`${seen}; ${Math.round(silence / 1000)} s of silence followed${words}`, known)];
  return [
    undecidable(
      `${seen}, and the trace ends`,
      'a recording that goes on until the work ends, or for 30 s of silence',
      where,
    ),
  ];
}

/** The last output of foreground work that the agent began itself, if an idle state that ends work is the first report of it. */
function ownOutput(session: Session, update: JsonObject): Seq | undefined {
  const { stateSeq = 0, output, inserted, open } = turnOf.of(session);
  const { own: state = 'idle' } = session.activity;
  if (state !== 'idle' || output === undefined || output < stateSeq) return undefined;
  if (inserted !== undefined || open.length > 0 || isChild(session)) return undefined;
  // Background work speaks while the session is idle.
  const listed = backgroundOf(update) ?? [];
  return hasBackground(session.activity) || listed.length > 0 ? undefined : output;
}

/** Milliseconds after which a person is kept waiting, rather than an answer given by rule. */
const WAITED = 1000;

export const STATE = rulesOf({ versions: [2], side: 'agent' })({
  'state/running-missing': {
    severity: 'error',
    clause: 'foreground work begins with the state `running`, or `requires_action`',
    on: [
      onUpdate(OUTPUT, (step, connection) => {
        if (isReplay(step) || !isKnown(step.session, connection) || isChild(step.session))
          return undefined;
        const turn = turnOf.of(step.session);
        const { own: state } = step.session.activity;
        if (state === 'requires_action' || turn.early !== undefined) return undefined;
        if (isWorking(step.session)) return 'pass';
        if (!isUnreported(step) || turn.inserted === undefined) return undefined;
        return fail(`${firstWords(step)} for a prompt, and no state that says so`, {
          seqs: [turn.inserted, step.seq],
        });
      }),
      onUpdate(['state_update'], (step, connection) => {
        const { session, update, seq } = step;
        if (!isLiveState(step) || !isKnown(session, connection)) return undefined;
        const { inserted, early } = turnOf.of(session);
        const { own: state } = session.activity;
        const reason = str(update, 'stopReason');
        if (str(update, 'state') !== 'idle' || reason === undefined) return undefined;
        const own = ownOutput(session, update);
        if (own !== undefined)
          return fail(`idle with ${quote(reason)} after output, and no \`running\` before that`, {
            pointer: '/params/update/state',
            seqs: [own, seq],
            severity: 'warning',
          });
        if (inserted === undefined || early !== undefined || (state ?? 'idle') !== 'idle')
          return undefined;
        return fail(`idle with ${quote(reason)} after a prompt, and no \`running\` between`, {
          pointer: '/params/update/state',
          seqs: [inserted, seq],
        });
      }),
    ],
  },
  'state/idle-missing': {
    gaps: 'since',
    severity: 'warning',
    clause: 'work that is reported to run ends with the state `idle`',
    on: [
      onUpdate(['state_update'], (step) =>
        str(step.update, 'state') === 'idle' && isWorking(step.session) ? 'pass' : undefined,
      ),
      onEndOfEach(stillWorking),
    ],
  },
  'state/stop-reason-missing': {
    severity: 'warning',
    clause: 'the idle state that ends work says why it ended',
    on: onUpdate(['state_update'], (step) => {
      const turn = turnOf.of(step.session);
      if (!endsWork(step)) return undefined;
      const reason = get(step.update, 'stopReason');
      if (typeof reason === 'string') return 'pass';
      return fail(
        `${step.session.activity.own ?? ''} to idle with ${quote(reason)} for a \`stopReason\``,
        {
          pointer: '/params/update',
          seqs: [...(turn.stateSeq === undefined ? [] : [turn.stateSeq]), step.seq],
        },
      );
    }),
  },
  'state/requires-action-exit': {
    severity: 'error',
    clause: 'after `requires_action`, work goes on with `running` or ends with `idle`',
    on: [
      onUpdate(['state_update'], (step) =>
        step.session.activity.own === 'requires_action' && isLiveState(step) ? 'pass' : undefined,
      ),
      onUpdate(OUTPUT, (step, { gaps }) => {
        const turn = turnOf.of(step.session);
        const { own: state } = step.session.activity;
        if (state !== 'requires_action' || isReplay(step) || gaps > 0) return undefined;
        if (turn.early !== undefined || !isUnreported(step)) return undefined;
        return fail(`${firstWords(step)} while nothing is asked any more, and no \`running\``, {
          seqs: [...(turn.stateSeq === undefined ? [] : [turn.stateSeq]), step.seq],
        });
      }),
    ],
  },
  'state/requires-action-absent': {
    severity: 'hint',
    clause: 'while all foreground work waits for the user, its state is `requires_action`',
    on: onAnswer(['session/request_permission'], ({ session, asked, at, seq }) => {
      if (session === undefined || asked.from !== 'agent') return undefined;
      const turn = turnOf.of(session);
      const { activity } = session;
      if (activity.own === 'requires_action') return 'pass';
      if (activity.own !== 'running' || hasBackground(activity)) return undefined;
      const isBusy = turn.output !== undefined && turn.output > asked.seq;
      // Without times nobody knows how long it was.
      const isLong = at - asked.at > WAITED;
      if (isBusy || !isLong || (turn.stateSeq ?? 0) > asked.seq) return undefined;
      return fail(
        `\`running\` for the ${Math.round((at - asked.at) / 100) / 10} s of the question`,
        {
          seqs: [asked.seq, seq],
        },
      );
    }),
  },
  'state/error-detail': {
    severity: 'warning',
    clause: 'the stop reason `error` comes with an `error`, and no other does',
    on: onUpdate(['state_update'], (step) => {
      if (str(step.update, 'state') !== 'idle') return undefined;
      const reason = str(step.update, 'stopReason');
      const error = get(step.update, 'error') ?? undefined;
      if (reason === 'error') {
        if (isObject(error)) return 'pass';
        return fail(`${quote(error)} for an \`error\``, '/params/update');
      }
      if (error === undefined || reason?.startsWith('_')) return undefined;
      return fail(`an \`error\` beside the stop reason ${quote(reason)}`, '/params/update/error');
    }),
  },
});

function isAnnounced({ type, id }: BackgroundWork, session: Session, at: Connection): boolean {
  if (id === undefined) return true;
  if (type === 'terminal') return displayTerminals.of(session).has(id);
  if (type === 'tool_call') return toolCalls.of(session).has(id);
  return type !== 'subagent' || at.sessions.get(id)?.origin !== undefined;
}

function hasEnded({ type, id }: BackgroundWork, session: Session): boolean {
  if (id === undefined) return true;
  if (type === 'terminal') return displayTerminals.of(session).get(id)?.exited !== undefined;
  // Whether a child session runs is told in its own updates, and closing it ends it too.
  return type !== 'tool_call' || toolCalls.of(session).get(id)?.final !== undefined;
}

/** Items of a list that stand in it a second time. */
function repeated(items: readonly Json[]): RuleFault[] {
  const seen = new Set<string>();
  return items.flatMap((item, i): RuleFault[] => {
    const work = isObject(item) ? workOf(item) : undefined;
    if (work?.id === undefined) return [];
    const words = workWords(work);
    if (seen.has(words))
      return [fail(`the ${work.type} ${quote(work.id)} twice`, `/params/update/background/${i}`)];
    seen.add(words);
    return [];
  });
}

export const BACKGROUND = rulesOf({ versions: [2], side: 'agent' })({
  // What a v2 agent lists as work in the background.

  'state/background-dropped': {
    severity: 'error',
    clause: 'an agent that lists its background work does so in every state update',
    on: onUpdate(['state_update'], ({ session, update, replay, window }) => {
      if (session.activity.background === undefined) return undefined;
      // What a child was once is history, told from its begin.
      if (replay && window?.session !== session) return undefined;
      const listed = get(update, 'background');
      if (isArray(listed)) return 'pass';
      return fail(
        `${quote(listed)} for \`background\`, which was reported before`,
        '/params/update',
      );
    }),
  },
  'state/background-unannounced': {
    severity: 'error',
    clause:
      'background work is announced before it is listed, listed once, and ended before it leaves the list',
    on: onUpdate(['state_update'], ({ session, update, window }, connection) => {
      const listed = get(update, 'background');
      if (!isArray(listed) || session.origin === undefined || connection.gaps > 0) return undefined;
      const before = byWords(session.activity.background ?? []);
      const faults = repeated(listed);
      const now = byWords(backgroundOf(update) ?? []);
      for (const [key, item] of now)
        if (!before.has(key) && !isAnnounced(item, session, connection))
          faults.push(
            fail(
              `the ${item.type} ${quote(item.id)}, which was not announced`,
              '/params/update/background',
            ),
          );
      // What a restore finds may have ended while nobody listened.
      if (window === undefined)
        for (const [key, item] of before)
          if (!now.has(key) && !hasEnded(item, session))
            faults.push(
              fail(
                `the ${item.type} ${quote(item.id)} left the list and was not ended`,
                '/params/update/background',
              ),
            );
      return judged(faults);
    }),
  },
});
