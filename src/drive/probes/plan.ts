// Which probes a run asks, in which order, and what that costs: known before anything is started.
import { PROBES } from './registry.ts';
import type { Probe } from './world.ts';

export interface ProbePlan {
  /** In the order of the catalogue. */
  readonly probes: readonly Probe[];
  /** Could be asked beside them, and are not unless somebody says so. */
  readonly leftOut: readonly LeftOutProbe[];
  /** Prompts at most, the shared session's among them. */
  readonly prompts: number;
  /** Processes at most. */
  readonly connections: number;
}

export interface LeftOutProbe {
  /** A probe, or a glob that was given and names none of this version. */
  readonly id: string;
  /** A sentence. */
  readonly why: string;
  /** The option that asks it. */
  readonly asks: string;
}

/** The handshake, the shared session, the connection for small questions, and a plain restore. */
const SHARED_CONNECTIONS = 4;

/** `chosen`: undefined for all that are not opt-in. `isShut`: what is not advertised costs nothing. */
export function probePlan(
  version: 1 | 2,
  chosen?: (id: string) => boolean,
  isShut: (probe: Probe) => boolean = () => false,
): ProbePlan {
  const known = PROBES.filter(({ versions }) => versions.includes(version));
  const probes = known.filter(({ id, optIn }) => chosen?.(id) ?? optIn === undefined);
  const families = new Set(probes.map(familyOf));
  const leftOut = known.flatMap((probe): readonly LeftOutProbe[] => {
    const { id, optIn } = probe;
    if (optIn === undefined || probes.includes(probe) || isShut(probe)) return [];
    return families.has(familyOf(probe)) ? [{ id, why: `It ${optIn}.`, asks: '--all' }] : [];
  });
  const asked = probes.filter((probe) => probe.elsewhere === undefined && !isShut(probe));
  const shared = asked.some(({ saved }) => saved !== undefined) ? 1 : 0;
  return {
    probes,
    leftOut,
    prompts: shared + sum(asked.map(({ prompts }) => prompts)),
    connections: SHARED_CONNECTIONS + sum(asked.map(({ connections }) => connections)),
  };
}

/** Of globs that name probes, those that name none of this version. */
export function foreignTo(version: 1 | 2, globs: string): readonly LeftOutProbe[] {
  const other = version === 1 ? 2 : 1;
  return globsIn(globs)
    .filter((glob) => !namesOne(version, glob))
    .map((id) => ({
      id,
      why: `Of version ${other}; this run spoke version ${version}.`,
      asks: `--protocol ${other}`,
    }));
}

export function namesOne(version: 1 | 2, glob: string): boolean {
  const isMeant = matcherOf(glob);
  return PROBES.some(({ id, versions }) => versions.includes(version) && isMeant(id));
}

const RANKS = { reads: 1, prompts: 2, ends: 3 } as const;

/** Those that only read the shared session first, those that take it away last. */
export function runOrder(probes: readonly Probe[]): readonly Probe[] {
  const rank = ({ saved }: Probe) => (saved ? RANKS[saved] : 0);
  return probes.toSorted((a, b) => rank(a) - rank(b));
}

/** `load` of `load/roundtrip`. */
function familyOf({ id }: { readonly id: string }): string {
  return id.slice(0, id.indexOf('/'));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

// `--only GLOB`: `*` is any text, also none; several globs are parted by commas.

export function globsIn(globs: string): readonly string[] {
  return globs
    .split(',')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
}

export function matcherOf(globs: string): (id: string) => boolean {
  const patterns = globsIn(globs).map(
    (glob) => new RegExp(`^${glob.split('*').map(escaped).join('.*')}$`),
  );
  return (id) => patterns.some((pattern) => pattern.test(id));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
