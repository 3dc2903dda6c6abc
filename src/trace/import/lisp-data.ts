// Data as Emacs prints it: lists, dotted pairs, vectors, strings, symbols and numbers, with the labels
// that `print-circle` makes. Nothing is evaluated.

export type Lisp =
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'symbol'; readonly text: string }
  | { readonly kind: 'vector'; readonly items: readonly Lisp[] }
  /** `tail`: what stands behind the dot. */
  | { readonly kind: 'list'; readonly items: readonly Lisp[]; readonly tail?: Lisp | undefined };

/** The first datum of the text; a sentence, without a full stop, where it is none. */
export function readLisp(text: string): Lisp | { readonly problem: string } {
  try {
    return new Scanner(text).value(0);
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

/** True if a list follows the blanks and comments that the text begins with. */
export function beginsList(text: string): boolean {
  return new Scanner(text).next() === '(';
}

class Unreadable extends Error {}

/** How deep data nests that is read or written. */
export const MAX_DEPTH = 500;
const BLANK = /[\s\f]/;
const ENDS = /[\s"()[\];]/;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', e: '\u001b', f: '\f', a: '\u0007', b: '\b', v: '\v' },
  ...{ s: ' ', '\n': '', ' ': '' },
};

class Scanner {
  readonly #text: string;
  readonly #labels = new Map<string, Lisp>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the character after blanks and comments; undefined: the text ends. */
  next(): string | undefined {
    this.#blanks();
    return this.#text[this.#at];
  }

  value(depth: number): Lisp {
    if (depth > MAX_DEPTH) throw new Unreadable(`it nests more than ${MAX_DEPTH} deep`);
    const char = this.next();
    switch (char) {
      case undefined:
        throw new Unreadable('it ends in the middle');
      case '(':
        return this.#list(depth);
      case '[':
        return { kind: 'vector', items: this.#until(']', depth).items };
      case '"':
        return { kind: 'string', text: this.#string() };
      case '#':
        return this.#label(depth);
      case "'":
      case '`':
        this.#at++;
        return this.value(depth + 1);
      case ')':
      case ']':
        throw new Unreadable(`a ${char} closes nothing`);
      default:
        return this.#word();
    }
  }

  #list(depth: number): Lisp {
    const { items, tail } = this.#until(')', depth);
    return { kind: 'list', items, ...(tail && { tail }) };
  }

  #until(close: string, depth: number): { items: Lisp[]; tail?: Lisp } {
    this.#at++;
    const items: Lisp[] = [];
    let tail: Lisp | undefined;
    for (;;) {
      const next = this.next();
      if (next === close) break;
      const isDot = next === '.' && ENDS.test(this.#text[this.#at + 1] ?? ' ');
      if (isDot) this.#at++;
      const value = this.value(depth + 1);
      if (isDot) tail = value;
      else items.push(value);
    }
    this.#at++;
    return { items, ...(tail && { tail }) };
  }

  #string(): string {
    let out = '';
    for (this.#at++; ; this.#at++) {
      const char = this.#text[this.#at];
      if (char === undefined) throw new Unreadable('a string does not end');
      if (char === '"') break;
      out += char === '\\' ? this.#escape() : char;
    }
    this.#at++;
    return out;
  }

  /** At the backslash; ends at the last sign of the escape. */
  #escape(): string {
    const rest = this.#text.slice(this.#at + 1, this.#at + 10);
    const [octal] = /^[0-7]{1,3}/.exec(rest) ?? [];
    const [hex] = /^x[0-9a-fA-F]{1,6}/.exec(rest) ?? /^u[0-9a-fA-F]{4}/.exec(rest) ?? [];
    const code = octal ? parseInt(octal, 8) : hex ? parseInt(hex.slice(1), 16) : undefined;
    if (code !== undefined && code <= 0x10ffff) {
      this.#at += (octal ?? hex ?? '').length;
      return String.fromCodePoint(code);
    }
    this.#at++;
    const char = this.#text[this.#at] ?? '';
    return ESCAPES[char] ?? char;
  }

  /** `#1=value` names it, `#1#` is the same again. */
  #label(depth: number): Lisp {
    const [all = '', name = '', sign] =
      /^#(\d+)([=#])/.exec(this.#text.slice(this.#at, this.#at + 12)) ?? [];
    if (all === '') throw new Unreadable('it holds an object that only Emacs can read');
    this.#at += all.length;
    if (sign === '=') {
      const value = this.value(depth + 1);
      this.#labels.set(name, value);
      return value;
    }
    const known = this.#labels.get(name);
    if (!known) throw new Unreadable('it holds itself');
    return known;
  }

  #word(): Lisp {
    let text = '';
    let plain = true;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? '';
      if (ENDS.test(char)) break;
      if (char === '\\') {
        plain = false;
        text += this.#text[++this.#at] ?? '';
      } else text += char;
    }
    const isNumber = plain && /^[-+]?(\d+\.?|\d*\.\d+)(e[-+]?\d+)?$/i.test(text);
    return { kind: isNumber ? 'number' : 'symbol', text };
  }

  #blanks(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? '';
      if (char === ';') {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length - 1 : end;
      } else if (!BLANK.test(char)) return;
    }
  }
}
