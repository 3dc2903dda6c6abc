// Questions of the agent to the user: what was offered, how it was answered or taken back, and the tool
// call that waited for it. Family `perm` of the catalogue; what follows from the answers stands in
// permission-answers.ts.
import { get, objects, str, isArray, obj } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isFinal } from '../../acp/update.ts';
import type { Millis } from '../../lib/time.ts';
import { optionsOf, rulingOf, type Ruling } from '../../model/facts/permission.ts';
import { type EarlierRequest, type Session, fact } from '../connection.ts';
import { onAnswer, onNotification, onRequest, onUpdate } from '../listen.ts';
import { catalogue, type Fold, fail, judged, quote } from '../rule.ts';
import { hasBackground } from '../../model/facts/activity.ts';
import { turnOf, type TurnRecord } from '../turns/turn-facts.ts';
import { isReplay, toolCalls } from '../work/tool-facts.ts';
import type { Seq } from '../../trace/event.ts';
import { twiceIn } from '../../lib/grouped.ts';

interface Moment {
  readonly seq: Seq;
  readonly at: Millis;
}

/** A permission request that waits for its answer. */
export interface Permission {
  readonly asked: EarlierRequest;
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
  /** v1: the answer that ended its turn while it waited. */
  outlived: Moment | undefined;
}

/** A tool call that may not run. */
interface Denial {
  readonly request: Seq;
  readonly answer: Seq;
  readonly words: string;
  /** The answer may mean something else to this agent: kinds of options are hints. */
  readonly isSoft: boolean;
  /** It ran when it was asked about. */
  readonly wasRunning: boolean;
  /** Where it was said to run behind the answer; an update that crossed it may say so. */
  began: Seq | undefined;
}

interface Permissions {
  readonly open: Map<EarlierRequest, Permission>;
  /** By tool call, until that ends. */
  readonly denied: Map<string, Denial>;
  /** v1: responses `cancelled` of this turn that nothing was cancelled before, though a reject option was offered. */
  groundless: { readonly request: Seq; readonly answer: Seq }[];
  /** The last question that was dismissed, and the last that was answered with a reject option. */
  dismissed: Seq | undefined;
  rejected: Seq | undefined;
  /** v2: an answer that came when the work was over, and nothing since. */
  late: { readonly request: Seq; readonly answer: Seq; readonly wasCancelled: boolean } | undefined;
}

export const permissions = fact<Session, Permissions>(() => ({
  open: new Map(),
  denied: new Map(),
  groundless: [],
  dismissed: undefined,
  rejected: undefined,
  late: undefined,
}));

export const PERMISSION = 'session/request_permission';

/** The tool call that a request is about. v2 may also name it beside a command. */
export function askedTool(params: Json | undefined): string | undefined {
  const subject = get(params, 'subject');
  const call = get(params, 'toolCall') ?? get(subject, 'toolCall') ?? subject;
  return str(call, 'toolCallId');
}

const WORDS: Readonly<Record<Exclude<Ruling, 'approved'>, string>> = {
  rejected: 'a reject option was chosen',
  cancelled: 'the question was cancelled',
  'not offered': 'an option was chosen that was not offered',
  unknown: 'the outcome was none that the protocol knows',
  error: 'the question was answered with an error',
};

/** Goes before the fold of tool calls, which applies what a request says of its tool call. */
export const permissionFold: Fold = [
  onRequest([PERMISSION], ({ session, asked, from, params }) => {
    if (session === undefined || from !== 'agent') return;
    const tool = askedTool(params);
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
      outlived: undefined,
    });
  }),
  onAnswer([PERMISSION], ({ session, asked, result, error, seq }, { version }) => {
    const its = session && permissions.of(session);
    const permission = its?.open.get(asked);
    if (session === undefined || its === undefined || permission === undefined) return;
    its.open.delete(asked);
    const ruling = rulingOf(permission.options, result, error);
    if (ruling === 'cancelled' || ruling === 'error') its.dismissed = seq;
    if (ruling === 'rejected') its.rejected = seq;
    const ended = endOf(session, asked);
    if (ended) its.late = { request: asked.seq, answer: seq, wasCancelled: ended.cancelled };
    const { tool, isRunning, withdrawn, cancel, options } = permission;
    const offersReject = [...options.values()].some((kind) => kind.startsWith('reject'));
    if (ruling === 'cancelled' && offersReject && !withdrawn && !cancel && !isCancelled(session))
      its.groundless.push({ request: asked.seq, answer: seq });
    if (tool === undefined || ruling === 'approved') return;
    // Of what an agent takes back by itself, v1 has no word: it may be approved elsewhere.
    if (version === 1 && withdrawn !== undefined && cancel === undefined) return;
    const ownOutcome = str(get(result, 'outcome'), 'outcome')?.startsWith('_') === true;
    its.denied.set(tool, {
      request: asked.seq,
      answer: seq,
      words: WORDS[ruling],
      isSoft: ruling === 'rejected' || ruling === 'error' || ownOutcome,
      wasRunning: isRunning,
      began: undefined,
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
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const asked = connection.open.find(from, id);
    if (asked?.session === undefined) return;
    const its = permissions.of(asked.session);
    if (from === 'client') its.groundless = [];
    const permission = its.open.get(asked);
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
  // The fold of turns has taken the answer already.
  onAnswer(['session/prompt'], ({ session, asked, seq, at }, { version }) => {
    if (session === undefined || version !== 1 || turnOf.of(session).open.length > 0) return;
    for (const permission of permissions.of(session).open.values())
      if (permission.asked.seq > asked.seq) permission.outlived ??= { seq, at };
    permissions.of(session).groundless = [];
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
    else if (status === 'in_progress' && !denial.wasRunning) denial.began ??= step.seq;
  }),
];

/** True if the client cancelled a prompt of the turn that runs. */
function isCancelled(session: Session): boolean {
  const { open, cancel } = turnOf.of(session);
  return cancel !== undefined || open.some((one) => one.cancel ?? one.asked.cancelled);
}

function cancelAll(session: Session, moment: Moment): void {
  permissions.of(session).groundless = [];
  for (const permission of permissions.of(session).open.values()) permission.cancel ??= moment;
}

/** How the work ended that a request belonged to; undefined: it goes on, or other work does. */
function endOf(session: Session, { seq }: EarlierRequest): TurnRecord['ended'] {
  const turn = turnOf.of(session);
  if (session.activity.own !== 'idle' || hasBackground(session.activity)) return undefined;
  return turn.ended !== undefined && turn.ended.seq > seq ? turn.ended : undefined;
}

/** The `session/cancel` that a request of the agent waits after; what the user is asked has its own rules. */
export function cancelOf({ from, session, request }: EarlierRequest): Seq | undefined {
  if (from !== 'agent' || session === undefined || request.method === PERMISSION) return undefined;
  return turnOf.of(session).cancelled;
}

/** True if the request is a permission request that waits, and whose turn the client cancelled. */
export function isCancelledQuestion(asked: EarlierRequest): boolean {
  const { session } = asked;
  return session !== undefined && permissions.of(session).open.get(asked)?.cancel !== undefined;
}

/** Titles that permission requests put in place of another. */
interface Retitled {
  readonly before: string;
  readonly asked: string;
  readonly seq: Seq;
}
const retitled = fact<Session, Map<string, Retitled>>(() => new Map());

/** Goes before the fold of tool calls, which takes the new title. */
export const permissionTitleFold: Fold = [
  onRequest([PERMISSION], ({ session, params, seq }) => {
    const call = obj(params, 'toolCall');
    const [id, asked] = [str(call, 'toolCallId'), str(call, 'title')];
    if (session === undefined || id === undefined || asked === undefined) return;
    const before = toolCalls.of(session).get(id)?.title;
    if (before !== undefined && before !== asked)
      retitled.of(session).set(id, { before, asked, seq });
  }),
  onUpdate(['tool_call_update'], ({ session, itemId, update }) => {
    if (itemId !== undefined && str(update, 'title') !== undefined)
      retitled.of(session).delete(itemId);
  }),
];

export const PERMISSIONS = catalogue({
  'perm/options': {
    side: 'agent',
    severity: 'error',
    clause: 'a permission request offers at least one option, each with an id of its own',
    on: onRequest([PERMISSION], ({ params, from }) => {
      const offered = get(params, 'options');
      if (from !== 'agent' || !isArray(offered)) return undefined;
      const pointer = '/params/options';
      if (offered.length === 0) return fail('`options` is empty', pointer);
      const ids = objects(params, 'options').map((option) => str(option, 'optionId'));
      return judged(
        twiceIn(ids).map((id) => fail(`\`options\` has the id ${quote(id)} twice`, pointer)),
      );
    }),
  },
  'perm/unknown-option': {
    side: 'client',
    severity: 'error',
    clause: 'the chosen option is one of those that were offered',
    on: onAnswer([PERMISSION], ({ session, asked, result, seq }) => {
      const permission = session && permissions.of(session).open.get(asked);
      const outcome = obj(result, 'outcome');
      if (permission === undefined || str(outcome, 'outcome') !== 'selected') return undefined;
      const chosen = get(outcome, 'optionId');
      if (typeof chosen === 'string' && permission.options.has(chosen)) return 'pass';
      return fail(
        `\`optionId\` is ${quote(chosen)}; offered: ${[...permission.options.keys()].map(quote).join(', ') || 'nothing'}`,
        {
          pointer: '/result/outcome/optionId',
          seqs: [asked.seq, seq],
        },
      );
    }),
  },
  'perm/unknown-tool': {
    versions: [1],
    side: 'agent',
    severity: 'hint',
    clause: 'a permission request names a tool call that was announced, or at least its title',
    on: onRequest([PERMISSION], ({ session, params, from }, { gaps }) => {
      const call = obj(params, 'toolCall');
      const id = str(call, 'toolCallId');
      if (session === undefined || from !== 'agent' || id === undefined) return undefined;
      if (toolCalls.of(session).has(id) || str(call, 'title') !== undefined) return 'pass';
      if (session.origin === undefined || gaps > 0) return undefined;
      return fail(`${quote(id)}, of which nothing was said before`, '/params/toolCall/toolCallId');
    }),
  },
  'perm/title-pollution': {
    versions: [1],
    side: 'agent',
    severity: 'hint',
    clause: 'in v1 the title in a permission request becomes that of the tool call',
    on: [
      onRequest([PERMISSION], ({ params }) =>
        str(obj(params, 'toolCall'), 'title') === undefined ? undefined : 'pass',
      ),
      onUpdate(['tool_call_update'], (step) => {
        const { session, itemId, update, seq } = step;
        if (itemId === undefined || isReplay(step)) return undefined;
        const title = retitled.of(session).get(itemId);
        if (title === undefined || str(update, 'title') !== title.before) return undefined;
        return fail(
          `the title is ${quote(title.before)} again, after ${quote(title.asked)} in the request`,
          {
            pointer: '/params/update/title',
            seqs: [title.seq, seq],
          },
        );
      }),
    ],
  },
});
