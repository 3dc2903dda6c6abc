// By what a comparison of ours is made: what it leaves out, and which names it compares as they stand.
// Kept in this browser.
import { DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';
import { keepTastes, readTastes, type DiffTastes } from './diff-kept.ts';

export class CompareTerms {
  readonly #key: string;
  /** Why a rule is none: a sentence. */
  readonly #problemOf: (rule: string) => Promise<string | undefined>;
  readonly #changed: () => void;
  #tastes = $state.raw<DiffTastes>({ ignore: DEFAULT_IGNORE, raw: [] });

  /** `key`: under which it is kept. `changed`: it is to be compared anew. */
  constructor(
    key: string,
    problemOf: (rule: string) => Promise<string | undefined>,
    changed: () => void,
  ) {
    this.#key = key;
    this.#problemOf = problemOf;
    this.#changed = changed;
    this.#tastes = readTastes(key);
  }

  get all(): DiffTastes {
    return this.#tastes;
  }
  get ignore(): readonly string[] {
    return this.#tastes.ignore;
  }
  get raw(): readonly AliasKind[] {
    return this.#tastes.raw;
  }
  get isUsual(): boolean {
    return JSON.stringify(this.ignore) === JSON.stringify(DEFAULT_IGNORE);
  }

  /** Leaves out what this rule names; a sentence: why it cannot. */
  async addRule(rule: string): Promise<string | undefined> {
    const wanted = rule.trim();
    if (wanted === '' || this.ignore.includes(wanted)) return undefined;
    const problem = await this.#problemOf(wanted);
    if (problem === undefined) this.#keep({ ...this.#tastes, ignore: [...this.ignore, wanted] });
    return problem;
  }
  removeRule(rule: string): void {
    this.#keep({ ...this.#tastes, ignore: this.ignore.filter((other) => other !== rule) });
  }
  usualRules(): void {
    this.#keep({ ...this.#tastes, ignore: DEFAULT_IGNORE });
  }
  /** Aliases of this kind stand for the real names, or not. */
  useKind(kind: AliasKind, on: boolean): void {
    const others = this.raw.filter((other) => other !== kind);
    this.#keep({ ...this.#tastes, raw: on ? others : [...others, kind] });
  }

  #keep(tastes: DiffTastes): void {
    this.#tastes = tastes;
    keepTastes(tastes, this.#key);
    this.#changed();
  }
}
