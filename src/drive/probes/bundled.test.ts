// The probes against the bundled agent: well-behaved it passes them all, and each of its faults is
// caught by the probe that is meant for it.
import { describe, expect, test } from 'vitest';
import {
  MISBEHAVIOURS,
  type MisbehaviourName,
  type BundledAgentOptions,
} from '../../agent/misbehaviours.ts';
import type { JsonObject } from '../../acp/message.ts';
import { bundledLauncher } from '../../test/programs/driven-agent.ts';
import { PromptBudget } from '../prompt-budget.ts';
import { matcherOf, probePlan } from './plan.ts';
import { runProbes, type ProbeReport } from './run.ts';
import { PROBE_TEXTS } from '../../model/probe-texts.ts';

let words = 0;

async function probed(
  version: 1 | 2,
  options: Partial<BundledAgentOptions> = {},
  only?: string,
  cursor?: JsonObject,
): Promise<ProbeReport> {
  const outcome = await runProbes({
    settings: {
      launcher: bundledLauncher({ pace: 0.02, ...options }),
      name: { name: 'test', version: '1' },
      budget: new PromptBudget(60),
      cwd: '/work/project',
      otherCwd: '/work/other',
      quiet: 15,
      patience: 400,
      turnPatience: options.misbehave === 'never-answers' ? 250 : 600,
      texts: PROBE_TEXTS,
      ...(cursor && { cursor }),
      random: () => `w${String(++words).padStart(5, '0')}`,
    },
    version,
    ...(only !== undefined && { chosen: matcherOf(only) }),
    stop: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.report;
}

/** What is not as due, with why. */
function faults({ probes, rules }: ProbeReport): string[] {
  return [...probes, ...rules].flatMap(({ id, verdict, why }) =>
    verdict === 'fail' || verdict === 'warn' ? [`${id} ${verdict}: ${why}`] : [],
  );
}

describe('well-behaved', () => {
  test.each([1, 2] as const)(
    'the bundled agent passes every probe of version %s',
    async (version) => {
      const report = await probed(version, { pace: 0.1 });
      expect(faults(report)).toEqual([]);
      expect(report.probes.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(40);
    },
  );

  test.each([
    [1, 'load/tools'],
    [2, 'resume2/tools,resume2/pending-permission'],
  ] as const)('those asked by name as well, in version %s', async (version, only) => {
    const report = await probed(version, {}, only);
    expect(faults(report)).toEqual([]);
    expect(report.probes.map(({ verdict }) => verdict)).not.toContain('skip');
  });
});

type Caught = readonly [probe: string, verdict: 'fail' | 'warn' | 'info'];

/**
 * Which probe, or rule, of the default run is meant for a fault, and what it says. What only warns is
 * what the protocol lets an agent do: to retain less than was said (v2), to give messages other ids (v1),
 * or a model not to say what it knows. `split-utf8` is no fault: pieces are for the reader to join.
 * How faithful such replays are, model/fidelity/bundled-agent.test.ts says.
 */
const MEANT: Readonly<Record<MisbehaviourName, Readonly<Partial<Record<1 | 2, Caught>>>>> = {
  'replay-without-cursor': { 1: ['resume1/no-history', 'fail'], 2: ['resume2/omit', 'fail'] },
  'replay-after-answer': { 1: ['load/roundtrip', 'fail'], 2: ['resume2/start', 'fail'] },
  'lossy-replay': { 1: ['load/roundtrip', 'fail'], 2: ['resume2/fold', 'warn'] },
  'unstable-message-ids': { 1: ['load/repeat', 'warn'], 2: ['resume2/prompt-id', 'fail'] },
  'missing-state-snapshot': { 2: ['resume2/omit', 'fail'] },
  'accepts-unknown-cursor': { 2: ['resume2/unknown-cursor', 'fail'] },
  'exclusive-cursor': { 2: ['resume2/inclusive', 'fail'] },
  'missing-baseline': { 2: ['resume2/chunks-reset', 'fail'] },
  'forgets-context': { 1: ['load/then-prompt', 'warn'], 2: ['resume2/then-prompt', 'warn'] },
  'duplicate-answer': {
    1: ['rule/rpc/response-duplicate', 'fail'],
    2: ['rule/rpc/response-duplicate', 'fail'],
  },
  'never-answers': { 1: ['prompt/turn', 'fail'], 2: ['prompt/turn', 'fail'] },
  'stdout-noise': { 1: ['rule/frame/not-json', 'fail'], 2: ['rule/frame/not-json', 'fail'] },
  'split-utf8': {},
  'crash-mid-turn': { 1: ['prompt/turn', 'fail'], 2: ['prompt/turn', 'fail'] },
  'unannounced-child': { 1: ['child/exposed', 'fail'], 2: ['child/exposed', 'fail'] },
  'ungated-children': { 1: ['child/hidden', 'fail'] },
  'child-of-itself': { 1: ['child/exposed', 'fail'], 2: ['child/exposed', 'fail'] },
  'listed-children': { 1: ['child/exposed', 'warn'], 2: ['child/exposed', 'warn'] },
  'hidden-child-cancel': { 1: ['child/cancel', 'info'], 2: ['child/cancel', 'info'] },
  'unrenewed-children': { 1: ['child/running', 'warn'], 2: ['child/running', 'warn'] },
  'child-asks-in-replay': { 1: ['child/replay', 'fail'], 2: ['child/replay', 'fail'] },
  'unknown-link': { 1: ['child/exposed', 'warn'], 2: ['child/exposed', 'warn'] },
  'early-replay-marker': { 2: ['resume2/replay-complete', 'fail'] },
  'missing-child-marker': { 2: ['child/replay', 'fail'] },
};

describe('a misbehaviour is caught by the probe that is meant for it', () => {
  const cases = Object.entries(MEANT).flatMap(([name, meant]) =>
    Object.entries(meant).map(
      ([version, [id, word]]) => [name, Number(version) as 1 | 2, id, word] as const,
    ),
  );

  test('each fault has one, in each version in which it shows, and no run leaves it out', () => {
    for (const [name, { versions }] of Object.entries(MISBEHAVIOURS))
      if (name !== 'split-utf8')
        expect(Object.keys(MEANT[name as MisbehaviourName]).map(Number), name).toEqual(versions);
    for (const [, version, id] of cases)
      if (!id.startsWith('rule/'))
        expect(probePlan(version).probes.map((probe) => probe.id)).toContain(id);
  });

  test.each(cases)('%s in version %s: %s, %s', async (name, version, id, word) => {
    const only = id.startsWith('rule/') ? 'prompt/turn' : id;
    const misbehave = name as MisbehaviourName;
    const isOfChild = id.startsWith('child/');
    const report = await probed(version, { misbehave, ...(isOfChild && { pace: 0.1 }) }, only);
    const caught = [...report.probes, ...report.rules].find((result) => result.id === id);
    expect(caught?.verdict, `${id}: ${caught?.why ?? 'not asked'}`).toBe(word);
    expect(caught?.evidence[0]?.seqs.length).toBeGreaterThan(0);
  });

  test.each([
    [1, 'load/tools', 'fail'],
    [2, 'resume2/tools', 'warn'],
  ] as const)(
    'lossy-replay in version %s loses tool calls: %s, %s',
    async (version, id, verdict) => {
      const { probes } = await probed(version, { misbehave: 'lossy-replay' }, id);
      expect(probes).toMatchObject([
        { id, verdict, why: /^Of \d tool calls, \d did not come back: “/ },
      ]);
      expect(probes[0]?.evidence).toHaveLength(2);
    },
  );

  test('a cursor that the agent documents is asked for by that name', async () => {
    const cursor = { type: '_message', messageId: '$ID' };
    const [told] = (await probed(2, {}, 'resume2/inclusive', cursor)).probes;
    expect(told).toMatchObject({
      verdict: 'pass',
      why: /^From \{"type":"_message","messageId":"msg_/,
    });
    const wrong = await probed(2, {}, 'resume2/inclusive', { type: '_at', id: '$ID' });
    expect(wrong.probes).toMatchObject([{ verdict: 'fail', why: /is said to know/ }]);
  });

  test.each([1, 2] as const)(
    'ids that every replay makes anew are not blamed on a fork, in version %s',
    async (version) => {
      const report = await probed(version, { misbehave: 'unstable-message-ids' }, 'fork/basic');
      expect(report.probes).toMatchObject([{ id: 'fork/basic', verdict: 'pass' }]);
    },
  );

  test.each([1, 2] as const)(
    'a fork at a cursor that the agent announced has its beginning, in version %s',
    async (version) => {
      const { probes, rules } = await probed(version, {}, 'fork/cursor');
      expect(probes).toMatchObject([
        { verdict: 'pass', why: /^The fork at cur_\S+ has the first \d+ of \d+ items/ },
      ]);
      expect(rules).toEqual([]);
    },
  );

  test('each choice that the agent offers is set without a prompt', async () => {
    const offers = await probed(1, {}, 'choice/*');
    expect(offers.probes.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['choice/modes', 'pass'],
      ['choice/options', 'pass'],
    ]);
    // Three modes, and three values of each of two options: all but the current one, and that again.
    expect(offers.probes.map(({ why }) => why)).toEqual([
      '3 of 3 choices accepted.',
      '5 of 5 choices accepted.',
    ]);
    expect(probePlan(1, matcherOf('choice/*'))).toMatchObject({ prompts: 0, connections: 6 });
  });

  test('pieces of a line are no fault', async () => {
    const report = await probed(2, { misbehave: 'split-utf8' }, 'prompt/*,resume2/start');
    expect(faults(report)).toEqual([]);
  });
});
