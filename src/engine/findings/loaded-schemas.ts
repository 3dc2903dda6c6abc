// The schemas that checks ask: those that are built in, and those of editions that a person opened from files. They are
// loaded when an edition is chosen, so that no check waits for them.
import type { EditionId } from '../../acp/editions/edition.ts';
import { ownSchemas } from '../../acp/editions/editions.ts';
import type { EditionChoice } from '../../rules/against.ts';
import { loadRemarks, type RemarksOf } from '../../rules/steps.ts';

/** The edition from a file whose schemas a choice asks; undefined: the schemas that are built in. */
export function schemasOf(choice: EditionChoice): EditionId | undefined {
  return choice === 'auto' ? undefined : ownSchemas(choice);
}

export class LoadedSchemas {
  /** By the edition from a file; undefined: what is built in. */
  #remarks: Map<EditionId | undefined, RemarksOf>;

  constructor(builtIn: RemarksOf) {
    this.#remarks = new Map([[undefined, builtIn]]);
  }

  /** Returns the checker of a choice's schemas; undefined: they are not loaded. */
  of(choice: EditionChoice): RemarksOf | undefined {
    return this.#remarks.get(schemasOf(choice));
  }

  /** Loads the schemas of a choice. */
  async know(choice: EditionChoice): Promise<void> {
    const own = schemasOf(choice);
    if (!this.#remarks.has(own)) this.#remarks.set(own, await loadRemarks(choice));
  }

  /** Loads the schemas of these choices again, and forgets all others. */
  async again(choices: readonly EditionChoice[]): Promise<void> {
    const remarks = new Map<EditionId | undefined, RemarksOf>();
    for (const choice of ['auto', ...choices] as const)
      if (!remarks.has(schemasOf(choice)))
        remarks.set(schemasOf(choice), await loadRemarks(choice));
    this.#remarks = remarks;
  }
}
