// The form of a scenario changes what was typed in it, and nothing else of the text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  stepRows,
  withKind,
  withoutStep,
  withParams,
  withStep,
  withStepMoved,
  withTime,
  withWhat,
} from './scenario-steps.ts';
import { EXAMPLE } from './scenario.svelte.ts';

const TEXT = `{
  "x-own": 1.0,
  "steps": [
    { "request": "session/new", "x-note": 12345678901234567890, "params": { "cwd": "$cwd" } },
    { "wait": 500 },
    { "kill": "SIGKILL" }
  ]
}`;

test('steps are rows: kind, what, what is sent, time', () => {
  expect(stepRows(TEXT)).toEqual([
    { kind: 'request', what: 'session/new', params: '{"cwd":"$cwd"}', time: '' },
    { kind: 'wait', what: '500', params: undefined, time: '500' },
    { kind: 'kill', what: 'SIGKILL', params: undefined, time: undefined },
  ]);
  expect(stepRows(EXAMPLE)).toHaveLength(2);
  for (const none of ['', '{', '[]', '{"steps":1}', '{"steps":[1]}'])
    expect(stepRows(none)).toBeUndefined();
});

test('a change leaves every other token as it stands, numbers and unknown fields too', () => {
  const timed = withTime(TEXT, 0, '900') ?? '';
  expect(timed).toBe(TEXT.replace('"$cwd" }', '"$cwd" }, "within": 900'));
  expect(withTime(timed, 0, '')).toBe(TEXT);
  expect(withTime(TEXT, 1, '20')).toBe(TEXT.replace('500', '20'));
  expect(withTime(TEXT, 1, '')).toBeUndefined();
  expect(withTime(TEXT, 0, 'soon')).toBeUndefined();
  expect(withWhat(TEXT, 0, 'session/"list"')).toBe(
    TEXT.replace('session/new', 'session/\\"list\\"'),
  );
  expect(withParams(TEXT, 0, '{')).toBeUndefined();
  expect(withParams(TEXT, 0, '{"a":1.0}')).toBe(TEXT.replace('{ "cwd": "$cwd" }', '{"a":1.0}'));
  expect(withKind(TEXT, 1, 'quiet')).toBe(TEXT.replace('"wait": 500', '"quiet": 500'));
});

test('steps are added, moved and taken away', () => {
  const kinds = (text: string) => stepRows(text)?.map(({ kind }) => kind);
  expect(kinds(withStep(TEXT, 'restart'))).toEqual(['request', 'wait', 'kill', 'restart']);
  expect(kinds(withStep('{"steps":[]}', 'cut'))).toEqual(['cut']);
  expect(kinds(withStepMoved(TEXT, 0, 1))).toEqual(['wait', 'request', 'kill']);
  expect(withStepMoved(TEXT, 0, -1)).toBe(TEXT);
  expect(kinds(withoutStep(TEXT, 0))).toEqual(['wait', 'kill']);
  expect(kinds(withoutStep(TEXT, 2))).toEqual(['request', 'wait']);
});

test('property: moved to and fro a text is as it was, and what is typed is read back', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ request: fc.string(), params: fc.jsonValue() }),
      fc.record({ wait: fc.nat() }),
      fc.record({ expect: fc.string(), more: fc.jsonValue() }),
    ),
    { minLength: 2, maxLength: 6 },
  );
  fc.assert(
    fc.property(steps, fc.nat(), fc.string(), (all, n, what) => {
      const text = JSON.stringify({ name: 'x', steps: all }, null, 2);
      // As it is written: -0 is 0 there.
      const written = (JSON.parse(text) as { readonly steps: readonly unknown[] }).steps;
      const at = n % (all.length - 1);
      expect(withStepMoved(withStepMoved(text, at, 1), at, 1)).toBe(text);
      expect(JSON.parse(withoutStep(text, at))).toEqual({
        name: 'x',
        steps: written.filter((_, i) => i !== at),
      });
      if (stepRows(text)?.[at]?.kind === 'wait') return;
      expect(stepRows(withWhat(text, at, what) ?? '')?.[at]?.what).toBe(what);
    }),
  );
});
