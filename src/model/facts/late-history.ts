// History after its end. While nothing runs, a message or a tool call can be nothing else. Once a
// prompt was sent what comes may be live; but a user message that nobody sent is not, and in v2,
// where the agent says when work begins, neither is what follows it until then.
import { isWork, type Activity } from './activity.ts';
import { isHistory, isMessageKind, type ItemKind } from './variants.ts';

/** `over`: what comes from here on may be live. */
export type Lateness = 'late' | 'other' | 'over';

export class LateWatch<Place extends { readonly branch: { readonly late: number } }> {
  readonly place: Place;
  readonly #prompts: string[] = [];
  #foreign = false;

  constructor(place: Place) {
    this.place = place;
  }

  prompted(text: string): void {
    this.#prompts.push(squeezed(text));
  }

  /** `said`: the text of a message, or of a piece of it. */
  judge(activity: Activity, kind: ItemKind | undefined, said: () => string): Lateness {
    if (isWork(activity.state)) return 'over';
    if (this.#prompts.length > 0) return this.#prompting(activity, kind, said);
    return isLate(this.place.branch.late, activity, kind) ? 'late' : 'other';
  }

  #prompting(activity: Activity, kind: ItemKind | undefined, said: () => string): Lateness {
    if (kind === 'user') {
      const text = squeezed(said());
      if (text === '') return 'other';
      if (this.#prompts.some((prompt) => prompt.includes(text) || text.includes(prompt)))
        return 'over';
      this.#foreign = true;
      return 'late';
    }
    if (!isHistory(kind)) return 'other';
    const tellsWork = activity.state !== undefined;
    return this.#foreign && tellsWork ? 'late' : 'over';
  }
}

/**
 * v2 may go on with background work it has listed. A terminal's output proves nothing alone, but
 * belongs to late history around it.
 */
function isLate(late: number, activity: Activity, kind: ItemKind | undefined): boolean {
  const background = (activity.background?.length ?? 0) > 0;
  if (isMessageKind(kind) || kind === 'peer') return true;
  if (kind === 'tool') return !background;
  return kind === 'terminal' && !background && late > 0;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
