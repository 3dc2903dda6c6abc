// Conversations made up by fast-check, said twice: as an agent says them live, in chunks, and as it
// replays them to a client that restores the session. Both versions.
import fc from 'fast-check';
import type { Json, JsonObject } from '../../acp/message.ts';
import { toBase64 } from '../../lib/utf8.ts';
import { millis } from '../../lib/time.ts';
import { seq, type Frame, type Side } from '../../trace/event.ts';

interface Said {
  readonly type: 'agent' | 'thought';
  readonly pieces: readonly string[];
}
interface Used {
  readonly type: 'tool';
  readonly title: string;
  readonly kind: string;
  readonly statuses: readonly string[];
  readonly output: string;
  /** v2: bytes of a terminal, cut anywhere. */
  readonly bytes: readonly Uint8Array[];
}
/** Between sessions (unstable), with the child session that it goes to. */
interface Sent {
  readonly type: 'peer';
  readonly pieces: readonly string[];
  readonly states: readonly string[];
  readonly title: string | null;
  /** v2: patches of `_meta`, key by key. */
  readonly metas: readonly JsonObject[];
}
interface Planned {
  readonly type: 'plan';
  readonly statuses: readonly string[];
}
type Part = Said | Used | Planned | Sent;

interface Turn {
  readonly prompt: string;
  readonly parts: readonly Part[];
  /** Which part goes on next (v2), where several are under way. */
  readonly order: readonly number[];
  readonly title: string | undefined;
}
export interface MadeUp {
  readonly turns: readonly Turn[];
  /** v1: whether messages have ids. */
  readonly ids: boolean;
  /** v2: whether a replay says messages in chunks, after an upsert that empties them. */
  readonly inChunks: boolean;
}

const text = fc.string({ minLength: 1, maxLength: 12 });
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    type: fc.constantFrom('agent' as const, 'thought' as const),
    pieces: fc.array(text, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant('tool' as const),
    title: text,
    kind: fc.constantFrom('read', 'edit', 'execute'),
    statuses: fc.subarray(['in_progress', 'completed', 'failed']),
    output: fc.string({ maxLength: 12 }),
    bytes: fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('peer' as const),
    pieces: fc.array(text, { minLength: 1, maxLength: 3 }),
    states: fc.array(fc.constantFrom('running', 'idle', 'unknown'), { maxLength: 2 }),
    title: fc.option(text, { nil: null }),
    metas: fc.array(
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.option(text, { nil: null })),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    type: fc.constant('plan' as const),
    statuses: fc.array(fc.constantFrom('pending', 'completed'), { minLength: 1, maxLength: 3 }),
  }),
);
const turn = fc.record({
  prompt: text,
  parts: fc.array(part, { maxLength: 6 }),
  order: fc.array(fc.nat(), { maxLength: 20 }),
  title: fc.option(text, { nil: undefined }),
});
export const madeUp: fc.Arbitrary<MadeUp> = fc.record({
  turns: fc.array(turn, { maxLength: 4 }),
  ids: fc.boolean(),
  inChunks: fc.boolean(),
});

/** Frames in the order they cross, one millisecond apart. */
export class Script {
  readonly frames: Frame[] = [];
  #id = 0;

  send(from: Side, message: JsonObject): void {
    const number = this.frames.length;
    const line = { text: JSON.stringify({ jsonrpc: '2.0', ...message }) };
    const stamp = { seq: seq(number + 1), at: millis(number) };
    this.frames.push({ type: 'frame', ...stamp, from, line, origin: 'peer' });
  }
  /** The id of the request. */
  ask(method: string, params: JsonObject): number {
    this.send('client', { id: this.#id, method, params });
    return this.#id++;
  }
  answer(id: number, result: Json): void {
    this.send('agent', { id, result });
  }
  update(update: JsonObject): void {
    this.send('agent', { method: 'session/update', params: { sessionId: 's1', update } });
  }
}

export function handshake(script: Script, version: 1 | 2): void {
  script.answer(script.ask('initialize', { protocolVersion: version }), {
    protocolVersion: version,
  });
}

const block = (said: string) => ({ type: 'text', text: said });
const content = (said: string) => [{ type: 'content', content: block(said) }];
const entries = (status: string) => [{ content: 'a step', priority: 'low', status }];

/** A part as the updates that say it, piece by piece. */
function said(part: Part, id: string, version: 1 | 2, ids: boolean): JsonObject[] {
  switch (part.type) {
    case 'agent':
    case 'thought': {
      const sessionUpdate = part.type === 'agent' ? 'agent_message_chunk' : 'agent_thought_chunk';
      const messageId = version === 2 || ids ? { messageId: id } : {};
      return part.pieces.map((piece) => ({ sessionUpdate, ...messageId, content: block(piece) }));
    }
    case 'tool': {
      const { title, kind, statuses, output, bytes } = part;
      const first = version === 1 ? 'tool_call' : 'tool_call_update';
      const toolCallId = id;
      return [
        { sessionUpdate: first, toolCallId, title, kind, status: 'pending' },
        ...statuses.map((status) => ({ sessionUpdate: 'tool_call_update', toolCallId, status })),
        { sessionUpdate: 'tool_call_update', toolCallId, content: content(output) },
        ...(version === 1
          ? []
          : bytes.map((each) => ({
              sessionUpdate: 'terminal_output_chunk',
              terminalId: id,
              data: toBase64(each),
            }))),
      ];
    }
    case 'peer':
      // What fixes its place in the conversation comes first.
      return [
        { sessionUpdate: 'session_message', messageId: id, recipientSessionId: `child ${id}` },
        { sessionUpdate: 'subagent_update', sessionId: `child ${id}`, title: part.title },
        ...part.states.map((state) => ({
          sessionUpdate: 'subagent_update',
          sessionId: `child ${id}`,
          state: { state },
        })),
        ...part.pieces.map((piece) => ({
          sessionUpdate: 'session_message_chunk',
          messageId: id,
          content: block(piece),
        })),
        ...part.metas.map((meta) => ({
          sessionUpdate: 'session_message',
          messageId: id,
          _meta: meta,
        })),
      ];
    case 'plan':
      return part.statuses.map((status) =>
        version === 1
          ? { sessionUpdate: 'plan', entries: entries(status) }
          : {
              sessionUpdate: 'plan_update',
              plan: { type: 'items', planId: id, entries: entries(status) },
            },
      );
  }
}

/** The turns as they happen; the session is there. */
export function live(script: Script, made: MadeUp, version: 1 | 2): void {
  made.turns.forEach((turn, t) => {
    const prompt = [block(turn.prompt)];
    const asked = script.ask('session/prompt', { sessionId: 's1', prompt });
    const messageId = `u${t}`;
    if (version === 2) {
      script.update({ sessionUpdate: 'user_message', messageId, content: prompt });
      script.answer(asked, { messageId });
      script.update({ sessionUpdate: 'state_update', state: 'running' });
    }
    const queues = turn.parts.map((part, p) => said(part, `${t}.${p}`, version, made.ids));
    // Parts begin in their order; v2 may go on with any that has begun.
    const order = [...turn.order];
    const begun: JsonObject[][] = [];
    const goOn = (queue: JsonObject[] | undefined) => {
      const next = queue?.shift();
      if (next) script.update(next);
    };
    for (const queue of queues) {
      begun.push(queue);
      goOn(queue);
      if (version === 1) while (queue.length > 0) goOn(queue);
      for (let more = (order.pop() ?? 0) % 4; more > 0 && version === 2; more--)
        goOn(begun[(order.pop() ?? 0) % begun.length]);
    }
    for (const queue of begun) while (queue.length > 0) goOn(queue);
    if (turn.title !== undefined)
      script.update({ sessionUpdate: 'session_info_update', title: turn.title });
    if (version === 1) script.answer(asked, { stopReason: 'end_turn' });
    else script.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
  });
}

/** The whole of it once more, inside a restore. */
export function replay(script: Script, made: MadeUp, version: 1 | 2): void {
  const params = { sessionId: 's1', cwd: '/w', mcpServers: [] };
  const asked =
    version === 1
      ? script.ask('session/load', params)
      : script.ask('session/resume', { ...params, replayFrom: { type: 'start' } });
  made.turns.forEach((turn, t) => {
    message(script, 'user', `u${t}`, turn.prompt, made, version);
    turn.parts.forEach((part, p) => {
      const id = `${t}.${p}`;
      if (part.type === 'tool') tool(script, part, id, version);
      else if (part.type === 'peer') sent(script, part, id, version);
      else if (part.type === 'plan') script.update(said(part, id, version, true).at(-1) ?? {});
      else message(script, part.type, id, part.pieces.join(''), made, version);
    });
    if (turn.title !== undefined)
      script.update({ sessionUpdate: 'session_info_update', title: turn.title });
  });
  if (version === 2)
    script.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
  script.answer(asked, {});
}

const VARIANTS = { user: 'user_message', agent: 'agent_message', thought: 'agent_thought' };

function message(
  script: Script,
  role: keyof typeof VARIANTS,
  messageId: string,
  text: string,
  made: MadeUp,
  version: 1 | 2,
): void {
  const whole = VARIANTS[role];
  const chunk = role === 'thought' ? 'agent_thought_chunk' : `${whole}_chunk`;
  if (version === 1) {
    // A user message needs no id: it is told from the next by what stands between.
    const id = made.ids || role === 'user' ? { messageId } : {};
    return script.update({ sessionUpdate: chunk, ...id, content: block(text) });
  }
  if (!made.inChunks)
    return script.update({ sessionUpdate: whole, messageId, content: [block(text)] });
  script.update({ sessionUpdate: whole, messageId, content: [] });
  const half = Math.ceil(text.length / 2);
  for (const piece of [text.slice(0, half), text.slice(half)])
    script.update({ sessionUpdate: chunk, messageId, content: block(piece) });
}

function sent(script: Script, part: Sent, messageId: string, version: 1 | 2): void {
  const child = `child ${messageId}`;
  const state = part.states.at(-1);
  script.update({
    sessionUpdate: 'subagent_update',
    sessionId: child,
    title: part.title,
    ...(state !== undefined && { state: { state } }),
  });
  const metas = version === 1 ? part.metas.slice(-1) : part.metas;
  script.update({
    sessionUpdate: 'session_message',
    messageId,
    recipientSessionId: child,
    senderSessionId: null,
    content: [block(part.pieces.join(''))],
    ...(metas.length > 0 && { _meta: Object.assign(Object.create(null), ...metas) as JsonObject }),
  });
}

function tool(script: Script, part: Used, toolCallId: string, version: 1 | 2): void {
  const { title, kind, statuses, output, bytes } = part;
  const status = statuses.at(-1) ?? 'pending';
  const sessionUpdate = version === 1 ? 'tool_call' : 'tool_call_update';
  script.update({
    sessionUpdate,
    toolCallId,
    title,
    kind,
    status,
    content: content(output),
  });
  if (version === 1 || bytes.length === 0) return;
  const joined = Uint8Array.from(bytes.flatMap((each) => [...each]));
  script.update({
    sessionUpdate: 'terminal_update',
    terminalId: toolCallId,
    output: { data: toBase64(joined) },
  });
}
