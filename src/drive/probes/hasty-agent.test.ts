// An agent whose response and what follows it arrive in one read, before a probe that waits for the response can
// look: what came after the response is late, however soon it came.
import { expect, test } from 'vitest';
import { ArrayAgent } from '../../test/programs/driven-agent.ts';
import type { Launcher } from '../peer.ts';
import { PromptBudget } from '../prompt-budget.ts';
import { matcherOf } from './plan.ts';
import type { ProbeResult } from './probe.ts';
import { runProbes } from './run.ts';
import { PROBE_TEXTS } from '../../model/probe-texts.ts';

interface Asked {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text: string }[] };
}

const CAPABILITIES = {
  1: { loadSession: true, sessionCapabilities: { close: {} } },
  2: { session: { close: {} } },
} as const;

/** Answers a restore, a close or a cancelled request, and says the history right behind it, or greets. */
function hasty(version: 1 | 2, greeting?: string): Launcher {
  let prompt = '';
  return {
    launch({ label }) {
      const agent = new ArrayAgent(label);
      agent.inputEnded = () => agent.exit({ code: 0 });
      const update = (body: object) =>
        agent.say(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'session/update',
            params: { sessionId: 's', update: body },
          }),
        );
      const said = (who: string, text: string) =>
        update({
          sessionUpdate: version === 1 ? `${who}_message_chunk` : `${who}_message`,
          messageId: text === greeting ? 'm-new' : `m-${who}`,
          content: version === 1 ? { type: 'text', text } : [{ type: 'text', text }],
        });
      const history = () => {
        if (greeting !== undefined) return said('agent', greeting);
        said('user', prompt);
        said('agent', prompt);
      };
      const state = (name: string) =>
        update({ sessionUpdate: 'state_update', state: name, stopReason: 'end_turn' });
      agent.write = (line) => {
        const { id, method, params } = JSON.parse(line) as Asked;
        if (id === undefined) return;
        const answer = (result: object) =>
          agent.say(JSON.stringify({ jsonrpc: '2.0', id, result }));
        switch (method) {
          case 'initialize':
            return answer(
              version === 1
                ? { protocolVersion: 1, agentCapabilities: CAPABILITIES[1], authMethods: [] }
                : { protocolVersion: 2, info: { name: 'hasty' }, capabilities: CAPABILITIES[2] },
            );
          case 'session/new':
            return answer({ sessionId: 's' });
          case 'session/prompt':
            prompt = params?.prompt?.[0]?.text ?? '';
            if (version === 1) {
              said('agent', prompt);
              return answer({ stopReason: 'end_turn' });
            }
            answer({ messageId: 'm-user' });
            state('running');
            said('user', prompt);
            said('agent', prompt);
            return state('idle');
          case 'session/load':
          case 'session/resume':
          case 'session/close':
            if (version === 2) state('idle');
            answer({});
            return history();
          default:
            return agent.say(
              JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'none' } }),
            );
        }
      };
      return Promise.resolve({ ok: true, agent });
    },
  };
}

async function probed(
  version: 1 | 2,
  only: string,
  greeting?: string,
): Promise<readonly ProbeResult[]> {
  const outcome = await runProbes({
    settings: {
      launcher: hasty(version, greeting),
      name: { name: 'test', version: '1' },
      budget: new PromptBudget(9),
      cwd: '/work/project',
      otherCwd: '/work/other',
      quiet: 10,
      patience: 100,
      turnPatience: 300,
      texts: PROBE_TEXTS,
      random: () => 'abc123',
    },
    version,
    chosen: matcherOf(only),
    stop: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.report.probes;
}

test.each([
  [1, 'load/roundtrip', 'fail', /2 updates of history after the answer/],
  [1, 'load/fold', 'warn', /mistakes .* of the past for new/],
  [1, 'load/repeat', 'pass', /are the same/],
  [1, 'load/other-cwd', 'info', /with its history/],
  [1, 'load/cancel-request', 'fail', /history came after that/],
  [1, 'close/idle', 'warn', /2 updates of the session came after its close/],
  [2, 'resume2/omit', 'fail', /2 updates of history after the answer/],
  [2, 'resume2/start', 'fail', /2 updates of history after the answer/],
  [2, 'resume2/stable', 'skip', /History came only after the answer/],
  [2, 'close/idle', 'fail', /2 updates of the session came after its close/],
] as const)('v%i %s: %s', async (version, id, verdict, why) => {
  expect(await probed(version, id)).toMatchObject([{ id, verdict, why }]);
});

test.each([
  [2, 'resume2/omit', 'info', /1 update .* history that came late, or work that goes on/],
  [2, 'resume2/start', 'info', /history that came late, or work that goes on/],
] as const)('v%i %s, greeted behind the answer: %s', async (version, id, verdict, why) => {
  expect(await probed(version, id, 'Welcome back')).toMatchObject([{ id, verdict, why }]);
});

// It accepts whatever folder it is given.
test.each([
  [1, 'new/relative-cwd'],
  [1, 'load/relative-cwd'],
  [2, 'new/relative-cwd'],
  [2, 'resume2/cwd'],
] as const)(
  'v%i %s: a relative folder that is accepted weighs the same wherever it is given',
  async (version, id) => {
    expect(await probed(version, id)).toMatchObject([{ id, verdict: 'warn' }]);
  },
);
