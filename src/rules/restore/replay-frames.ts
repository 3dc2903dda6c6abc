// Single frames of a history replay: what has no place in one, and what comes too late for it. Family
// `replay` of the catalogue.
import { get, isArray, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { chunkText } from '../../acp/update.ts';
import { RESTORES } from '../../acp/methods.ts';
import { bare, blocksText } from '../../model/facts/message-text.ts';
import { isMessageKind } from '../../model/facts/variants.ts';
import type { Seq } from '../../trace/event.ts';
import { type RestoreWindow, type Session, type SessionAtAgent, fact } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import { rulesOf, fail, type RuleFault, quote, type Fold } from '../rule.ts';
import type { UpdateStep } from '../steps.ts';
import { replayRule } from './compared.ts';
import {
  answeredWindow,
  itemKey,
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

function replayedText(variant: string, update: JsonObject): string {
  return variant.endsWith('_chunk') ? (chunkText(update) ?? '') : blocksText(update, 'content');
}

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

/** Titles of the notices that a session got live. */
const notices = fact<SessionAtAgent, Set<string>>(() => new Set());
const MAX_NOTICES = 1000;

export const noticeFold: Fold = [
  onUpdate(['notice'], ({ session, update, window }) => {
    const known = notices.of(session.stored);
    const title = str(update, 'title');
    if (title !== undefined && window === undefined && known.size < MAX_NOTICES) known.add(title);
  }),
];

/** Shorter texts may well be said twice. */
const TELLING = 40;

export const REPLAY_FRAMES = rulesOf({ side: 'agent' })({
  'replay/chunks-without-reset': {
    versions: [2],
    ...replayRule('replay/chunks-without-reset'),
    clause:
      'a message that a replay rebuilds from chunks begins with an update of it that has `content: []`',
  },
  'replay/notice': {
    severity: 'warning',
    clause: 'a notice is told once, and is no part of a replay',
    on: onUpdate(['notice'], (step) => {
      const title = str(step.update, 'title');
      if (replaying(step) === undefined || title === undefined) return undefined;
      if (!notices.of(step.session.stored).has(title)) return 'pass';
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
