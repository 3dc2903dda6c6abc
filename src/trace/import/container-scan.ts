// Finds the end of an object or array in a text that may be cut, damaged or spread over lines. Each character is read once.

const BACKSLASH = 0x5c;
const DOUBLE = 0x22;
const SINGLE = 0x27;

/** Follows one object or array of JSON, or one table of Lua, through the lines that it is written on. */
export class ContainerScan {
  readonly #hasSingleQuotes: boolean;
  #depth = 0;
  #quote = 0;

  /** `isLua`: strings may have single quotes. */
  constructor(isLua: boolean) {
    this.#hasSingleQuotes = isLua;
  }

  /** True if a string has begun and not ended. In JSON no line ends within one. */
  get isInString(): boolean {
    return this.#quote !== 0;
  }

  /** Returns the place after the container; undefined if it does not end in this text. */
  push(text: string, from: number): number | undefined {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#quote !== 0) {
        if (code === BACKSLASH) at++;
        else if (code === this.#quote) this.#quote = 0;
      } else if (code === DOUBLE || (code === SINGLE && this.#hasSingleQuotes)) this.#quote = code;
      else if (code === 0x7b || code === 0x5b) this.#depth++;
      else if ((code === 0x7d || code === 0x5d) && --this.#depth <= 0) return at + 1;
    }
    return undefined;
  }
}
