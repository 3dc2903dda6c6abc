/** Gives every session its chip: `S1` for the first seen anywhere in the page, and so on. */
export function chipBook(): (sessionId: string) => string {
  const chips = new Map<string, string>();
  return (sessionId) => {
    const chip = chips.get(sessionId) ?? `S${chips.size + 1}`;
    chips.set(sessionId, chip);
    return chip;
  };
}
