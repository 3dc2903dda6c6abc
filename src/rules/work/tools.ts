// Tool calls as they come about and end: created once, named, never out of a final status. Family
// `tool` of the catalogue; what they hold stands in tool-content.ts, their end by the client in
// tool-cancel.ts.
import { arr, get, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { wantsAllHistory } from '../../model/facts/restore.ts';
import type { Connection, Session } from '../connection.ts';
import type { Seq } from '../../trace/event.ts';
import { onEndOfEach, onRequest, onUpdate } from '../listen.ts';
import type { RequestStep, UpdateStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
} from '../rule.ts';
import { isEmpty, isReplay, permissionToolCall, toolCalls, type ToolCall } from './tool-facts.ts';

/**
 * The session, or that of which it is a child, began on this connection and nothing of it is missing,
 * so that its first is the first.
 */
export function knownFromStart(session: Session, connection: Connection): boolean {
  const { origin } = connection.windows.children.rootOf(session);
  return connection.gaps === 0 && (origin === 'new' || origin === 'fork');
}

/** A fault, unless what is missing of the session may have had what is due. */
function unlessEarlier(session: Session, seen: string, pointer: string, connection: Connection) {
  return knownFromStart(session, connection)
    ? fail(seen, pointer)
    : undecidable(
        `${seen}, but the session began before this trace, or part of it is missing`,
        'a recording from the start of the session',
        pointer,
      );
}

function callOf({ session, itemId }: UpdateStep): ToolCall | undefined {
  return itemId === undefined ? undefined : toolCalls.of(session).get(itemId);
}

/** Whether an update moves a tool call out of the final status it has, or back to its first one. */
function regress(
  call: ToolCall | undefined,
  update: JsonObject,
  { version }: Connection,
  at: string,
): RuleFault | 'pass' | undefined {
  const status = get(update, 'status');
  if (typeof status !== 'string' && !(status === null && version === 2)) return undefined;
  const isBack = call?.status === 'in_progress' && (status ?? 'pending') === 'pending';
  if (isBack)
    return fail(`${quote(call.id)} from in_progress to pending`, {
      pointer: `${at}/status`,
      severity: 'hint',
      point: 'back',
      due: 'a tool call that is in progress is not pending again',
    });
  if (call?.final === undefined || call.status === status) return 'pass';
  const to = status ?? 'pending';
  return fail(`${quote(call.id)} from ${call.status} (#${call.final}) to ${to}`, `${at}/status`);
}

function withFinal(said: RuleFault | 'pass' | undefined, call: ToolCall | undefined, step: Seqed) {
  if (said === undefined || said === 'pass' || call?.final === undefined) return said;
  return { ...said, seqs: [call.final, step.seq] };
}
type Seqed = Pick<UpdateStep, 'seq'>;

/** Fields that an update takes back, although they were filled. */
function emptied(
  call: ToolCall | undefined,
  update: JsonObject,
  seq: Seq,
  version: Version | undefined,
  at: string,
): Outcome {
  if (call === undefined) return undefined;
  const faults: RuleFault[] = [];
  if (call.rawInput !== undefined && isEmpty(update['rawInput']))
    faults.push(
      fail(`\`rawInput\` of ${quote(call.id)} is empty, after #${call.rawInput} gave it`, {
        pointer: `${at}/rawInput`,
        seqs: [call.rawInput, seq],
      }),
    );
  if (call.title && update['title'] === '')
    faults.push(
      fail(`the title of ${quote(call.id)} is empty, after ${quote(call.title)}`, `${at}/title`),
    );
  // v2 clears lists so.
  for (const key of version === 1 ? LISTS : [])
    if (call[key] && isEmpty(update[key]))
      faults.push(
        fail(`\`${key}\` of ${quote(call.id)} is empty, after it was filled`, {
          pointer: `${at}/${key}`,
          severity: 'hint',
        }),
      );
  return judged(faults);
}
const LISTS = ['content', 'locations'] as const;

/** Tool calls that ended with an output that clients need not show. */
function rawOnly(session: Session): readonly RuleFault[] {
  return [...toolCalls.of(session).values()].flatMap(
    ({ id, final, rawOutput, content, extended }) => {
      if (final === undefined || rawOutput === undefined || content || extended) return [];
      return fail(`${quote(id)} ends without \`content\`; its output is in \`rawOutput\` only`, {
        seqs: rawOutput === final ? [final] : [rawOutput, final].sort((a, b) => a - b),
        session: session.id,
        method: 'session/update',
      });
    },
  );
}

/** The tool call that a permission request is about, what the request says of it, and where. */
function asked({ session, params }: RequestStep, { version }: Connection) {
  const update = permissionToolCall(params, version);
  const id = str(update, 'toolCallId');
  if (session === undefined || update === undefined || id === undefined) return undefined;
  const at = version === 1 ? '/params/toolCall' : '/params/subject/toolCall';
  return { call: toolCalls.of(session).get(id), update, at };
}

const CLEARABLE = ['title', 'name', 'kind', 'content', 'locations'] as const;

export const TOOLS = rulesOf({ side: 'agent' })({
  'tool/update-before-create': {
    gaps: 'before',
    versions: [1],
    severity: 'warning',
    clause: 'a tool call begins with `tool_call`; `tool_call_update` changes it',
    on: onUpdate(['tool_call_update'], (step, connection) => {
      const { session, itemId } = step;
      if (itemId === undefined) return undefined;
      const call = callOf(step);
      // A load tells the conversation anew, also where this connection told it before.
      const { replay, window } = step;
      const isAnew = replay && window !== undefined && wantsAllHistory(window);
      const since = isAnew ? window.seq : 0;
      if (call?.begun !== undefined && call.begun > since) return 'pass';
      const where = isAnew ? ' in this replay' : '';
      const seen = `no \`tool_call\` for ${quote(itemId)} before it${where}`;
      const pointer = '/params/update/toolCallId';
      if (!step.replay && !knownFromStart(session, connection))
        return unlessEarlier(session, seen, pointer, connection);
      // A permission request told the client of it already.
      const isKnown = call !== undefined && call.first > since;
      return fail(seen, { pointer, ...(isKnown ? { severity: 'hint' } : {}) });
    }),
  },
  'tool/duplicate-create': {
    gaps: 'before',
    versions: [1],
    severity: 'warning',
    clause: 'the id of a tool call is unique within its session',
    on: onUpdate(['tool_call'], (step) => {
      if (step.itemId === undefined || step.late) return undefined;
      // In a restore: replay/duplicate. A fork's history makes the calls of a new session.
      if (step.window !== undefined && step.window.method !== 'session/fork') return undefined;
      const call = callOf(step);
      if (call?.created === undefined) return 'pass';
      return fail(`the tool call ${quote(call.id)} is created again, after #${call.created}`, {
        pointer: '/params/update/toolCallId',
        seqs: [call.created, step.seq],
      });
    }),
  },
  'tool/status-regress': {
    gaps: 'before',
    severity: 'warning',
    clause: 'a tool call stays completed, failed or cancelled once it is',
    on: [
      onUpdate(['tool_call_update'], (step, connection) => {
        const call = callOf(step);
        // A replay tells from the start what the live session had ended before.
        const isAnew = isReplay(step) && !((call?.final ?? 0) > (step.window?.seq ?? Infinity));
        if (isAnew) return undefined;
        return withFinal(regress(call, step.update, connection, '/params/update'), call, step);
      }),
      onRequest(['session/request_permission'], (step, connection): Outcome => {
        const subject = asked(step, connection);
        if (subject === undefined) return undefined;
        const { call, update, at } = subject;
        return withFinal(regress(call, update, connection, at), call, step);
      }),
    ],
  },
  'tool/emptied': {
    severity: 'warning',
    clause: 'what is known of a tool call is not emptied by a later update or a permission request',
    on: [
      onUpdate(['tool_call_update'], (step, { version }) =>
        isReplay(step)
          ? undefined
          : emptied(callOf(step), step.update, step.seq, version, '/params/update'),
      ),
      onRequest(['session/request_permission'], (step, connection) => {
        const { call, update, at } = asked(step, connection) ?? {};
        if (update === undefined || at === undefined) return undefined;
        return emptied(call, update, step.seq, connection.version, at);
      }),
    ],
  },
  'tool/raw-output-only': {
    severity: 'hint',
    clause: 'the output of a tool call is in its `content`, which clients show',
    on: [
      onUpdate(['tool_call', 'tool_call_update'], ({ update }) =>
        arr(update, 'content').length > 0 ? 'pass' : undefined,
      ),
      onEndOfEach(rawOnly),
    ],
  },
  'tool/first-title': {
    gaps: 'before',
    versions: [2],
    severity: 'warning',
    clause: 'the first report of a tool call has a `title`',
    on: [
      // A chunk of its content has none to give.
      onUpdate(['tool_call_update', 'tool_call_content_chunk'], (step, connection) => {
        const { session, itemId, update } = step;
        if (itemId === undefined || callOf(step) !== undefined) return undefined;
        if (str(update, 'title') !== undefined) return 'pass';
        const seen = `${quote(itemId)} without a title`;
        const pointer = '/params/update';
        return step.replay
          ? fail(seen, pointer)
          : unlessEarlier(session, seen, pointer, connection);
      }),
      onRequest(['session/request_permission'], ({ session, params }, connection) => {
        if (connection.version !== 2 || session === undefined) return undefined;
        const update = permissionToolCall(params, 2);
        const id = str(update, 'toolCallId');
        if (id === undefined || toolCalls.of(session).has(id)) return undefined;
        if (str(update, 'title') !== undefined) return 'pass';
        const seen = `${quote(id)} without a title`;
        const pointer = '/params/subject/toolCall';
        return unlessEarlier(session, seen, pointer, connection);
      }),
    ],
  },
  'tool/null-as-clear': {
    versions: [1],
    severity: 'hint',
    clause: 'null leaves a field of a tool call as it is; only v2 clears it so',
    on: onUpdate(['tool_call_update'], (step) => {
      const call = callOf(step);
      if (call === undefined) return undefined;
      const faults: RuleFault[] = [];
      for (const key of CLEARABLE)
        if (step.update[key] === null && call[key] !== undefined)
          faults.push(fail(`\`${key}\` of ${quote(call.id)} set to null`, `/params/update/${key}`));
      return judged(faults);
    }),
  },
});
