// The keys of lists of which one is chosen, each row with its frame.
import { inText } from '../../state/keys.ts';
import { LIST_KEYS, runKey, type MovesInList, type PlaceKey } from '../parts/list-keys.ts';

interface InChoices extends MovesInList {
  readonly radio: HTMLElement | undefined;
  readonly link: HTMLElement | null | undefined;
}

export const CHOICE_KEYS: readonly PlaceKey<InChoices>[] = [
  ...LIST_KEYS,
  { keys: ['→'], does: 'To the frame of the row', run: ({ link }) => link?.focus() },
  { keys: ['←'], does: 'Back to the row', run: ({ radio }) => radio?.focus() },
];

/** To be attached to the list: its rows are marked `data-choice`. */
export function choiceKeys(letters: () => boolean) {
  return (list: HTMLElement): void => {
    list.addEventListener('keydown', (event) => {
      if (inText(event)) return;
      const rows = [...list.querySelectorAll('[data-choice]')];
      const at = rows.findIndex((row) => row.contains(event.target as Node));
      const radioOf = (row: Element | undefined) =>
        row?.querySelector<HTMLElement>('input[type=radio]') ?? undefined;
      function move(by: number): void {
        const radio = radioOf(rows[Math.max(0, Math.min(rows.length - 1, at + by))]);
        radio?.focus();
        radio?.click();
      }
      const [radio, link] = [radioOf(rows[at]), rows[at]?.querySelector<HTMLElement>('button')];
      runKey(CHOICE_KEYS, event, letters(), { move, page: 10, radio, link });
    });
  };
}
