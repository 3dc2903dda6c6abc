import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { readRecorded } from './recorded.ts';

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
