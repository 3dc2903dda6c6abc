import { expect, test } from 'vitest';
import { found, ruleCase, V1, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

const PRETTY = [
  '{',
  '"jsonrpc": "2.0",',
  '"method": "_x",',
  '"params": {"a": [',
  '"b"',
  '], "c": [',
  '[]',
  '], "d": [',
  '{}',
  ']}}',
]
  .map((line) => `agent raw ${line}`)
  .join('\n');

ruleCase('frame/not-json', {
  breaks: [
    { trace: `${V1}agent raw INFO listening`, at: [4], seen: /not JSON/, side: 'agent' },
    { trace: `${V1}client raw {"jsonrpc":`, at: [4], side: 'client' },
    { trace: `${V1}agent raw `, at: [4], seen: 'a blank line', severity: 'hint' },
    { trace: `${V1}agent raw {"level":"info"}`, at: [4], seen: /: no message/, side: 'agent' },
    // What looked like the begin of a message over several lines, and is none.
    { trace: `${V1}agent raw {\nagent session/update {}`, at: [4] },
    { trace: `${V1}agent raw {\nexit 0`, at: [4] },
  ],
  holds: [V1, `${V1}agent raw {"jsonrpc":"2.0"}`, `${V1}agent raw 42`],
});

ruleCase('frame/utf8', {
  breaks: [
    { trace: `${V1}agent bytes ff fe 7b 7d`, at: [4], seen: /not UTF-8/ },
    {
      trace: `${V1}agent bytes ef bb bf 7b 7d`,
      at: [4],
      seen: /byte order/,
    },
    {
      trace: String.raw`${V1}agent raw {"jsonrpc":"2.0","method":"_x","params":{"text":"\\ \ud83d"}}`,
      at: [4],
      seen: /`.ud83d`, half of a character/,
      due: 'a text is cut between two characters, not by its UTF-16 units',
      severity: 'warning',
    },
  ],
  holds: [
    V1,
    // A pair, and a backslash that is escaped itself.
    String.raw`${V1}agent raw {"jsonrpc":"2.0","method":"_x","params":{"text":"\ud83d\ude00 \\ud83d"}}`,
  ],
});

ruleCase('frame/embedded-newline', {
  breaks: [
    {
      trace: `${V1}
      agent raw {
      agent raw "jsonrpc": "2.0",
      agent raw "method": "_x"
      agent raw }`,
      at: [4, 5, 6, 7],
      seen: 'one JSON value printed over 4 lines',
    },
    // Lines inside of it may parse by themselves.
    { trace: `${V1}${PRETTY}`, at: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13] },
    {
      trace: `${V1}agent raw {"jsonrpc":"2.0","method":"_x","params":{\nagent raw "a":1}}`,
      at: [4, 5],
    },
  ],
  holds: `${V1}agent raw {\nagent session/update {}`,
});

test('a message printed over several lines is told as that alone, whatever its lines look like', () => {
  for (const rule of ['frame/not-json', 'frame/not-object', 'frame/batch', 'frame/batch-reply'])
    expect(found(rule, `${V1}${PRETTY}`)).toEqual([]);
  const stray = `${V1}agent raw {\nagent raw "b"\nagent session/update {}`;
  expect(found('frame/not-json', stray)).toMatchObject([{ seqs: [4] }]);
  expect(found('frame/not-object', stray)).toMatchObject([
    { seqs: [5], seen: 'a message that is a string' },
  ]);
});

ruleCase('frame/not-object', {
  breaks: [
    { trace: `${V1}agent raw 42`, at: [4], seen: 'a number' },
    { trace: `${V1}agent raw null`, at: [4], seen: 'null' },
  ],
  holds: V1,
});

ruleCase('frame/batch', {
  breaks: [
    { trace: `${V2}client raw [{"jsonrpc":"2.0","method":"_x"}]`, at: [4], severity: 'error' },
    { trace: `${V1}client raw [{"jsonrpc":"2.0","method":"_x"}]`, at: [4], severity: 'warning' },
    {
      trace: `${V2}client raw [{"jsonrpc":"2.0","id":1,"method":"session/prompt"}]`,
      at: [4],
      seen: 'an array of 1, `session/prompt` among them',
      severity: 'warning',
      edition: 'v2-2026-08',
    },
  ],
  holds: `${V2}client raw [{"jsonrpc":"2.0","method":"_x"}]`,
  edition: 'v2-2026-08',
});

ruleCase('frame/batch-reply', {
  breaks: [
    {
      trace: `${V2}client raw [1]\nagent session/update {}\nexit 0`,
      at: [4],
      side: 'agent',
      edition: 'v2-2.4.0',
    },
    { trace: `${V2}client raw [1]`, at: [4], verdict: 'undecidable', edition: 'v2-2.4.0' },
  ],
  holds: `${V2}client raw [1]\nagent ←null error -32600 Invalid request`,
  edition: 'v2-2.4.0',
});

ruleCase('frame/unterminated', {
  breaks: { trace: `${V1}agent cut {"jsonrpc":"2.0"`, at: [4], severity: 'hint' },
  holds: V2_SESSION,
});
