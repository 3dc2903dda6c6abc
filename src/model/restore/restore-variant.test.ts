import { expect, test } from 'vitest';
import { restored } from '../../test/traces/restored.ts';
import { hasReplay, variantOf } from './restore-shapes.ts';

test('variants are told by version and cursor', () => {
  const names = [
    restored({ version: 1, method: 'session/load' }),
    restored({ version: 1 }),
    restored({ cursor: 'omitted' }),
    restored({ cursor: 'null' }),
    restored({ cursor: '{"type":"start"}' }),
    restored({ cursor: '{"type":"_message","messageId":"m1"}' }),
    restored({ cursor: '{"type":"_seq","seq":31}' }),
    restored({ cursor: '{"type":"checkpoint"}' }),
    restored({ cursor: '{"type":5}' }),
    restored({ cursor: '"start"' }),
  ].map((one) => {
    const { version, name, more = '' } = variantOf(one);
    return `v${version} ${name} ${more}`.trim();
  });
  expect(names).toEqual([
    'v1 load',
    'v1 resume',
    'v2 omitted',
    'v2 null',
    'v2 start',
    'v2 custom _message m1',
    'v2 custom _seq 31',
    'v2 unknown checkpoint',
    'v2 malformed {"type":5}',
    'v2 malformed "start"',
  ]);
});

test('what replayed, or had to, is worth comparing; what was refused is not', () => {
  const START = '{"type":"start"}';
  expect(hasReplay(restored({ cursor: START }))).toBe(true);
  expect(hasReplay(restored({ cursor: START, outcome: 'rejected' }))).toBe(false);
  expect(hasReplay(restored({ cursor: START, outcome: 'open' }))).toBe(false);
  expect(hasReplay(restored({ cursor: 'omitted' }))).toBe(false);
  expect(hasReplay(restored({ cursor: 'omitted', late: 2 }))).toBe(true);
  const figures = { items: {}, others: {}, chunks: 3 };
  expect(hasReplay(restored({ cursor: 'omitted', figures }))).toBe(true);
});
