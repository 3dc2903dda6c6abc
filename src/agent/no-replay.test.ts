// The bundled agent as one that can resume its sessions and not replay them.
import { expect, test } from 'vitest';
import {
  CWD,
  freshStore,
  meetAgent,
  newSession,
  saidBy,
  startAgent,
  turn,
} from '../test/programs/bundled-agent.ts';

const restore = (sessionId: string) => ({ sessionId, cwd: CWD, mcpServers: [] });

test('v1 does not offer session/load, and resumes with all it remembers', async () => {
  const options = { store: freshStore(), noReplay: true };
  const first = await meetAgent(1, options);
  const sessionId = await newSession(first);
  await turn(first, sessionId, 'quick: paint it red');
  await first.end();
  const second = startAgent(options);
  const { agentCapabilities } = await second.call('initialize', { protocolVersion: 1 });
  expect(agentCapabilities).toMatchObject({
    loadSession: false,
    sessionCapabilities: { resume: {} },
  });
  expect(await second.ask('session/load', restore(sessionId))).toMatchObject({
    error: { code: -32601 },
  });
  await second.call('session/resume', restore(sessionId));
  const from = await turn(second, sessionId, 'what did I ask first?');
  expect(saidBy('agent', second.updates(from))).toContain('paint it red');
});

test('v2 tells nothing from start but the state, and refuses its own cursor', async () => {
  const options = { store: freshStore(), noReplay: true };
  const first = await meetAgent(2, options);
  const sessionId = await newSession(first);
  await turn(first, sessionId, 'quick');
  await first.end();
  const second = await meetAgent(2, options);
  const asked = (replayFrom: object) =>
    second.ask('session/resume', { ...restore(sessionId), replayFrom });
  expect(await asked({ type: '_message', messageId: 'x' })).toMatchObject({
    error: { code: -32602 },
  });
  const from = second.now;
  expect(await asked({ type: 'start' })).toHaveProperty('result');
  expect(second.updates(from)).toEqual([{ sessionUpdate: 'state_update', state: 'idle' }]);
});
