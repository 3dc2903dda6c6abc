import { expect, test } from 'vitest';
import { connectionId } from '../../trace/event.ts';
import type { Parts } from '../parts.ts';
import { LinkSession } from './link-session.ts';

test('that an agent has ended is told of what a person sends to it, not of what a run of tests does', () => {
  const told: string[] = [];
  const parts = {
    calls: { hear: () => false },
    notices: { news: (_severity: string, message: string) => told.push(message) },
    catalog: { groupOf: (connection: string) => (connection === 'run' ? { id: 'r' } : undefined) },
  };
  const session = new LinkSession(parts as unknown as Parts, () => Promise.reject(new Error('no')));
  const problem = (of: string, code: 'ended' | 'io') =>
    session.onEvent({
      ...{ type: 'problem', connection: connectionId(of) },
      problem: { code, message: `${of} ${code}` },
    });
  problem('run', 'ended');
  expect(told).toEqual([]);
  problem('own', 'ended');
  problem('run', 'io');
  expect(told).toEqual(['own ended', 'run io']);
});
