// Many differences of one kind in the items of one list, told as one: a list of models that is another
// one is a single difference to a person.
import { count } from '../../lib/format-count.ts';
import type { FieldChange } from './report/report.ts';

/** Fewer are told one by one. */
const FEW = 3;

/** In the order in which the first of each kind stands. */
export function foldFields(fields: readonly FieldChange[]): readonly FieldChange[] {
  const kinds = new Map<string, FieldChange[]>();
  for (const field of fields) {
    const key = `${field.kind} ${field.path.replace(/\[\d+\]/g, '[*]')}`;
    const known = kinds.get(key);
    if (known) known.push(field);
    else kinds.set(key, [field]);
  }
  return [...kinds.values()].flatMap((all): readonly FieldChange[] => {
    const [first] = all;
    if (all.length <= FEW || !first) return all;
    const path = first.path.replace(/\[\d+\]/g, '[*]');
    const words = (value: string | undefined) =>
      value === undefined ? undefined : `${count(all.length, 'time')}, first ${value}`;
    const [before, after] = [words(first.before), words(first.after)];
    return [
      {
        path,
        kind: first.kind,
        ...(before !== undefined && { before }),
        ...(after !== undefined && {
          after: first.kind === 'changed' ? (first.after ?? '') : after,
        }),
      },
    ];
  });
}
