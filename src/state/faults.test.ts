import { expect, test } from 'vitest';
import { faultReport, PageFaults } from './faults.svelte.ts';

test('the last fault is told, with how many there were until a person has seen it', () => {
  const faults = new PageFaults();
  faults.add('call', new Error('rows: gone'));
  faults.add('page', 'plain words');
  expect(faults.last).toEqual({ kind: 'page', message: 'plain words' });
  expect(faults.count).toBe(2);
  faults.dismiss();
  expect([faults.last, faults.count]).toEqual([undefined, 0]);
});

test('a worker that did not start is told over all the calls that fail for it', () => {
  const faults = new PageFaults();
  faults.add('unstarted', 'its script could not be loaded');
  faults.add('call', new Error('its script could not be loaded'));
  expect(faults.last?.kind).toBe('unstarted');
});

test('the report holds the words, where it was, and the stack', () => {
  const fault = {
    kind: 'call',
    message: 'rows: gone',
    stack: 'Error: rows: gone\n  at a',
  } as const;
  expect(faultReport(fault, ['view trace, relay 0.1.0'])).toBe(
    'ACP Scope: call: rows: gone\nview trace, relay 0.1.0\nError: rows: gone\n  at a',
  );
});
