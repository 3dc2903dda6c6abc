// The process of the adapter: the agent is started, what the two say flows through `adapt-flow.ts`,
// and signals, stderr and the agent's end are handed on as they are.
import type { Problem } from '../../link/messages.ts';
import { signalGroup } from '../../relay/agents/kill-tree.ts';
import { spawnProgram, type Program } from '../../relay/agents/spawn.ts';
import { Flow, type FlowOptions } from './adapt-flow.ts';

export interface AdaptOptions extends FlowOptions {
  readonly program: Program;
}

export type AdaptEnd =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'problem'; readonly problem: Problem };

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves when the agent has ended and all it said is written; the caller ends in the same way. */
export async function runAdapter(options: AdaptOptions): Promise<AdaptEnd> {
  const spawned = await spawnProgram(options.program);
  if (!spawned.ok) return { kind: 'problem', problem: spawned.problem };
  const { child } = spawned;
  const flow = new Flow(options, child.stdin);
  const { pid } = child;
  const listeners = SIGNALS.map((signal) => {
    // The agent is in a group of its own: what is sent to us is meant for it.
    const listener = () => void (pid !== undefined && signalGroup(pid, signal));
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  const ended = new Promise<AdaptEnd>((resolve) =>
    child.once('close', (code, signal) =>
      resolve(signal !== null ? { kind: 'signal', signal } : { kind: 'code', code: code ?? 0 }),
    ),
  );
  child.stderr.on('data', (chunk: Uint8Array) => {
    if (options.errors.write(chunk)) return;
    child.stderr.pause();
    options.errors.once('drain', () => child.stderr.resume());
  });
  options.errors.on('error', () => child.stderr.resume());
  void flow.editor();
  await Promise.all([flow.agent(child.stdout), ended]);
  for (const remove of listeners) remove();
  return ended;
}
