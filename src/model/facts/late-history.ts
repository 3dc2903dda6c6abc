// History after the answer to a restore. While nothing runs, a message or a tool call can be nothing
// else. Once a prompt was sent what comes may be live; but a user message that nobody sent is not,
// and in v2, where the agent says when work begins, neither is what follows it until then.
import type { SessionRecord } from './sessions.ts';
import { isHistory, isMessageKind, type ItemKind } from './variants.ts';

/** `over`: what comes from here on may be live. */
export type Lateness = 'late' | 'other' | 'over';

export class LateWatch<Window extends { readonly late: number }> {
  readonly window: Window;
  readonly #prompts: string[] = [];
  #foreign = false;

  constructor(window: Window) {
    this.window = window;
  }

  prompted(text: string): void {
    this.#prompts.push(squeezed(text));
  }

  /** `said`: the text of a message, or of a piece of it. */
  judge(session: SessionRecord, kind: ItemKind | undefined, said: () => string): Lateness {
    if (session.state === 'running' || session.state === 'requires_action') return 'over';
    if (this.#prompts.length > 0) return this.#prompting(session, kind, said);
    return isLate(this.window.late, session, kind) ? 'late' : 'other';
  }

  #prompting(session: SessionRecord, kind: ItemKind | undefined, said: () => string): Lateness {
    if (kind === 'user') {
      const text = squeezed(said());
      if (text === '') return 'other';
      if (this.#prompts.some((prompt) => prompt.includes(text) || text.includes(prompt)))
        return 'over';
      this.#foreign = true;
      return 'late';
    }
    if (!isHistory(kind)) return 'other';
    const tellsWork = session.state !== undefined;
    return this.#foreign && tellsWork ? 'late' : 'over';
  }
}

/**
 * v2 may go on with background work it has listed. A terminal's output proves nothing alone, but
 * belongs to late history around it.
 */
function isLate(late: number, session: SessionRecord, kind: ItemKind | undefined): boolean {
  const background = (session.background ?? 0) > 0;
  if (isMessageKind(kind)) return true;
  if (kind === 'tool') return !background;
  return kind === 'terminal' && !background && late > 0;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
