// What a session is left with by a restore, beside its conversation: its settings as they were live.
import type { NormalFact } from '../replay/normal-form.ts';
import type { Ledger, LedgerNote } from './ledger.ts';
import type { LivePart, SaidFact } from './live-fold.ts';
import type { ReplayedPart } from './replayed-part.ts';

/** Into the ledger. `part`: what was lived, where a trace holds it; `replay`: what the restore told. */
export function compareFacts(
  live: readonly NormalFact[],
  replayed: readonly NormalFact[],
  part: LivePart | undefined,
  replay: ReplayedPart,
  ledger: Ledger,
): void {
  const { version } = replay.state;
  const said = part?.said ?? [];
  for (const fact of live) {
    // v1 tells by its answer to the prompt what v2 calls the state.
    if (fact.kind === 'state' && version === 1) continue;
    const other = replayed.find(isSame(fact)) ?? replayed.find(isSameMode(fact));
    const unsaid = other ? undefined : unsayable(fact, version);
    if (unsaid) ledger.fact([unsaid], fact, undefined, true);
    else {
      const isOpen = !other && mayComeLater(fact, replay);
      ledger.fact(isOpen ? [] : tell(fact, other, said, replay), fact, other, isOpen);
    }
  }
  for (const fact of replayed) {
    if (live.some(isSame(fact))) continue;
    // v1 tells the mode twice to clients that know config options.
    const mode = live.find(isSameMode(fact));
    const told = mode ? tell(mode, fact, said, replay) : [];
    // The state is due of every restore, whatever it was live.
    if (!mode || told.length > 0) ledger.fact(told, mode, fact, !mode && fact.kind !== 'state');
  }
}

function isSame({ kind, name }: NormalFact): (other: NormalFact) => boolean {
  return (other) => other.kind === kind && other.name === name;
}

/** A mode of v1 and a config option of v2 are one setting. */
function isSameMode({ isMode, version }: NormalFact): (other: NormalFact) => boolean {
  return (other) => isMode && other.isMode && other.version !== version;
}

function unsayable(fact: NormalFact, version: 1 | 2): LedgerNote | undefined {
  if (fact.version === version) return undefined;
  const cannot = { kind: 'cannot say', verdict: 'cosmetic', before: fact.words } as const;
  if (fact.kind === 'mode') return { ...cannot, why: 'v2 has no modes' };
  // Its clients of v1 must ask for them.
  return version === 1 && typeof fact.value === 'boolean'
    ? { ...cannot, why: 'v1 tells options that are on or off only to clients that ask for them' }
    : undefined;
}

/** A title is in the list of sessions, and commands may come at any time. */
function mayComeLater({ kind }: NormalFact, replay: ReplayedPart): boolean {
  return kind === 'title' || (kind === 'commands' && (!replay.settled || replay.hasLateCommands));
}

function tell(
  fact: NormalFact,
  other: NormalFact | undefined,
  said: readonly SaidFact[],
  { toldState }: ReplayedPart,
): LedgerNote[] {
  const { kind, words: before } = fact;
  if (kind === 'state')
    return toldState
      ? []
      : [{ kind: 'missing', verdict: 'lossy', before, why: 'was not told before the answer' }];
  if (!other) return [{ kind: 'missing', verdict: 'lossy', before, why: 'was not told' }];
  if (JSON.stringify(fact.value) === JSON.stringify(other.value)) return [];
  const after = other.words;
  const isOld = said.some(
    ({ name, value }) =>
      name === fact.name && JSON.stringify(value) === JSON.stringify(other.value),
  );
  if (kind === 'commands') return commands(fact, other, isOld);
  // Its parent may say it otherwise as the child goes on, and what it said before is not kept.
  if (kind === 'announced')
    return [{ kind: 'changed', verdict: 'lossy', before, after, why: 'is told otherwise' }];
  return isOld
    ? [{ kind: 'changed', verdict: 'lossy', before, after, why: AS_BEFORE }]
    : [{ kind: 'changed', verdict: 'corrupt', before, after, why: 'was never so live' }];
}

const AS_BEFORE = 'has an earlier value of the live session';

/** `isOld`: they were the same at an earlier time of the live session. */
function commands(fact: NormalFact, other: NormalFact, isOld: boolean): LedgerNote[] {
  const names = (value: NormalFact['value']) => (Array.isArray(value) ? value.map(String) : []);
  const [then, now] = [names(fact.value), names(other.value)];
  const lost = then.filter((name) => !now.includes(name));
  const words = { before: fact.words, after: other.words };
  if (lost.length > 0)
    return [
      { kind: 'changed', verdict: 'lossy', ...words, why: `lacks ${lost.slice(0, 5).join(', ')}` },
    ];
  if (now.length > then.length)
    return [
      {
        ...{ kind: 'cosmetic', verdict: 'cosmetic', ...words },
        why: isOld ? AS_BEFORE : 'has more than live',
      },
    ];
  return [{ kind: 'cosmetic', verdict: 'cosmetic', ...words, why: 'has another order' }];
}
