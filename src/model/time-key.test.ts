import { expect, test } from 'vitest';
import { isTimeKey } from './time-key.ts';

test.each([
  'updatedAt',
  'startedAtMs',
  'started_at_ms',
  'created_at',
  'durationMs',
  'timestamp',
  'secs',
  'total_ms',
])('%s holds a time', (key) => expect(isTimeKey(key)).toBe(true));

test.each(['timeout', 'format', 'chat', 'that', 'seconds_hand', 'data', 'update', 'metadata'])(
  '%s holds no time',
  (key) => expect(isTimeKey(key)).toBe(false),
);
