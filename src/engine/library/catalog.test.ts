import { expect, test } from 'vitest';
import { decodeLossy } from '../../lib/utf8.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { newTrace } from './catalog.ts';

test('I-09 the header of a trace that the page keeps names the command without its secrets', () => {
  const { header } = newTrace(
    {
      ...{ id: connectionId('c'), name: 'agent', mode: 'drive', cwd: '/', state: 'running' },
      ...{ startedAt: '2026-01-01T00:00:00Z', first: seq(0), last: seq(0), bytes: 0 },
      argv: ['agent', '--token', 'hunter2hunter2'],
    },
    'acp-scope 0',
  );
  expect(JSON.parse(decodeLossy(header))).toMatchObject({ argv: ['agent', '--token', '…'] });
});
