// What a history replay holds, judged when its answer comes: whether all of it came, under the ids
// it had. Family `replay` of the catalogue; faults of single frames stand in replay-frames.ts.
import { RESTORES } from '../../acp/methods.ts';
import { wantsAllHistory } from '../../model/facts/restore.ts';
import { isHistory, isMessageKind } from '../../model/facts/variants.ts';
import { type Connection, type RestoreWindow, type Session, fact } from '../connection.ts';
import { histories, itemKey, type HistoryFacts } from './history-facts.ts';
import { isOtherTree } from '../children/child-facts.ts';
import { onAnswer, onQuiet, onRequest } from '../listen.ts';
import type { AnswerStep } from '../steps.ts';
import { bare } from '../../model/facts/message-text.ts';
import {
  rulesOf,
  fail,
  undecidable,
  type RuleFault,
  type Outcome,
  type Undecided,
  quote,
} from '../rule.ts';
import { historyItemWords, missingFrom, type MissingItem } from './replay-compare.ts';
import {
  answeredWindow,
  isRecordedWhole,
  toldIn,
  toldLate,
  toldInTree,
  wasBusy,
  type WindowTold,
  type WindowItem,
} from './window-facts.ts';

/** What a replay lacked when it was answered, until it is clear that it does not come late. */
interface Lacking {
  readonly replay: Replay;
  readonly tree: ReturnType<typeof missingInTree>;
  readonly isWhole: boolean;
}
const lacking = fact<Session, { now: Lacking | undefined }>(() => ({ now: undefined }));

export interface Replay {
  readonly window: RestoreWindow;
  readonly told: WindowTold;
  readonly history: HistoryFacts;
  /** The request and its answer. */
  readonly seqs: AnswerStep['seq'][];
}

/** A restore that succeeded; undefined: it did not. */
export function replayOf({ session, asked, result, seq }: AnswerStep): Replay | undefined {
  const window = answeredWindow(session, asked.seq);
  if (session === undefined || window === undefined || result === undefined) return undefined;
  if (isOtherTree(window)) return undefined;
  const history = histories.of(session.stored);
  return { window, told: toldIn(window), history, seqs: [asked.seq, seq] };
}

/** Judges restores that asked for all history and were answered with a result. */
export function onWhole(judge: (replay: Replay, connection: Connection) => Outcome) {
  return onAnswer<Outcome>(RESTORES, (step, connection) => {
    const replay = replayOf(step);
    return replay && wantsAllHistory(replay.window) ? judge(replay, connection) : undefined;
  });
}

/** Of what may be what was lost. */
export function inGap(window: RestoreWindow, connection: Connection): Undecided | undefined {
  return isRecordedWhole(window, connection) ? undefined : IN_GAP;
}

const IN_GAP = undecidable('events are missing inside the replay', 'a recording without a gap');

const MOST_NAMED = 3;

function missingWords(missing: readonly MissingItem[], connection: Connection): string {
  const gone = missing.filter(({ cut }) => !cut);
  const words = [...new Set([...gone, ...missing])].slice(0, MOST_NAMED).map(({ item, cut }) => {
    const whole = historyItemWords(item, connection);
    if (!cut) return whole;
    // A message is nothing but its text.
    const what = isMessageKind(item.kind) ? 'text' : cut.fields.join(', ');
    return `${whole} came in #${cut.seq} without all of its ${what}`;
  });
  const rest = missing.length - words.length;
  return `${gone[0] ? 'missing: ' : ''}${words.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** The history of a child session is best effort. */
const OF_A_CHILD = {
  severity: 'hint',
  due: 'a replay holds what the agent kept of a child session; it need not keep all',
} as const;

/** Judged when nothing of a restore can come late. */
function onceSettled(judge: (session: Session, connection: Connection) => Outcome) {
  return [
    // Behind the answer to a prompt that was sent before the replay's own, it may still come.
    onAnswer<Outcome>(['session/prompt'], ({ session, asked }, connection) => {
      const window = session && lacking.of(session).now?.replay.window;
      return session && !(window && asked.seq < window.answer)
        ? judge(session, connection)
        : undefined;
    }),
    onRequest([...RESTORES, 'session/close'], ({ session, from }, connection) =>
      session && from === 'client' ? judge(session, connection) : undefined,
    ),
    onQuiet((_, connection) => {
      const all = [...connection.sessions.values()].map((one) => judge(one, connection));
      return all.filter((one) => one !== undefined && one !== 'pass').flat();
    }),
  ];
}

/** Of the session that was restored, and of child sessions of which something came back. */
function missingInTree(
  { window, told }: Replay,
  connection: Connection,
  withLate: boolean,
): readonly { readonly of: Session; readonly missing: readonly MissingItem[] }[] {
  return [...window.branches.values()].flatMap(({ session: of }) => {
    const its = of === window.session ? told : toldIn(window, of);
    // Of a child that did not come back at all, the agent kept nothing.
    if (its.room === 0 || (of !== window.session && !hasHistory(its))) return [];
    const missing = missingFrom(window, of, connection, withLate);
    return missing.length > 0 ? [{ of, missing }] : [];
  });
}

/** Whether all that is known from before the restore came. */
function onMissing(judge: (missing: readonly MissingItem[], connection: Connection) => RuleFault) {
  return [
    onWhole((replay, connection) => {
      const { window, told, history } = replay;
      if (history.items.length === 0 || told.room === 0) return undefined;
      const tree = missingInTree(replay, connection, false);
      if (tree.length === 0) return 'pass';
      const isWhole = isRecordedWhole(window, connection);
      lacking.of(window.session).now = { replay, tree, isWhole };
      return undefined;
    }),
    ...onceSettled((session, connection) => {
      const held = lacking.of(session);
      if (held.now === undefined) return undefined;
      const { replay, tree, isWhole } = held.now;
      held.now = undefined;
      const { method } = replay.window;
      const seqs = isWhole ? replay.seqs : replay.seqs.slice(1);
      // What was said live since then was not due, so nothing is missing now that was there before.
      const now = missingInTree(replay, connection, true);
      const left = new Set(now.flatMap(({ missing }) => missing.map(({ item }) => item)));
      const faults = tree.flatMap(({ of, missing: then }): (RuleFault | Undecided)[] => {
        const missing = then.filter(({ item }) => left.has(item));
        if (missing.length === 0) return [];
        const sure = missing.filter(({ isRemark }) => !isRemark);
        const found = !isWhole
          ? IN_GAP
          : sure.length > 0
            ? { ...judge(sure, connection), ...(of === session ? {} : OF_A_CHILD) }
            : undecidable(
                `${missingWords(missing, connection)}: without ids, nobody can tell a remark of the moment from what the agent should keep`,
                'a recording of an agent that names its messages',
              );
        const cut = missing.flatMap((one) => one.cut?.seq ?? []);
        const at = [...new Set([...seqs, ...cut])].toSorted((a, b) => a - b);
        return [{ ...found, seqs: at, session: of.id, method }];
      });
      const sure = faults.filter((one) => one.verdict === 'fail');
      return sure.length > 0 ? sure : faults[0];
    }),
  ];
}

function hasHistory({ items }: WindowTold): boolean {
  return items.some(({ kind }) => isHistory(kind));
}

const userless = fact<Session, { now: Replay | undefined }>(() => ({ now: undefined }));

function hasUsers({ items }: WindowTold): boolean {
  return items.some(({ kind }) => kind === 'user');
}

function bareOnesOf({ items }: WindowTold): readonly WindowItem[] {
  return items.filter(({ kind, id }) => isMessageKind(kind) && id === undefined);
}

export const REPLAY = rulesOf({ side: 'agent' })({
  'replay/missing-history': {
    versions: [1],
    severity: 'error',
    clause: 'a load replays the entire conversation before its answer',
    on: onMissing((missing, connection) => {
      const grave = missing.filter((one) => one.grave);
      const rest = missing.filter((one) => !one.grave);
      return fail(missingWords([...grave, ...rest], connection), {
        ...(grave.length > 0 ? {} : { severity: 'warning' }),
      });
    }),
  },
  'replay/missing-history-v2': {
    versions: [2],
    severity: 'hint',
    clause:
      'a replay from the start holds all history that the agent retained; it need not retain all',
    on: onMissing((missing, connection) => fail(missingWords(missing, connection))),
  },
  'replay/empty': {
    severity: 'warning',
    clause: 'where history is asked for and there is some, some comes',
    on: onWhole(({ window, told, history, seqs }, connection) => {
      // Behind the marker some came: replay/complete-order.
      if (hasHistory(told) || window.late > 0) return 'pass';
      const known = history.items[0];
      if (known === undefined) return undefined;
      return (
        inGap(window, connection) ??
        fail(`nothing came, where ${historyItemWords(known, connection)} is known`, { seqs })
      );
    }),
  },
  'replay/message-id-missing': {
    severity: 'error',
    clause: 'every replayed message has its `messageId`',
    on: onAnswer(RESTORES, (step, { version }) => {
      const window = answeredWindow(step.session, step.asked.seq);
      if (window === undefined || step.result === undefined) return undefined;
      if (version === 2) {
        const nameless = toldInTree(window).flatMap(({ session: { id }, told }): RuleFault[] => {
          const seqs = bareOnesOf(told).map(({ first }) => first);
          if (seqs.length === 0) return [];
          const place = {
            pointer: '/params/update',
            seqs,
            session: id,
            method: 'session/update',
          };
          return [fail('a message without `messageId`', place)];
        });
        if (nameless.length > 0) return nameless;
      }
      const replay = replayOf(step);
      const messages = replay?.told.items.filter(({ kind }) => isMessageKind(kind)) ?? [];
      const bareOnes = replay ? bareOnesOf(replay.told) : [];
      if (bareOnes.length === 0) return messages.length > 0 ? 'pass' : undefined;
      // v1 makes none due; but an agent that has ids live should not lose them.
      const had = replay?.history.items.find(
        ({ kind, id, live }) => kind === 'agent' && live && id !== undefined,
      );
      if (had === undefined || bareOnes.length < messages.length) return undefined;
      return fail(`no message has an id, where ${quote(had.id)} had one as it came live`, {
        due: 'a replay names messages by the ids they had',
        seqs: bareOnes.map(({ first }) => first),
        method: 'session/update',
      });
    }),
  },
  'replay/message-id-unstable': {
    versions: [2],
    severity: 'error',
    clause: 'a prompt that is replayed keeps the id that its answer returned',
    on: onAnswer(RESTORES, (step, connection) => {
      const replay = replayOf(step);
      if (replay === undefined) return undefined;
      const { told, history } = replay;
      const strange = new Map(
        told.items
          .filter(({ kind, id }) => kind === 'user' && id !== undefined)
          .filter(({ id }) => history.byId.get(itemKey('user', id ?? ''))?.live !== true)
          .map((item) => [bare(item.text), item]),
      );
      const prompts = history.items.filter(({ prompt, id }) => prompt && id !== undefined);
      if (prompts.length === 0 || !hasHistory(told)) return undefined;
      const faults = prompts.flatMap((prompt): RuleFault[] => {
        if (told.byId.has(itemKey('user', prompt.id ?? ''))) return [];
        const other = strange.get(bare(prompt.text));
        if (other === undefined || bare(prompt.text) === '') return [];
        return [
          fail(
            `${quote(other.id)} for ${historyItemWords(prompt, connection)}, which was ${quote(prompt.id)}`,
            {
              pointer: '/params/update/messageId',
              seqs: [other.first],
              method: 'session/update',
            },
          ),
        ];
      });
      return faults.length > 0 ? faults : 'pass';
    }),
  },
  'replay/user-turns-missing': {
    severity: 'warning',
    clause: 'a replay holds what the user said, not only what the agent answered',
    on: [
      onWhole((replay) => {
        if (!replay.told.items.some(({ kind }) => kind === 'agent')) return undefined;
        if (hasUsers(replay.told)) return 'pass';
        userless.of(replay.window.session).now = replay;
        return undefined;
      }),
      ...onceSettled((session, connection) => {
        const held = userless.of(session);
        const { window, told, seqs } = held.now ?? {};
        held.now = undefined;
        // They came late: replay/after-response.
        if (!window || !told || !seqs || hasUsers(toldLate(window))) return undefined;
        const agents = told.items.filter(({ kind }) => kind === 'agent').length;
        const words = `${agents} of the agent’s messages and none of the user’s`;
        const { method } = window;
        return inGap(window, connection) ?? fail(words, { seqs, session: session.id, method });
      }),
    ],
  },
  'replay/open-tool': {
    severity: 'hint',
    clause: 'replayed tool calls have come to an end, unless they still run',
    on: onAnswer(RESTORES, ({ session, asked, result }) => {
      const window = result === undefined ? undefined : answeredWindow(session, asked.seq);
      if (window === undefined || !wantsAllHistory(window) || wasBusy(window)) return undefined;
      const tools = toldInTree(window).flatMap(({ session: { id: its }, told }) =>
        told.items.flatMap((item) => (item.kind === 'tool' ? { ...item, its } : [])),
      );
      if (tools.length === 0) return undefined;
      const open = tools.filter(
        ({ id, status }) =>
          (status === undefined || status === 'pending' || status === 'in_progress') &&
          !window.root.background.includes(id ?? ''),
      );
      if (open.length === 0) return 'pass';
      return open.map(({ id, status, title, first, its }) =>
        fail(`the tool call ${quote(title ?? id)} is left ${status ?? 'pending'}`, {
          seqs: [first],
          session: its,
          method: 'session/update',
        }),
      );
    }),
  },
});
