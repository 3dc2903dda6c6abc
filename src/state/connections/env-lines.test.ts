import { expect, test } from 'vitest';
import { coverLines, parseLines, printLines } from './env-lines.ts';

test('the value of a variable is everything after the first equals sign', () => {
  expect(parseLines('A=1\n\nURL=http://x/?a=b\nQ="x y" ', '=')).toEqual({
    ok: true,
    values: { A: '1', URL: 'http://x/?a=b', Q: '"x y" ' },
  });
});

test('the value of a header is what follows its colon, without blanks around it', () => {
  expect(parseLines('Authorization: Bearer a:b=c \nX-Empty:', ':')).toEqual({
    ok: true,
    values: { Authorization: 'Bearer a:b=c', 'X-Empty': '' },
  });
});

test.each(['A', '=1', 'A B=1'])('what is no assignment is named by its line: %j', (line) => {
  expect(parseLines(`OK=1\n${line}`, '=')).toMatchObject({
    ok: false,
    message: /^Line 2 of the environment/,
  });
});

test.each(['Bearer', ': x', 'A B: x'])('what is no header is named by its line: %j', (line) => {
  expect(parseLines(`Ok: 1\n${line}`, ':')).toMatchObject({
    ok: false,
    message: /^Line 2 of the headers/,
  });
});

test('what is printed reads back the same', () => {
  const values = { A: '1', B: 'x=y' };
  expect(parseLines(printLines(values, '='), '=')).toEqual({ ok: true, values });
  expect(parseLines(printLines(values, ':'), ':')).toEqual({ ok: true, values });
});

test('of a header that is covered the name is left', () => {
  expect(coverLines('Authorization: Bearer x:y\nno', ':')).toBe('Authorization:••••••••\nno');
});
