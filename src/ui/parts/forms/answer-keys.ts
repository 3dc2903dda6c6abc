// The keys of a question for a permission. A letter only leads to an answer, and Enter gives it: what is typed
// in passing allows nothing.
import type { PlaceKey } from '../list-keys.ts';

interface AnswerKey extends PlaceKey<(kind: RegExp) => void> {
  /** Of the options that it leads to, one after the other. */
  readonly kind: RegExp;
}

const leads = (key: string, does: string, kind: RegExp): AnswerKey => ({
  ...{ keys: [key], does, kind },
  run: (to) => to(kind),
});

export const ANSWER_KEYS: readonly AnswerKey[] = [
  leads('Y', 'To the answer that allows once', /^allow_once$/),
  leads('A', 'To the answer that allows always', /^allow_always$/),
  leads('N', 'To an answer that rejects, again: to the next', /^reject_/),
];

/** Printed on the first option that it leads to. */
export function answerKey(
  options: readonly { readonly kind: string }[],
  at: number,
): string | undefined {
  return ANSWER_KEYS.find(({ kind }) => options.findIndex((one) => kind.test(one.kind)) === at)
    ?.keys[0];
}
