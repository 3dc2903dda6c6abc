// A script for `acp-scope record`: one JSON object a line, sent in order to an agent whose
// handshake is done. Comments begin with #. `$cwd` and `$sessionId` (of the last answer that
// named one) are filled in wherever they stand as a whole string.
//
//   {"request": "session/new", "params": {"cwd": "$cwd", "mcpServers": []}}
//   {"request": "session/prompt", "params": {"sessionId": "$sessionId", "prompt": [ … ]}}
//   {"notify": "session/cancel", "params": {"sessionId": "$sessionId"}}
//   {"line": "exactly this, JSON or not"}
//   {"wait": 500}
import { get, isObject, num, parseJson, str } from '../acp/json.ts';
import { idKey, type Json, type Message } from '../acp/message.ts';
import { updateOf } from '../acp/update.ts';
import { assertNever } from '../lib/assert-never.ts';
import type { ActingClient } from './client.ts';
import type { Peer } from './peer.ts';

export type Step =
  | { readonly kind: 'request'; readonly method: string; readonly params: Json }
  | { readonly kind: 'notify'; readonly method: string; readonly params: Json }
  | { readonly kind: 'line'; readonly text: string }
  /** Milliseconds. */
  | { readonly kind: 'wait'; readonly ms: number };

/** What a person expects who gives no script: a session and one prompt. */
export function promptScript(text: string): readonly Step[] {
  const prompt = [{ type: 'text', text }];
  return [
    { kind: 'request', method: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
    { kind: 'request', method: 'session/prompt', params: { sessionId: '$sessionId', prompt } },
  ];
}

export function parseScript(text: string): readonly Step[] | { readonly problem: string } {
  const steps: Step[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const step = parseStep(line);
    if (!step)
      return {
        problem: `Line ${index + 1} of the script is no step. A step is {"request": METHOD, "params": …}, {"notify": METHOD, "params": …}, {"line": TEXT} or {"wait": MS}.`,
      };
    steps.push(step);
  }
  return steps;
}

function parseStep(line: string): Step | undefined {
  const value = parseJson(line);
  const params = get(value, 'params') ?? {};
  const [request, notify, raw, wait] = [
    str(value, 'request'),
    str(value, 'notify'),
    str(value, 'line'),
    num(value, 'wait'),
  ];
  if (request !== undefined) return { kind: 'request', method: request, params };
  if (notify !== undefined) return { kind: 'notify', method: notify, params };
  if (raw !== undefined && !raw.includes('\n')) return { kind: 'line', text: raw };
  if (wait !== undefined && wait >= 0) return { kind: 'wait', ms: wait };
  return undefined;
}

export interface ScriptRun {
  readonly client: ActingClient;
  readonly peer: Peer;
  readonly cwd: string;
  /** Aborts when the agent ends: what is awaited will not come. */
  readonly ended: AbortSignal;
}

/**
 * Runs the steps in order. A request waits for its answer; in v2 a prompt also waits until the
 * session is idle again, since its answer only says that it was taken. An error answer does not
 * stop the script: it is part of the recording. Resolves early if the agent ends.
 */
export async function runScript(steps: readonly Step[], run: ScriptRun): Promise<void> {
  const { client, peer, cwd, ended } = run;
  const names = new Map([['$cwd', cwd]]);
  for (const step of steps) {
    if (ended.aborted) return;
    switch (step.kind) {
      case 'request': {
        const params = fill(step.params, names);
        const settled = new Turn(peer, str(params, 'sessionId'));
        const answer = await answerTo(client.request(step.method, params), peer, ended);
        const sessionId = answer?.kind === 'success' ? str(answer.result, 'sessionId') : undefined;
        if (sessionId !== undefined) names.set('$sessionId', sessionId);
        const taken = answer?.kind === 'success' && str(answer.result, 'stopReason') === undefined;
        if (step.method === 'session/prompt' && taken) await settled.idle(ended);
        settled.stop();
        break;
      }
      case 'notify':
        client.notify(step.method, fill(step.params, names));
        break;
      case 'line':
        peer.send(step.text, 'script');
        break;
      case 'wait':
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, step.ms);
          ended.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
        });
        break;
      default:
        assertNever(step);
    }
  }
}

/** The answer to the request with this id; undefined: the agent ended first. */
function answerTo(id: number, peer: Peer, ended: AbortSignal): Promise<Message | undefined> {
  const key = idKey({ type: 'number', token: String(id) });
  return new Promise((resolve) => {
    const stop = peer.receive((frame, message) => {
      if (frame.from !== 'agent') return;
      if (message.kind !== 'success' && message.kind !== 'failure') return;
      if (idKey(message.id) === key) done(message);
    });
    const done = (message: Message | undefined) => {
      stop();
      resolve(message);
    };
    if (ended.aborted) done(undefined);
    ended.addEventListener('abort', () => done(undefined), { once: true });
  });
}

/** Hears when a v2 session that ran is idle again, from before the prompt was sent. */
class Turn {
  readonly stop: () => void;
  #idle = false;
  #tell: (() => void) | undefined;

  constructor(peer: Peer, sessionId: string | undefined) {
    let ran = false;
    this.stop = peer.receive((_, message) => {
      if (message.kind !== 'notification' || message.method !== 'session/update') return;
      const update = updateOf(message.params);
      if (update?.variant !== 'state_update' || update.sessionId !== sessionId) return;
      const state = str(update.update, 'state');
      if (state === 'running' || state === 'requires_action') ran = true;
      if (state !== 'idle' || !ran) return;
      this.#idle = true;
      this.#tell?.();
    });
  }

  idle(ended: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve;
      if (this.#idle || ended.aborted) resolve();
      ended.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function fill(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)]));
}
