// Faults in answers: too early, twice, never, or the end of the process instead.
import type { AnyMessage } from '@agentclientprotocol/sdk/unstable';
import type { Hooks } from '../hooks.ts';

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
export function childIn(message: AnyMessage): string | undefined {
  const update = updateIn(message);
  return update?.['sessionUpdate'] === 'subagent_update' ? String(update['sessionId']) : undefined;
}

/** The ids of the requests with one of these methods that still wait for their answer. */
export function waitingFor(...methods: readonly string[]) {
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
export function replaysLate(): Hooks {
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
export function duplicatesAnswers(): Hooks {
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
export function neverAnswers(): Hooks {
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

/** `crash-mid-turn`: 137 is what a shell says of a process that was killed. */
export function crashes(exit: (code: number) => void): Hooks {
  let left: number | undefined;
  return {
    received: (message) => {
      if ('method' in message && message.method === 'session/prompt') left = LAST_UPDATES;
    },
    sent: async (message, send) => {
      // A turn shorter than that does not end either.
      if (left !== undefined && endsTurn(message)) return exit(137);
      await send(message);
      if (left === undefined || updateName(message) === '') return;
      left--;
      if (left === 0) exit(137);
    },
  };
}

/** v1: the answer with its stop reason; v2: the session is idle again. */
function endsTurn(message: AnyMessage): boolean {
  if ('result' in message) return Object.hasOwn(message.result ?? {}, 'stopReason');
  return updateName(message) === 'state_update' && updateIn(message)?.['state'] === 'idle';
}
