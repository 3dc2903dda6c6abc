import { expect, test } from 'vitest';
import { ALIAS_KINDS, DEFAULT_IGNORE } from '../model/compare-terms.ts';
import { readTastes } from './diff-kept.ts';

test('without anything kept, the page leaves out what the command leaves out', () => {
  expect(readTastes(JSON.stringify({ raw: ALIAS_KINDS })).raw).toEqual(ALIAS_KINDS);
  expect(readTastes('')).toEqual({ ignore: DEFAULT_IGNORE, raw: [] });
});

test('what is kept comes back; what is not ours is passed over', () => {
  expect(readTastes('{"ignore":["$..x"],"raw":["tool"]}')).toEqual({
    ignore: ['$..x'],
    raw: ['tool'],
  });
  expect(readTastes('{"ignore":[]}').ignore).toEqual([]);
  expect(readTastes('{"ignore":"x","raw":["colour",4]}')).toEqual({
    ignore: DEFAULT_IGNORE,
    raw: [],
  });
  expect(readTastes('}{').raw).toEqual([]);
});
