// A coding turn, pretended from end to end: think, plan, read, ask, edit, test, sum up.
import type { ScriptStage } from './stage.ts';
import { TASKS, type Task } from './tasks.ts';

export async function codingTurn(stage: ScriptStage): Promise<void> {
  const task = stage.pick(TASKS);
  const { mode } = stage.history.settings;
  await stage.say('thought', task.thought);
  await stage.say('agent', `I will look at ${task.about} in \`${task.file}\` first.`);

  const steps = [`Read ${task.file}`, 'Mend the fault', 'Run the tests'];
  const planId = stage.session.newId('plan');
  await stage.plan(planId, steps, 0);
  await readTask(stage, task);
  if (mode === 'plan') return await stage.say('agent', `${task.found} ${PLAN_ONLY}`);

  await stage.plan(planId, steps, 1);
  await stage.say('agent', task.found);
  if (!(await editTask(stage, task)))
    return await stage.say(
      'agent',
      `I left \`${task.file}\` as it was. Tell me what to do instead.`,
    );

  await stage.plan(planId, steps, 2);
  const passed = await test(stage, task);
  if (passed) await stage.plan(planId, steps, 3);
  await stage.say('agent', passed ? summaryOf(stage, task) : UNTESTED);
}

const PLAN_ONLY = 'That is the plan. I edit nothing in this mode: set it to “code” or “ask” first.';
const UNTESTED = 'The edit is in, but the tests were stopped, so I cannot say that it works.';

function summaryOf({ history: { settings } }: ScriptStage, task: Task): string {
  if (settings.terse) return task.summary;
  const tested = `All ${String(task.tests.length)} tests pass ✓.`;
  const text = `${task.summary} ${tested}`;
  return settings.model === 'fresco' ? `${text}\n\n${task.more}` : text;
}

export async function readTask(stage: ScriptStage, task: Task): Promise<void> {
  const path = stage.path(task.file);
  const id = await stage.tool({
    title: `Read ${task.file}`,
    kind: 'read',
    status: 'in_progress',
    locations: [{ path, line: task.line }],
    content: [],
    input: { path },
  });
  await stage.pause([80, 160]);
  // Text of a tool is Markdown to a client: code stands in a fence.
  const text = `\`\`\`ts\n${task.before.trimEnd()}\n\`\`\``;
  const content = [{ type: 'text', text }] as const;
  await stage.change({ change: 'tool', id, status: 'completed', content });
}

/** False when the client did not allow it. */
export async function editTask(stage: ScriptStage, task: Task): Promise<boolean> {
  const path = stage.path(task.file);
  const id = await stage.tool({
    title: `Edit ${task.file}`,
    kind: 'edit',
    status: 'pending',
    locations: [{ path, line: task.line }],
    content: [{ type: 'diff', path, before: task.before, after: task.after }],
    input: { path },
  });
  if (!(await stage.mayEdit(id))) {
    await stage.change({ change: 'tool', id, status: 'failed' });
    return false;
  }
  await stage.change({ change: 'tool', id, status: 'in_progress' });
  await stage.pause([80, 160]);
  await stage.change({ change: 'tool', id, status: 'completed' });
  return true;
}

/** False when the client stopped the tests. */
async function test(stage: ScriptStage, task: Task): Promise<boolean> {
  const command = `npm test -- ${task.testFile}`;
  const terminalId = stage.session.newId('term');
  const { cwd } = stage.session;
  await stage.change({ change: 'terminal', id: terminalId, command, cwd });
  const id = await stage.tool({
    title: command,
    kind: 'execute',
    status: 'in_progress',
    locations: [],
    content: [{ type: 'terminal', terminalId }],
    input: { command },
    cancellable: true,
  });
  const finished = await stage.stoppable([id, terminalId], async (signal) => {
    for (const line of outputOf(command, task)) {
      await stage.pause([40, 120], signal);
      await stage.change({ change: 'output', id: terminalId, text: line });
    }
  });
  const exit = finished ? { code: 0 } : { signal: 'SIGTERM' };
  await stage.change({ change: 'exit', id: terminalId, ...exit });
  const status = finished ? 'completed' : 'cancelled';
  await stage.change({ change: 'tool', id, status, cancellable: false });
  return finished;
}

function outputOf(command: string, { testFile, tests }: Task): string[] {
  const green = (text: string) => `\x1b[32m${text}\x1b[0m`;
  return [
    `$ ${command}\r\n\r\n`,
    ` ${testFile}\r\n`,
    ...tests.map((name) => `   ${green('✓')} ${name}\r\n`),
    `\r\n ${green(`${String(tests.length)} passed`)}, 0 failed\r\n`,
  ];
}
