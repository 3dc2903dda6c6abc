import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadReader } from '../engine.ts';
import { CONNECTION, FakeRelay, LAUNCH, page, settle } from '../../test/programs/fake-relay.ts';

// What an engine loads when it first needs it must not be on its way when the test is over.
beforeAll(() => Promise.all([loadReader(), import('../../drive/client.ts')]));
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const INTERCEPT = JSON.stringify({
  protocol: 1,
  handshake: false,
  steps: [{ intercept: ['mask-load-session'] }],
});

test('a run whose rules the relay denies ends its agent at that step', async () => {
  const relay = new FakeRelay();
  relay.interceptProblem = { code: 'refused', message: 'The relay denies these rules.' };
  const { engine } = await page(relay);
  const order = { launch: LAUNCH, most: 9, like: undefined, text: INTERCEPT, repeat: 1 };
  await engine.runs.runScenario(order);
  await settle();
  expect(relay.commands).toContainEqual({ type: 'stop', connection: CONNECTION, how: 'end' });
});

test('a link that is lost while the agent of a run is started ends the run, and says so', async () => {
  const relay = new FakeRelay();
  const { engine, handlers, last } = await page(relay);
  const [link] = handlers;
  if (!link) throw new Error('No link was made.');
  const hear = link.onEvent.bind(link);
  link.onEvent = (event) => {
    hear(event);
    if (event.type === 'started') relay.dropAll();
  };
  const order = { launch: LAUNCH, most: 9, like: undefined, text: INTERCEPT, repeat: 1 };
  await engine.runs.runScenario(order);
  await settle();
  expect(last('run')?.state).toMatchObject({
    phase: 'ended',
    problem: 'The link to the relay was lost, so the run ended. What is known is kept.',
  });
});
