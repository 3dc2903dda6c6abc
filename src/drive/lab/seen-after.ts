// What the connections after a cut say of one session: the tool calls, terminals, requests and states
// that show up again, each with its frame.
import { get, isObject, obj, str } from '../../acp/json.ts';
import type { JsonObject, Message } from '../../acp/message.ts';
import { isFinal, updateOf } from '../../acp/update.ts';
import { FLAG } from '../../model/columns.ts';
import { backgroundOf } from '../../model/facts/activity.ts';
import { messageOf, saidBy } from '../../model/timeline/digest.ts';
import { isHistory, itemKindOf } from '../../model/facts/variants.ts';
import { textAfter } from '../../model/facts/message-text.ts';
import { oneLine } from '../../model/words.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

export interface LabFrame {
  readonly connection: ConnectionId;
  readonly seq: Seq;
}

export interface SeenAgain {
  /** A terminal that has not ended is `running`. */
  readonly status: string;
  readonly isOver: boolean;
  readonly frame: LabFrame;
}

export interface SeenAfter {
  restored: boolean;
  /** The first replayed message or tool call: from then on, what is missing is missing. */
  replay: LabFrame | undefined;
  /** A message or a tool call after the restore that no prompt asked for and that is no replay. */
  live: LabFrame | undefined;
  /** v2: what was last told before the next prompt. */
  state: { readonly state: string; readonly frame: LabFrame } | undefined;
  background: { readonly ids: ReadonlySet<string>; readonly frame: LabFrame } | undefined;
  readonly tools: Map<string, SeenAgain>;
  readonly terminals: Map<string, SeenAgain>;
  readonly requests: {
    readonly method: string;
    readonly toolCallId: string | undefined;
    readonly frame: LabFrame;
  }[];
  readonly userTexts: { said: string; readonly frame: LabFrame }[];
  prompt: { readonly answer: 'yes' | 'no' | 'not asked'; readonly frame: LabFrame | undefined };
}

/** Up to the next prompt: what follows it may be its doing. */
export function seenAfter(sources: readonly IndexedTrace[], sessionId: string): SeenAfter {
  const seen: SeenAfter = {
    restored: false,
    replay: undefined,
    live: undefined,
    state: undefined,
    background: undefined,
    tools: new Map(),
    terminals: new Map(),
    requests: [],
    userTexts: [],
    prompt: { answer: 'not asked', frame: undefined },
  };
  for (const source of sources) if (!look(source, sessionId, seen)) break;
  return seen;
}

/** False once the session was prompted. */
function look(source: IndexedTrace, sessionId: string, seen: SeenAfter): boolean {
  const { index, eventAt, connection } = source;
  const { columns } = index;
  for (let place = 0; place < index.length; place++) {
    if (index.session(place)?.sessionId !== sessionId) continue;
    const event = eventAt(place);
    if (event.type !== 'frame') continue;
    const message = messageOf(event);
    const frame = { connection, seq: event.seq };
    const name = columns.nameOf(place);
    if (message.kind === 'success' && (name === 'session/load' || name === 'session/resume'))
      seen.restored = true;
    if (message.kind === 'request' && event.from === 'client' && name === 'session/prompt') {
      seen.prompt = { answer: answerTo(source, place), frame };
      return false;
    }
    if (event.from !== 'agent') continue;
    if (message.kind === 'request') asked(seen, message, frame);
    if (message.kind !== 'notification') continue;
    const found = updateOf(message.params);
    if (!found) continue;
    const isReplay = columns.has(place, FLAG.replay) || columns.has(place, FLAG.late);
    if (isHistory(itemKindOf(found.variant))) {
      if (isReplay) seen.replay ??= frame;
      else seen.live ??= frame;
    }
    told(seen, found.variant, found.update, frame);
  }
  return true;
}

/** A turn that only began counts: the agent took the prompt. */
function answerTo({ index, eventAt }: IndexedTrace, place: number): SeenAfter['prompt']['answer'] {
  const partner = index.columns.partnerOf(place);
  const answer = partner === undefined ? undefined : saidBy(eventAt(partner));
  return answer?.kind === 'success' ? 'yes' : 'no';
}

function asked(
  seen: SeenAfter,
  { method, params }: Message & { kind: 'request' },
  frame: LabFrame,
) {
  const tool = obj(params, 'toolCall') ?? obj(obj(params, 'subject'), 'toolCall');
  seen.requests.push({ method, toolCallId: str(tool, 'toolCallId'), frame });
}

function told(seen: SeenAfter, variant: string, update: JsonObject, frame: LabFrame): void {
  const toolCallId = str(update, 'toolCallId');
  const terminalId = str(update, 'terminalId');
  switch (variant) {
    case 'tool_call':
    case 'tool_call_update': {
      if (toolCallId === undefined) return;
      const known = seen.tools.get(toolCallId);
      const status = str(update, 'status') ?? known?.status ?? 'pending';
      seen.tools.set(toolCallId, { status, isOver: isFinal(status), frame });
      return;
    }
    case 'terminal_update': {
      if (terminalId === undefined) return;
      const isOver = isObject(get(update, 'exitStatus'));
      seen.terminals.set(terminalId, { status: isOver ? 'ended' : 'running', isOver, frame });
      return;
    }
    case 'state_update': {
      const state = str(update, 'state');
      if (state !== undefined) seen.state = { state, frame };
      const listed = backgroundOf(update);
      if (listed) seen.background = { ids: new Set(listed), frame };
      return;
    }
    case 'user_message':
    case 'user_message_chunk': {
      const text = oneLine(textAfter('', variant, update), 1000);
      const last = seen.userTexts.at(-1);
      if (variant === 'user_message_chunk' && last && last.frame.seq === frame.seq - 1)
        last.said += text;
      else seen.userTexts.push({ said: text, frame });
      return;
    }
  }
}
