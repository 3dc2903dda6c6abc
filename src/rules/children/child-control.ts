// What a client may ask of a child session: to cancel its work, where the child allows it, and
// nothing else. Family `child` of the catalogue.
import { childIdOf } from '../../acp/update.ts';
import { get, obj, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Millis } from '../../lib/time.ts';
import { isBusy } from '../../model/facts/activity.ts';
import type { Seq } from '../../trace/event.ts';
import { type Connection, type Session, fact } from '../connection.ts';
import { onNotification, onRequest, onUpdate } from '../listen.ts';
import type { FrameStep, UpdateStep } from '../steps.ts';
import { rulesOf, fail, type Outcome, quote, type Fold } from '../rule.ts';
import { otherEnd } from '../turns/cancel.ts';
import { noteOutput, mayCross, OUTPUT, type Cancel } from '../turns/turn-facts.ts';
import { isReplay } from '../work/tool-facts.ts';
import { isChild, wasChild } from './child-facts.ts';

interface Control {
  /** When the child last stopped allowing to be cancelled. */
  revoked: { readonly seq: Seq; readonly at: Millis } | undefined;
  /** The client cancelled its work, of which no end was told since. */
  cancel: Cancel | undefined;
}

const controls = fact<Session, Control>(() => ({ revoked: undefined, cancel: undefined }));

function mayCancel(capabilities: JsonObject | undefined): boolean {
  const cancel = get(capabilities, 'cancel');
  return cancel !== undefined && cancel !== null && cancel !== false;
}

function changesNothing(session: Session | undefined, method: string): Outcome {
  if (session === undefined || method === 'session/cancel') return undefined;
  if (!isChild(session) && !wasChild(session.stored)) return undefined;
  return fail(`\`${method}\` on ${quote(session.id)}, a child session`, '/params/sessionId');
}

/** How a cancelled child's work ended: the first idle that is told of it. */
function ended(
  session: Session | undefined,
  state: JsonObject | undefined,
  step: FrameStep,
  pointer: string,
): Outcome {
  const cancel = session && controls.of(session).cancel;
  if (cancel === undefined || str(state, 'state') !== 'idle') return undefined;
  const reason = str(state, 'stopReason');
  if (reason === 'cancelled') return 'pass';
  const end = otherEnd(`idle with the stop reason ${quote(reason)}`, cancel, [step.seq], pointer);
  return {
    ...end,
    ...(end.verdict === 'fail' && { severity: 'warning' }),
    session: session?.id ?? '',
  };
}

/** The child that a `subagent_update` tells of. */
function toldOf({ update }: UpdateStep, { sessions }: Connection): Session | undefined {
  return sessions.get(childIdOf(update) ?? '');
}

export const controlFold: Fold = [
  onUpdate(['subagent_update'], (step, connection) => {
    const session = toldOf(step, connection);
    const child = session && connection.windows.children.of(session);
    if (!session || !child) return;
    const control = controls.of(session);
    if (mayCancel(child.now.capabilities)) control.revoked = undefined;
    else control.revoked ??= { seq: step.seq, at: step.at };
    if (str(obj(step.update, 'state'), 'state') === 'idle') control.cancel = undefined;
  }),
  onUpdate(['state_update'], ({ session, update }) => {
    if (str(update, 'state') === 'idle') controls.of(session).cancel = undefined;
  }),
  onUpdate(OUTPUT, (step) => {
    const { cancel } = controls.of(step.session);
    if (cancel && !isReplay(step)) noteOutput(cancel, step);
  }),
  onNotification(['session/cancel'], ({ session, from, seq, at }) => {
    if (from !== 'client' || !session || !isChild(session) || !isBusy(session.activity)) return;
    // Whether it works at all is not known, so its next idle need not be the end of that.
    if (session.activity.state === 'unknown') return;
    controls.of(session).cancel ??= { seq, at, by: 'session/cancel' };
  }),
];

export const CHILD_CONTROL = rulesOf({ feature: 'subagents' })({
  'child/mutation': {
    side: 'client',
    severity: 'error',
    clause:
      'a client asks nothing of a child session but to cancel its work, where the child allows it',
    on: [
      onRequest('all', ({ session, from, method }) =>
        from === 'client' ? changesNothing(session, method) : undefined,
      ),
      onNotification('all', ({ session, from, method }) =>
        from === 'client' ? changesNothing(session, method) : undefined,
      ),
      onNotification(['session/cancel'], ({ session }) =>
        session && isChild(session) ? 'pass' : undefined,
      ),
    ],
  },
  'child/cancel-ungated': {
    side: 'client',
    severity: 'error',
    clause:
      'a child is cancelled only while its capabilities, told since the last restore, allow it',
    on: onNotification(['session/cancel'], ({ session, from, at }, { windows }): Outcome => {
      const child = session && windows.children.of(session);
      if (from !== 'client' || !session || !child) return undefined;
      const { now, past } = child;
      if (mayCancel(now.capabilities)) return 'pass';
      if (now.told === undefined && mayCancel(past?.capabilities))
        return fail(
          `its capabilities (#${past?.told}) were told before its parent’s restore was answered`,
        );
      const { revoked } = controls.of(session);
      const isRace = revoked !== undefined && mayCross(revoked.at, at);
      const told = revoked
        ? `#${revoked.seq} took \`cancel\` back`
        : 'its capabilities have no `cancel`';
      return fail(`${told}${isRace ? ', a possible race' : ''}`, {
        ...(isRace ? { severity: 'warning' as const } : {}),
      });
    }),
  },
  'child/cancel-confirm': {
    side: 'agent',
    severity: 'warning',
    clause: 'a child whose work was cancelled ends idle, with the stop reason `cancelled`',
    on: [
      onUpdate(['subagent_update'], (step, connection) =>
        ended(
          toldOf(step, connection),
          obj(step.update, 'state'),
          step,
          '/params/update/state/stopReason',
        ),
      ),
      onUpdate(['state_update'], (step) =>
        ended(step.session, step.update, step, '/params/update/stopReason'),
      ),
    ],
  },
});
