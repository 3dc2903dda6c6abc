import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { found, ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { checkTrace } from '../check-trace.ts';

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
      seen: 'one JSON value printed over 2 lines',
    },
    {
      trace: `${V1}agent raw {"jsonrpc":"2.0","method":"_x","params":{"a":"one\nagent raw two"}}`,
      at: [4, 5],
      seen: 'the two halves of one message, cut inside a string',
    },
    {
      trace: `${V1}agent raw {"jsonrpc":"2.0","method":"_x","params":{"a":tr\nagent raw ue}}`,
      at: [4, 5],
      seen: 'the two halves of one message, cut inside a word',
    },
    // A line break, a blank line, and a frame of the other side between the parts.
    {
      trace: `${V1}agent raw {"jsonrpc":"2.0","method":"_x","params":{"a":"one\nagent raw \nclient session/cancel {"sessionId":"s"}\nagent raw "}}`,
      at: [4, 5, 7],
      seen: 'the 3 parts of one message, cut inside a string',
    },
  ],
  holds: [
    `${V1}agent raw {\nagent session/update {}`,
    // The second line is no end of the first.
    `${V1}agent raw {"jsonrpc":"2.0","method":"_x\nagent raw INFO done }\nagent session/update {}`,
    // A line separator inside a string is a character like any other.
    `${V1}agent raw {"jsonrpc":"2.0","method":"_x","params":{"a":"one\u2028two"}}`,
  ],
});

test('a response or a request in two halves is taken as one, and nothing else is found', () => {
  const all = (trace: string) => checkTrace(draw(trace)).findings.map(({ rule }) => rule);
  const turn = (ask: string, answer: string) => `${V1_SESSION}\n${ask}\n${answer}\nexit 0`;
  const [asks, answers] = [
    'client →2 session/prompt s1 "Hi"',
    'agent ←2 result {"stopReason":"end_turn"}',
  ];
  const half =
    'client raw {"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","pro\nclient raw mpt":[{"type":"text","text":"Hi"}]}}';
  expect(all(turn(half, answers))).toEqual(['frame/embedded-newline']);
  const end = 'agent raw {"jsonrpc":"2.0","id":2,"result":{"stopRe\nagent raw ason":"end_turn"}}';
  expect(all(turn(asks, end))).toEqual(['frame/embedded-newline']);
});

test('a message is joined wherever one line feed cuts it', () => {
  const message = '{"jsonrpc":"2.0","method":"_x","params":{"a\\\\b":[1.5e3,true,"c\\u0041\\"d"]}}';
  fc.assert(
    fc.property(fc.integer({ min: 1, max: message.length - 1 }), (at) => {
      const lines = [message.slice(0, at), message.slice(at)];
      const events = draw(`${V1}${lines.map((line) => `agent raw ${line}`).join('\n')}`);
      const { findings } = checkTrace(events);
      const framing = findings.filter(({ rule }) => rule.startsWith('frame/'));
      expect(framing.map(({ rule, seqs }) => [rule, seqs])).toEqual([
        ['frame/embedded-newline', [4, 5]],
      ]);
    }),
  );
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
