import { expect, test } from 'vitest';
import { PROBE_TEXTS } from '../../../model/probe-texts.ts';
import { ArrayAgent } from '../../../test/programs/driven-agent.ts';
import { PromptBudget } from '../../prompt-budget.ts';
import { matcherOf } from '../plan.ts';
import { runProbes } from '../run.ts';

/** A frame that the agent sends after the cancel, and the milliseconds since the frame before. */
type Sent = readonly [after: number, frame: 'text' | 'tool' | object];

interface Asked {
  readonly id?: number;
  readonly method?: string;
}

const UPDATES = {
  text: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'One.' } },
  tool: { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Write a file' },
} as const;

/** An agent of v1 that begins to speak when it is prompted, and sends these frames when it is cancelled. */
function cancelled(frames: readonly Sent[]) {
  const agent = new ArrayAgent('a');
  agent.inputEnded = () => agent.exit({ code: 0 });
  const say = (message: object) => agent.say(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const update = (kind: keyof typeof UPDATES) =>
    say({ method: 'session/update', params: { sessionId: 's', update: UPDATES[kind] } });
  let prompt: number | undefined;
  agent.write = (line) => {
    const { id, method } = JSON.parse(line) as Asked;
    if (method === 'initialize') return say({ id, result: { protocolVersion: 1 } });
    if (method === 'session/new') return say({ id, result: { sessionId: 's' } });
    if (method === 'session/prompt') {
      prompt = id;
      return update('text');
    }
    if (method !== 'session/cancel') return;
    for (const [after, frame] of frames) {
      agent.ahead += after;
      if (typeof frame === 'string') update(frame);
      else say({ id: prompt, ...frame });
    }
  };
  return agent;
}

async function probed(frames: readonly Sent[]) {
  const outcome = await runProbes({
    settings: {
      launcher: { launch: () => Promise.resolve({ ok: true, agent: cancelled(frames) }) },
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
    version: 1,
    chosen: matcherOf('cancel/turn'),
    stop: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.report.probes;
}

const ended = (stopReason: string) => ({ result: { stopReason } });
const failed = (message: string) => ({ error: { code: -32603, message } });

test.each([
  ['cancelled', [[0, ended('cancelled')]], 'pass', /ended as cancelled/],
  [
    'cancelled, after its last output',
    [
      [900, 'text'],
      [0, ended('cancelled')],
    ],
    'pass',
    /cancelled/,
  ],
  // opencode 1.18.33.
  [
    'over after output that may have crossed',
    [
      [24, 'text'],
      [576, ended('end_turn')],
    ],
    'info',
    /may have been over/,
  ],
  ['over without output', [[600, ended('end_turn')]], 'info', /and nothing between/],
  ['failed at once', [[0, failed('Overloaded')]], 'info', /the error -32603/],
  [
    'output that goes on',
    [
      [24, 'text'],
      [900, 'text'],
      [0, ended('end_turn')],
    ],
    'fail',
    /Seen: the stop reason/,
  ],
  [
    'a new tool call',
    [
      [900, 'tool'],
      [0, ended('end_turn')],
    ],
    'fail',
    /Seen: the stop reason/,
  ],
  ['failed later', [[600, failed('Aborted')]], 'fail', /the error -32603/],
  ['never over', [], 'fail', /did not end/],
] as const satisfies readonly (readonly [string, readonly Sent[], string, RegExp])[])(
  'a cancelled turn: %s',
  async (_, frames, verdict, why) => {
    expect(await probed(frames)).toMatchObject([{ id: 'cancel/turn', verdict, why }]);
  },
);
