// What the rules say of connections as a test saw them cross, taken together: one session may lie in
// several.
import { checkTrace } from '../../rules/check-trace.ts';
import { loadRemarks } from '../../rules/steps.ts';
import { World } from '../../rules/connection.ts';
import { millis } from '../../lib/time.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import type { Crossed } from '../programs/agent-client.ts';

/** Failed rules above a hint, as sentences. */
export async function checkLines(connections: readonly (readonly Crossed[])[]): Promise<string[]> {
  const remarksOf = await loadRemarks();
  const world = new World();
  return connections.flatMap((crossed, c) => {
    const events = crossed.map(({ from, line }, i): TraceEvent => ({
      type: 'frame',
      seq: seq(i + 1),
      at: millis(i),
      from,
      line: { text: line },
      origin: 'peer',
    }));
    const { findings } = checkTrace(events, { remarksOf, world, name: `c${c + 1}` });
    return findings
      .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'hint')
      .map(({ rule, seqs, seen }) => `c${c + 1} ${rule} #${seqs.join(' #')}: ${seen}`);
  });
}
