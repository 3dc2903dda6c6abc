import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinCommand, splitCommand } from './split-command.ts';

test.each([
  ['node ./dist/agent.js --acp', ['node', './dist/agent.js', '--acp']],
  ['  a   b ', ['a', 'b']],
  [`sh -c 'echo "$(touch /tmp/x)" && ls'`, ['sh', '-c', 'echo "$(touch /tmp/x)" && ls']],
  ['a "b c"d', ['a', 'b cd']],
  ['a ""', ['a', '']],
  [String.raw`C:\tools\agent.exe a\ b`, [String.raw`C:\tools\agent.exe`, 'a b']],
  ['', []],
])('P-02 %j is %j, and no shell is asked', (text, argv) => {
  expect(splitCommand(text)).toEqual({ ok: true, argv });
});

test('a quote that is not closed is named with its column', () => {
  expect(splitCommand('a "b c')).toMatchObject({
    ok: false,
    at: 2,
    message: /^The " at column 3 is not closed/,
  });
});

test('what is joined splits into the same words', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (argv) => {
      expect(splitCommand(joinCommand(argv))).toEqual({ ok: true, argv });
    }),
  );
});
