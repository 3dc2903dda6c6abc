import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { seq } from '../../trace/event.ts';
import { checkTrace } from '../check-trace.ts';

const TURN = `
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{}}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{}}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Hello"
  agent  raw {"jsonrpc":"2.0","method":"session/update","params":{"sess
  agent  ←2 result {"stopReason":"end_turn"}
`;
/** Rules that frame 6 breaks. */
const broken = (events: ReturnType<typeof draw>) =>
  checkTrace(events)
    .findings.filter(({ verdict, seqs }) => verdict === 'fail' && seqs.includes(seq(6)))
    .map(({ rule }) => rule);

test('R-08 a frame that was not kept whole breaks no rule of framing', () => {
  const events = draw(TURN);
  expect(broken(events)).toContain('frame/not-json');
  const kept = events.map((event) =>
    event.type === 'frame' && event.seq === 6
      ? { ...event, oversize: { bytes: 2e8, sha256: 'ab', tail: { text: '"}}}' } } }
      : event,
  );
  expect(broken(kept)).toEqual([]);
});
