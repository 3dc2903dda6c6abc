import { describe, expect, test } from 'vitest';
import { parseMessage } from './message.ts';
import { methodsOf } from './methods.ts';
import { checkMessage } from './schema/check.ts';
import { templates } from './templates.ts';

const SIDES = [
  [1, 'client'],
  [2, 'client'],
  [1, 'agent'],
  [2, 'agent'],
] as const;

describe.each(SIDES)('templates of v%i for the %s', (version, side) => {
  const made = templates(version, side);

  test('there is at least one for every method, each with its own label', () => {
    const methods = methodsOf(version, side).map(({ kind, name }) => `${kind} ${name}`);
    expect(new Set(made.map(({ kind, method }) => `${kind} ${method}`))).toEqual(new Set(methods));
    expect(new Set(made.map(({ kind, label }) => `${kind} ${label}`)).size).toBe(made.length);
  });

  test.each(made.map((template) => [template.label, template] as const))(
    '%s is one sound line of its kind',
    async (_, { text, kind, method, broken, unstable }) => {
      const message = parseMessage(text);
      expect(message).toMatchObject({ kind, method });
      expect(text).not.toContain('\n');
      const warnings = (await checkMessage(version, side, message)).filter(
        (warning) => !(unstable && warning.message.startsWith('only the unstable schema')),
      );
      if (broken) expect(warnings).not.toEqual([]);
      else expect(warnings).toEqual([]);
    },
  );
});

test('what is known is filled in, ids token by token', () => {
  const id = '9007199254740993';
  const made = templates(2, 'client', { id, openId: '1.0', sessionId: '$&"s', cwd: 'C:\\work' });
  const text = (label: string) => made.find((template) => template.label === label)?.text;
  expect(text('session/resume · from start')).toBe(
    `{"jsonrpc":"2.0","id":${id},"method":"session/resume","params":{"sessionId":"$&\\"s","cwd":"C:\\\\work","mcpServers":[],"replayFrom":{"type":"start"}}}`,
  );
  expect(text('$/cancel_request')).toBe(
    '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1.0}}',
  );
  expect(text('session/prompt · with a file link')).toContain('file:///C:/work/README.md');
});

test('every shape of a restore has a template', () => {
  const labels = (version: 1 | 2) =>
    templates(version, 'client')
      .map(({ label }) => label)
      .filter((label) => /load|resume/.test(label));
  expect(labels(1)).toEqual(['session/load', 'session/resume · no replay']);
  expect(labels(2)).toEqual(
    [
      'no replay',
      'null cursor',
      'from start',
      'custom cursor',
      'unknown cursor',
      'malformed cursor',
    ].map((variant) => `session/resume · ${variant}`),
  );
});
