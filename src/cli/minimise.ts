// `acp-scope minimise`: the smallest trace that still fails an assertion, or breaks a rule.
import { parseAssertion } from '../drive/scenario/assert/assertion.ts';
import {
  failsAssertion,
  failsRule,
  type Fails,
  minimise as minimiseTrace,
} from '../drive/scenario/minimise/minimise.ts';
import { count } from '../lib/format-count.ts';
import { loadRemarks } from '../rules/steps.ts';
import { RULES } from '../rules/registry.ts';
import { didYouMean } from '../lib/nearest.ts';
import { command, EXIT, UsageError } from './command.ts';
import { onInterrupt } from './parts/interrupt.ts';
import { numberOption } from './parts/option-values.ts';
import { keepApart, readTrace, writeTrace } from './parts/trace-files.ts';
import { nodeFinder } from './parts/node-finder.ts';
import { tellProblem } from './query/problem.ts';

export const minimise = command({
  usage: "acp-scope minimise IN OUT --assert 'EXPR' | --rule ID [--most N]",
  summary: 'Leave out of a trace all that is not needed for it to fail.',
  details: [
    "--assert EXPR   an assertion that fails (docs/scenarios.md): 'none(type:bad)'",
    '--rule ID       a rule that acp-scope check finds broken',
    '--most N        try at most N traces; 5000 where nothing is said',
    'Exchanges stay whole, and what speaks of a session, a prompt, a restore or a tool call keeps it.',
    'Frames are numbered anew. Exit 1 if the trace does not fail, or not all was tried.',
  ],
  takes: ['files'],
  options: {
    assert: { type: 'string' },
    rule: { type: 'string' },
    most: { type: 'string', default: '5000' },
  },
  async run({ values, files: [input, output, ...more] }) {
    if (input === undefined || output === undefined || more.length > 0)
      throw new UsageError('minimise takes two files: the trace to read and the one to write.');
    await keepApart('OUT', output, [input]);
    const most = numberOption('most', values.most, 1);
    return write(input, output, await testOf(values.assert, values.rule), most);
  },
});

async function testOf(assert: string | undefined, rule: string | undefined): Promise<Fails> {
  if ((assert === undefined) === (rule === undefined))
    throw new UsageError('minimise needs one thing that fails: --assert EXPR or --rule ID.');
  const remarksOf = await loadRemarks();
  if (assert !== undefined) {
    const parsed = parseAssertion(assert, 'recorded');
    if (!parsed.ok)
      throw new UsageError(
        `At character ${parsed.problem.from + 1} of --assert: ${parsed.problem.message}`,
      );
    for (const warning of parsed.warnings) tellProblem(assert, warning);
    return failsAssertion(parsed.assertion, remarksOf, nodeFinder);
  }
  const ids: readonly string[] = RULES.map(({ id }) => id);
  if (rule === undefined || !ids.includes(rule))
    throw new UsageError(
      `There is no rule ${rule}.${didYouMean(rule ?? '', ids)} docs/rules.md lists them.`,
    );
  return failsRule(rule, remarksOf);
}

async function write(input: string, output: string, fails: Fails, most: number): Promise<number> {
  const { events, header } = await readTrace(input);
  const { stop, off } = onInterrupt();
  const least = await minimiseTrace(events, fails, {
    most,
    stop,
    // A signal is heard between tries.
    pause: () => new Promise((resolve) => void setImmediate(resolve)),
  });
  off();
  if (least === undefined) {
    console.error(`${input} does not fail: there is nothing to make smaller.`);
    return EXIT.failed;
  }
  await writeTrace(output, header, [least.events]);
  console.error(
    `${output}: ${count(least.events.length, 'event')} of ${events.length}, after ${count(least.tried, 'try', 'tries')}.`,
  );
  if (least.events.length === 0)
    console.error(
      'An empty trace fails too: ask for what must not be there, not for what is missing.',
    );
  if (least.isMinimal) return EXIT.ok;
  console.error('It may get smaller still: not everything was tried. Raise --most.');
  return EXIT.failed;
}
