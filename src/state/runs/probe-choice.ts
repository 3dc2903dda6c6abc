// Which probes are chosen: by preset, by family, one by one.
import type { ProbeEntry } from '../../engine/runs/run-messages.ts';

const PROBE_PRESETS = ['sessions', 'free', 'all'] as const;
export type ProbePreset = (typeof PROBE_PRESETS)[number];

export const NOTHING: ReadonlySet<string> = new Set();

/** Families whose probes are about sessions, restore and replay. */
const SESSIONS = ['new', 'list', 'load', 'resume1', 'resume2', 'close', 'fork', 'delete'];

/** Those that must be asked for by name are in none. */
export function presetIds(
  catalogue: readonly ProbeEntry[],
  preset: ProbePreset,
): ReadonlySet<string> {
  const isMeant = ({ family, prompts, shares, optIn }: ProbeEntry) => {
    if (optIn !== undefined) return false;
    if (preset === 'sessions') return SESSIONS.includes(family);
    return preset === 'all' || (prompts === 0 && !shares);
  };
  return new Set(catalogue.filter(isMeant).map(({ id }) => id));
}

/** The preset that this choice is, with or without what becomes of tool calls; undefined: none. */
export function presetOf(
  catalogue: readonly ProbeEntry[],
  chosen: ReadonlySet<string>,
): ProbePreset | undefined {
  const tools = toolsProbe(catalogue, chosen)?.id;
  const plain = [...chosen].filter((id) => id !== tools);
  return PROBE_PRESETS.find((preset) => {
    const ids = presetIds(catalogue, preset);
    return ids.size === plain.length && plain.every((id) => ids.has(id));
  });
}

/**
 * The probe that asks what becomes of tool calls in a replay, where others of its family are chosen:
 * no preset has it, and it is what many came to ask.
 */
export function toolsProbe(
  catalogue: readonly ProbeEntry[],
  chosen: ReadonlySet<string>,
): ProbeEntry | undefined {
  return catalogue.find(
    ({ id, family, shut }) =>
      id === `${family}/tools` &&
      shut === undefined &&
      catalogue.some((one) => one.family === family && one.id !== id && chosen.has(one.id)),
  );
}

export function probeIds(probes: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(probes.map(({ id }) => id));
}

/** They are taken whole, or left whole. */
export function toggled(chosen: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const isOn = ids.every((id) => chosen.has(id));
  const rest = [...chosen].filter((id) => !ids.includes(id));
  return new Set(isOn ? rest : [...rest, ...ids]);
}

/** Ids of each family, in order. */
export function familiesOf(
  catalogue: readonly ProbeEntry[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { family, id } of catalogue) found.set(family, [...(found.get(family) ?? []), id]);
  return found;
}

/** What of a choice a catalogue still offers. */
export function kept(
  catalogue: readonly { readonly id: string }[],
  chosen: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(catalogue.map(({ id }) => id).filter((id) => chosen.has(id)));
}
