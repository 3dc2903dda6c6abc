// No false alarms: what fails on recordings of real agents was read by a person, frame by frame, and
// stands in reviewed.ts with the reason why it is right. Anything else is a fault of the rule.
import { expect, test } from 'vitest';
import { recordings } from '../test/traces/recordings.ts';
import { REVIEWED, SETS, type Reviewed } from '../test/traces/reviewed.ts';
import { checkTrace } from './check-trace.ts';
import type { Finding } from './finding.ts';
import { loadRemarks } from './steps.ts';
import { World } from './connection.ts';

const remarksOf = await loadRemarks();
const all = recordings();

function told(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ rule, severity, side, seqs }) => `${rule} ${severity} ${side} ${seqs.join(' ')}`)
    .sort();
}

function expected(reviewed: readonly Reviewed[] = []): string[] {
  return reviewed
    .map(({ rule, severity, side, seqs }) => `${rule} ${severity} ${side} ${seqs.join(' ')}`)
    .sort();
}

test.each(all.map(({ name, events }) => [name, events] as const))('%s', (name, events) => {
  expect(told(checkTrace(events, { remarksOf }).findings)).toEqual(expected(REVIEWED[name]));
});

test.each(Object.entries(SETS))('%s, checked together', (set, names) => {
  const world = new World();
  for (const name of names) {
    const events = all.find((recording) => recording.name === name)?.events ?? [];
    const { findings } = checkTrace(events, { remarksOf, world, name });
    expect(told(findings), name).toEqual(expected(REVIEWED[`${set}: ${name}`] ?? REVIEWED[name]));
  }
});

test('every reviewed finding names a recording, and why it is right', () => {
  const names = new Set(all.map(({ name }) => name));
  for (const [key, reviewed] of Object.entries(REVIEWED)) {
    expect(names, key).toContain(key.split(': ').at(-1));
    for (const { why } of reviewed) expect(why.length, key).toBeGreaterThan(10);
  }
});
