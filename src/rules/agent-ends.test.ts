// An agent that was told to end owes nothing more: however it takes that, no rule accuses it of what it then left
// open. One that fails by itself at the same place is named.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../test/traces/draw.ts';
import { V1_SESSION, V2_SESSION } from '../test/traces/rule-case.ts';
import type { TraceEvent } from '../trace/event.ts';
import { TraceReader } from '../trace/read.ts';
import { checkTrace } from './check-trace.ts';

const IN_TURN = {
  1: `${V1_SESSION}
    client →2 session/prompt s1 "Hi"
    client →3 session/list {}`,
  2: `${V2_SESSION}
    client →2 session/prompt s1 "Hi"
    agent ←2 result {}
    agent update s1 state_update {"state":"running"}`,
} as const;

const failing = (events: readonly TraceEvent[]) =>
  checkTrace(events).findings.flatMap(({ rule, verdict, side }) =>
    verdict === 'fail' ? [`${rule} ${side}`] : [],
  );

function fixture(name: string): readonly TraceEvent[] {
  const reader = new TraceReader();
  const path = new URL(`../test/fixtures/ends/${name}.jsonl`, import.meta.url);
  return [...reader.push(readFileSync(path)), ...reader.end()].map((item) => {
    if ('problem' in item) throw new Error(item.problem);
    return item.event;
  });
}

test.each(['killed-exit-1', 'killed-signal'])(
  'R-41 an agent that was killed from here in a turn is not accused: %s',
  (name) => {
    expect(fixture(name).at(-1)).toMatchObject({ type: 'exit', sent: 'SIGKILL' });
    expect(failing(fixture(name))).toEqual([]);
  },
);

test('R-41 the same agent, where nobody had told it to end, is', () => {
  const events = fixture('killed-exit-1').map((event) => {
    if (event.type !== 'exit') return event;
    const { sent: _, ...alone } = event;
    return alone;
  });
  expect(failing(events)).toEqual(['state/idle-missing agent', 'rpc/response-missing agent']);
});

const ask = fc.constantFrom('SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'stdin', 'cut');
const end = fc.oneof(
  fc.integer({ min: 0, max: 255 }).map(String),
  fc.constantFrom('SIGTERM', 'SIGKILL', 'SIGSEGV', 'SIGPIPE', 'SIGABRT'),
);

test('R-41 no end of an agent that was told to end is a finding against it', () => {
  fc.assert(
    fc.property(fc.constantFrom(1, 2), ask, fc.boolean(), end, (version, sent, byClient, how) => {
      const after = `after ${sent}${byClient ? ' by client' : ''}`;
      const found = failing(draw(`${IN_TURN[version]}\nexit ${how} ${after}`));
      expect(found.filter((one) => one.endsWith('agent'))).toEqual([]);
    }),
  );
});

test.each([
  [1, '1', ['rpc/response-missing agent', 'rpc/response-missing agent']],
  [1, 'SIGSEGV', ['rpc/response-missing agent', 'rpc/response-missing agent']],
  [2, '1', ['state/idle-missing agent']],
  [2, 'SIGABRT', ['state/idle-missing agent']],
  [1, 'SIGKILL', []],
  [1, '130', []],
  [2, 'SIGTERM', []],
] as const)('R-41 v%i: an end by %s that nobody asked for', (version, how, expected) => {
  expect(failing(draw(`${IN_TURN[version]}\nexit ${how}`))).toEqual(expected);
});

test('a client is not said to have left in the middle of work where it killed the agent', () => {
  expect(failing(draw(`${IN_TURN[2]}\nexit 0`))).toContain('prompt/client-waits-answer client');
  expect(failing(draw(`${IN_TURN[2]}\nexit 0 after SIGTERM`))).toEqual([]);
});
