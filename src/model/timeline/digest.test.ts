import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { seq, type Frame } from '../../trace/event.ts';
import { messageOf, strayName } from './digest.ts';
import { summarize } from './summary.ts';

const long: Frame = {
  type: 'frame',
  seq: seq(1),
  at: millis(0),
  from: 'agent',
  line: { text: '{"jsonrpc":"2.0","method":"session/update","params":{"sess' },
  origin: 'peer',
  oversize: { bytes: 1_100_000_000, sha256: 'ab', tail: { text: '"}}}' } },
};

test('R-08 a line that was not kept whole is told as that, and not as broken JSON', () => {
  const message = messageOf(long);
  expect(message.kind === 'invalid' && strayName(message)).toBe('too long');
  expect(summarize(long, message)).toBe(
    'too long to keep: of 1.1 GB, the beginning and the end were recorded',
  );
});
