// What the session is set to after a restore, against what it was set to live.
import type { Ledger, Told } from './ledger.ts';
import type { LivePart, SaidFact } from './live-part.ts';
import type { NormalFact } from './normal-form.ts';
import type { ReplayedPart } from './replayed-part.ts';

export function compareFacts(
  live: readonly NormalFact[],
  replayed: readonly NormalFact[],
  part: LivePart | undefined,
  replay: ReplayedPart,
  ledger: Ledger,
): void {
  for (const fact of live) {
    const other = replayed.find(({ kind, name }) => kind === fact.kind && name === fact.name);
    const isOpen = !other && mayComeLater(fact, replay);
    const told = isOpen ? [] : tell(fact, other, part?.said ?? [], replay);
    ledger.fact(told, fact, other, isOpen);
  }
  for (const fact of replayed)
    if (!live.some(({ kind, name }) => kind === fact.kind && name === fact.name))
      ledger.fact([], undefined, fact);
}

/** A title is in the list of sessions, and commands may come at any time. */
function mayComeLater({ kind }: NormalFact, { settled }: ReplayedPart): boolean {
  return kind === 'title' || (kind === 'commands' && !settled);
}

function tell(
  fact: NormalFact,
  other: NormalFact | undefined,
  said: readonly SaidFact[],
  { toldState }: ReplayedPart,
): Told[] {
  const { kind, words: before } = fact;
  if (kind === 'state')
    return toldState
      ? []
      : [{ kind: 'missing', verdict: 'lossy', before, why: 'was not told before the answer' }];
  if (!other) return [{ kind: 'missing', verdict: 'lossy', before, why: 'was not told' }];
  if (JSON.stringify(fact.value) === JSON.stringify(other.value)) return [];
  const after = other.words;
  if (kind === 'commands') return commands(fact, other);
  const isOld = said.some(
    ({ name, value }) =>
      name === fact.name && JSON.stringify(value) === JSON.stringify(other.value),
  );
  return isOld
    ? [{ kind: 'changed', verdict: 'lossy', before, after, why: 'is as it was before' }]
    : [{ kind: 'changed', verdict: 'corrupt', before, after, why: 'was never so live' }];
}

function commands(fact: NormalFact, other: NormalFact): Told[] {
  const names = (value: NormalFact['value']) => (Array.isArray(value) ? value.map(String) : []);
  const [then, now] = [names(fact.value), names(other.value)];
  const lost = then.filter((name) => !now.includes(name));
  const words = { before: fact.words, after: other.words };
  if (lost.length > 0)
    return [
      { kind: 'changed', verdict: 'lossy', ...words, why: `lacks ${lost.slice(0, 5).join(', ')}` },
    ];
  if (now.length > then.length)
    return [{ kind: 'cosmetic', verdict: 'cosmetic', ...words, why: 'has more than live' }];
  return [{ kind: 'cosmetic', verdict: 'cosmetic', ...words, why: 'has another order' }];
}
