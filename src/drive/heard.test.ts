// What is said of a request without a result: the lab says what probes and scenarios say.
import { expect, test } from 'vitest';
import { seq, type Seq } from '../trace/event.ts';
import { ArrayAgent } from '../test/programs/driven-agent.ts';
import { lab } from '../test/programs/lab-environment.ts';
import type { Launcher } from './peer.ts';

type Listener = (of: Seq, why: string) => boolean;

/**
 * It settles on this version, or never answers where there is none; what else it is asked its transport cannot
 * hand over.
 */
function unreached(protocolVersion: number | undefined): Launcher {
  return {
    launch() {
      let tell: Listener = () => false;
      const onRefused = (listener: Listener) => void (tell = listener);
      const agent = Object.assign(new ArrayAgent('unreached'), { onRefused });
      agent.inputEnded = () => agent.exit({ code: 0 });
      agent.write = (line) => {
        const { id, method } = JSON.parse(line) as { id: number; method: string };
        const result = { protocolVersion, agentCapabilities: { loadSession: true } };
        const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
        if (method !== 'initialize') tell(seq(agent.frames.length), 'The address answered 503.');
        else if (protocolVersion !== undefined) agent.say(answer);
      };
      return Promise.resolve({ ok: true, agent });
    },
  };
}

test('the lab names the version that an agent settles on and nobody knows', async () => {
  await expect(lab({ protocol: 1, launcher: unreached(3) })).rejects.toThrow(
    'The agent could not be greeted. The agent settles on version 3, which nobody knows.',
  );
});

test('an agent that never answered is not said to have ended by the signal that was ours', async () => {
  const silent = lab({ protocol: 1, launcher: unreached(undefined), patience: 20 });
  await expect(silent).rejects.toThrow(
    'The agent could not be greeted. The agent did not answer initialize.',
  );
});

test('the lab says why the transport handed a request not over, and does not wait for its answer', async () => {
  const report = await lab({ protocol: 1, launcher: unreached(1), values: { variant: ['load'] } });
  expect(report.cells[0]?.why).toBe('No session could be made: The address answered 503.');
});
