// The content of one frame in its session: the items that the frame made or changed, as they were after it.
import type { ContentPart, ConversationItem, TerminalView } from '../sessions/conversation-view.ts';
import { defined } from '../../lib/defined.ts';
import { itemNamed } from './items.ts';
import { itemView, withLater } from './look.ts';
import { patchOf, touchedItems, type PatchLine } from './patch.ts';
import type { SessionState } from './state.ts';

export interface FrameContent {
  /** A message has only the parts that came with this frame. */
  readonly items: readonly ConversationItem[];
  /** Terminals that these tool calls show. */
  readonly terminals: readonly TerminalView[];
  readonly changes: readonly PatchLine[];
}

/** Items of one frame that are shown; an end of a connection may change all of them. */
const MAX_ITEMS = 4;
/** Bytes of a terminal's output. */
const MAX_OUTPUT = 64 * 1024;

/** `before` and `after`: the states around the frame. `live`: the newest state. */
export function frameContent(
  before: SessionState,
  after: SessionState,
  live: SessionState,
): FrameContent {
  const items = touchedItems(before, after)
    .slice(0, MAX_ITEMS)
    .flatMap((key) => {
      const item = itemNamed(after, key);
      return item ? [withLater(saidBy(itemNamed(before, key), item), live)] : [];
    });
  const shown = new Set(
    items.flatMap((item) =>
      item.type === 'tool'
        ? item.parts.map((part) => (part.type === 'terminal' ? part.terminalId : undefined))
        : [],
    ),
  );
  const { list } = after.terminals;
  const terminals = list
    .slice(0, list.length)
    .filter(({ terminalId }) => shown.has(terminalId))
    .map(({ terminalId, command, exit, output, last }) => ({
      ...{ terminalId, last, output: output.bytes(MAX_OUTPUT) },
      ...defined({ command, exit }),
    }));
  return { items, terminals, changes: patchOf(before, after) };
}

type StateItem = Parameters<typeof itemView>[0];

function saidBy(before: StateItem | undefined, after: StateItem): ConversationItem {
  const item = itemView(after);
  if (item.type !== 'message' || before?.body.type !== 'message') return item;
  return { ...item, parts: addedParts(before.body.parts, item.parts) };
}

/** The end of `now` that continues `before`; all of `now` if it does not continue `before`. */
function addedParts(
  before: readonly ContentPart[],
  now: readonly ContentPart[],
): readonly ContentPart[] {
  const at = before.length - 1;
  const [then, grown] = [before[at], now[at]];
  if (then === undefined || before.some((part, i) => i < at && part !== now[i])) return now;
  if (then === grown) return now.length > before.length ? now.slice(before.length) : now;
  if (then.type !== 'text' || grown?.type !== 'text' || !grown.text.startsWith(then.text))
    return now;
  return [{ type: 'text', text: grown.text.slice(then.text.length) }, ...now.slice(before.length)];
}
