import { jsonLanguage } from '@codemirror/lang-json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeAt } from './place.ts';

/** The place of `|` in the text. */
function at(marked: string) {
  const position = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = placeAt(jsonLanguage.parser.parse(text), text, position);
  if (!place) return undefined;
  const word = text.slice(place.from, place.to);
  return `${place.at} ${place.path.join('.')} «${word}»${place.taken.length ? ` not ${place.taken.join()}` : ''}`;
}

test('a key is known while it is written, also in a broken object', () => {
  expect(at('{|}')).toBe('key  «»');
  expect(at('{"id":1, |}')).toBe('key  «» not id');
  expect(at('{"id":1, "me|"}')).toBe('key  «"me"» not id');
  expect(at('{"params":{"cwd":"/", "|"}}')).toBe('key params «""» not cwd');
  expect(at('{"params":{"a|')).toContain('key params');
});

test('a value is known by its path', () => {
  expect(at('{"method":"session/|"}')).toBe('value method «"session/"»');
  expect(at('{"params":{"cwd": |}}')).toBe('value params.cwd «»');
  expect(at('{"params":{"prompt":[{"type":"t|"}]}}')).toBe('value params.prompt.0.type «"t"»');
  expect(at('{"params":{"list":[1, 2|]}}')).toBe('value params.list.1 «2»');
  expect(at('{"params":{"cwd": |')).toBe('value params.cwd «»');
  expect(at('{"params":{"on": tr|}}')).toContain('value params.on');
});

test('any text and position is read without a throw', () => {
  const text = fc.oneof(fc.json(), fc.stringMatching(/^[{}[\]",: a1]*$/));
  fc.assert(
    fc.property(text, fc.nat(40), (json, position) => {
      const place = Math.min(position, json.length);
      const found = placeAt(jsonLanguage.parser.parse(json), json, place);
      const { from = 0, to = 0 } = found ?? {};
      expect(from <= to && to <= json.length).toBe(true);
    }),
  );
});
