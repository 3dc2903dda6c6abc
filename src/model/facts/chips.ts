/** What a session is called: the same wherever it is met. `parent`: the chip of the session that owns it. */
export type ChipOf = (sessionId: string, parent?: string) => string;

/**
 * Gives every session its chip: `S1` for the first it is asked of, and so on; `S1.1` for the first
 * child of that. One book a page.
 */
export function chipBook(): ChipOf {
  const chips = new Map<string, string>();
  const counts = new Map<string | undefined, number>();
  return (sessionId, parent) => {
    const known = chips.get(sessionId);
    if (known !== undefined) return known;
    const number = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, number);
    const chip = parent === undefined ? `S${number}` : `${parent}.${number}`;
    chips.set(sessionId, chip);
    return chip;
  };
}
