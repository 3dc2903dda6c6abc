import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentEnd, endClause, type ExitFacts } from './agent-end.ts';

const told = (exit: ExitFacts) => {
  const { by, asked, isCrash, isUnexpected, isOrderly } = agentEnd(exit);
  const marks = [isCrash && 'crash', isUnexpected && 'unexpected', isOrderly && 'orderly'];
  return [by, asked && `asked by ${asked}`, ...marks].filter(Boolean).join(', ');
};

describe('R-41 who ended an agent', () => {
  test.each<[what: string, exit: ExitFacts, expected: string]>([
    ['exits with 0', { code: 0 }, 'agent, orderly'],
    ['exits with 1', { code: 1 }, 'agent, crash, unexpected'],
    ['exits with 134', { code: 134 }, 'agent, crash, unexpected'],
    ['exits with 139, as a shell says SIGSEGV', { code: 139 }, 'agent, crash, unexpected'],
    ['SIGSEGV', { signal: 'SIGSEGV' }, 'agent, crash, unexpected'],
    ['SIGABRT', { signal: 'SIGABRT' }, 'agent, crash, unexpected'],
    ['SIGTERM of somebody', { signal: 'SIGTERM' }, 'elsewhere'],
    ['the same, handled as shells do', { code: 143 }, 'elsewhere'],
    ['SIGINT of somebody, handled', { code: 130 }, 'elsewhere'],
    ['SIGKILL of somebody', { signal: 'SIGKILL' }, 'elsewhere, unexpected'],
    ['the same, as a shell or a container says it', { code: 137 }, 'elsewhere, unexpected'],
    ['nobody knows', {}, 'unknown'],
    ['did not start', { problem: 'Not found.' }, 'unknown, unexpected'],
    ['our SIGTERM', { signal: 'SIGTERM', sent: 'SIGTERM' }, 'us, asked by us'],
    [
      'our SIGTERM, and SIGKILL after it',
      { signal: 'SIGKILL', sent: 'SIGTERM' },
      'us, asked by us',
    ],
    ['our SIGTERM, handled', { code: 143, sent: 'SIGTERM' }, 'us, asked by us'],
    ['our SIGTERM, handled badly', { code: 1, sent: 'SIGTERM' }, 'us, asked by us'],
    ['our SIGTERM, handled well', { code: 0, sent: 'SIGTERM' }, 'us, asked by us'],
    ['our SIGTERM, a fault in its handler', { signal: 'SIGSEGV', sent: 'SIGTERM' }, 'agent, asked by us, crash, unexpected'], // prettier-ignore
    ['our SIGKILL', { signal: 'SIGKILL', sent: 'SIGKILL' }, 'us, asked by us'],
    ['our SIGKILL on Windows', { code: 1, sent: 'SIGKILL' }, 'us, asked by us'],
    ['the same, where ending the tree failed', { signal: 'SIGTERM', sent: 'SIGKILL' }, 'us, asked by us'], // prettier-ignore
    ['an end just before our SIGKILL', { code: 3, sent: 'SIGKILL' }, 'unknown, asked by us'],
    ['a good end just before our SIGKILL', { code: 0, sent: 'SIGKILL' }, 'agent, asked by us'],
    ['we closed its stdin', { code: 0, sent: 'stdin' }, 'us, asked by us, orderly'],
    ['we closed its stdin, and it failed', { code: 1, sent: 'stdin' }, 'us, asked by us'],
    ['we dropped its pipes', { signal: 'SIGPIPE', sent: 'cut' }, 'us, asked by us'],
    ['we closed its stdin, somebody ended it', { signal: 'SIGTERM', sent: 'stdin' }, 'elsewhere, asked by us'], // prettier-ignore
    ['an editor’s SIGINT', { code: 130, sent: 'SIGINT', by: 'client' }, 'client, asked by client'],
    ['an editor’s SIGTERM', { signal: 'SIGTERM', sent: 'SIGTERM', by: 'client' }, 'client, asked by client'], // prettier-ignore
    ['an editor that left', { code: 1, sent: 'stdin', by: 'client' }, 'client, asked by client'],
  ])('%s', (_, exit, expected) => {
    expect(told(exit)).toBe(expected);
  });
});

const FAULTS = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'];
const code = fc.oneof(
  fc.constantFrom(0, 1, 129, 130, 137, 139, 143),
  fc.integer({ min: 0, max: 255 }),
);
const request = fc.record(
  {
    sent: fc.constantFrom('SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'stdin', 'cut'),
    by: fc.constant('client'),
  },
  { requiredKeys: ['sent'] },
) as fc.Arbitrary<Required<Pick<ExitFacts, 'sent'>> & Pick<ExitFacts, 'by'>>;
const ownEnd = fc.oneof(
  code.map((code): ExitFacts => ({ code })),
  fc.constantFrom(...FAULTS, 'SIGTERM', 'SIGKILL', 'SIGHUP', 'SIGPIPE').map((signal): ExitFacts => ({ signal })), // prettier-ignore
);

test('R-41 however an agent ends that was asked to, only a signal of a fault is its crash', () => {
  fc.assert(
    fc.property(ownEnd, request, (end, asked) => {
      const { isCrash, ...rest } = agentEnd({ ...end, ...asked });
      expect(isCrash).toBe(FAULTS.includes(end.signal ?? ''));
      expect(rest.asked).toBe(asked.by ?? 'us');
      if (isCrash) expect(rest.by).toBe('agent');
      else expect(rest.isUnexpected).toBe(false);
    }),
  );
});

test('R-41 an agent that nobody asked to end is at fault if it fails, and nobody else', () => {
  fc.assert(
    fc.property(ownEnd, (end) => {
      const { by, asked, isCrash, isUnexpected } = agentEnd(end);
      expect(asked).toBeUndefined();
      expect(['agent', 'elsewhere']).toContain(by);
      expect(isCrash).toBe(by === 'agent' && end.code !== 0);
      if (isCrash) expect(isUnexpected).toBe(true);
      if (by === 'elsewhere')
        expect(end.signal ?? String(end.code)).toMatch(/^SIG|^1(29|3[017]|4[13])$/);
    }),
  );
});

test('the end is one clause, which names the side that asked for it', () => {
  const asked = { sent: 'SIGTERM' } as const;
  expect(endClause({ code: 1 })).toBe('exited with 1');
  expect(endClause({ ...asked, signal: 'SIGTERM' })).toBe('was ended by us, with SIGTERM');
  expect(endClause({ ...asked, code: 1 })).toBe('was sent SIGTERM by us, and exited with 1');
  expect(endClause({ code: 0, sent: 'stdin' })).toBe('exited with 0');
  expect(endClause({ code: 1, sent: 'stdin', by: 'client' })).toBe(
    'had its stdin closed by the client, and exited with 1',
  );
  expect(endClause({ code: 0, sent: 'cut' })).toBe(
    'had its pipes dropped by us, and exited with 0',
  );
});
