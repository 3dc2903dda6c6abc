// Agents reached by URL, for tests: a server on any port, and a connection to it with its record.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { listenAgent } from '../../agent/listen.ts';
import type { BundledAgentOptions } from '../../agent/misbehaviours.ts';
import { headerOf } from '../../cli/parts/agent-words.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { Agent } from '../../relay/agents/agent.ts';
import { Recorder } from '../../relay/spool/recorder.ts';
import { addressOf } from '../../relay/transports/address.ts';
import { reachAgent } from '../../relay/transports/remote-agent.ts';
import { freshStore } from './bundled-agent.ts';
import { connectionId, type Frame, type TraceEvent, type Transport } from '../../trace/event.ts';

/** Its port on this machine. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** The bundled agent where it listens: its URL for HTTP. */
export async function listeningAgent(more: Partial<BundledAgentOptions> = {}): Promise<string> {
  const stop = new AbortController();
  const options: BundledAgentOptions = {
    ...{ protocol: 'both', version: '0.0.0', seed: 3, pace: 0, store: freshStore() },
    ...{ mayUse: () => false, log: () => undefined, ...more },
  };
  let served: Promise<unknown> = Promise.resolve();
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  return new Promise((resolve) => {
    served = listenAgent(options, { host: undefined, port: 0 }, stop.signal, resolve);
  });
}

/** Reaches an agent. `env`: what `${…}` in a header is read from. */
export async function reach(url: string, headers: readonly string[] = [], env = {}) {
  const read = addressOf(
    url,
    headers.map((header) => headerOf(header, env)),
  );
  if (!read.ok) throw new Error(read.message);
  const { address } = read;
  const path = join(mkdtempSync(join(tmpdir(), 'acp-scope-remote-')), 'a.acptrace.jsonl');
  const lines: Uint8Array[] = [];
  const hearing = { onLine: (_: string): void => undefined };
  const problems: string[] = [];
  const reached = await reachAgent({
    address,
    cwd: '/',
    record: () =>
      new Recorder({
        ...{ path, connection: connectionId('c'), tool: 'test', name: 'x', mode: 'drive' },
        ...{ argv: [address.shown], cwd: '/' },
      }),
    onProblem: (sentence) => problems.push(sentence),
    onLine(from, line) {
      if (from === 'client') return;
      lines.push(line);
      hearing.onLine(decodeLossy(line));
    },
  });
  const text = () => readFileSync(path, 'utf8');
  const events = () => {
    const written = existsSync(path) ? text().split('\n').slice(1, -1) : [];
    return written.map((line) => JSON.parse(line) as TraceEvent);
  };
  return { reached, lines, text, events, hearing, problems };
}

export function agentIn(reached: Awaited<ReturnType<typeof reachAgent>>): Agent {
  if (!reached.ok) throw new Error(reached.problem.message);
  return reached.agent;
}

export function framesOf(events: readonly TraceEvent[]): readonly Frame[] {
  return events.filter((event) => event.type === 'frame');
}

export function factsOf(events: readonly TraceEvent[]): readonly Transport[] {
  return events.filter((event) => event.type === 'transport');
}
