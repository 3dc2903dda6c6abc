import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionFacts, sessionFacts, traceSummary } from '../../test/programs/running-app.ts';
import { connectionId } from '../../trace/event.ts';
import { proposedPair } from './proposed-pair.ts';

function trace(name: string, agent: string, session: string): TraceSummary {
  const facts = connectionFacts({ sessions: [sessionFacts(session)] });
  return { ...traceSummary(facts), connection: connectionId(name), name, agent, frames: 9 };
}
const names = (...of: Parameters<typeof proposedPair>) =>
  proposedPair(...of)?.map(({ name }) => name);

test('the trace of the same session is proposed before a newer one', () => {
  const traces = [trace('live', 'a', 's1'), trace('other', 'b', 's2'), trace('replay', 'a', 's1')];
  expect(names([...traces, trace('newest', 'b', 's3')], traces[2])).toEqual(['live', 'replay']);
});

test('without one, the newest trace of the same agent is proposed', () => {
  const traces = [trace('one', 'a', 's1'), trace('two', 'b', 's2'), trace('three', 'a', 's3')];
  expect(names(traces, traces[0])).toEqual(['one', 'three']);
  expect(names(traces.slice(0, 1), traces[0])).toBeUndefined();
});
