// Turns that the client cancels: how they end, and that nothing else ends so. Family `cancel` of the
// catalogue; requests that are cancelled one by one stand in cancel-request.ts.
import { CODE, type Failure } from '../../acp/message.ts';
import { str } from '../../acp/json.ts';
import type { Seq } from '../../trace/event.ts';
import type { Session } from '../connection.ts';
import { hasBackground } from '../../model/facts/activity.ts';
import { isChild } from '../children/child-facts.ts';
import { onAnswer, onUpdate } from '../listen.ts';
import type { AnswerStep, UpdateStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  undecidable,
  type RuleFault,
  type Outcome,
  type Undecided,
  quote,
} from '../rule.ts';
import { permissions } from '../asking/permissions.ts';
import { isReplay, toolCalls } from '../work/tool-facts.ts';
import {
  mayCross,
  endsWork,
  mayBeBackground,
  OUTPUT,
  SPEECH,
  turnOf,
  type Cancel,
  type Prompt,
} from './turn-facts.ts';

/**
 * Returns the outcome of an end other than `cancelled`. Only output that the agent sent after it can have read the
 * cancel proves that the work was not over by then.
 */
export function otherEnd(
  seen: string,
  { seq: cancelled, output, crossed }: Cancel,
  seqs: readonly Seq[],
  pointer?: string,
): RuleFault | Undecided {
  const more = {
    seqs: [cancelled, ...[output ?? crossed].flatMap((one) => one ?? []), ...seqs],
    ...(pointer !== undefined && { pointer }),
  };
  if (output !== undefined)
    return fail(`${seen} after #${cancelled}, and #${output} between`, more);
  const between =
    crossed === undefined ? 'nothing' : `only #${crossed}, which may have crossed it,`;
  return undecidable(
    `${seen} after #${cancelled}, and ${between} between: the work may have been over when the agent read #${cancelled}`,
    'a recording in which the agent still sends output of that work later than it can have read the cancel',
    more,
  );
}

/** True if an error names the abort of the work, so that the agent most likely had read the cancel. */
function namesAbort({ code, message }: Failure['error']): boolean {
  return code === CODE.requestCancelled || /abort|cancel/i.test(message);
}

/** How a prompt that was cancelled by one of the two ways ended. */
export function cancelledPrompt(
  prompt: Prompt | undefined,
  by: Cancel['by'],
  step: AnswerStep,
): Outcome {
  const cancel = prompt?.cancel;
  if (prompt === undefined || cancel?.by !== by) return undefined;
  const { result, error, seq, at } = step;
  const reason = str(result, 'stopReason');
  if (reason === 'cancelled') return 'pass';
  const seen = error === undefined ? `the stop reason ${quote(reason)}` : `the error ${error.code}`;
  // Which of several prompts a cancel means, v1 does not say.
  if (!prompt.alone)
    return undecidable(
      `${error === undefined ? quote(reason) : seen} after #${cancel.seq}, while several prompts were open`,
      'a cancel with one prompt open',
      { seqs: [cancel.seq, seq] },
    );
  if (error === undefined) return otherEnd(seen, cancel, [seq], '/result/stopReason');
  // `$/cancel_request` on the prompt may be answered so.
  if (prompt.asked.cancelled !== undefined) return undefined;
  const isRace = cancel.output === undefined && mayCross(cancel.at, at);
  if (isRace && !namesAbort(error)) return otherEnd(seen, cancel, [seq], '/error');
  return fail(`${seen} after #${cancel.seq}`, {
    pointer: '/error',
    seqs: [cancel.seq, seq],
    ...(isRace ? { severity: 'warning' } : {}),
  });
}

export function openPrompt(session: Session | undefined, asked: Prompt['asked']) {
  return session && turnOf.of(session).open.find((prompt) => prompt.asked === asked);
}

/** Codes of a prompt that is refused for what it is, cancelled or not. */
const OF_THE_PROMPT: ReadonlySet<number> = new Set([
  CODE.invalidRequest,
  CODE.methodNotFound,
  CODE.invalidParams,
  CODE.authRequired,
  CODE.notFound,
]);

/** Milliseconds after which a model that was to be stopped as soon as possible was not. */
const HEARD = 30_000;

/** The agent speaks on, as if nobody had cancelled. */
function speaksOn(
  cancel: Cancel | undefined,
  { at, seq, replay, late }: UpdateStep,
): RuleFault | undefined {
  if (cancel?.by !== 'session/cancel' || !(at - cancel.at >= HEARD)) return undefined;
  if (isReplay({ replay, late })) return undefined;
  const seconds = Math.floor((at - cancel.at) / 1000);
  return fail(`the agent still speaks ${seconds} s after #${cancel.seq}`, {
    seqs: [cancel.seq, seq],
    severity: 'warning',
  });
}

export const CANCEL = rulesOf({ side: 'agent' })({
  'cancel/prompt-result': {
    versions: [1],
    severity: 'error',
    clause: 'a prompt that is cancelled ends with the stop reason `cancelled`',
    on: [
      onAnswer(['session/prompt'], (step) =>
        cancelledPrompt(openPrompt(step.session, step.asked), 'session/cancel', step),
      ),
      onUpdate(SPEECH, (step) => {
        const [prompt] = turnOf.of(step.session).open;
        return prompt?.alone === true ? speaksOn(prompt.cancel, step) : undefined;
      }),
    ],
  },
  'cancel/idle': {
    versions: [2],
    severity: 'error',
    clause: 'work that is cancelled ends with an idle state and `cancelled`, after all its updates',
    on: [
      onUpdate(['state_update'], (step) => {
        const { cancel } = turnOf.of(step.session);
        // Of a child: child/cancel-confirm.
        if (cancel?.by !== 'session/cancel' || !endsWork(step) || isChild(step.session))
          return undefined;
        const reason = str(step.update, 'stopReason');
        if (reason === 'cancelled') return 'pass';
        return otherEnd(
          `idle with the stop reason ${quote(reason)}`,
          cancel,
          [step.seq],
          '/params/update/stopReason',
        );
      }),
      onUpdate(SPEECH, (step) => {
        const { cancel, inserted } = turnOf.of(step.session);
        const { activity } = step.session;
        const isOfIt =
          activity.own === 'running' && inserted === undefined && !hasBackground(activity);
        return isOfIt && !isChild(step.session) ? speaksOn(cancel, step) : undefined;
      }),
      onUpdate(OUTPUT, (step) => {
        const { session, item, itemId, seq, variant } = step;
        const turn = turnOf.of(session);
        const { ended } = turn;
        if (ended?.cancelled !== true || session.activity.own !== 'idle' || isReplay(step))
          return undefined;
        // What becomes of children with their parent's work is left to the agent.
        if (turn.cancelled === undefined && isChild(session)) return undefined;
        // What begins after it need not be of that work.
        if (itemId === undefined || turn.inserted !== undefined || mayBeBackground(step))
          return undefined;
        const call = item === 'tool' ? toolCalls.of(session).get(itemId) : undefined;
        const isOld = item === 'tool' ? call !== undefined : turn.message === itemId;
        if (!isOld || (call !== undefined && call.first > ended.seq)) return undefined;
        return fail(`\`${variant}\` of ${quote(itemId)} after #${ended.seq} ended its work`, {
          severity: 'warning',
          seqs: [ended.seq, seq],
        });
      }),
    ],
  },
  'cancel/held-prompt': {
    versions: [2],
    severity: 'error',
    clause: 'a cancel ends prompts that are not in yet with −32800, and none that comes after it',
    on: onAnswer(['session/prompt'], (step) => {
      const { session, asked, error, seq, at } = step;
      const prompt = openPrompt(session, asked);
      if (session === undefined || prompt === undefined || asked.cancelled !== undefined)
        return undefined;
      const turn = turnOf.of(session);
      const { cancel } = prompt;
      if (cancel === undefined) {
        if (turn.cancelled === undefined || turn.cancelled > asked.seq) return undefined;
        if (error?.code !== CODE.requestCancelled) return 'pass';
        return fail(`−32800 for a prompt that was sent after the cancel #${turn.cancelled}`, {
          pointer: '/error/code',
          seqs: [turn.cancelled, asked.seq, seq],
        });
      }
      if (error !== undefined && OF_THE_PROMPT.has(error.code)) return undefined;
      // Any other error says that it is not in, and so that it waited.
      const isOut = error !== undefined && !prompt.echoed;
      // Of a prompt that was sent into idle nobody knows whether it waited.
      if (!prompt.busy && !isOut) return undefined;
      if (error?.code === CODE.requestCancelled) return 'pass';
      const seen = error === undefined ? 'a result' : `the error ${error.code}`;
      const pointer = error === undefined ? '/result' : '/error/code';
      const seqs = [asked.seq, cancel.seq, seq];
      const isRace = mayCross(asked.at, cancel.at) || mayCross(cancel.at, at);
      if (isRace && !isOut)
        return undecidable(
          `${seen} after #${cancel.seq}; the prompt may have been in by then`,
          'a cancel while a prompt is held for longer',
          { pointer, seqs },
        );
      return fail(`${seen} after #${cancel.seq}, for a prompt that waited then`, {
        pointer,
        seqs,
        ...(isRace ? { severity: 'warning' } : {}),
      });
    }),
  },
  'cancel/unsolicited': {
    gaps: 'before',
    versions: [1],
    severity: 'warning',
    clause: 'the stop reason `cancelled` is for turns that the client cancelled',
    on: onAnswer(['session/prompt'], ({ session, asked, result, seq }, { open }) => {
      if (session === undefined || str(result, 'stopReason') !== 'cancelled') return undefined;
      const prompt = openPrompt(session, asked);
      if (prompt === undefined) return undefined;
      const { dismissed, rejected } = permissions.of(session);
      if (prompt.cancel !== undefined || asked.cancelled !== undefined) return 'pass';
      if (dismissed !== undefined && dismissed > asked.seq) return 'pass';
      if (session.closed !== undefined || session.deleted !== undefined) return 'pass';
      for (const { request, session: its } of open.of('client'))
        if (request.method === 'session/delete' && its === session) return 'pass';
      // A person who rejects, or sends another prompt, may well mean that.
      const isMeant = (rejected !== undefined && rejected > asked.seq) || !prompt.alone;
      return fail('`stopReason` is `cancelled`, and nothing cancelled it', {
        pointer: '/result/stopReason',
        seqs: [asked.seq, seq],
        ...(isMeant ? { severity: 'hint' } : {}),
      });
    }),
  },
});
