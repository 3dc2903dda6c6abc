import { expect, test } from 'vitest';
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { FrameDetail } from '../../engine/messages.ts';
import type { Json } from '../../acp/message.ts';
import { badgesOf } from './badges.ts';

const labels = (value: Json, more: Partial<FrameDetail> = {}) => {
  const frame = { value, ...more } as FrameDetail;
  return badgesOf(frame, JSON.stringify(value), []).map(({ label }) => label);
};

test('vendor methods, vendor updates and extension data have badges', () => {
  expect(labels({ method: '_acme/ping' }, { method: '_acme/ping' })).toEqual(['vendor method']);
  expect(labels({ params: { update: { sessionUpdate: '_acme_note' } } })).toEqual([
    'vendor update',
  ]);
  expect(labels({ params: { _meta: { trace: 1 } } })).toEqual(['_meta']);
});

test('fields that no edition of the protocol has are named in one badge', () => {
  const finding = (rule: string, pointer: string) =>
    ({ rule, place: { seq: 1, pointer, seen: '' } }) as unknown as FrameFinding;
  const badges = (...findings: FrameFinding[]) =>
    badgesOf({ value: {} } as FrameDetail, '{}', findings);
  expect(badges(finding('shape/extra-root-field', '/params/x'))).toEqual([
    { label: 'unknown field', title: 'Not in the protocol: /params/x' },
  ]);
  expect(
    badges(
      finding('shape/extra-root-field', '/params/x'),
      finding('shape/meta-type', '/params/_meta'),
      finding('shape/extra-root-field', '/y'),
    ),
  ).toEqual([{ label: '2 unknown fields', title: 'Not in the protocol: /params/x, /y' }]);
});

test('what the protocol defines, and text about extension data, has none', () => {
  expect(labels({ method: 'session/prompt' }, { method: 'session/prompt' })).toEqual([]);
  expect(labels({ text: 'see {"_meta": 1}' })).toEqual([]);
});
