/** A clause as a sentence: with a capital, and a full stop where it has no mark at its end. */
export function asSentence(clause: string): string {
  const text = clause.slice(0, 1).toUpperCase() + clause.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
