// Against the bundled agent behind the official SDK's server, and against servers that take anything.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { addressOf } from '../../../relay/transports/address.ts';
import { byHand } from '../../../relay/transports/by-hand.ts';
import { listen, listeningAgent } from '../../../test/programs/remote.ts';
import { PromptBudget } from '../../prompt-budget.ts';
import { CannotAsk } from '../probe.ts';
import { ProbeWorld } from '../world.ts';
import { PROBE_TEXTS } from '../../../model/probe-texts.ts';
import { BY_HAND } from './by-hand.ts';

async function asked(id: string, url: string) {
  const read = addressOf(url, []);
  if (!read.ok) throw new Error(read.message);
  const launch = () => Promise.reject(new Error('Nothing is launched for these probes.'));
  const world = new ProbeWorld(
    2,
    { clientCapabilities: {}, agentCapabilities: {}, authMethods: [] },
    {
      launcher: { launch, byHand: byHand(read.address) },
      ...{ name: { name: 'test', version: '1' }, budget: new PromptBudget(0) },
      ...{ cwd: '/work', otherCwd: '/other', quiet: 50, patience: 2000, turnPatience: 2000 },
      ...{ texts: PROBE_TEXTS, random: () => 'x' },
    },
  );
  const probe = BY_HAND.find((one) => one.id === id);
  return probe?.run(world);
}

test('a server that refuses what is wrong passes both', async () => {
  const url = await listeningAgent();
  expect(await asked('http/headers', url)).toMatchObject({
    verdict: 'pass',
    why: '10 requests got the expected status: 202, 400, 404, 406, 409, 415.',
  });
  expect(await asked('ws/first', url.replace('http', 'ws'))).toMatchObject({ verdict: 'pass' });
});

test('a server that takes everything is warned of, with what it said and what is due', async () => {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'acp-connection-id': 'one', 'content-type': 'application/json' });
    answer.end('{"jsonrpc":"2.0","id":0,"result":{}}');
  });
  const seen = await asked('http/headers', `http://127.0.0.1:${await listen(server)}/acp`);
  expect(seen?.verdict).toBe('warn');
  expect(seen?.why).toContain('A request without Acp-Connection-Id got 200. Expected: 400.');
  expect(seen?.why).toContain('A second reader of a stream got 200. Expected: 409.');
});

test('a socket that answers whatever comes is warned of, one without an answer to initialize fails', async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  let says: string | undefined = '{"jsonrpc":"2.0","id":0,"result":{}}';
  sockets.on('connection', (socket) => {
    socket.on('message', () => {
      if (says !== undefined) socket.send(says);
      else socket.close(1011);
    });
  });
  const url = `ws://127.0.0.1:${await listen(server)}/acp`;
  expect(await asked('ws/first', url)).toMatchObject({
    verdict: 'warn',
    why: 'A first message that is no initialize got an answer. Expected: a close with 1002. An array of messages got an answer. Expected: −32600. A binary message got an answer; it is to be ignored.',
  });
  says = undefined;
  expect(await asked('ws/first', url)).toMatchObject({
    verdict: 'fail',
    why: 'initialize as the first message got a close with 1011. Expected: its response.',
  });
});

test('where no server listens, or the agent is reached otherwise, it cannot be asked', async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(asked('http/headers', `http://127.0.0.1:${port}/acp`)).rejects.toThrow(
    /^Nothing listens at http/,
  );
  await expect(asked('ws/first', `http://127.0.0.1:${port}/acp`)).rejects.toThrow(CannotAsk);
});
