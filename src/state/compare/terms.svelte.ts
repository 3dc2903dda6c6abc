// By what a comparison of ours is made: what it leaves out, and which names it compares as they stand.
// Kept in this browser.
import { get, isArray, parseJson } from '../../acp/json.ts';
import { readLocal, saveLocal } from '../local.ts';
import { ALIAS_KINDS, DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';

interface Tastes {
  readonly ignore: readonly string[];
  readonly raw: readonly AliasKind[];
}

export class CompareTerms {
  readonly #key: string;
  readonly #problemOf: (rule: string) => Promise<string | undefined>;
  readonly #changed: () => void;
  all = $state.raw<Tastes>({ ignore: DEFAULT_IGNORE, raw: [] });

  /**
   * `key`: under which it is kept. `problemOf`: why a rule is none, a sentence. `changed`: it is to be
   * compared anew.
   */
  constructor(
    key: string,
    problemOf: (rule: string) => Promise<string | undefined>,
    changed: () => void = () => undefined,
  ) {
    this.#key = key;
    this.#problemOf = problemOf;
    this.#changed = changed;
    this.all = tastesIn(readLocal(key));
  }

  get ignore(): readonly string[] {
    return this.all.ignore;
  }
  get raw(): readonly AliasKind[] {
    return this.all.raw;
  }
  get isUsual(): boolean {
    return JSON.stringify(this.ignore) === JSON.stringify(DEFAULT_IGNORE);
  }

  /** Leaves out what this rule names; a sentence: why it cannot. */
  async addRule(rule: string): Promise<string | undefined> {
    const wanted = rule.trim();
    if (wanted === '' || this.ignore.includes(wanted)) return undefined;
    const problem = await this.#problemOf(wanted);
    if (problem === undefined) this.#keep({ ...this.all, ignore: [...this.ignore, wanted] });
    return problem;
  }
  removeRule(rule: string): void {
    this.#keep({ ...this.all, ignore: this.ignore.filter((other) => other !== rule) });
  }
  usualRules(): void {
    this.#keep({ ...this.all, ignore: DEFAULT_IGNORE });
  }
  /** Aliases of this kind stand for the real names, or not. */
  useKind(kind: AliasKind, on: boolean): void {
    const others = this.raw.filter((other) => other !== kind);
    this.#keep({ ...this.all, raw: on ? others : [...others, kind] });
  }

  #keep(tastes: Tastes): void {
    this.all = tastes;
    saveLocal(this.#key, JSON.stringify(tastes));
    this.#changed();
  }
}

/** As it was left; what is not ours is passed over. */
export function tastesIn(text: string | undefined): Tastes {
  const said = parseJson(text ?? '');
  const words = (key: string) => {
    const value = get(said, key);
    if (!isArray(value)) return undefined;
    return value.filter((word): word is string => typeof word === 'string');
  };
  const raw = words('raw') ?? [];
  return {
    ignore: words('ignore') ?? DEFAULT_IGNORE,
    raw: ALIAS_KINDS.filter((kind) => raw.includes(kind)),
  };
}
