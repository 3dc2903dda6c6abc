// The schemas that checks ask: those that are built in, and those of editions that a person opened from files. They are
// loaded when an edition is chosen, so that no check waits for them.
import { editionsFor, ownSchemas } from '../../acp/editions/editions.ts';
import type { EditionChoice } from '../../rules/against.ts';
import { loadRemarks, type RemarksOf } from '../../rules/steps.ts';

/** Names the schemas that a choice asks. Choices with one name ask the same schemas. */
export function schemasOf(choice: EditionChoice): string {
  return Object.values(editionsFor(choice)).map(ownSchemas).join(' ');
}

export class LoadedSchemas {
  #remarks: Map<string, RemarksOf>;

  /** `remarks`: what the schemas of the editions in force say. */
  constructor(remarks: RemarksOf) {
    this.#remarks = new Map([[schemasOf('auto'), remarks]]);
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
    this.#remarks = new Map();
    for (const choice of ['auto', ...choices] as const) await this.know(choice);
  }
}
