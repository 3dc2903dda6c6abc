// The bundled agent for tests: in this process, on a pair of streams, with no delays.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../acp/message.ts';
import { runAgent } from '../../agent/main.ts';
import type { BundledAgentOptions } from '../../agent/misbehaviours.ts';
import { at, AgentClient } from './agent-client.ts';

export type Started = Partial<BundledAgentOptions> & {
  /** What the client says it can do. */
  readonly capabilities?: JsonObject;
};

/** A folder that no other test has. */
export function freshStore(): string {
  return mkdtempSync(join(tmpdir(), 'acp-scope-agent-'));
}

/** Starts the agent; it ends with the test, if not before. Nothing is said to it yet. */
export function startAgent(options: Started = {}): AgentClient {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { capabilities: _, ...rest } = options;
  const client = new AgentClient(input, output);
  const quiet = {
    protocol: 'both',
    version: '0.0.0',
    seed: 7,
    pace: 0,
    mayUse: () => true,
    log: () => undefined,
    // Thrown where it writes, it ends the connection; the process is the one that runs the tests.
    exit: (code: number) => {
      throw new Error(`the agent exits with ${code}`);
    },
  } as const;
  void runAgent({ ...quiet, store: rest.store ?? freshStore(), ...rest }, input, output).then(() =>
    output.end(),
  );
  onTestFinished(() => client.end());
  return client;
}

/** Starts the agent and shakes hands. */
export async function meetAgent(version: 1 | 2, options: Started = {}): Promise<AgentClient> {
  const client = startAgent(options);
  const capabilities = options.capabilities ?? {};
  const info = { name: 'test', version: '1' };
  await client.call(
    'initialize',
    version === 1
      ? { protocolVersion: 1, clientCapabilities: capabilities, clientInfo: info }
      : { protocolVersion: 2, capabilities, info },
  );
  return client;
}

export const CWD = '/work/project';

export async function newSession(client: AgentClient, more: JsonObject = {}): Promise<string> {
  const { sessionId } = await client.call('session/new', { cwd: CWD, mcpServers: [], ...more });
  return sessionId as string;
}

export function textPrompt(sessionId: string, text: string) {
  return { sessionId, prompt: [{ type: 'text', text }] };
}

/** A whole turn in either version; gives the place in `crossed` where it began. */
export async function turn(client: AgentClient, sessionId: string, text: string): Promise<number> {
  const from = client.now;
  const { stopReason } = await client.call('session/prompt', textPrompt(sessionId, text));
  if (stopReason === undefined)
    await client.until(
      ({ params }) =>
        params?.['sessionId'] === sessionId && at(params, 'update', 'state') === 'idle',
      from,
    );
  return from;
}

/** Answers each permission request with this option. */
export function choosing(optionId: string) {
  return (): JsonObject => ({ outcome: { outcome: 'selected', optionId } });
}

/** The text that messages of a kind add up to, of either version's updates. */
export function saidBy(who: 'user' | 'agent', updates: readonly JsonObject[]): string {
  return updates
    .flatMap(({ sessionUpdate, content }): Json[] => {
      if (sessionUpdate === `${who}_message_chunk`) return content === undefined ? [] : [content];
      return sessionUpdate === `${who}_message` ? (content as Json[]) : [];
    })
    .map((block) => (block as { readonly text?: string }).text ?? '')
    .join('');
}
