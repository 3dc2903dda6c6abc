// Text in HTML. Whatever an agent wrote comes out as text, with nothing hidden in it (S-11).
import { visibleWords } from '../lib/visible-text.ts';

/** Markup that is ours: `html` lets it through. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template whose values are escaped, unless they are markup. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const markup = texts.reduce((made, text, at) => made + written(parts[at - 1]) + text);
  return { markup };
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'object')
    return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
  return escaped(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visibleWords(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
