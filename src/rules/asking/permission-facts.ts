// Questions of the agent to the user: what was offered, how it was answered or taken back, and the
// tool call that waited for it.
import { get, objects, str } from '../../acp/json.ts';
import type { Failure, Json } from '../../acp/message.ts';
import { isFinal } from '../../acp/update.ts';
import type { Millis } from '../../lib/time.ts';
import type { Seq } from '../../trace/event.ts';
import type { Asked, Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onNotification, onRequest, onUpdate } from '../listen.ts';
import type { Fold } from '../rule.ts';
import { isReplay, toolCalls } from '../work/tool-facts.ts';
import { hasBackground, turnOf, type Turn } from '../turns/turn-facts.ts';

interface Moment {
  readonly seq: Seq;
  readonly at: Millis;
}

/** A permission request that waits for its answer. */
export interface Permission {
  readonly asked: Asked;
  /** Kinds of the options by their ids. */
  readonly options: ReadonlyMap<string, string>;
  /** The tool call it is about. */
  readonly tool: string | undefined;
  /** That one ran already. */
  readonly isRunning: boolean;
  /** `session/cancel` or `session/close`, sent while it waited. */
  cancel: Moment | undefined;
  /** The agent took it back with `$/cancel_request`. */
  withdrawn: Moment | undefined;
}

/** A tool call that may not run. */
export interface Denial {
  readonly request: Seq;
  readonly answer: Seq;
  /** How the answer reads. */
  readonly words: string;
  /** The answer may mean something else to this agent: kinds of options are hints. */
  readonly isSoft: boolean;
  isRunning: boolean;
}

interface Permissions {
  readonly open: Map<Asked, Permission>;
  /** By tool call, until that ends. */
  readonly denied: Map<string, Denial>;
  /** The last question that was dismissed, and the last that was answered with a reject option. */
  dismissed: Seq | undefined;
  rejected: Seq | undefined;
  /** v2: an answer that came when the work was over, and nothing since. */
  late: { readonly request: Seq; readonly answer: Seq; readonly wasCancelled: boolean } | undefined;
}

export const permissions = fact<Session, Permissions>(() => ({
  open: new Map(),
  denied: new Map(),
  dismissed: undefined,
  rejected: undefined,
  late: undefined,
}));

export const PERMISSION = 'session/request_permission';

/** The tool call that a request is about. v2 may also name it beside a command. */
export function toolOf(params: Json | undefined): string | undefined {
  const subject = get(params, 'subject');
  const call = get(params, 'toolCall') ?? get(subject, 'toolCall') ?? subject;
  return str(call, 'toolCallId');
}

/** What an answer comes to. `approved` only where an offered option says so. */
export type Ruling = 'approved' | 'rejected' | 'cancelled' | 'not offered' | 'unknown' | 'error';

export function rulingOf(
  { options }: Permission,
  result: Json | undefined,
  error: Failure['error'] | undefined,
): Ruling {
  if (error !== undefined) return 'error';
  const outcome = get(result, 'outcome');
  const kind = str(outcome, 'outcome');
  if (kind === 'cancelled') return 'cancelled';
  if (kind !== 'selected') return 'unknown';
  const option = options.get(str(outcome, 'optionId') ?? '');
  if (option === undefined) return 'not offered';
  return option.startsWith('reject') ? 'rejected' : 'approved';
}

const WORDS: Readonly<Record<Exclude<Ruling, 'approved'>, string>> = {
  rejected: 'a reject option was chosen',
  cancelled: 'the question was cancelled',
  'not offered': 'an option was chosen that was not offered',
  unknown: 'the outcome was none that the protocol knows',
  error: 'the question was answered with an error',
};

/** Goes before the fold of tool calls, which applies what a request says of its tool call. */
export const permissionFold: Fold = {
  on: [
    onRequest([PERMISSION], ({ session, asked, from, params }) => {
      if (session === undefined || from !== 'agent') return;
      const tool = toolOf(params);
      const its = permissions.of(session);
      const status = tool === undefined ? undefined : toolCalls.of(session).get(tool)?.status;
      // It is asked anew, so the answer to come counts.
      if (tool !== undefined) its.denied.delete(tool);
      its.open.set(asked, {
        asked,
        options: optionsOf(params),
        tool,
        isRunning: status === 'in_progress',
        cancel: undefined,
        withdrawn: undefined,
      });
    }),
    onAnswer([PERMISSION], ({ session, asked, result, error, seq }) => {
      const its = session && permissions.of(session);
      const permission = its?.open.get(asked);
      if (session === undefined || its === undefined || permission === undefined) return;
      its.open.delete(asked);
      const ruling = rulingOf(permission, result, error);
      if (ruling === 'cancelled' || ruling === 'error') its.dismissed = seq;
      if (ruling === 'rejected') its.rejected = seq;
      const ended = endOf(session, asked);
      if (ended) its.late = { request: asked.seq, answer: seq, wasCancelled: ended.cancelled };
      const { tool, isRunning } = permission;
      if (tool === undefined || ruling === 'approved') return;
      const ownOutcome = str(get(result, 'outcome'), 'outcome')?.startsWith('_') === true;
      its.denied.set(tool, {
        request: asked.seq,
        answer: seq,
        words: WORDS[ruling],
        isSoft: ruling === 'rejected' || ruling === 'error' || ownOutcome,
        isRunning,
      });
    }),
    onAnswer(['elicitation/create'], ({ session, asked, result, seq }) => {
      if (session === undefined || asked.from !== 'agent') return;
      const action = str(result, 'action');
      if (action === 'cancel') permissions.of(session).dismissed = seq;
      if (action === 'decline') permissions.of(session).rejected = seq;
    }),
    onNotification(['$/cancel_request'], ({ from, params, seq, at }, connection) => {
      const id = get(params, 'requestId');
      if (from !== 'agent' || (typeof id !== 'string' && typeof id !== 'number')) return;
      const asked = connection.open.find('agent', id);
      if (asked?.session === undefined) return;
      const permission = permissions.of(asked.session).open.get(asked);
      if (permission) permission.withdrawn ??= { seq, at };
    }),
    onNotification(['session/cancel'], ({ session, from, seq, at }) => {
      if (session && from === 'client') cancelAll(session, { seq, at });
    }),
    onRequest(['session/close'], ({ session, from, seq, at }) => {
      if (session && from === 'client') cancelAll(session, { seq, at });
    }),
    onRequest(['session/prompt'], ({ session }) => {
      if (session) permissions.of(session).late = undefined;
    }),
    onUpdate(['state_update'], ({ session }) => {
      permissions.of(session).late = undefined;
    }),
    onUpdate(['tool_call_update'], (step) => {
      if (step.itemId === undefined || isReplay(step)) return;
      const { denied } = permissions.of(step.session);
      const denial = denied.get(step.itemId);
      if (denial === undefined) return;
      const status = str(step.update, 'status');
      if (isFinal(status)) denied.delete(step.itemId);
      else if (status === 'in_progress') denial.isRunning = true;
    }),
  ],
};

function optionsOf(params: Json | undefined): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const option of objects(params, 'options')) {
    const id = str(option, 'optionId');
    if (id !== undefined) options.set(id, str(option, 'kind') ?? '');
  }
  return options;
}

function cancelAll(session: Session, moment: Moment): void {
  for (const permission of permissions.of(session).open.values()) permission.cancel ??= moment;
}

/** How the work ended that a request belonged to; undefined: it goes on, or other work does. */
function endOf(session: Session, { seq }: Asked): Turn['ended'] {
  const turn = turnOf.of(session);
  if (turn.state !== 'idle' || hasBackground(turn)) return undefined;
  return turn.ended !== undefined && turn.ended.seq > seq ? turn.ended : undefined;
}

/** The `session/cancel` that a request of the agent waits after; what the user is asked has its own rules. */
export function cancelOf({ from, session, request }: Asked): Seq | undefined {
  if (from !== 'agent' || session === undefined || request.method === PERMISSION) return undefined;
  return turnOf.of(session).cancelled;
}
