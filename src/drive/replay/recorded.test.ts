import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { barrierAt, readRecorded } from './recorded.ts';

test('a recording speaks the version of the handshake that succeeded, after one that failed', () => {
  const recorded = readRecorded(
    draw(`
      client →0 initialize {"protocolVersion":2}
      agent  ←0 error -32022 Unsupported protocol version
      client →1 initialize {"protocolVersion":1}
      agent  ←1 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    `),
  );
  expect(recorded).toMatchObject({
    asked: 1,
    version: 1,
    agentCapabilities: { loadSession: true },
  });
});

test('a recording of a refused handshake speaks no version', () => {
  const recorded = readRecorded(
    draw(`
      client →0 initialize {"protocolVersion":2}
      agent  ←0 error -32022 Unsupported protocol version
    `),
  );
  expect(recorded).toMatchObject({ asked: 2, version: undefined, agentCapabilities: {} });
});

const V2 = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2}
  client →1 session/prompt s "one"
  agent  ←1 result {"messageId":"u1"}
  agent  update s state_update {"state":"running"}
  client →2 session/prompt s "two"
  agent  update s state_update {"state":"idle","stopReason":"end_turn"}
`;
const END = `
  agent  update s state_update {"state":"running"}
  agent  update s state_update {"state":"idle","stopReason":"end_turn"}
`;

test('a client that waits at the end of a recording waits for the turn of each prompt', () => {
  const waits = (picture: string) => {
    const recorded = readRecorded(draw(picture));
    return barrierAt(recorded, recorded.frames.length).said.filter(
      ({ session }) => session === 's',
    );
  };
  // The first idle state is not of the prompt that waited for it.
  expect(waits(`${V2}agent ←2 result {"messageId":"u2"}`)).toEqual([
    { session: 's', frames: 2, isBusy: false, isIdle: false },
  ]);
  expect(waits(V2)).toEqual([{ session: 's', frames: 1, isBusy: true, isIdle: false }]);
  expect(waits(`${V2}agent ←2 result {"messageId":"u2"}${END}`)).toEqual([
    { session: 's', frames: 4, isBusy: false, isIdle: true },
  ]);
  // A prompt that is refused has no turn.
  expect(waits(`${V2}agent ←2 error -32603 no`)).toEqual([
    { session: 's', frames: 2, isBusy: false, isIdle: true },
  ]);
});
