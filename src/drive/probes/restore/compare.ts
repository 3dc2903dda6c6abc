// Two ways in which the saved session was seen, held against each other: live and replayed, replayed
// twice, restored in two ways.
import { str } from '../../../acp/json.ts';
import { itemIdOf, itemKindOf } from '../../../model/facts/variants.ts';
import { saidText, type SeenUpdate } from '../../turn.ts';
import { isMessage, messagesOf, type Saved } from './restored.ts';
import { quoted } from '../probe.ts';

export interface TextFault {
  /** A sentence. */
  readonly why: string;
  /** It did not come back, or without the word it is about. */
  readonly isGone: boolean;
}

/** What of the saved turn a replay lacks; none: it is all there. */
export function missingText(
  { prompt, marker, turn }: Saved,
  replayed: readonly SeenUpdate[],
): readonly TextFault[] {
  const user = plain(saidText(replayed, 'user'));
  const agent = plain(saidText(replayed, 'agent'));
  const live = plain(turn.text);
  const faults: TextFault[] = [];
  if (user === '') faults.push({ why: 'The user message is missing.', isGone: true });
  else if (!user.includes(plain(prompt)))
    faults.push({ why: `The user message differs: ${quoted(user)}.`, isGone: false });
  // Agents put one-off remarks into message chunks and do not replay them: the answer counts.
  const isAnswer = live.includes(marker);
  if (agent === '' && live !== '')
    faults.push({ why: 'The agent’s message is missing.', isGone: true });
  else if (!agent.includes(isAnswer ? marker : live))
    faults.push({
      why: `The agent’s message differs: live ${quoted(live)}, replayed ${quoted(agent)}.`,
      isGone: isAnswer,
    });
  return faults;
}

/** How two replays of one history differ, as sentences. */
export function replayDifferences(
  one: readonly SeenUpdate[],
  two: readonly SeenUpdate[],
): string[] {
  const [first, second] = [itemsOf(one), itemsOf(two)];
  // Where other items come, other ids say nothing.
  const isRenamed = isSameKinds(first, second) && first.some(({ id }, i) => id !== second[i]?.id);
  return [
    ...contentDifferences(one, two),
    ...(isRenamed ? ['The ids of messages or tool calls are others.'] : []),
  ];
}

/** The same but for ids, which an agent may make anew for each replay. */
export function contentDifferences(
  one: readonly SeenUpdate[],
  two: readonly SeenUpdate[],
): string[] {
  const faults: string[] = [];
  for (const who of ['user', 'agent'] as const)
    if (saidText(one, who) !== saidText(two, who))
      faults.push(`The text of the ${who === 'user' ? 'user’s' : 'agent’s'} messages differs.`);
  if (!isSameKinds(itemsOf(one), itemsOf(two)))
    faults.push('Messages and tool calls come in another order, or other ones come.');
  return faults;
}

type Items = ReturnType<typeof itemsOf>;

function isSameKinds(one: Items, two: Items): boolean {
  return one.length === two.length && one.every(({ kind }, i) => kind === two[i]?.kind);
}

function itemsOf(updates: readonly SeenUpdate[]): { kind: string; id: string | undefined }[] {
  const items: { kind: string; id: string | undefined }[] = messagesOf(updates).map(
    ({ kind, id }) => ({ kind, id }),
  );
  const tools = new Set<string>();
  for (const { variant, update } of updates) {
    if (itemKindOf(variant) !== 'tool') continue;
    const id = itemIdOf(variant, update) ?? '';
    if (!tools.has(id)) items.push({ kind: 'tool', id });
    tools.add(id);
  }
  return items;
}

/** Messages without an id, by their variants. */
export function withoutId(updates: readonly SeenUpdate[]): readonly SeenUpdate[] {
  return updates.filter((seen) => isMessage(seen) && str(seen.update, 'messageId') === undefined);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
