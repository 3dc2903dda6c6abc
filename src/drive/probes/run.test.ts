// A run as a whole: agents that cannot be probed, budgets, stopping, and the three reports.
import { describe, expect, test } from 'vitest';
import { bundledLauncher, ArrayAgent } from '../../test/programs/driven-agent.ts';
import type { Launcher } from '../peer.ts';
import { PromptBudget } from '../prompt-budget.ts';
import { matcherOf } from './plan.ts';
import { readBaseline } from '../verdict.ts';
import { probesJson, probeDocument, type Keeping } from './report/document.ts';
import { junitReport as junit } from '../../report/render.ts';
import { textReport as text } from '../../report/text.ts';
import { runProbes, type ProbeReport, type ProbeRun } from './run.ts';
import { PROBE_TEXTS } from '../../model/probe-texts.ts';

function runOn(
  launcher: Launcher,
  more: Partial<ProbeRun> & { prompts?: number; only?: string; auth?: string },
) {
  const { prompts = 5, only = 'ver/*', auth, ...rest } = more;
  return runProbes({
    settings: {
      launcher,
      name: { name: 'test', version: '1' },
      budget: new PromptBudget(prompts),
      cwd: '/work/project',
      otherCwd: '/work/other',
      quiet: 10,
      patience: 100,
      turnPatience: 300,
      texts: PROBE_TEXTS,
      random: () => 'abc123',
      ...(auth !== undefined && { auth }),
    },
    chosen: matcherOf(only),
    stop: new AbortController().signal,
    ...rest,
  });
}

/** Answers each request by its method; what it has no answer for is −32601. */
function agentThat(answers: Readonly<Record<string, unknown>>): Launcher {
  return {
    launch() {
      const agent = new ArrayAgent();
      agent.inputEnded = () => agent.exit({ code: 0 });
      agent.write = (line) => {
        if (!line.startsWith('{')) return;
        const { id, method } = JSON.parse(line) as { id?: unknown; method?: string };
        if (id === undefined || method === undefined) return;
        const result = answers[method];
        const body =
          result === undefined
            ? { error: { code: -32601, message: `no <${method}>` } }
            : { result };
        queueMicrotask(() => agent.say(JSON.stringify({ jsonrpc: '2.0', id, ...body })));
      };
      return Promise.resolve({ ok: true, agent });
    },
  };
}

async function reported(...run: Parameters<typeof runOn>): Promise<ProbeReport> {
  const outcome = await runOn(...run);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.report;
}

const textReport = (report: ProbeReport, suite: string, keeping?: Keeping) =>
  text(probeDocument(report, suite, keeping));
const junitReport = (report: ProbeReport, suite: string, keeping?: Keeping) =>
  junit(probeDocument(report, suite, keeping));

describe('the handshake', () => {
  test('takes the highest version; a version that is not spoken is a sentence', async () => {
    const { agent } = await reported(bundledLauncher(), {});
    expect(agent).toMatchObject({ version: 2, title: 'Bundled agent' });
    expect(await runOn(bundledLauncher({ protocol: 1 }), { version: 2 })).toMatchObject({
      ok: false,
      message: /does not speak version 2: it settles on 1/,
    });
  });

  test('an agent that cannot start, dies, or is none, is a sentence', async () => {
    const none: Launcher = {
      launch: () => Promise.resolve({ ok: false, message: 'No such program.' }),
    };
    expect(await runOn(none, {})).toEqual({ ok: false, message: 'No such program.' });
    const dead: Launcher = {
      launch() {
        const agent = new ArrayAgent('dead.trace');
        agent.write = () => agent.exit({ code: 7 });
        return Promise.resolve({ ok: true, agent });
      },
    };
    expect(await runOn(dead, {})).toMatchObject({ ok: false, message: /code 7 .* dead\.trace/ });
    expect(await runOn(agentThat({}), {})).toMatchObject({ ok: false, message: /−32601/ });
  });
});

test('an agent without sessions is skipped with its words, not blamed', async () => {
  const launcher = agentThat({ initialize: { protocolVersion: 1, agentCapabilities: {} } });
  const { probes } = await reported(launcher, { only: 'new/two,load/*,prompt/turn' });
  expect(new Set(probes.map(({ verdict }) => verdict))).toEqual(new Set(['skip']));
  expect(probes.find(({ id }) => id === 'load/roundtrip')?.why).toContain(
    'does not advertise loadSession',
  );
  expect(probes.find(({ id }) => id === 'new/two')?.why).toContain('“no <session/new>”');
});

test('each mode and option that an agent offers and then refuses is named', async () => {
  const named = (ids: readonly string[], key: string) =>
    ids.map((id) => ({ [key]: id, name: id.toUpperCase() }));
  const model = { id: 'model', name: 'Model', type: 'select', currentValue: 'a' };
  const launcher = agentThat({
    initialize: { protocolVersion: 1, agentCapabilities: {} },
    'session/new': {
      sessionId: 's1',
      modes: { currentModeId: 'ask', availableModes: named(['ask', 'code'], 'id') },
      configOptions: [{ ...model, options: named(['a', 'b', 'c'], 'value') }],
    },
  });
  const { probes } = await reported(launcher, { only: 'choice/*' });
  expect(probes).toMatchObject([
    { id: 'choice/modes', verdict: 'fail', why: /for the mode "code", offered in #4/ },
    { id: 'choice/options', verdict: 'fail', why: /"b" for the option "model", offered in #4/ },
  ]);
  const none = agentThat({
    initialize: { protocolVersion: 1, agentCapabilities: {} },
    'session/new': { sessionId: 's1' },
  });
  const { probes: without } = await reported(none, { only: 'choice/*' });
  expect(without.map(({ verdict }) => verdict)).toEqual(['skip', 'skip']);
});

test('an agent that wants a sign-in is skipped, and signed in to where the run says how', async () => {
  const options = { pace: 0, requireSignIn: true } as const;
  const before = await reported(bundledLauncher(options), { only: 'new/two' });
  expect(before).toMatchObject({
    wantsSignIn: true,
    probes: [{ verdict: 'skip', why: /sign-in/ }],
  });
  const after = await reported(bundledLauncher(options), { only: 'new/two', auth: 'sign-in' });
  expect(after).toMatchObject({ wantsSignIn: false, probes: [{ verdict: 'pass' }] });
});

test('prompts never exceed what may be sent; what would need more is skipped', async () => {
  const report = await reported(bundledLauncher({ pace: 0 }), {
    prompts: 1,
    only: 'resume2/start,resume2/then-prompt,prompt/two',
  });
  expect(report.prompts).toBe(1);
  expect(report.probes.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['resume2/start', 'skip'],
    ['resume2/then-prompt', 'skip'],
    ['prompt/two', 'skip'],
  ]);
});

test('once stopped, no more is asked, and the rest is told as not asked', async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  const report = await reported(bundledLauncher(), {
    stop: stop.signal,
    ended: ({ id }) => (asked.push(id), stop.abort()),
  });
  expect(asked).toHaveLength(1);
  expect(report.stopped).toBe(true);
  expect(report.probes.at(-1)).toMatchObject({ verdict: 'skip', why: /stopped/ });
});

describe('a run that judged nothing says why, in every report', () => {
  test.each([
    ['load/*', 2, /^Nothing was asked: what was named is of version 1, .* Give --protocol 1\.$/],
    ['resume2/*', 1, /is of version 2, and this run spoke version 1\. Give --protocol 2\.$/],
    [
      'http/headers',
      2,
      /^Nothing could be judged: the probe was skipped\. Only an agent reached by HTTP from the command line/,
    ],
    [
      'http/*,resume2/detach',
      2,
      /: all 5 probes were skipped\. It needs a second .* Only an agent reached by HTTP .*$/,
    ],
  ] as const)('%s in version %i', async (only, version, why) => {
    const report = await reported(bundledLauncher(), { only, version });
    expect(report.unasked).toMatch(why);
    const words = report.unasked ?? '';
    expect(textReport(report, '')).toContain(words);
    expect(JSON.parse(probesJson(report, []))).toMatchObject({ unasked: words });
    expect(junitReport(report, 'agent')).toMatch(
      /errors="1" .*name="the run"><error type="unasked" message="Nothing/s,
    );
  });

  test('one verdict is enough, and a run that was stopped is no such run', async () => {
    const judged = await reported(bundledLauncher(), { only: 'http/headers,ver/v1' });
    expect(judged.unasked).toBeUndefined();
    const stop = AbortSignal.abort();
    expect((await reported(bundledLauncher(), { stop })).unasked).toBeUndefined();
  });
});

describe('reports', () => {
  const broken = () =>
    reported(bundledLauncher({ pace: 0, misbehave: 'missing-state-snapshot' }), {
      only: 'resume2/omit,resume2/null,http/*',
    });

  test('JSON has the shape of the page, also with a trace that was not kept', async () => {
    const document = JSON.parse(probesJson(await broken(), ['agent'])) as Record<string, unknown>;
    expect(Object.keys(document)).toEqual([
      ...['agent', 'protocolVersion', 'probes', 'leftOut', 'summary'],
    ]);
    expect(document['leftOut']).toContainEqual({
      id: 'resume2/tools',
      why: 'It lets the agent use a tool, in a temporary folder.',
      asks: '--all',
    });
    expect(document).toMatchObject({
      agent: { name: 'acp-scope-agent', command: ['agent'] },
      protocolVersion: 2,
      probes: expect.arrayContaining([
        {
          id: 'resume2/omit',
          verdict: 'fail',
          why: 'No state_update before the response; expected one.',
          seqs: [3, 4],
          trace: 'shared-omit-1',
        },
      ]) as unknown,
      summary: { pass: 1, skip: 4, prompts: 1 },
    });
    const gone = probesJson(await broken(), ['agent'], { kept: () => false });
    expect(gone).not.toContain('"trace"');
  });

  test('text begins with the card, names frames, and obeys nothing that an agent says', async () => {
    const told = textReport(await broken(), 'agent');
    expect(told).toMatch(/^Bundled agent 0\.0\.0: ACP version 2, 1 prompt sent/);
    expect(told).toContain('Resume profile');
    expect(told).toMatch(/fail {6}resume2\/omit\n.*expected one\.\n.* #\d/);
    const launcher = agentThat({
      initialize: { protocolVersion: 1, agentInfo: { name: '\u001b[31mRed\nline' } },
    });
    expect(textReport(await reported(launcher, {}), 'a')).not.toMatch(/\u{1b}/u);
  });

  test('JUnit fails what failed and skips what could not be asked; the baseline forgives', async () => {
    const report = await broken();
    expect(junitReport(report, 'agent <x>')).toMatch(/failures="2" errors="0" skipped="6"/);
    const baseline = readBaseline(probesJson(report, []));
    expect(junitReport(report, 'agent', { baseline })).toContain('failures="0"');
    expect(textReport(report, '', { baseline })).toContain('(2 known)');
    expect(readBaseline('{"files":[]}')).toBeUndefined();
  });

  test('what comes back short in version 2 warns, and fails the run where that is said', async () => {
    const report = await reported(bundledLauncher({ pace: 0, misbehave: 'lossy-replay' }), {
      only: 'resume2/fold',
    });
    expect(report.probes).toMatchObject([
      { verdict: 'warn', why: /loses part of 1 agent message/ },
    ]);
    const told = textReport(report, 'agent');
    expect(told).toMatch(/replay complete +warn/);
    expect(told).toMatch(/left out {2}--all asks them as well\n +resume2\/tools +It lets/);
    expect(told).toMatch(/0 failed, 1 warned, 0 notes, 0 skipped\.$/m);
    expect(told).toContain('1 warned: resume2/fold; --fail-on warn makes this fail.');
    expect(textReport(report, 'agent', { failOn: 'warn' })).not.toContain('makes this fail');
    expect(junitReport(report, 'agent')).toContain('failures="0"');
    const strict = junitReport(report, 'agent', { failOn: 'warn' });
    expect(strict).toMatch(/failures="1".*<failure type="warn"/s);
    const baseline = readBaseline(probesJson(report, []));
    expect(junitReport(report, 'agent', { failOn: 'warn', baseline })).toContain('failures="0"');
  });
});
