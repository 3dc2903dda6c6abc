// What a history replay must hold. The comparison with the live session (model/fidelity) decides most
// of these rules; the others judge the replay alone. Family `replay` of the catalogue.
import { REPLAY_SEVERITY } from '../../model/replay/faults.ts';
import { RESTORES } from '../../acp/methods.ts';
import { wantsAllHistory } from '../../model/facts/restore.ts';
import { isMessageKind } from '../../model/facts/variants.ts';
import { onAnswer } from '../listen.ts';
import { rulesOf, fail, judged, type RuleFault, quote } from '../rule.ts';
import { byComparison, replayRule } from './compared.ts';
import { answeredWindow, toldInTree, wasBusy } from './window-facts.ts';

export const REPLAY = rulesOf({ side: 'agent' })({
  'replay/missing-history': {
    versions: [1],
    ...replayRule('replay/missing-history'),
    clause: 'a load replays the entire conversation before its answer',
  },
  'replay/missing-history-v2': {
    versions: [2],
    ...replayRule('replay/missing-history-v2'),
    clause:
      'a replay from the start holds all history that the agent retained; it need not retain all',
  },
  'replay/empty': {
    ...replayRule('replay/empty'),
    clause: 'where history is asked for and there is some, some comes',
  },
  'replay/message-id-missing': {
    severity: REPLAY_SEVERITY['replay/message-id-missing'],
    clause: 'every replayed message has its `messageId`',
    on: [
      onAnswer(RESTORES, ({ session, asked, result }, { version }) => {
        const window = answeredWindow(session, asked.seq);
        if (window === undefined || result === undefined || version !== 2) return undefined;
        const all = toldInTree(window);
        if (!all.some(({ told }) => told.items.some(({ kind }) => isMessageKind(kind))))
          return undefined;
        return judged(
          all.flatMap(({ session: { id }, told }): RuleFault[] => {
            const bareOnes = told.items.filter(
              (item) => isMessageKind(item.kind) && item.id === undefined,
            );
            if (bareOnes.length === 0) return [];
            const seqs = bareOnes.map(({ first }) => first);
            const place = { pointer: '/params/update', seqs, session: id };
            return [fail('a message without `messageId`', { ...place, method: 'session/update' })];
          }),
        );
      }),
      // v1 requires no ids; but an agent that has ids live should not lose them.
      byComparison('replay/message-id-missing'),
    ],
  },
  'replay/message-id-unstable': {
    versions: [2],
    ...replayRule('replay/message-id-unstable'),
    clause: 'a prompt that is replayed keeps the id that its answer returned',
  },
  'replay/user-turns-missing': {
    ...replayRule('replay/user-turns-missing'),
    clause: 'a replay holds what the user said, not only what the agent answered',
  },
  'replay/order': {
    ...replayRule('replay/order'),
    clause: 'a replay keeps the order of the conversation',
  },
  'replay/unfaithful': {
    ...replayRule('replay/unfaithful'),
    clause: 'what a replay says was so: it says nothing of a message or tool call that never was',
  },
  'replay/after-response': {
    ...replayRule('replay/after-response'),
    clause: 'all history comes before the answer to the restore',
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
          !window.root.background.some((work) => work.id === id),
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
