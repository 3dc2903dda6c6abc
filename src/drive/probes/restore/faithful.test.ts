// What a v1 load owes: the conversation. What an agent says by itself before it is not held against it.
import { expect, test } from 'vitest';
import { objects, str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { ArrayAgent } from '../../../test/programs/driven-agent.ts';
import type { Launcher } from '../../peer.ts';
import { PromptBudget } from '../../prompt-budget.ts';
import { matcherOf } from '../plan.ts';
import { runProbes } from '../run.ts';
import { PROBE_TEXTS } from '../../../model/probe-texts.ts';

type Said = readonly [kind: 'user' | 'agent' | 'thought', text: string];

/** An agent of v1 that greets, thinks and obeys; `replayed`: what of the turn a load brings. */
function agentThat(replayed: (turn: readonly Said[]) => readonly Said[]): Launcher {
  const turn: Said[] = [];
  return {
    launch({ label }) {
      const agent = new ArrayAgent(label);
      agent.inputEnded = () => agent.exit({ code: 0 });
      const tell = (said: readonly Said[]) => {
        for (const [kind, text] of said) {
          const content = { type: 'text', text };
          const sessionUpdate =
            kind === 'thought' ? 'agent_thought_chunk' : `${kind}_message_chunk`;
          const params = { sessionId: 's', update: { sessionUpdate, content } };
          agent.say(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }));
        }
      };
      const work: Readonly<Record<string, (params: Json) => object>> = {
        initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
        'session/new': () => {
          queueMicrotask(() => tell([['agent', 'agent 1.2, press ? for help']]));
          return { sessionId: 's' };
        },
        'session/prompt': (params) => {
          const text = str(objects(params, 'prompt')[0], 'text') ?? '';
          const answer: Said[] = [
            ['thought', 'That is easy.'],
            ['agent', /PROBE-\w+/.exec(text)?.[0] ?? ''],
          ];
          turn.push(['user', text], ...answer);
          tell(answer);
          return { stopReason: 'end_turn' };
        },
        'session/load': () => {
          tell(replayed(turn));
          return {};
        },
      };
      agent.write = (line) => {
        const { id, method, params } = JSON.parse(line) as {
          id: number;
          method: string;
          params: Json;
        };
        const result = work[method]?.(params);
        const body = result ? { result } : { error: { code: -32601, message: 'No' } };
        agent.say(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
      };
      return Promise.resolve({ ok: true, agent });
    },
  };
}

test.each([
  // A greeting is no part of the conversation.
  ['all but its greeting', (turn: readonly Said[]) => turn, 'pass', 'pass'],
  [
    'no thoughts',
    (turn: readonly Said[]) => turn.filter(([kind]) => kind !== 'thought'),
    'pass',
    'warn',
  ],
  [
    'no answer',
    (turn: readonly Said[]) => turn.filter(([kind]) => kind !== 'agent'),
    'fail',
    'fail',
  ],
  [
    'no prompt',
    (turn: readonly Said[]) => turn.filter(([kind]) => kind !== 'user'),
    'fail',
    'fail',
  ],
])('a load that brings %s', async (_, replayed, roundtrip, fold) => {
  const outcome = await runProbes({
    settings: {
      launcher: agentThat(replayed),
      name: { name: 'test', version: '1' },
      budget: new PromptBudget(5),
      ...{ cwd: '/work/project', otherCwd: '/work/other', quiet: 10, patience: 200 },
      ...{ turnPatience: 300, texts: PROBE_TEXTS, random: () => 'abc123' },
    },
    chosen: matcherOf('load/roundtrip,load/fold'),
    stop: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.message);
  const { probes } = outcome.report;
  expect(
    probes.map(({ id, verdict, why }) => [id, verdict, verdict === 'pass' ? '' : why]),
  ).toEqual([
    ['load/roundtrip', roundtrip, expect.any(String)],
    ['load/fold', fold, fold === 'pass' ? '' : expect.stringMatching(/^A client that trusts it/)],
  ]);
});
