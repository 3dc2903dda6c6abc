// `acp-scope lab`: does a session survive its agent? Made, stopped, restored and asked, in many ways.
import { resolve } from 'node:path';
import { version } from '../../package.json';
import { MANNERS } from '../drive/lab/ground.ts';
import { LabProblem } from '../drive/lab/part.ts';
import { labDocument } from '../drive/lab/report-document.ts';
import { labJson } from '../drive/lab/report-json.ts';
import { agentWords, isPassed, type LabReport } from '../drive/lab/report.ts';
import { runLab } from '../drive/lab/run-lab.ts';
import { PromptBudget } from '../drive/prompt-budget.ts';
import { count } from '../lib/format-count.ts';
import { EXIT, type Command } from './command.ts';
import { readKnown } from './lab/lab-baseline.ts';
import { NodeGround } from './lab/lab-ground.ts';
import { LAB_DETAILS, LAB_USAGE, labOptions, type LabOptions } from './lab/lab-options.ts';
import { NodeLauncher } from './parts/launcher.ts';
import { htmlReport } from '../report/html.ts';
import { printReport } from './parts/print-report.ts';
import { checkReport, tracesFolder, writeReport } from './parts/out-places.ts';
import { FileError } from './parts/trace-files.ts';

export const lab: Command = {
  usage: LAB_USAGE,
  summary: 'The resume lab: make a session, stop its agent, restore it, and see what came back.',
  details: LAB_DETAILS,
  async run(args) {
    const options = labOptions(args);
    try {
      const judging = { baseline: readKnown(options.baseline), failOn: options.failOn };
      if (options.html !== undefined) checkReport(options.html);
      const report = await tried(options, tracesFolder(options.out, 'acp-scope-lab-traces-'));
      const told = () => labDocument(report, judging);
      printReport(options.format, told, () => labJson(report, judging));
      if (report.ended !== undefined && options.format !== 'text') console.error(report.ended);
      if (options.html !== undefined) writeReport(options.html, htmlReport(told()));
      return isPassed(report, judging) ? EXIT.ok : EXIT.failed;
    } catch (error) {
      if (!(error instanceof LabProblem || error instanceof FileError)) throw error;
      console.error(error.message);
      return EXIT.environment;
    }
  },
};

async function tried(options: LabOptions, folder: string): Promise<LabReport> {
  const { argv, maxPrompts, wish, protocol } = options;
  const note = (text: string) => console.error(text);
  const launcher = new NodeLauncher(argv, folder, note);
  const stopped = new AbortController();
  const { signal } = stopped;
  const ground = new NodeGround({
    // Between two agents nothing runs that could be ended: none is started any more.
    launcher: {
      launch: (wish) =>
        signal.aborted
          ? Promise.resolve({ ok: false, message: 'Stopped.' })
          : launcher.launch(wish),
    },
    name: { name: 'acp-scope', version, title: 'ACP Scope' },
    budget: new PromptBudget(maxPrompts),
    canaryCommand: [process.execPath, resolve(process.argv[1] ?? ''), 'canary-mcp'],
  });
  const interrupt = () => {
    note('Stopping: the agents are ended, and what is known is told.');
    stopped.abort();
    void launcher.endAll();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const manners = { ...MANNERS, ...options.manners };
    return await runLab(
      ground,
      { wish, manners, protocol },
      {
        signal,
        planned({ cells, cost, cursors }, agent) {
          const tries = cells.filter(({ skip }) => skip === undefined).length;
          note(
            `${agentWords(agent)}: ${count(tries, 'cell')}${cursors ? ' and the cursor algebra' : ''}, ${count(cost.expected, 'prompt')}, at most ${cost.most}${maxPrompts < cost.most ? `, of which ${maxPrompts} may be sent` : ''}. Traces: ${folder}`,
          );
          return true;
        },
        begins: ({ id }, run, done, of) =>
          note(`[${done + 1}/${of}] ${id}${wish.repeat > 1 ? `, run ${run}` : ''}`),
        ends: (_, { verdict, why }) => note(`  ${verdict}: ${why}`),
      },
    );
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    ground.clear();
  }
}
