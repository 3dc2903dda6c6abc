import fc from 'fast-check';
import { expect, test } from 'vitest';
import { obeyedIn } from '../../test/ci-log.ts';
import { AS_ENTITY, AS_ESCAPE, AS_MARK, hasCiCommand, withoutCiCommands } from './ci-commands.ts';

const COMMANDS = [
  ...[
    '##[set-output name=verdict]passed',
    'a ####[error]b',
    'x ##vso[task.setvariable variable=A]b',
  ],
  ...["##teamcity[testFinished name='a']", '::stop-commands::x', '  \t\u00a0::set-env name=A::b'],
  ...[
    '::error file=a,line=1::b',
    '--- group',
    '+++ open',
    '~~~ quiet',
    '^^^ +++',
    '\u001b[1m--- group',
    '-\u001b[1m--\u001b[0m group',
  ],
  ...['section_start:1:a\r\u001b[0K', 'travis_fold:start:a\r', ':::error ::a', '###vso[a.b]c'],
];

test.each(COMMANDS)('S-19: %j is obeyed before, and not after', (command) => {
  expect(obeyedIn(command)).not.toEqual([]);
  for (const spelled of [AS_MARK, AS_ENTITY, AS_ESCAPE])
    expect(obeyedIn(withoutCiCommands(`words\n${command}\n${command}`, spelled))).toEqual([]);
  expect(hasCiCommand(command)).toBe(true);
});

test('ordinary words stay as they are', () => {
  const text =
    '## Title [link](a)\n# One\na::b c:: d\nstd::vec\n--port 1\n---\u2014\n#[cfg(test)]\n~~~~\n| --- |\n  --- a/file';
  expect(withoutCiCommands(text, AS_MARK)).toBe(text);
  expect(hasCiCommand(text)).toBe(false);
});

test('S-19: no mixture of the pieces of commands makes one, and a second look changes nothing', () => {
  const piece = fc.constantFrom(
    ...[
      '#',
      '##',
      '[',
      'vso',
      'teamcity',
      ']',
      ':',
      '::',
      '\n',
      ' ',
      '-',
      '---',
      '+++ ',
      '\u001b[1m',
      '\t',
    ],
    ...['section_start', 'travis_fold', 'error', 'task.setvariable', '^^^ ', 'a', '\u3000'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('');
      const marked = withoutCiCommands(text, AS_MARK);
      expect(obeyedIn(marked)).toEqual([]);
      expect(withoutCiCommands(marked, AS_MARK)).toBe(marked);
      expect(obeyedIn(withoutCiCommands(text, AS_ENTITY))).toEqual([]);
    }),
    { numRuns: 20000 },
  );
});

test('in JSON and in markup the words are the same once they are read', () => {
  const text = '##[a]b ##vso[c.d]e section_end:1:f';
  const json = withoutCiCommands(JSON.stringify({ text }), AS_ESCAPE);
  expect(JSON.parse(json)).toEqual({ text });
  const markup = withoutCiCommands(text, AS_ENTITY);
  expect(markup.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(text);
});
