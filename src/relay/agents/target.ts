// What a person approved, as it was looked up: a program that is started, or a URL that is reached.
import type { Recorder } from '../spool/recorder.ts';
import type { Address } from '../transports/address.ts';
import { startAgent } from './agent-process.ts';
import type { Agent, Started } from './agent.ts';
import type { Located } from './spawn.ts';

export type Target = Located | Reached;

interface Reached {
  /** The URL as it was given. */
  readonly argv: readonly string[];
  /** Where terminals run that are made for its agent. */
  readonly cwd: string;
  /** The same without links. */
  readonly realCwd: string;
  readonly address: Address;
}

/** Starts or reaches it; what fails at that leaves no recording. */
export async function startTarget(target: Target, record: () => Recorder): Promise<Started<Agent>> {
  if (!('address' in target)) return startAgent({ program: target, record });
  const { address, cwd } = target;
  const { reachAgent } = await import('../transports/remote-agent.ts');
  return reachAgent({ address, cwd, record });
}

/** Its words as they may be recorded. */
export function shownWords(target: Target): readonly string[] {
  return 'address' in target ? [target.address.shown] : target.argv;
}
