// Tables of Lua as `vim.inspect` prints them, written as JSON. Nothing is evaluated.

/** How deep a table nests that is read. */
const MAX_DEPTH = 500;
const WORD = /[A-Za-z_][\w.]*(?:\(\))?/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])/iy;
const MARK = /<(?:\d{1,6}|[a-z]{1,10}(?: \d{1,6})?)>/y;
const BLANKS = /\s*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v', '\n': '\n' },
};

/** Fields of messages that hold lists, by their names. Among capabilities such a name holds an object. */
const LIST_NAME = /^(?:args|env|prompt|content|required|(?!params$|fs$|properties$)\w+s)$/;
const CAPABILITIES = /capabilities$/i;

class Unreadable extends Error {}

/**
 * Returns the table that the text begins with as JSON; undefined if it is none. Its keys keep their order. An empty
 * table is a list or an object, which Lua does not tell apart: the name of its field decides.
 */
export function luaJson(text: string): string | undefined {
  try {
    return new Tables(text).value(0, { name: '', isCapability: false });
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The field that holds a value. */
interface Field {
  readonly name: string;
  /** True if the field is part of capabilities. */
  readonly isCapability: boolean;
}

class Tables {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number, field: Field): string {
    if (depth > MAX_DEPTH) throw new Unreadable();
    const char = this.#next();
    if (char === '{') return this.#table(depth, field);
    if (char === '"' || char === "'") return JSON.stringify(this.#string());
    if (char === '<') {
      // `<1>{…}` is a table that another place refers to.
      if (/\d/.test(this.#taken(MARK)?.[1] ?? '')) return this.value(depth + 1, field);
      throw new Unreadable();
    }
    return this.#taken(NUMBER) ?? wordJson(this.#taken(WORD));
  }

  #table(depth: number, field: Field): string {
    this.#at++;
    const items: string[] = [];
    const fields: string[] = [];
    while (this.#next() !== '}') {
      const key = this.#key();
      if (key === undefined) items.push(this.value(depth + 1, { ...field, name: '' }));
      else if (key === '<metatable>') this.#metatable(depth);
      else fields.push(`${JSON.stringify(key)}:${this.value(depth + 1, within(field, key))}`);
      const after = this.#next();
      if (after === ',' || after === ';') this.#at++;
      else if (after !== '}') throw new Unreadable();
    }
    this.#at++;
    const isEmpty = fields.length === 0 && items.length === 0;
    if (isEmpty && !field.isCapability && LIST_NAME.test(field.name)) return '[]';
    if (fields.length === 0 && items.length > 0) return `[${items.join(',')}]`;
    return `{${[...items.map((item, i) => `"${i + 1}":${item}`), ...fields].join(',')}}`;
  }

  /** Returns the name before a `=`; undefined if an item without a name follows. */
  #key(): string | undefined {
    const start = this.#at;
    const key = this.#name();
    if (key !== undefined && this.#next() === '=') {
      this.#at++;
      return key;
    }
    this.#at = start;
    return undefined;
  }

  #name(): string | undefined {
    const char = this.#next();
    if (char === '<') return this.#taken(MARK);
    if (char !== '[') return this.#taken(WORD);
    this.#at++;
    const quote = this.#next();
    const key = quote === '"' || quote === "'" ? this.#string() : this.#taken(NUMBER);
    if (this.#next() === ']') this.#at++;
    return key;
  }

  /** Passes what is no part of the message. */
  #metatable(depth: number): void {
    if (this.#next() === '<') {
      this.#taken(MARK);
      if (this.#next() !== '{') return;
    }
    this.#skipped(depth);
  }

  /** Passes a table that may hold functions. */
  #skipped(depth: number): void {
    if (depth > MAX_DEPTH) throw new Unreadable();
    let open = 0;
    do {
      const char = this.#next();
      if (char === undefined) throw new Unreadable();
      if (char === '"' || char === "'") this.#string();
      else {
        if (char === '{') open++;
        if (char === '}') open--;
        this.#at++;
      }
    } while (open > 0);
  }

  #string(): string {
    const quote = this.#text[this.#at];
    let out = '';
    for (this.#at++; ; this.#at++) {
      const char = this.#text[this.#at];
      if (char === undefined) throw new Unreadable();
      if (char === quote) break;
      out += char === '\\' ? this.#escape() : char;
    }
    this.#at++;
    return out;
  }

  /** Reads an escape from its backslash, and ends at its last character. */
  #escape(): string {
    const [code] = /^\d{1,3}/.exec(this.#text.slice(this.#at + 1, this.#at + 4)) ?? [];
    this.#at += code?.length ?? 1;
    if (code !== undefined) return String.fromCharCode(Number(code));
    const char = this.#text[this.#at] ?? '';
    return ESCAPES[char] ?? char;
  }

  #next(): string | undefined {
    BLANKS.lastIndex = this.#at;
    BLANKS.exec(this.#text);
    this.#at = BLANKS.lastIndex;
    return this.#text[this.#at];
  }

  #taken(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function within({ isCapability }: Field, name: string): Field {
  return { name, isCapability: isCapability || CAPABILITIES.test(name) };
}

function wordJson(word: string | undefined): string {
  switch (word) {
    case 'true':
    case 'false':
      return word;
    case 'nil':
    case 'vim.NIL':
      return 'null';
    case 'vim.empty_dict()':
      return '{}';
    default:
      throw new Unreadable();
  }
}
