import { describe, expect, test } from 'vitest';
import { readyAnswers, RIGHT_RESULTS } from './answers.ts';
import { parseMessage } from './message.ts';
import { methodsNamed, supportOf } from './methods.ts';
import { checkMessage } from './schema/check.ts';

const METHODS = Object.keys(RIGHT_RESULTS);
const BY_VERSION = ([1, 2] as const).flatMap((version) =>
  METHODS.filter((name) =>
    methodsNamed(name).some((row) => row.from === 'agent' && supportOf(row, version)),
  ).map((method) => [method, version] as const),
);
const named = (method: string, label: string, id = '1') =>
  readyAnswers(method, id).find((answer) => answer.label.startsWith(label))?.text ?? '';

test.each(BY_VERSION)(
  'the right answer to %s of v%i is right by its schema',
  async (method, version) => {
    const message = parseMessage(named(method, 'Right'));
    expect(message.kind).toBe('success');
    expect(await checkMessage(version, 'client', message, method)).toEqual([]);
  },
);

test.each(BY_VERSION)(
  'the answer of wrong types to %s of v%i is wrong',
  async (method, version) => {
    const message = parseMessage(named(method, 'A result of wrong types'));
    expect(await checkMessage(version, 'client', message, method)).not.toEqual([]);
  },
);

describe('whatever is asked', () => {
  test.each(['_vendor/x', 'constructor', 'fs/read_text_file'])(
    '%s: each is one line under its id',
    (method) => {
      const answers = readyAnswers(method, '"é1"');
      expect(new Set(answers.map(({ label }) => label)).size).toBe(answers.length);
      for (const { label, text } of answers) {
        const id = label.startsWith('Under') ? '"acp-scope-asked-by-nobody"' : '"é1"';
        expect(text.startsWith(`{"jsonrpc":"2.0","id":${id},`)).toBe(true);
        expect(text).not.toContain('\n');
        JSON.parse(text);
      }
    },
  );

  test('errors have the codes of JSON-RPC; nothing is right where no schema says so', () => {
    expect(named('_vendor/x', 'Error -32601')).toContain('"code":-32601');
    expect(named('_vendor/x', 'Error -32603')).toContain('"code":-32603');
    expect(named('_vendor/x', 'Right')).toBe('');
    expect(named('_vendor/x', 'Result and error')).toMatch(/"error":.*"result":/);
  });
});
