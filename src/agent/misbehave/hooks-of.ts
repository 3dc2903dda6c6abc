// Each misbehaviour's hooks, by its name: of answers, of children, and of all else.
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  SessionUpdate as is,
  type ContentChunk,
  type SessionUpdate,
  type UserMessage,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { AgentItem } from '../history.ts';
import type { Hooks, Write } from '../hooks.ts';
import type { MisbehaviourName } from '../misbehaviours.ts';
import type { AnyMessage } from '@agentclientprotocol/sdk/unstable';
import { PERMISSION_OPTIONS } from '../port.ts';

const HOOKS: Record<MisbehaviourName, (exit: (code: number) => void) => Hooks> = {
  'replay-without-cursor': () => ({ replayUnasked: true }),
  'replay-after-answer': replaysLate,
  'lossy-replay': () => ({ replayed: loses }),
  'unstable-message-ids': () => ({ replayed: renames }),
  'missing-state-snapshot': () => ({ noSnapshot: true }),
  'accepts-unknown-cursor': () => ({ anyCursor: true }),
  'exclusive-cursor': () => ({ afterCursor: true }),
  'missing-baseline': () => ({ replayedV2: chunksOnly }),
  'forgets-context': () => ({ forgets: true }),
  'duplicate-answer': duplicatesAnswers,
  'never-answers': neverAnswers,
  'stdout-noise': noisy,
  'split-utf8': () => ({ write: splits }),
  'unannounced-child': keepsToItself,
  'ungated-children': () => ({ childrenUnasked: true }),
  'child-of-itself': ownsItself,
  'listed-children': listsChildren,
  'hidden-child-cancel': () => ({ hidesCancel: true }),
  'unrenewed-children': () => ({ announcesOnce: true }),
  'child-asks-in-replay': asksInReplay,
  'unknown-link': () => ({ linksNowhere: true }),
  'early-replay-marker': () => ({ marks: 'early' }),
  'missing-child-marker': () => ({ marks: 'root' }),
  'crash-mid-turn': crashes,
};

/** `exit` ends the process, for the fault that dies. */
export function hooksOf(name: MisbehaviourName, exit: (code: number) => void): Hooks {
  return HOOKS[name](exit);
}

// Faults in the bytes of stdout.

const NOISE = [
  'bundled agent: loading…',
  '',
  'DEBUG cache miss (0 of 3)',
  '{"level":"info","text":"JSON, but no message"}',
];

/** `stdout-noise`: a line that is no message before every tenth line, and before the first. */
function noisy(): Hooks {
  let lines = 0;
  return {
    write: async (line, write) => {
      if (lines % 10 === 0) {
        const noise = NOISE[(lines / 10) % NOISE.length] ?? '';
        await write(new TextEncoder().encode(`${noise}\n`));
      }
      lines++;
      await write(line);
    },
  };
}

/** Long enough for the pieces to arrive as two. */
const APART = 4;

/** `split-utf8`: a line in two pieces, cut behind the first byte of its last long character. */
async function splits(line: Uint8Array, write: Write): Promise<void> {
  const lead = line.findLastIndex((byte) => byte >= 0xc0);
  const cut = lead < 0 ? line.length >> 1 : lead + 1;
  await write(line.subarray(0, cut));
  await setTimeout(APART);
  await write(line.subarray(cut));
}

// Faults in what a history replay holds.

/** `lossy-replay`: no tool calls, no terminals, and of each agent message the first half. */
function loses(items: readonly AgentItem[]): AgentItem[] {
  return items.flatMap((item): AgentItem[] => {
    if (item.kind === 'tool' || item.kind === 'terminal') return [];
    return [item.kind === 'agent' ? { ...item, text: firstHalf(item.text) } : item];
  });
}

/** Cut behind a character, never inside one. */
function firstHalf(text: string): string {
  const characters = [...text];
  return characters.slice(0, Math.ceil(characters.length / 2)).join('');
}

/** `unstable-message-ids`: new ids each time. Tool calls, terminals and plans keep theirs. */
function renames(items: readonly AgentItem[]): AgentItem[] {
  return items.map((item) => {
    const isMessage = item.kind === 'user' || item.kind === 'agent' || item.kind === 'thought';
    return isMessage ? { ...item, id: `msg_${randomBytes(8).toString('hex')}` } : item;
  });
}

/** `missing-baseline`: what was an upsert of a message becomes its chunks alone. */
function chunksOnly(update: SessionUpdate): SessionUpdate[] {
  if (is.isUserMessage(update))
    return blocks(update, (chunk) => ({ sessionUpdate: 'user_message_chunk', ...chunk }));
  if (is.isAgentMessage(update))
    return blocks(update, (chunk) => ({ sessionUpdate: 'agent_message_chunk', ...chunk }));
  if (is.isAgentThought(update))
    return blocks(update, (chunk) => ({ sessionUpdate: 'agent_thought_chunk', ...chunk }));
  return [update];
}

function blocks(
  { messageId, content }: UserMessage,
  chunk: (chunk: ContentChunk) => SessionUpdate,
): SessionUpdate[] {
  return (content ?? []).map((block) => chunk({ messageId, content: block }));
}

/** `unannounced-child`: of each child, the first word of its parent is left out. */
function keepsToItself(): Hooks {
  const met = new Set<string>();
  return {
    sent: async (message, send) => {
      const child = childIn(message);
      if (child === undefined || met.has(child)) return await send(message);
      met.add(child);
    },
  };
}

/** `child-of-itself`. */
function ownsItself(): Hooks {
  const met = new Set<string>();
  return {
    sent: async (message, send) => {
      await send(message);
      const child = childIn(message);
      if (child === undefined || met.has(child)) return;
      met.add(child);
      const update = { sessionUpdate: 'subagent_update', sessionId: child };
      const params = { sessionId: child, update };
      await send({ jsonrpc: '2.0', method: 'session/update', params });
    },
  };
}

/** `listed-children`: those it spoke of on this connection, in the folder of the first one listed. */
function listsChildren(): Hooks {
  const lists = waitingFor('session/list');
  const children = new Set<string>();
  return {
    received: lists.received,
    sent: async (message, send) => {
      const child = childIn(message);
      if (child !== undefined) children.add(child);
      await send(lists.isAnswer(message) ? withChildren(message, children) : message);
    },
  };
}

function withChildren(message: AnyMessage, children: ReadonlySet<string>): AnyMessage {
  const { sessions = [] } =
    'result' in message ? (message.result as { sessions?: readonly { cwd: string }[] }) : {};
  const [first] = sessions;
  if (first === undefined) return message;
  const more = [...children].map((sessionId) => ({ sessionId, cwd: first.cwd }));
  return { ...message, result: { sessions: [...sessions, ...more] } } as AnyMessage;
}

/** `child-asks-in-replay`: right behind the first child that a restore announces. */
function asksInReplay(): Hooks {
  const restores = waitingFor('session/load', 'session/resume');
  let version: unknown;
  let isDone = false;
  return {
    received: (message) => {
      restores.received(message);
      if ('method' in message && message.method === 'initialize')
        version = (message.params as { readonly protocolVersion?: unknown }).protocolVersion;
    },
    sent: async (message, send) => {
      await send(message);
      const child = childIn(message);
      restores.isAnswer(message);
      if (child === undefined || isDone || restores.ids.size === 0) return;
      isDone = true;
      await send(permission(child, version === 1));
    },
  };
}

function permission(sessionId: string, isV1: boolean): AnyMessage {
  const options = PERMISSION_OPTIONS.map((option) => ({ ...option }));
  const toolCall = { toolCallId: 'call_of_the_past', title: 'Go on' };
  return {
    jsonrpc: '2.0',
    id: 'of the past',
    method: 'session/request_permission',
    params: isV1
      ? { sessionId, toolCall, options }
      : { sessionId, title: 'Go on?', subject: { type: 'tool_call', toolCall }, options },
  };
}

// What a line that goes out says of a session, for the misbehaviours that stand in its way.

interface Update {
  readonly [field: string]: unknown;
}

/** The update of a `session/update`; undefined for every other message. */
function updateIn(message: AnyMessage): Update | undefined {
  if (!('method' in message) || message.method !== 'session/update') return undefined;
  return (message.params as { readonly update?: Update }).update;
}

/** Its variant; empty for every other message. */
function updateName(message: AnyMessage): string {
  return String(updateIn(message)?.['sessionUpdate'] ?? '');
}

/** The child that a message announces or tells anew. */
function childIn(message: AnyMessage): string | undefined {
  const update = updateIn(message);
  return update?.['sessionUpdate'] === 'subagent_update' ? String(update['sessionId']) : undefined;
}

/** The ids of the requests with one of these methods that still wait for their answer. */
function waitingFor(...methods: readonly string[]) {
  const ids = new Set<unknown>();
  return {
    ids,
    received: (message: AnyMessage) => {
      if ('method' in message && 'id' in message && methods.includes(message.method))
        ids.add(message.id);
    },
    /** True once for each answer to such a request. */
    isAnswer: (message: AnyMessage) =>
      !('method' in message) && 'id' in message && ids.delete(message.id),
  };
}

const HISTORY = /^(user|agent)_(message|thought)|^tool_call|^terminal_|^plan/;

/** `replay-after-answer`: holds the history back until the restore has its answer. */
function replaysLate(): Hooks {
  const restores = waitingFor('session/load', 'session/resume');
  let held: AnyMessage[] = [];
  return {
    received: restores.received,
    sent: async (message, send) => {
      if (restores.ids.size > 0 && HISTORY.test(updateName(message))) {
        held.push(message);
        return;
      }
      await send(message);
      if (!restores.isAnswer(message) || restores.ids.size > 0) return;
      const late = held;
      held = [];
      for (const update of late) await send(update);
    },
  };
}

/** `duplicate-answer`. */
function duplicatesAnswers(): Hooks {
  const prompts = waitingFor('session/prompt');
  return {
    received: prompts.received,
    sent: async (message, send) => {
      await send(message);
      if (prompts.isAnswer(message)) await send(message);
    },
  };
}

/** `never-answers`. */
function neverAnswers(): Hooks {
  const prompts = waitingFor('session/prompt');
  return {
    received: prompts.received,
    sent: async (message, send) => {
      if (!prompts.isAnswer(message)) await send(message);
    },
  };
}

/** Far enough into a turn for the first words, short of its end. */
const LAST_UPDATES = 6;

/** `crash-mid-turn`: 139 is what a shell reports of a program that ended by SIGSEGV. */
function crashes(exit: (code: number) => void): Hooks {
  let left: number | undefined;
  return {
    received: (message) => {
      if ('method' in message && message.method === 'session/prompt') left = LAST_UPDATES;
    },
    sent: async (message, send) => {
      // A turn shorter than that does not end either.
      if (left !== undefined && endsTurn(message)) return exit(139);
      await send(message);
      if (left === undefined || updateName(message) === '') return;
      left--;
      if (left === 0) exit(139);
    },
  };
}

/** v1: the answer with its stop reason; v2: the session is idle again. */
function endsTurn(message: AnyMessage): boolean {
  if ('result' in message) return Object.hasOwn(message.result ?? {}, 'stopReason');
  return updateName(message) === 'state_update' && updateIn(message)?.['state'] === 'idle';
}
