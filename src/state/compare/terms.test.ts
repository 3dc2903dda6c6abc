import { expect, test } from 'vitest';
import { ALIAS_KINDS, DEFAULT_IGNORE } from '../../model/sessions/compare-terms.ts';
import { tastesIn } from './terms.svelte.ts';

test('without anything kept, the page leaves out what the command leaves out', () => {
  expect(tastesIn(JSON.stringify({ raw: ALIAS_KINDS })).raw).toEqual(ALIAS_KINDS);
  expect(tastesIn('')).toEqual({ ignore: DEFAULT_IGNORE, raw: [] });
});

test('what is kept comes back; what is not ours is passed over', () => {
  expect(tastesIn('{"ignore":["$..x"],"raw":["tool"]}')).toEqual({
    ignore: ['$..x'],
    raw: ['tool'],
  });
  expect(tastesIn('{"ignore":[]}').ignore).toEqual([]);
  expect(tastesIn('{"ignore":"x","raw":["colour",4]}')).toEqual({
    ignore: DEFAULT_IGNORE,
    raw: [],
  });
  expect(tastesIn('}{').raw).toEqual([]);
});
