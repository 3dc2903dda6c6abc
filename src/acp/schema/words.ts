// Shapes in a person's words: "a string", "a list of objects", "“a” or “b”".
import { deref } from './resolve.ts';
import type { Shape, Shapes, Word } from './shape.ts';

const AT_MOST = 12;

/** What a value of this shape is, as in "… is due". */
export function dueWords(shapes: Shapes, shape: Shape): string {
  const here = deref(shapes, shape);
  const words = plainWords(shapes, here);
  return here.null && here.is !== 'any' ? `${words} or null` : words;
}

function plainWords(shapes: Shapes, shape: Shape): string {
  switch (shape.is) {
    case 'any':
      return 'any JSON';
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    case 'string':
      return shape.format === 'uri' ? 'a URL' : 'a string';
    case 'number':
      return shape.integer ? 'a whole number' : 'a number';
    case 'words':
      return valueWords(shape.values, shape.open);
    case 'array':
      return `a list of ${many(deref(shapes, shape.of).is)}`;
    case 'object':
      return 'an object';
    case 'either':
      return join([...new Set(shape.of.map((one) => plainWords(shapes, deref(shapes, one))))]);
    case 'ref':
      return plainWords(shapes, deref(shapes, shape));
  }
}

function many(is: Shape['is']): string {
  if (is === 'object') return 'objects';
  return is === 'string' || is === 'words' ? 'strings' : 'values';
}

/** `"a", "b" or "c"`; a long list is cut, and says so. */
export function valueWords(values: readonly Word[], open = false): string {
  const quoted = values.map(({ value }) => JSON.stringify(value));
  const shown = quoted.slice(0, AT_MOST);
  const more = quoted.length > AT_MOST ? [`${quoted.length - AT_MOST} more`] : [];
  return join([...shown, ...more, ...(open ? ['another string'] : [])]);
}

function join(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
