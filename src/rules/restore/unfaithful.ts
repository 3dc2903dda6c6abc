// What a replay says of what was said live, and was never so. The codes are those of the fidelity
// report: what that calls corrupt of a status or a text is a finding.
import { RESTORES, type Version } from '../../acp/methods.ts';
import { bare, LONGEST } from '../../model/facts/message-text.ts';
import { isWhole } from '../../model/facts/restore.ts';
import {
  JUDGED,
  judgeText,
  judgeWord,
  statusInV1,
  type Ending,
  type ReplayCode,
} from '../../model/replay/judge.ts';
import { syntheticText } from '../../model/replay/texts.ts';
import { onAnswer } from '../listen.ts';
import { fail, type Fault, type Outcome, quote, type Rule } from '../rule.ts';
import { itemKey, type History, type HistoryItem } from './history-facts.ts';
import { itemWords, short } from './replay-compare.ts';
import { replayOf } from './replay.ts';
import { wasBusy, type WindowItem } from './window-facts.ts';

/** How the live turn of an item ended, as far as the traces tell. */
function endingOf({ turn }: HistoryItem): Ending {
  return { cut: turn.end === 'open', cancelled: turn.end === 'cancelled' };
}

/** What is worth a finding of what a replay says of an item that was said live. */
function corruptIn(
  item: WindowItem,
  known: HistoryItem,
  history: History,
  version: Version | undefined,
): string | undefined {
  const ending = endingOf(known);
  const said = {
    isRefused: history.refused.has(known.id ?? ''),
    word: (field: string, word: string) =>
      field === 'status' ? known.statuses.has(word) : known.titles.has(bare(word)),
    // What else a tool call said is not kept: its title may come from there.
    text: () => known.kind === 'tool',
  };
  const worth = (code: ReplayCode | undefined) => code !== undefined && JUDGED[code] === 'corrupt';
  if (known.kind === 'tool') {
    const isOther = known.version !== version;
    const [was, is] = [known.status ?? 'pending', item.status ?? 'pending'].map((status) =>
      isOther ? statusInV1(status) : status,
    );
    const code = judgeWord('status', was ?? '', is ?? '', ending, () => said);
    if (worth(code)) {
      const why = code === 'refused' ? ', and asked for a permission that nobody gave' : '';
      return `is ${is}; it was ${was}${why}`;
    }
    const [title, again] = [known.title, item.title];
    if (title === undefined || again === undefined) return undefined;
    return worth(judgeText('title', title, again, ending, () => said))
      ? `is called ${quote(again)}, which it never was`
      : undefined;
  }
  // A prompt may be shown in other words, and of a text that is not kept whole nothing is known.
  if (known.kind === 'user' || known.text.length >= LONGEST || history.room <= 0) return undefined;
  const code = judgeText('text', known.text, item.text, ending, () => said);
  if (!worth(code)) return undefined;
  return code === 'more' ? 'says more than it said live' : 'says what it never said live';
}

/** What an agent told its model, or says by itself, in the name of the user. */
function inNameOfUser({ kind, text }: WindowItem, { items }: History): boolean {
  const made = kind === 'user' ? syntheticText(kind, text) : undefined;
  if (made === undefined || made.isFiller || !items.some(({ live }) => live)) return false;
  const said = bare(text);
  if (items.some((item) => item.kind === 'user' && item.live && bare(item.text) === said))
    return false;
  return !made.saysInterrupted || !items.some(({ turn }) => turn.end === 'cancelled');
}

export const UNFAITHFUL: Rule = {
  id: 'replay/unfaithful',
  versions: [1, 2],
  side: 'agent',
  severity: 'warning',
  clause: 'what a replay says was so: it says nothing of a message or tool call that never was',
  on: [
    onAnswer<Outcome>(RESTORES, (step, connection) => {
      const replay = replayOf(step);
      if (replay === undefined || wasBusy(replay.window) || replay.told.room === 0)
        return undefined;
      const { told, history } = replay;
      let compared = false;
      const faults = told.items.flatMap((item): Fault[] => {
        const { kind, id, first } = item;
        if (inNameOfUser(item, history))
          return [
            fail(`${quote(short(item.text))} in the name of the user, who never said it`, {
              seqs: [first],
              method: 'session/update',
            }),
          ];
        const known = id === undefined ? undefined : history.byId.get(itemKey(kind, id));
        if (known?.live !== true) return [];
        compared = true;
        const words = corruptIn(item, known, history, connection.version);
        if (words === undefined) return [];
        return [
          fail(`${itemWords(known, connection)} ${words}`, {
            ...(isWhole(replay.window) && connection.version === 1 && { severity: 'error' }),
            seqs: [first],
            method: 'session/update',
          }),
        ];
      });
      return faults.length > 0 ? faults : compared ? 'pass' : undefined;
    }),
  ],
};
