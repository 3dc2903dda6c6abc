// Strings by number: each distinct string is kept once, and columns hold its number.

export class Interner {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** The first of those with the most characters. */
  longest = '';

  get size(): number {
    return this.#texts.length;
  }

  get all(): readonly string[] {
    return this.#texts;
  }

  /** The string's number, from 0, the same every time. */
  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    this.#numbers.set(text, number);
    this.#texts.push(text);
    if (text.length > this.longest.length) this.longest = text;
    return number;
  }

  /** These alone, by their places. */
  take(texts: readonly string[]): void {
    this.#numbers.clear();
    this.#texts.length = 0;
    this.longest = '';
    for (const text of texts) this.of(text);
  }

  text(number: number): string {
    return this.#texts[number] ?? '';
  }
}
