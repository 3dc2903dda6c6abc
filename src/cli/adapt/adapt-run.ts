// The process of the adapter: the agent is started, what the two say flows through `adapt-flow.ts`,
// and signals, stderr and the agent's end are handed on as they are.
import { spawnProgram, type Program } from '../../relay/agents/spawn.ts';
import { endOf, handOn, type TapEnd } from '../../relay/tap.ts';
import { Flow, type FlowOptions } from './adapt-flow.ts';

interface AdaptOptions extends FlowOptions {
  readonly program: Program;
}

/** Resolves when the agent has ended and all it said is written; the caller ends in the same way. */
export async function runAdapter(options: AdaptOptions): Promise<TapEnd> {
  const spawned = await spawnProgram(options.program);
  if (!spawned.ok) return { kind: 'problem', problem: spawned.problem };
  const { child } = spawned;
  const flow = new Flow(options, child.stdin);
  const stop = handOn(child.pid);
  const ended = endOf(child);
  child.stderr.on('data', (chunk: Uint8Array) => {
    if (options.errors.write(chunk)) return;
    child.stderr.pause();
    options.errors.once('drain', () => child.stderr.resume());
  });
  options.errors.on('error', () => child.stderr.resume());
  void flow.editor();
  await Promise.all([flow.agent(child.stdout), ended]);
  stop();
  return ended;
}
