// `acp-scope minimise`: the smallest trace that still fails an assertion, or breaks a rule.
import { parseAssertion } from '../drive/scenario/assert/assertion.ts';
import {
  failsAssertion,
  failsRule,
  type Fails,
  minimiseTrace,
} from '../drive/scenario/minimise/minimise.ts';
import { count } from '../lib/format.ts';
import { safeJson } from '../lib/safe-json.ts';
import type { ReportDocument } from '../report/document.ts';
import { lines } from '../report/words.ts';
import { loadRemarks } from '../rules/steps.ts';
import { RULES } from '../rules/registry.ts';
import { didYouMean } from '../lib/nearest.ts';
import { command, EXIT, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import {
  FIGURE_FORMATS,
  formatOf,
  formatWords,
  printBeside,
  tellProblem,
} from './parts/print-report.ts';
import { onInterrupt } from './parts/interrupt.ts';
import { numberOption } from './parts/option-values.ts';
import { FORCE_OPTION, outFiles, type OutFile } from './parts/out-file.ts';
import { readTrace } from './parts/trace-files.ts';
import { writeTrace } from './parts/write-trace.ts';
import { nodeFinder } from './parts/node-finder.ts';

export const minimise = command({
  ...WORDS.minimise,
  details: [
    "--assert EXPR   an assertion that fails (docs/scenarios.md): 'none(type:bad)'",
    '--rule ID       a rule that acp-scope check finds broken',
    '--force         overwrite OUT if it exists',
    '--most N        try at most N traces; 5000 where nothing is said',
    `--format F      ${formatWords(FIGURE_FORMATS)}: what is left, on stdout; text on stderr`,
    'Exchanges stay whole, and what speaks of a session, a prompt, a restore or a tool call keeps it.',
    'Frames are numbered anew. Exit 1 if the trace does not fail, or not all was tried.',
  ],
  takes: ['files'],
  options: {
    ...FORCE_OPTION,
    assert: { type: 'string' },
    rule: { type: 'string' },
    most: { type: 'string', default: '5000' },
    format: { type: 'string' },
  },
  writes: ['OUT'],
  async run({ values, files: [input, output, ...more] }) {
    if (input === undefined || output === undefined || more.length > 0)
      throw new UsageError('minimise takes two files: the trace to read and the one to write.');
    const most = numberOption('most', values.most, 1);
    const format = formatOf(values.format, FIGURE_FORMATS);
    const fails = await testOf(values.assert, values.rule);
    const { force } = values;
    const file = await outFiles({ option: 'OUT', force, reads: [input] }).named(output);
    const told = await write(input, file, fails, most);
    printBeside(
      format,
      () => minimisedDocument(told),
      () => safeJson(told),
    );
    return told.minimal ? EXIT.ok : EXIT.failed;
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

/** What came of it, as `--format json` prints it. */
interface MinimisedTold {
  readonly in: string;
  readonly out: string;
  /** False: the trace does not fail, and nothing was written. */
  readonly fails: boolean;
  /** Events that are left, of how many, and how many traces were tried. */
  readonly events: number;
  readonly of: number;
  readonly tried: number;
  /** Nothing more can be left out. */
  readonly minimal: boolean;
}

async function write(
  input: string,
  file: OutFile,
  fails: Fails,
  most: number,
): Promise<MinimisedTold> {
  const { path: out } = file;
  const { events, header } = await readTrace(input);
  const { stop, off } = onInterrupt();
  const least = await minimiseTrace(events, fails, {
    most,
    stop,
    // A signal is heard between tries.
    pause: () => new Promise((resolve) => void setImmediate(resolve)),
  });
  off();
  const of = events.length;
  if (least === undefined)
    return { in: input, out, fails: false, events: of, of, tried: 1, minimal: false };
  await writeTrace(file, header, [least.events]);
  const { tried, isMinimal } = least;
  return {
    in: input,
    out,
    fails: true,
    events: least.events.length,
    of,
    tried,
    minimal: isMinimal,
  };
}

function minimisedDocument(told: MinimisedTold): ReportDocument {
  const { in: input, out, fails, events, of, tried, minimal } = told;
  const said = fails
    ? [
        `${out}: ${count(events, 'event')} of ${of}, after ${count(tried, 'try', 'tries')}.`,
        events === 0
          ? 'An empty trace fails too: ask for what must not be there, not for what is missing.'
          : undefined,
        minimal ? undefined : 'It may get smaller still: not everything was tried. Raise --most.',
      ]
    : [`${input} does not fail: there is nothing to make smaller.`];
  return {
    name: 'acp-scope minimise',
    title: `${input}, minimised`,
    untitled: true,
    blocks: [lines(...said)],
    suites: [],
  };
}
