// Where a text stops being JSON, in words that are the same in every engine (JSON.parse's own
// messages differ from browser to browser, and some name no place). Runs only on broken texts.

/** `at` counts UTF-16 units from the start of the text. */
interface JsonFault {
  readonly at: number;
  /** "expected a comma or }, found a letter": without the place. */
  readonly what: string;
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expect = 'value' | 'value or ]' | 'key' | 'key or }' | 'after';

/** Undefined: the text is JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = [];
  let expect: Expect = 'value';
  let at = 0;
  for (;;) {
    at = match(SPACE, text, at) ?? at;
    const here = text[at];
    const inside = open.at(-1);
    if (expect === 'after') {
      if (inside === undefined) {
        return here === undefined ? undefined : fault(at, 'the value has ended', here);
      } else if (here === ',') {
        expect = inside === '{' ? 'key' : 'value';
      } else if (here === (inside === '{' ? '}' : ']')) {
        open.pop();
      } else {
        return fault(at, `expected a comma or ${inside === '{' ? '}' : ']'}`, here);
      }
      at++;
    } else if (expect === 'key' || expect === 'key or }') {
      if (here === '}' && expect === 'key or }') {
        open.pop();
        expect = 'after';
        at++;
      } else {
        if (here !== '"')
          return fault(at, expect === 'key' ? 'expected a "key"' : 'expected a "key" or }', here);
        const end = stringEnd(text, at);
        if (typeof end !== 'number') return end;
        at = match(SPACE, text, end) ?? end;
        if (text[at] !== ':') return fault(at, 'expected a colon', text[at]);
        at++;
        expect = 'value';
      }
    } else if (here === ']' && expect === 'value or ]') {
      open.pop();
      expect = 'after';
      at++;
    } else if (here === '{' || here === '[') {
      open.push(here);
      expect = here === '{' ? 'key or }' : 'value or ]';
      at++;
    } else {
      const end = scalarEnd(text, at);
      if (typeof end !== 'number') return end;
      at = end;
      expect = 'after';
    }
  }
}

function scalarEnd(text: string, at: number): number | JsonFault {
  if (text[at] === '"') return stringEnd(text, at);
  for (const word of ['true', 'false', 'null'])
    if (text.startsWith(word, at)) return at + word.length;
  return match(NUMBER, text, at) ?? fault(at, 'expected a value', text[at]);
}

function stringEnd(text: string, start: number): number | JsonFault {
  let at = start + 1;
  for (;;) {
    at = match(PLAIN, text, at) ?? at;
    const here = text[at];
    if (here === '"') return at + 1;
    if (here === undefined) return { at, what: 'the text ends inside a string' };
    const end = here === '\\' ? match(ESCAPE, text, at) : undefined;
    if (end === undefined)
      return {
        at,
        what:
          here === '\\'
            ? 'a backslash that begins no escape'
            : `${words(here)} inside a string must be escaped`,
      };
    at = end;
  }
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function fault(at: number, due: string, here: string | undefined): JsonFault {
  return {
    at,
    what: here === undefined ? `${due}, the text ends` : `${due}, found ${words(here)}`,
  };
}

function words(char: string): string {
  const code = char.charCodeAt(0);
  if (code > 0x20 && code < 0x7f) return char;
  if (code === 0x0a) return 'a line break';
  if (code === 0x09) return 'a tab';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
