// The probes against the bundled agent: well-behaved it passes them all, and each of its faults is
// caught by the probe that is meant for it.
import { describe, expect, test } from 'vitest';
import { MISBEHAVIOURS, type MisbehaviourName } from '../../agent/misbehaviours.ts';
import type { AgentOptions } from '../../agent/options.ts';
import { bundledLauncher } from '../../test/driven-agent.ts';
import { PromptBudget } from '../prompt-budget.ts';
import { matcherOf } from './glob.ts';
import { runProbes, type ProbeReport } from './run.ts';
import { PROBE_TEXTS } from './world.ts';

let words = 0;

async function probed(
  version: 1 | 2,
  options: Partial<AgentOptions> = {},
  only?: string,
): Promise<ProbeReport> {
  const outcome = await runProbes({
    settings: {
      launcher: bundledLauncher({ pace: 0.02, ...options }),
      name: { name: 'test', version: '1' },
      budget: new PromptBudget(40),
      cwd: '/work/project',
      otherCwd: '/work/other',
      quiet: 15,
      patience: 400,
      turnPatience: 600,
      texts: PROBE_TEXTS,
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

/** Which probe, or rule, is meant for a fault. `split-utf8` is none: pieces are for the reader to join. */
const MEANT: Readonly<Record<MisbehaviourName, Readonly<Partial<Record<1 | 2, string>>>>> = {
  'replay-without-cursor': { 1: 'resume1/no-history', 2: 'resume2/omit' },
  'replay-after-answer': { 1: 'load/roundtrip', 2: 'resume2/start' },
  'lossy-replay': { 1: 'load/roundtrip', 2: 'resume2/fold' },
  'unstable-message-ids': { 1: 'load/repeat', 2: 'resume2/prompt-id' },
  'missing-state-snapshot': { 2: 'resume2/omit' },
  'accepts-unknown-cursor': { 2: 'resume2/unknown-cursor' },
  'exclusive-cursor': { 2: 'resume2/inclusive' },
  'missing-baseline': { 2: 'resume2/chunks-reset' },
  'forgets-context': { 1: 'load/then-prompt', 2: 'resume2/then-prompt' },
  'duplicate-answer': { 1: 'rule/rpc/response-duplicate', 2: 'rule/rpc/response-duplicate' },
  'never-answers': { 1: 'prompt/turn', 2: 'prompt/turn' },
  'stdout-noise': { 1: 'rule/frame/not-json', 2: 'rule/frame/not-json' },
  'split-utf8': {},
  'crash-mid-turn': { 1: 'prompt/turn', 2: 'prompt/turn' },
};

describe('a misbehaviour is caught by the probe that is meant for it', () => {
  const cases = Object.entries(MEANT).flatMap(([name, meant]) =>
    Object.entries(meant).map(([version, id]) => [name, Number(version) as 1 | 2, id] as const),
  );

  test('each fault has one, in each version in which it shows', () => {
    for (const [name, { versions }] of Object.entries(MISBEHAVIOURS))
      if (name !== 'split-utf8')
        expect(Object.keys(MEANT[name as MisbehaviourName]).map(Number), name).toEqual(versions);
  });

  test.each(cases)('%s in version %s: %s', async (name, version, id) => {
    const only = id.startsWith('rule/') ? 'prompt/turn' : id;
    const report = await probed(version, { misbehave: name as MisbehaviourName }, only);
    const caught = [...report.probes, ...report.rules].find((result) => result.id === id);
    expect(caught?.verdict, `${id}: ${caught?.why ?? 'not asked'}`).toMatch(/^(fail|warn)$/);
    expect(caught?.evidence[0]?.seqs.length).toBeGreaterThan(0);
  });

  test.each([
    [1, 'load/tools'],
    [2, 'resume2/tools'],
  ] as const)('lossy-replay in version %s loses tool calls: %s', async (version, id) => {
    const { probes } = await probed(version, { misbehave: 'lossy-replay' }, id);
    expect(probes).toMatchObject([{ id, verdict: 'warn', why: /did not come back/ }]);
  });

  test('pieces of a line are no fault', async () => {
    const report = await probed(2, { misbehave: 'split-utf8' }, 'prompt/*,resume2/start');
    expect(faults(report)).toEqual([]);
  });
});
