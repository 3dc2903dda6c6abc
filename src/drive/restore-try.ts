// One restore on a connection made for it: initialize, the exact line, its answer, and quiet after
// it. Nothing is prompted, unless a copy of the session was made to be prompted: a fork, or a
// session of its own.
import { initializeParams, type ClientOffer } from '../acp/capabilities.ts';
import { CODE, type JsonObject } from '../acp/message.ts';
import { str } from '../acp/json.ts';
import { restoreLine, type RestoreParts } from '../model/restore/restore-shapes.ts';
import { ScriptedConnection, type ScriptedOptions } from './scripted.ts';
import { handshakeFault, whyNoResult } from './heard.ts';
import type { Launcher, LaunchWish } from './peer.ts';
import { takeTurn } from './turn.ts';

export interface RestoreTry {
  /** Names the connection in its run: `v2 start`. */
  readonly label: string;
  readonly version: 1 | 2;
  readonly parts: Omit<RestoreParts, 'id'>;
  /** The client offers to take child sessions, whatever else it offers. */
  readonly takesChildren?: true;
  /** Prompts a copy of the session that the restore is then done with. */
  readonly then?: ThenPrompt;
}

export type ThenPrompt =
  /** A fork is restored, and asked this. */
  | { readonly on: 'fork'; readonly prompt: string }
  /** A new session is told the first, restored by another connection, and asked the second. */
  | { readonly on: 'lab'; readonly tell: string; readonly prompt: string };

export interface TryOptions extends ScriptedOptions {
  readonly launcher: Launcher;
  readonly offer: ClientOffer;
  /** Milliseconds without a frame after the answer: what comes in them is late. */
  readonly quiet?: number;
}

/** `trace`: the connection the line was sent on. */
export type Tried = { readonly kind: 'sent'; readonly trace: string } | NotTried;

type NotTried =
  /** Not sent: the agent speaks another version; undefined: it does not say which. */
  | { readonly kind: 'other version'; readonly spoken: number | undefined }
  /** Not sent; a sentence. */
  | { readonly kind: 'failed'; readonly message: string };

const QUIET_MS = 400;
const QUIET_MOST_MS = 5000;
/** Any: the connection is new, and only initialize was asked. */
const ID = '1';

export async function tryRestore(wish: RestoreTry, around: TryOptions): Promise<Tried> {
  const { then, takesChildren } = wish;
  const offer = takesChildren ? { ...around.offer, subagents: true } : around.offer;
  const options = { ...around, offer };
  if (then === undefined) return restoreOnce(wish, options);
  const copied = await copySession(wish, then, options);
  if (copied.kind !== 'copied') return copied;
  const parts = { ...wish.parts, sessionId: copied.sessionId };
  return restoreOnce({ ...wish, parts }, options, then.prompt);
}

async function restoreOnce(
  { label, version, parts }: RestoreTry,
  options: TryOptions,
  prompt?: string,
): Promise<Tried> {
  return onConnection({ label }, version, options, async (connection) => {
    connection.line(restoreLine({ ...parts, id: ID }));
    const { result } = await connection.answerTo(ID);
    const { quiet = QUIET_MS } = options;
    await connection.quiet(quiet, QUIET_MOST_MS);
    if (prompt !== undefined && result !== undefined) {
      await takeTurn(connection, parts.sessionId, prompt);
      await connection.quiet(quiet, QUIET_MOST_MS);
    }
    return { kind: 'sent', trace: connection.trace };
  });
}

/** On a connection of its own, so that the restore finds the session as any later client does. */
function copySession(
  { label, version, parts: { cwd, sessionId } }: RestoreTry,
  then: ThenPrompt,
  options: TryOptions,
): Promise<{ readonly kind: 'copied'; readonly sessionId: string } | NotTried> {
  const setup: JsonObject = { cwd, mcpServers: [] };
  const wish = { label: `${label}, ${then.on}`, copy: true } as const;
  return onConnection(wish, version, options, async (connection) => {
    const [method, params] =
      then.on === 'fork' ? ['session/fork', { ...setup, sessionId }] : ['session/new', setup];
    const answered = await connection.request(method, params);
    const made = str(answered.result, 'sessionId');
    if (made === undefined)
      return {
        kind: 'failed',
        message: `${method} gave no session: ${whyNoResult(answered, connection.exit)}.`,
      };
    if (then.on === 'lab') await takeTurn(connection, made, then.tell);
    return { kind: 'copied', sessionId: made };
  });
}

/** Starts the agent, shakes hands in this version, does the work, and ends the agent. */
async function onConnection<T>(
  wish: LaunchWish,
  version: 1 | 2,
  options: TryOptions,
  work: (connection: ScriptedConnection) => Promise<T>,
): Promise<T | NotTried> {
  const launched = await options.launcher.launch(wish);
  if (!launched.ok) return { kind: 'failed', message: launched.message };
  const connection = new ScriptedConnection(launched.agent, options);
  try {
    const params = initializeParams(version, options.offer, options.name);
    const answered = await connection.request('initialize', params);
    const spoken = connection.handshake?.version;
    if (spoken === version) return await work(connection);
    if (spoken === undefined && answered.error?.code !== CODE.unsupportedVersion)
      return { kind: 'failed', message: handshakeFault(answered, connection) };
    return { kind: 'other version', spoken };
  } finally {
    await connection.leave();
  }
}
