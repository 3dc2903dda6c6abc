// Single frames of a history replay: what has no place in one, and what comes too late for it. Family
// `replay` of the catalogue.
import { get, isArray, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { chunkText } from '../../acp/update.ts';
import { RESTORES } from '../../acp/methods.ts';
import { isMessageKind } from '../../model/facts/variants.ts';
import { type RestoreWindow, type Session, fact } from '../connection.ts';
import { histories, itemKey, type HistoryItem } from './history-facts.ts';
import { isChild } from '../children/child-facts.ts';
import { onAnswer, onRequest, onUpdate, onEndOfEach } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import { bare, blocksText } from '../../model/facts/message-text.ts';
import { EXTRA, judgeExtra, mayGoOn, OVER, UNTOLD } from '../../model/replay/judge.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
  type Fold,
} from '../rule.ts';
import { historyItemWords, knownAs, short } from './replay-compare.ts';
import { untrueIn } from './sides.ts';
import { childrenOf } from './untrue.ts';
import { syntheticText } from '../../model/replay/texts.ts';
import { whyWords } from '../../model/replay/compare-fields.ts';
import { turnOf } from '../turns/turn-facts.ts';
import type { Seq } from '../../trace/event.ts';
import {
  answeredWindow,
  isRecordedWhole,
  toldIn,
  toldInTree,
  wasBusy,
  windowOf,
  type WindowItem,
  type WindowTold,
} from './window-facts.ts';

const MESSAGES = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'user_message',
  'agent_message',
  'agent_thought',
] as const;
/** Between sessions. */
const BETWEEN = ['session_message', 'session_message_chunk'] as const;
const TOOLS = ['tool_call', 'tool_call_update'] as const;

export function replayedText(variant: string, update: JsonObject): string {
  return variant.endsWith('_chunk') ? (chunkText(update) ?? '') : blocksText(update, 'content');
}

/** User messages that nobody seems to have sent, while a prompt waits for the answer that may name them. */
const unsent = fact<Session, Map<string, { readonly window: RestoreWindow; readonly seqs: Seq[] }>>(
  () => new Map(),
);

const nobodySent = ({ seq }: RestoreWindow, more: Partial<RuleFault> = {}) =>
  fail(`a user message that nobody sent, after #${seq} was answered`, {
    ...more,
    severity: 'warning',
  });

/** Those that no answer named. */
function stillUnsent(session: Session, named?: string): RuleFault[] {
  const held = unsent.of(session);
  const all = [...held].filter(([id]) => id !== named);
  held.clear();
  return all.map(([, { window, seqs }]) =>
    nobodySent(window, { seqs, session: session.id, method: 'session/update' }),
  );
}

function keepLate(step: UpdateStep): void {
  const { late, window, session, item: kind, itemId: id } = step;
  if (!late || window === undefined || kind !== 'user' || id === undefined) return;
  const held = unsent.of(session);
  const one = held.get(id);
  if (one) return void one.seqs.push(step.seq);
  const text = replayedText(step.variant, step.update);
  const known = knownAs(histories.of(session.stored), kind, id, text);
  if (known === undefined && turnOf.of(session).open.length > 0)
    held.set(id, { window, seqs: [step.seq] });
}

export const lateFold: Fold = [onUpdate('all', keepLate)];

/**
 * What a window has told of a session of its tree before the frame, which asked for history and is at
 * rest: all is replay.
 */
function replaying({ session, replay, window }: UpdateStep): WindowTold | undefined {
  if (!replay || window?.allowed !== true || window.method === 'session/fork') return undefined;
  if (window.outcome !== 'open' || wasBusy(window)) return undefined;
  return toldIn(window, session);
}

const INTERACTIVE = [
  'session/request_permission',
  'elicitation/create',
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/create',
] as const;

function atRest(session: Session | undefined): RestoreWindow | undefined {
  const open = session && windowOf(session);
  return open && wasBusy(open) ? undefined : open;
}

/** It was told first behind the end of this window. */
function isBehind({ live, where }: HistoryItem, { answer, session }: RestoreWindow): boolean {
  return !live && where.connection === session.connection.id && where.seq > answer;
}

/** Shorter texts may well be said twice. */
const TELLING = 40;

export const REPLAY_FRAMES = rulesOf({ side: 'agent' })({
  'replay/after-response': {
    severity: 'error',
    clause: 'all history comes before the answer to the restore',
    on: [
      // What came in time; a later frame may still be late.
      onAnswer(RESTORES, ({ session, asked, result }) => {
        const window = result === undefined ? undefined : answeredWindow(session, asked.seq);
        return window && toldIn(window).messageSeqs.length > 0 ? 'pass' : undefined;
      }),
      onUpdate([...MESSAGES, ...BETWEEN, ...TOOLS], (step, connection): Outcome => {
        const { late, window, session, item: kind, itemId: id, variant, update } = step;
        if (!late || window === undefined || kind === undefined) return undefined;
        // Nothing says that a fork must replay, or when.
        if (window.method === 'session/fork') return undefined;
        // Before the answer it came after the marker: replay/complete-order.
        if (window.outcome === 'open') return undefined;
        if (id !== undefined && session.activity.background?.includes(id)) return undefined;
        if (kind === 'user' && id !== undefined && unsent.of(session).has(id)) return undefined;
        const history = histories.of(session.stored);
        const text = replayedText(variant, update);
        const known = knownAs(history, kind, id, text);
        // More of what itself came behind the answer tells nothing of before.
        const isBefore = known !== undefined && !isBehind(known, window);
        if (isBefore && !mayGoOn(kind, known.final)) {
          const late = `${historyItemWords(known, connection)} after #${window.seq} was answered`;
          const [untrue] = untrueIn(step, known, history, connection);
          return fail(untrue ? `${late}; its ${untrue.field} ${whyWords(untrue)}` : late);
        }
        // What an agent puts into a history by itself is none of its work.
        if (kind !== 'user' && syntheticText(kind, text) !== undefined) {
          const children = () => childrenOf(window.branches.get(session), window, connection);
          const said = { kind, text, isEmpty: false };
          const { verdict, why } = EXTRA[judgeExtra(said, OVER, children, false)];
          const told = `the ${kind} ${quote(short(text))} after #${window.seq} was answered`;
          return fail(verdict === 'corrupt' ? `${told}: ${why}` : told);
        }
        // What a child has done meanwhile: child/reannounce asks whether it may say so.
        if (isChild(session)) return undefined;
        if (kind === 'user')
          return id !== undefined && turnOf.of(session).open.length > 0
            ? undefined
            : nobodySent(window);
        return undecidable(
          `\`${variant}\` while nothing runs: ${UNTOLD.late}`,
          'a recording of the session from before the restore, checked together with this one',
        );
      }),
      onAnswer(['session/prompt'], ({ session, result }) =>
        session ? judged(stillUnsent(session, str(result, 'messageId'))) : undefined,
      ),
      onEndOfEach((session) => stillUnsent(session)),
    ],
  },
  'replay/chunks-without-reset': {
    versions: [2],
    severity: 'error',
    clause:
      'a message that a replay rebuilds from chunks begins with an update of it that has `content: []`',
    on: onUpdate(MESSAGES, (step, connection) => {
      const { item: kind, itemId: id, variant, window } = step;
      if (kind === undefined || id === undefined) return undefined;
      const told = replaying(step);
      if (window === undefined || !isRecordedWhole(window, connection)) return undefined;
      if (told === undefined || told.byId.has(itemKey(kind, id))) return undefined;
      if (!variant.endsWith('_chunk')) return 'pass';
      return fail(`\`${variant}\` is the first of ${quote(id)}`, '/params/update');
    }),
  },
  'replay/notice': {
    severity: 'warning',
    clause: 'a notice is told once, and is no part of a replay',
    on: onUpdate(['notice'], (step) => {
      const title = str(step.update, 'title');
      if (replaying(step) === undefined || title === undefined) return undefined;
      if (!histories.of(step.session.stored).notices.has(title)) return 'pass';
      return fail(`the notice ${quote(title)} is told again`, '/params/update/title');
    }),
  },
  'replay/compaction-transient': {
    versions: [2],
    severity: 'warning',
    clause: 'a compaction is replayed as one update with its whole summary',
    on: onUpdate(['compaction_update', 'compaction_summary_chunk'], (step) => {
      if (replaying(step) === undefined) return undefined;
      if (step.variant === 'compaction_summary_chunk')
        return fail('a chunk of a summary', '/params/update');
      if (str(step.update, 'status') !== 'in_progress') return 'pass';
      return fail('a compaction in progress', '/params/update/status');
    }),
  },
  'replay/interactive-request': {
    severity: 'warning',
    clause: 'a replay is told in notifications; nothing is asked of the client for what is past',
    on: [
      onRequest(INTERACTIVE, ({ session, method, from }) => {
        const window = from === 'agent' ? atRest(session) : undefined;
        if (window === undefined) return undefined;
        // Files may be read, and people asked, to set the session up again.
        const setsUp = method !== 'session/request_permission';
        return fail(`\`${method}\` while \`${window.method}\` (#${window.seq}) is open`, {
          ...(setsUp ? { severity: 'hint' as const } : {}),
        });
      }),
      onAnswer(RESTORES, ({ result }) => (result === undefined ? undefined : 'pass')),
    ],
  },
  'replay/message-id-collision': {
    versions: [2],
    severity: 'error',
    clause: 'two messages of a replay do not share an id',
    on: [
      onUpdate(['user_message', 'agent_message', 'agent_thought'], (step) => {
        const { item: kind, itemId: id, update, variant } = step;
        const told = replaying(step);
        if (kind === undefined || id === undefined || told === undefined) return undefined;
        const before = told.byId.get(itemKey(kind, id));
        if (before === undefined) return 'pass';
        const [was, is] = [bare(before.text), bare(replayedText(variant, update))];
        if (!before.closed || was === '' || is === '' || was.includes(is) || is.includes(was))
          return undefined;
        return fail(`${quote(id)} again, which was another message in #${before.first}`, {
          pointer: '/params/update/messageId',
          seqs: [before.first, step.seq],
        });
      }),
      // In chunks after an empty one.
      onAnswer(['session/resume'], ({ session, asked }) => {
        const window = answeredWindow(session, asked.seq);
        if (window === undefined || wasBusy(window)) return undefined;
        return toldInTree(window).flatMap(({ session: { id: its }, told }) =>
          told.items.flatMap(({ id, first, text, emptied }): RuleFault[] => {
            if (emptied === undefined || emptied.isWhole) return [];
            const [was, is] = [bare(emptied.text), bare(text)];
            if (is === '' || was.includes(is) || is.includes(was)) return [];
            return [
              fail(`${quote(id)} again, which was another message in #${first}`, {
                pointer: '/params/update/messageId',
                seqs: [first, emptied.seq],
                session: its,
                method: 'session/update',
              }),
            ];
          }),
        );
      }),
    ],
  },
  'replay/duplicate': {
    severity: 'warning',
    clause: 'a replay tells each message and tool call once',
    on: [
      onUpdate([...MESSAGES, 'tool_call'], (step) => {
        const { item: kind, itemId: id, variant, update, seq } = step;
        const told = replaying(step);
        if (kind === undefined || told === undefined) return undefined;
        const again = (first: typeof seq) =>
          fail(`#${first} is told again`, { seqs: [first, seq], pointer: '/params/update' });
        if (variant === 'tool_call') {
          const before = id === undefined ? undefined : told.byId.get(itemKey('tool', id));
          return before === undefined ? 'pass' : again(before.first);
        }
        const text = bare(replayedText(variant, update));
        if (variant.endsWith('_chunk')) {
          const last = told.items.at(-1);
          const same = last?.kind === kind && last.id === id && isMessageKind(kind);
          return same && text.length >= TELLING && bare(last.text) === text
            ? again(last.first)
            : 'pass';
        }
        const before = id === undefined ? undefined : told.byId.get(itemKey(kind, id));
        if (before === undefined || !isArray(get(update, 'content'))) return 'pass';
        return text !== '' && bare(before.text) === text ? again(before.first) : 'pass';
      }),
      // In chunks, whose whole text only the answer shows.
      onAnswer(RESTORES, ({ session, asked }) => {
        const window = answeredWindow(session, asked.seq);
        if (window?.allowed !== true || wasBusy(window)) return undefined;
        return toldInTree(window).flatMap(({ session: { id: its }, told }) =>
          told.items.flatMap((item): RuleFault[] => {
            const [first, again] = toldAgain(item, told) ?? [];
            if (first === undefined || again === undefined) return [];
            const at = { session: its, method: 'session/update', pointer: '/params/update' };
            return [fail(`#${first} is told again`, { seqs: [first, again], ...at })];
          }),
        );
      }),
    ],
  },
});

/** Where a message was told first, and where again: under its id, after something else. */
function toldAgain(item: WindowItem, { byId }: WindowTold): readonly [Seq, Seq] | undefined {
  const { kind, id, first, emptied } = item;
  const text = bare(item.text);
  if (id === undefined || text === '' || !isMessageKind(kind)) return undefined;
  if (emptied !== undefined)
    return !emptied.isWhole && bare(emptied.text) === text ? [first, emptied.seq] : undefined;
  const before = byId.get(itemKey(kind, id));
  return before !== undefined && before !== item && bare(before.text) === text
    ? [before.first, first]
    : undefined;
}
