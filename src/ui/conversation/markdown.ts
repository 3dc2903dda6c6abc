// An agent's Markdown as tokens, for components to draw. No HTML string is ever made.
import { Lexer, type Token, type Tokens } from 'marked';

/** Longer text is shown plain: reading it would hold up the page. */
const LONGEST = 64 * 1024;
/** The reader is slower than linear inside a paragraph. */
const LONGEST_BLOCK = 8 * 1024;
/** Deeper quotes and lists are shown plain. */
const DEEPEST = 24;

type Markdown =
  | { readonly type: 'tokens'; readonly tokens: readonly Token[] }
  /** One fenced block and nothing else: what tools often give. */
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'plain'; readonly text: string };

export function readMarkdown(text: string): Markdown {
  if (text.length > LONGEST) return { type: 'plain', text };
  const fenced = /^\s*(`{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  if (fenced?.[2] !== undefined && !fenced[2].includes(fenced[1] ?? ''))
    return { type: 'code', text: fenced[2] };
  if (hasLongBlock(text) || isDeep(text)) return { type: 'plain', text };
  try {
    return { type: 'tokens', tokens: Lexer.lex(text, { gfm: true, breaks: true }) };
  } catch {
    return { type: 'plain', text };
  }
}

function hasLongBlock(text: string): boolean {
  return text.split(/\n[ \t]*\n/).some((block) => block.length > LONGEST_BLOCK);
}

function isDeep(text: string): boolean {
  return text.split('\n').some((line) => (/^[\s>*+-]*/.exec(line)?.[0].length ?? 0) > DEEPEST * 2);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
};

/** Text of a token: the reader leaves entities to the HTML that we do not make. */
export function plainText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, dec, hex, name) => {
      const code =
        dec !== undefined ? Number(dec) : hex !== undefined ? parseInt(hex, 16) : undefined;
      if (code !== undefined)
        return code <= 0x10ffff && code > 0 ? String.fromCodePoint(code) : whole;
      return ENTITIES[String(name).toLowerCase()] ?? whole;
    },
  );
}

/** A token of ours; undefined for kinds nobody defined (drawn as their raw text). */
export function knownToken(token: Token): KnownToken | undefined {
  return KINDS.has(token.type) ? (token as KnownToken) : undefined;
}

type KnownToken =
  | Tokens.Space
  | Tokens.Code
  | Tokens.Heading
  | Tokens.Table
  | Tokens.Hr
  | Tokens.Blockquote
  | Tokens.List
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.HTML
  | Tokens.Def
  | Tokens.Escape
  | Tokens.Link
  | Tokens.Image
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Del
  | Tokens.Checkbox;

const KINDS: ReadonlySet<string> = new Set<KnownToken['type']>([
  'space',
  'code',
  'heading',
  'table',
  'hr',
  'blockquote',
  'list',
  'paragraph',
  'text',
  'html',
  'def',
  'escape',
  'link',
  'image',
  'strong',
  'em',
  'codespan',
  'br',
  'del',
  'checkbox',
]);
