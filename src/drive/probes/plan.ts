// Which probes a run asks, in which order, and what that costs: known before anything is started.
import type { Probe } from './probe.ts';
import { PROBES } from './registry.ts';

export interface ProbePlan {
  /** In the order of the catalogue. */
  readonly probes: readonly Probe[];
  /** Prompts at most, the shared session's among them. */
  readonly prompts: number;
  /** Processes at most. */
  readonly connections: number;
}

/** The handshake, the shared session, the connection for small questions, and a plain restore. */
const SHARED_CONNECTIONS = 4;

/** `chosen`: undefined for all that are not opt-in. `isShut`: what is not advertised costs nothing. */
export function planOf(
  version: 1 | 2,
  chosen?: (id: string) => boolean,
  isShut: (probe: Probe) => boolean = () => false,
): ProbePlan {
  const probes = PROBES.filter(
    ({ id, versions, optIn }) => versions.includes(version) && (chosen?.(id) ?? !optIn),
  );
  const asked = probes.filter((probe) => probe.elsewhere === undefined && !isShut(probe));
  const shared = asked.some(({ saved }) => saved !== undefined) ? 1 : 0;
  return {
    probes,
    prompts: shared + sum(asked.map(({ prompts }) => prompts)),
    connections: SHARED_CONNECTIONS + sum(asked.map(({ connections }) => connections)),
  };
}

const RANKS = { reads: 1, prompts: 2, ends: 3 } as const;

/** Those that only read the shared session first, those that take it away last. */
export function runOrder(probes: readonly Probe[]): readonly Probe[] {
  const rank = ({ saved }: Probe) => (saved ? RANKS[saved] : 0);
  return probes.toSorted((a, b) => rank(a) - rank(b));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
