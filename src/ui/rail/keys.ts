// The keys of the rail, which is a tree: what they do, and how the sheet of keys names them.
import {
  LIST_KEYS,
  type MovesInList,
  type PlaceKey,
  runKey,
  typeAhead,
} from '../parts/list-keys.ts';

interface InTree extends MovesInList {
  readonly line: HTMLElement;
  readonly lines: readonly HTMLElement[];
  readonly at: number;
}

const levelOf = (line: HTMLElement | undefined) => Number(line?.ariaLevel ?? 0);

function open({ line, lines, at, move }: InTree): void {
  if (line.ariaExpanded === 'false') toggle(line);
  else if (levelOf(lines[at + 1]) > levelOf(line)) move(1);
}

function close({ line, lines, at }: InTree): void {
  if (line.ariaExpanded === 'true') toggle(line);
  else lines.findLast((one, i) => i < at && levelOf(one) < levelOf(line))?.focus();
}

function toggle(line: HTMLElement): void {
  (line.querySelector<HTMLElement>('[data-toggle]') ?? line).click();
}

/** As a right click on it does. */
function menu({ line }: InTree): void {
  const { left, bottom } = line.getBoundingClientRect();
  const place = { clientX: left + 24, clientY: bottom };
  line.dispatchEvent(new MouseEvent('contextmenu', { ...place, bubbles: true, cancelable: true }));
}

/** Single letters go to the line that begins so. */
const MOVES = LIST_KEYS.map(({ keys, does, ...rest }) => ({
  ...rest,
  keys: keys.filter((key) => !/^[A-Z]$/.test(key)),
  does: does.replace('row', 'line'),
}));

const TREE_KEYS: readonly PlaceKey<InTree>[] = [
  ...MOVES,
  { keys: ['→'], does: 'Open the line, or go into it', run: open },
  { keys: ['←'], does: 'Close the line, or go to the one it belongs to', run: close },
  { keys: ['↵', 'Space'], does: 'Show what the line names', run: ({ line }) => line.click() },
  { keys: ['⇧F10'], alsoKey: 'ContextMenu', does: 'Menu of the line', run: menu },
];

/** Renaming and deleting are keys of the trace that the line names. */
export const RAIL_KEYS: readonly Pick<PlaceKey<never>, 'keys' | 'does'>[] = [
  ...TREE_KEYS,
  { keys: ['F2'], does: 'Rename the trace' },
  { keys: ['Del'], does: 'Delete the trace, once its agent has ended' },
  { keys: ['A–Z'], does: 'Next line that begins with what is typed' },
];

/** Figures and signs are keys of the page, unless a word goes on with them. */
const byLetters = typeAhead(/^\p{L}$/u);

/** A key pressed at a line of the tree. */
export function runTreeKey(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const line = event.currentTarget;
  const lines = [
    ...(line.closest('[role=tree]')?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? []),
  ];
  const at = lines.indexOf(line);
  const go = (to: number | undefined) => to !== undefined && lines[to]?.focus();
  const move = (by: number) => go(Math.max(0, Math.min(lines.length - 1, at + by)));
  const to = byLetters(event, at, lines);
  if (to === undefined) runKey(TREE_KEYS, event, false, { line, lines, at, move, page: 10 });
  else go(to);
}
