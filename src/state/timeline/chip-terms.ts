// Chips as terms of the query: which of them the query contains, and the query after a click on one. A chip
// is found however its term is written: in another order, or joined with other terms by `|`.
import { CHIPS, type ChipId } from '../../model/query/chips.ts';
import { alternativesOf, closingOf } from '../../model/query/cut.ts';
import { termsOf } from './query-terms.ts';

/** A part of the query: alternatives of one field and one value each, such as `type:err`. */
interface Part {
  readonly isDenied: boolean;
  readonly atoms: readonly string[];
  /** As it is written. */
  readonly text: string;
}

interface Pressed {
  readonly on: ReadonlySet<ChipId>;
  readonly off: ReadonlySet<ChipId>;
}

const ATOMS = new Map(CHIPS.map(({ id, term }) => [id, atomsOf(term)]));
const ALL_ATOMS = new Set([...ATOMS.values()].flat());
const atomsOfChip = (id: ChipId) => ATOMS.get(id) ?? [];

/** Returns the chips whose frames the query asks for (`on`), and those whose frames it hides (`off`). */
export function pressedChips(query: string): Pressed {
  const parts = partsOf(query);
  const denied = new Set(parts.flatMap(({ isDenied, atoms }) => (isDenied ? atoms : [])));
  const isOn = (id: ChipId) =>
    parts.some(({ isDenied, atoms }) => !isDenied && hasAll(new Set(atoms), atomsOfChip(id)));
  const ids = CHIPS.map(({ id }) => id);
  return {
    on: new Set(ids.filter(isOn)),
    off: new Set(ids.filter((id) => hasAll(denied, atomsOfChip(id)))),
  };
}

/**
 * Returns the query after a click on a chip. `only`: its frames instead of those of other chips; `also`: its frames
 * too; `without`: all frames except its own. A second click takes the term out of the query.
 */
export function clickedChip(query: string, id: ChipId, how: 'only' | 'also' | 'without'): string {
  const { on, off } = pressedChips(query);
  const mine = new Set(atomsOfChip(id));
  const isPressed = how === 'without' ? off.has(id) : on.has(id);
  // Without this chip; a click alone takes away the other chips that are on.
  const taken = how === 'only' ? ALL_ATOMS : mine;
  const parts = partsOf(query).map((part) => without(part, part.isDenied ? mine : taken));
  const isAlone = how !== 'only' || on.size === 1;
  if (!isPressed || !isAlone) {
    const at = parts.findIndex(
      ({ isDenied, atoms }) =>
        how === 'also' && !isDenied && atoms.some((atom) => ALL_ATOMS.has(atom)),
    );
    const part = parts[at] ?? { isDenied: how === 'without', atoms: [], text: '' };
    const grown = { ...part, atoms: [...part.atoms, ...mine] };
    parts.splice(at < 0 ? parts.length : at, 1, { ...grown, text: written(grown) });
  }
  return parts
    .map(({ text }) => text)
    .filter(Boolean)
    .join(' ');
}

function hasAll(has: ReadonlySet<string>, atoms: readonly string[]): boolean {
  return atoms.every((atom) => has.has(atom));
}

/** The part without these atoms; as it is written if it has none of them. */
function without(part: Part, taken: ReadonlySet<string>): Part {
  const atoms = part.atoms.filter((atom) => !taken.has(atom));
  if (atoms.length === part.atoms.length) return part;
  return { ...part, atoms, text: written({ ...part, atoms }) };
}

function partsOf(query: string): Part[] {
  return termsOf(query).map(({ text }) => {
    const isDenied = text.startsWith('-');
    return { isDenied, atoms: atomsOf(inBrackets(isDenied ? text.slice(1) : text)), text };
  });
}

/** The text between brackets that enclose all of it; else the text. */
function inBrackets(text: string): string {
  const isAll = text.startsWith('(') && closingOf(text, { from: 0, to: text.length });
  return isAll === text.length - 1 ? text.slice(1, -1).trim() : text;
}

function atomsOf(text: string): string[] {
  return alternativesOf(text, { from: 0, to: text.length }).flatMap(({ from, to }) => {
    const alternative = text.slice(from, to);
    const [, field, values] =
      /^([a-z]+:)([^\s"/(),]+(?:[/,][^\s"/(),]+)*)$/.exec(alternative) ?? [];
    return values === undefined
      ? [alternative]
      : values.split(',').map((value) => `${field}${value}`);
  });
}

/** `type:err,bad|status:failed` */
function written({ isDenied, atoms }: Omit<Part, 'text'>): string {
  const terms: { text: string; readonly isChip: boolean }[] = [];
  for (const atom of atoms) {
    const isChip = ALL_ATOMS.has(atom);
    const field = /^[a-z]+:/.exec(atom)?.[0];
    const last = terms.at(-1);
    if (isChip && last?.isChip && field !== undefined && last.text.startsWith(field))
      last.text += `,${atom.slice(field.length)}`;
    else terms.push({ text: atom, isChip });
  }
  const text = terms.map((term) => term.text).join('|');
  if (!isDenied || text === '') return text;
  return terms.length > 1 ? `-(${text})` : `-${text}`;
}
