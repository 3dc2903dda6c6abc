// Two recordings of one process, as of a tap and of the agent itself, or a file and its copy: what both tell
// happened once.
import { expect, test } from 'vitest';
import { indexedTrace, type IndexedTrace } from '../indexed-trace.ts';
import { chipBook } from '../facts/chips.ts';
import { TraceCheck } from '../../rules/check-trace.ts';
import { World } from '../../rules/connection.ts';
import { loadRemarks } from '../../rules/steps.ts';
import { draw } from '../../test/traces/draw.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { SETS } from '../../test/traces/reviewed.ts';
import { V1_SESSION } from '../../test/traces/rule-case.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { fidelityOf } from './fidelity.ts';

const remarksOf = await loadRemarks();

/** A trace by its name, and when it began. */
type Given = readonly [name: string, began: number, events: readonly TraceEvent[]];

const HOUR = 3_600_000;
const eventsOf = new Map(recordings().map(({ name, events }) => [name, events]));

/** What Fidelity says of each restore in a trace. */
function judgedBy(traces: readonly Given[], of: string) {
  const chipOf = chipBook();
  const sources = traces.map(([name, began, events]): IndexedTrace => {
    return indexedTrace(events, name, { chipOf, began });
  });
  return fidelityOf(sources).windows.filter(({ connection }) => connection === of);
}

/** What the checker finds in a trace; the events of all come as they came. */
function foundBy(traces: readonly Given[], of: string) {
  const world = new World();
  const checks = traces.map(([name]) => new TraceCheck({ name, world, remarksOf }));
  const steps = traces
    .flatMap(([, began, events], trace) =>
      events.map((event) => ({ trace, event, at: began + (event.at ?? 0) })),
    )
    .toSorted((a, b) => a.at - b.at);
  for (const { trace, event } of steps) checks[trace]?.append(event);
  const found = checks[traces.findIndex(([name]) => name === of)]?.end().findings;
  // That it looks like another recording is said.
  return found?.filter(({ rule }) => rule !== 'setup/session-id-unique');
}

test.each(Object.entries(SETS))(
  'of %s, a second recording of what was live changes nothing of what a replay is held against',
  (_, names) => {
    const traces = names.map((name, at): Given => [name, at * HOUR, eventsOf.get(name) ?? []]);
    const [[first = '', , live] = [], ...others] = traces;
    expect(live?.length).toBeGreaterThan(0);
    for (const late of [0, 3]) {
      const both = [...traces, [`${first} again`, late, live ?? []] as const];
      for (const [name] of others) {
        expect(judgedBy(both, name)).toEqual(judgedBy(traces, name));
        expect(foundBy(both, name)).toEqual(foundBy(traces, name));
      }
    }
  },
);

const CUT = `
  agent update s1 agent_message_chunk "It is mended now"
  agent ←2 result {"stopReason":"end_turn"}
  client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent update s1 user_message_chunk "Mend it"
  agent update s1 agent_message_chunk "It is"
  agent ←3 result {}`;

test('each of two recordings of a process is judged as it would be without the other', () => {
  const events = draw(`${V1_SESSION}  client →2 session/prompt s1 "Mend it"${CUT}`);
  const [one, other]: readonly Given[] = [
    ['one', 0, events],
    ['other', 3, events],
  ];
  if (!one || !other) throw new Error('two recordings');
  const [verdict] = judgedBy([one], 'one').map((window) => window.verdict);
  expect(verdict).toBe('lossy');
  for (const mine of [one, other]) {
    expect(judgedBy([one, other], mine[0])).toEqual(judgedBy([mine], mine[0]));
    expect(foundBy([one, other], mine[0])).toEqual(foundBy([mine], mine[0]));
  }
});
