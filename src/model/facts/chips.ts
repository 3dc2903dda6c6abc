/** Gives every session its chip: `S1` for the first it is asked of, and so on. One book a page. */
export function chipBook(): (sessionId: string) => string {
  const chips = new Map<string, string>();
  return (sessionId) => {
    const chip = chips.get(sessionId) ?? `S${chips.size + 1}`;
    chips.set(sessionId, chip);
    return chip;
  };
}
