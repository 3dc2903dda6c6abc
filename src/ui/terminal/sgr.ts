// Terminal output as text with colours, and nothing else: of all escape sequences only those for
// colour and weight are followed. Every other one is a mark that says which it was, so that no
// output can set a title, ask the terminal something, or write over what stands. `anser` makes no
// such marks.

export interface SgrStyle {
  /** 0–15: black red green yellow blue magenta cyan white, then the bright ones. */
  readonly ink?: number;
  readonly paper?: number;
  readonly bold?: true;
  readonly faint?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
}

type SgrPart =
  | { readonly type: 'text'; readonly text: string; readonly style: SgrStyle }
  | { readonly type: 'mark'; readonly name: string };

const PLAIN: SgrStyle = {};

// ESC sequences, their 8-bit forms (C1), then single controls. A string sequence (OSC, DCS, SOS,
// PM, APC) ends at BEL, ST, or the end of the text; a CSI cut off at the end counts too.
const CONTROL = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)([\\u0030-\\u003f]*)([\\u0020-\\u002f]*)([\\u0040-\\u007e]?)',
    '(?:\\u001b([\\]PX^_])|([\\u009d\\u0090\\u0098\\u009e\\u009f]))[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '\\u001b[\\u0020-\\u002f]*([\\u0030-\\u007e]?)',
    '([\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f])',
  ].join('|'),
  'g',
);

const STRINGS: Readonly<Record<string, string>> = {
  ']': 'OSC',
  '\u009d': 'OSC',
  P: 'DCS',
  '\u0090': 'DCS',
  X: 'SOS',
  '\u0098': 'SOS',
  '^': 'PM',
  '\u009e': 'PM',
  _: 'APC',
  '\u009f': 'APC',
};

/** Parts in order, and the style that holds after them. Line feeds and tabs are text. */
export function sgrParts(
  text: string,
  from: SgrStyle = PLAIN,
): { readonly parts: readonly SgrPart[]; readonly style: SgrStyle } {
  const parts: SgrPart[] = [];
  let style = from;
  let at = 0;
  for (const match of text.matchAll(CONTROL)) {
    if (match.index > at) parts.push({ type: 'text', text: text.slice(at, match.index), style });
    at = match.index + match[0].length;
    const [whole, values, between, final, string7, string8, escape, control] = match;
    if (final === 'm' && between === '' && /^[\d;:]*$/.test(values ?? '')) {
      style = applied(style, values ?? '');
    } else if (whole !== '\r' || text[at] !== '\n') {
      parts.push({
        type: 'mark',
        name: nameOf(values, between, final, string7 ?? string8, escape, control),
      });
    }
  }
  if (at < text.length) parts.push({ type: 'text', text: text.slice(at), style });
  return { parts, style };
}

function nameOf(
  values: string | undefined,
  between: string | undefined,
  final: string | undefined,
  string: string | undefined,
  escape: string | undefined,
  control: string | undefined,
): string {
  if (values !== undefined) return `CSI ${values.slice(0, 16)}${between ?? ''}${final ?? ''}`;
  if (string !== undefined) return STRINGS[string] ?? 'string';
  if (control !== undefined)
    return `U+${(control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return `ESC ${escape ?? ''}`.trim();
}

function applied(style: SgrStyle, values: string): SgrStyle {
  const codes = values.split(/[;:]/).map(Number);
  let next: { -readonly [K in keyof SgrStyle]: SgrStyle[K] } = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.faint = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) {
      delete next.bold;
      delete next.faint;
    } else if (code === 23) delete next.italic;
    else if (code === 24) delete next.underline;
    else if (code === 27) delete next.inverse;
    else if (code === 39) delete next.ink;
    else if (code === 49) delete next.paper;
    else if (code >= 30 && code <= 37) next.ink = code - 30;
    else if (code >= 90 && code <= 97) next.ink = code - 82;
    else if (code >= 40 && code <= 47) next.paper = code - 40;
    else if (code >= 100 && code <= 107) next.paper = code - 92;
    else if (code === 38 || code === 48) {
      const { colour, used } = longColour(codes.slice(i + 1));
      i += used;
      if (colour !== undefined) next[code === 38 ? 'ink' : 'paper'] = colour;
    }
  }
  return next;
}

/** `5;n` or `2;r;g;b`, brought to the sixteen that are readable on both themes. */
function longColour(rest: readonly number[]): { readonly colour?: number; readonly used: number } {
  const [kind, a = 0, b = 0, c = 0] = rest;
  if (kind === 5) return { colour: ofPalette(a), used: 2 };
  if (kind === 2) return { colour: ofRgb(a, b, c), used: 4 };
  return { used: rest.length };
}

function ofPalette(n: number): number {
  if (n < 16) return n;
  if (n >= 232) return n < 244 ? 8 : 7;
  const cube = n - 16;
  return ofRgb(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51);
}

function ofRgb(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  if (most - Math.min(r, g, b) < 32) return most < 128 ? 8 : 7;
  const strong = (part: number) => part > most * 0.6;
  return (strong(r) ? 1 : 0) + (strong(g) ? 2 : 0) + (strong(b) ? 4 : 0);
}
