// The echo of a prompt: the user message in which an agent tells what the client has sent, whole or in
// pieces. Both are one message of the conversation. A value: each step gives another one.
import type { ContentPart } from '../sessions/conversation-view.ts';
import { textOf } from './content-parts.ts';

/** A prompt that is not echoed yet; `key`: what its owner calls it. */
interface Waiting<K> {
  readonly key: K;
  readonly text: string;
  /** Blocks that are not text, as JSON. */
  readonly others: ReadonlySet<string>;
}

export interface Echoes<K> {
  /** Oldest first. */
  readonly waiting: readonly Waiting<K>[];
  /** The prompt that is told in pieces, under which id, and how many characters of it so far. */
  readonly current:
    (Waiting<K> & { readonly id: string | undefined; readonly said: number }) | undefined;
}

export const NO_ECHOES: Echoes<never> = { waiting: [], current: undefined };

export function prompted<K>(echoes: Echoes<K>, key: K, parts: readonly ContentPart[]): Echoes<K> {
  const others = parts.filter(({ type }) => type !== 'text').map((part) => JSON.stringify(part));
  const waiting = { key, text: textOf(parts), others: new Set(others) };
  return { ...echoes, waiting: [...echoes.waiting, waiting] };
}

/** No echo is due any more: it has come, the turn has ended, or the prompt failed. */
export function settled<K>(echoes: Echoes<K>, key: K): Echoes<K> {
  const at = echoes.waiting.findIndex((one) => one.key === key);
  return at < 0 ? echoes : { ...echoes, waiting: echoes.waiting.toSpliced(at, 1) };
}

/** Something else came: what the agent says next goes on with no echo. */
export function apart<K>(echoes: Echoes<K>): Echoes<K> {
  return echoes.current === undefined ? echoes : { ...echoes, current: undefined };
}

/** The prompt that a new message is, by its text or the begin of it; an empty one is the oldest. */
export function echoedBy<K>(
  { waiting }: Echoes<K>,
  parts: readonly ContentPart[],
  isWhole: boolean,
): K | undefined {
  const said = textOf(parts);
  const isIt = ({ text }: Waiting<K>) =>
    isWhole && parts.length > 0 ? text === said : text.startsWith(said);
  return waiting.find(isIt)?.key;
}

/**
 * A piece of a user message: of which prompt it is the echo, and whether it begins that. One that
 * departs in the middle shows that what seemed an echo of that prompt was none.
 */
interface EchoPiece<K> {
  readonly of: K;
  readonly is: 'begin' | 'more' | 'departure';
}

export function pieceOf<K>(
  echoes: Echoes<K>,
  part: ContentPart,
  id: string | undefined,
): readonly [Echoes<K>, EchoPiece<K> | undefined] {
  const { waiting, current } = echoes;
  const same = current && (id === undefined || id === current.id) ? current : undefined;
  if (same && repeats(same, same.said, part))
    return [
      { waiting, current: told(same, part, id) },
      { of: same.key, is: 'more' },
    ];
  if (same && same.text.slice(same.said).trim() !== '')
    return [
      { waiting, current: undefined },
      { of: same.key, is: 'departure' },
    ];
  const begun = waiting.find((one) => repeats(one, 0, part));
  if (begun === undefined) return [echoes, undefined];
  const begins = told({ ...begun, id: undefined, said: 0 }, part, id);
  return [
    { ...settled(echoes, begun.key), current: begins },
    { of: begun.key, is: 'begin' },
  ];
}

function told<K>(
  current: NonNullable<Echoes<K>['current']>,
  part: ContentPart,
  id: string | undefined,
): Echoes<K>['current'] {
  const length = part.type === 'text' ? part.text.length : 0;
  return { ...current, id: id ?? current.id, said: current.said + length };
}

/** Whether the part is what the prompt says next, after so many characters of its text. */
function repeats<K>({ text, others }: Waiting<K>, said: number, part: ContentPart): boolean {
  if (part.type !== 'text') return others.has(JSON.stringify(part));
  if (part.text === '') return false;
  return text.startsWith(part.text, said) || text.slice(said).trim() === part.text.trim();
}
