import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { indexedTrace } from '../indexed-trace.ts';
import { fidelityOf } from './fidelity.ts';

/** One connection with sessions that are made, prompted, restored with late history, and prompted again. */
function restored(sessions: number) {
  const parts = Array.from({ length: sessions }, (_, n) => {
    const [id, session] = [n * 10, `s${n}`];
    return `
      client →${id + 1} session/new {"cwd":"/w","mcpServers":[]}
      agent  ←${id + 1} result {"sessionId":"${session}"}
      client →${id + 2} session/prompt ${session} "Mend the roof"
      agent  update ${session} agent_message_chunk "It is mended."
      agent  ←${id + 2} result {"stopReason":"end_turn"}
      client →${id + 3} session/load {"sessionId":"${session}","cwd":"/w","mcpServers":[]}
      agent  update ${session} user_message_chunk "Mend the roof"
      agent  ←${id + 3} result {}
      agent  update ${session} agent_message_chunk "It is mended."
      client →${id + 4} session/prompt ${session} "Paint it"
      agent  update ${session} agent_message_chunk "It is red."
      agent  ←${id + 4} result {"stopReason":"end_turn"}`;
  });
  return draw(`
    client →0 initialize {"protocolVersion":1}
    agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    ${parts.join('\n')}`);
}

/** Returns how often a comparison reads an event, a number of a column, a restore or a session's facts. */
function work(sessions: number) {
  const source = indexedTrace(restored(sessions), 'c1', { began: 0 });
  const { index, eventAt } = source;
  let reads = 0;
  for (const column of [index.columns.kind, index.columns.session]) {
    const get = column.get.bind(column);
    column.get = (at) => {
      reads++;
      return get(at);
    };
  }
  const facts = index.facts.bind(index);
  index.facts = () => {
    const found = facts();
    reads += found.sessions.length;
    return found;
  };
  const counted = (all: typeof index.windowRecords) =>
    new Proxy(all, {
      get(list, key) {
        reads++;
        return Reflect.get(list, key) as unknown;
      },
    });
  Object.defineProperty(index, 'windowRecords', { value: counted(index.windowRecords) });
  const { windows } = fidelityOf([
    {
      ...source,
      eventAt: (place) => {
        reads++;
        return eventAt(place);
      },
    },
  ]);
  expect(windows).toHaveLength(sessions);
  return reads;
}

test('a trace with twice as many restored sessions takes twice the work', () => {
  expect(work(80) / work(40)).toBeLessThan(2.1);
});
