// What can be done with a value of the tree.
import type { MenuItem } from '../parts/menu-item.ts';
import { pathText, valueText, type TreeRow } from './tree-rows.ts';

export function copyText(text: string): void {
  void navigator.clipboard.writeText(text);
}

/** The copies first; then, where the value could be a cursor, the way to the restore form. */
export function treeMenu(
  text: string,
  row: TreeRow,
  resume: (() => void) | undefined,
): readonly MenuItem[] {
  const list: MenuItem[] = [
    { label: 'Copy value', icon: 'copy', keys: '⌘C', run: () => copyText(valueText(text, row)) },
    { label: 'Copy JSON', icon: 'copy', run: () => copyText(text.slice(row.start, row.end)) },
    { label: 'Copy path', icon: 'copy', run: () => copyText(`$.${pathText(row.path)}`) },
  ];
  if (resume) list.push({ label: 'Resume from here…', icon: 'pin', keys: 'R', run: resume });
  return list;
}
