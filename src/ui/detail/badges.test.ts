import { expect, test } from 'vitest';
import type { FrameDetail } from '../../engine/messages.ts';
import type { Json } from '../../acp/message.ts';
import { badgesOf } from './badges.ts';

const labels = (value: Json, more: Partial<FrameDetail> = {}) => {
  const frame = { value, ...more } as FrameDetail;
  return badgesOf(frame, JSON.stringify(value)).map(({ label }) => label);
};

test('vendor methods, vendor updates and extension data have badges', () => {
  expect(labels({ method: '_acme/ping' }, { method: '_acme/ping' })).toEqual(['vendor method']);
  expect(labels({ params: { update: { sessionUpdate: '_acme_note' } } })).toEqual([
    'vendor update',
  ]);
  expect(labels({ params: { _meta: { trace: 1 } } })).toEqual(['_meta']);
});

test('what the protocol defines, and text about extension data, has none', () => {
  expect(labels({ method: 'session/prompt' }, { method: 'session/prompt' })).toEqual([]);
  expect(labels({ text: 'see {"_meta": 1}' })).toEqual([]);
});
