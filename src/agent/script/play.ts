// Picks a prompt's script and plays it, with what comes before and after every script; and the
// scripts: work on code, what a v1 client offers, and a child session that does the work.
import type { Root, Surroundings } from '../port.ts';
import { textOfBlocks } from '../history.ts';
import type { McpReport } from '../mcp.ts';

import { ScriptStage } from './stage.ts';
import { directiveOf, PROMPT_WORDS, type Directive, type DelegateWord } from './words.ts';
import { ChildSession } from '../child.ts';
import { TASKS, type Task } from './tasks.ts';

async function codingTurn(stage: ScriptStage): Promise<void> {
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

async function readTask(stage: ScriptStage, task: Task): Promise<void> {
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
async function editTask(stage: ScriptStage, task: Task): Promise<boolean> {
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

/** The size of the pretended model's window, in tokens. */
const WINDOW = 200_000;

export const play: Surroundings['play'] = async (session, content, random, signal) => {
  const stage = new ScriptStage(session, content, random, signal);
  const directive = directiveOf(stage.prompt);
  if (stage.history.title === undefined) await giveTitle(stage);
  const news = await stage.until(session.takeMcpNews());
  if (directive.kind !== 'mcp') await tellNews(stage, news);
  await act(stage, session, directive);
  await stage.change({ change: 'usage', used: usedBy(stage), size: WINDOW });
};

async function act(stage: ScriptStage, session: Root, directive: Directive): Promise<void> {
  switch (directive.kind) {
    case 'quick':
      return await stage.say('agent', 'Here is a short answer: yes, that should work → try it.');
    case 'slow':
      return await stage.say('agent', longText(), [90, 150]);
    case 'run':
      return await stage.flood(directive.chunks, directive.perSecond);
    case 'reply':
      return await stage.say('agent', directive.word);
    case 'recall':
      return await stage.say('agent', recall(session));
    case 'ask':
      return await fillIn(stage);
    case 'mcp':
      return await stage.say('agent', toolsText(await stage.until(session.mcpReports())));
    case 'files':
      return await filesTurn(stage);
    case 'terminal':
      return await terminalTurn(stage);
    case 'delegate':
      return await delegateTurn(stage, directive);
    case 'help':
      return await stage.say('agent', helpText());
    case 'code':
      return await codingTurn(stage);
  }
}

async function giveTitle(stage: ScriptStage): Promise<void> {
  const [line = ''] = stage.prompt.trim().split('\n');
  const letters = [...line];
  const title = letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : line;
  await stage.change({ change: 'title', title: title === '' ? 'Untitled' : title });
}

/** The first turn with newly given MCP servers says what became of them. */
async function tellNews(stage: ScriptStage, reports: readonly McpReport[]): Promise<void> {
  if (reports.length === 0) return;
  const { session } = stage;
  const { warn } = session.around.port;
  for (const report of reports) if ('problem' in report) await warn?.(session, problemText(report));
  await stage.say('agent', newsText(reports));
}

function newsText(reports: readonly McpReport[]): string {
  const parts = reports.map((report) =>
    'problem' in report
      ? problemText(report)
      : `“${report.name}” offers ${toolList(report.tools)}.`,
  );
  return ['MCP servers:', ...parts].join(' ');
}

function problemText({ name, problem }: McpReport & { readonly problem: string }): string {
  return `The MCP server “${name}” cannot be used: ${problem}.`;
}

function toolsText(reports: readonly McpReport[]): string {
  return reports.length === 0 ? 'This session was given no MCP servers.' : newsText(reports);
}

function toolList(tools: readonly string[]): string {
  const count = `${String(tools.length)} tool${tools.length === 1 ? '' : 's'}`;
  return tools.length === 0 ? 'no tools' : `${count} (${tools.join(', ')})`;
}

function recall(session: Root): string {
  const said = session.remembered();
  const prompts = said.flatMap((item) =>
    item.kind === 'user' ? [textOfBlocks(item.content)] : [],
  );
  const [first, ...rest] = prompts;
  if (first === undefined || rest.length === 0) return 'I remember nothing before this.';
  return `First you asked: “${first}”. That was ${String(rest.length)} prompt(s) ago.`;
}

async function fillIn(stage: ScriptStage): Promise<void> {
  const answer = await stage.form({
    message: 'How shall the new module be made?',
    text: { name: 'name', title: 'Its name' },
    choice: { name: 'style', title: 'Its style', options: ['functions', 'a class'] },
  });
  if (!answer) return await stage.say('agent', 'Your client takes no forms, so I cannot ask.');
  if (answer.action !== 'accept')
    return await stage.say('agent', `You chose not to say (${answer.action}), so I leave it.`);
  const { name, style } = answer.content;
  await stage.say('agent', `I will make “${String(name)}” with ${String(style)}.`);
}

function helpText(): string {
  const words = PROMPT_WORDS.map(({ word, does }) => `- **${word}**: ${does}`);
  return `These words in a prompt steer me:\n\n${words.join('\n')}\n\nAll else gets a coding turn.`;
}

function longText(): string {
  const lines = Array.from({ length: 24 }, (_, at) => {
    return `${String(at + 1)}. A long answer goes on, one line after the other, café au lait at hand.`;
  });
  return `This takes a while ⏳\n\n${lines.join('\n')}\n\nThat was all.`;
}

/** A guess at tokens: four letters each, of all that was said. */
function usedBy(stage: ScriptStage): number {
  let letters = 4000;
  for (const item of stage.history.items.values()) {
    if (item.kind === 'user') letters += textOfBlocks(item.content).length;
    if (item.kind === 'agent' || item.kind === 'thought') letters += item.text.length;
  }
  return Math.min(WINDOW, Math.ceil(letters / 4));
}

const NOTES = 'acp-scope-notes.txt';

/** Reads a file, asks, and writes it with one more line. */
async function filesTurn(stage: ScriptStage): Promise<void> {
  const { session } = stage;
  const { readFile, writeFile } = session.around.port.client;
  const path = stage.path(NOTES);
  const place = { locations: [{ path, line: 1 }], input: { path } };
  let before = '';
  if (readFile) {
    const title = `Read ${NOTES}`;
    const id = await stage.tool({
      ...place,
      title,
      kind: 'read',
      status: 'in_progress',
      content: [],
    });
    const problem = await stage.work(id, async () => {
      before = await readFile(session, path);
      return [{ type: 'text', text: before }];
    });
    await stage.say('agent', problem ?? `I read ${String(before.length)} characters.`);
  }
  if (!writeFile)
    return await stage.say(
      'agent',
      `Your client offers me ${readFile ? 'only reading' : 'no files'}.`,
    );

  const after = `${before}One more line, by the bundled agent.\n`;
  const content = [{ type: 'diff', path, before, after }] as const;
  const title = `Write ${NOTES}`;
  const id = await stage.tool({ ...place, title, kind: 'edit', status: 'pending', content });
  const problem = await stage.work(id, async () => {
    if (!(await stage.mayEdit(id))) throw new Error('I may not');
    await writeFile(session, path, after);
    return content;
  });
  await stage.say('agent', problem === undefined ? 'I wrote it.' : `I wrote nothing: ${problem}.`);
}

/** Runs a command that every machine with this program has. */
async function terminalTurn(stage: ScriptStage): Promise<void> {
  const { session } = stage;
  const { start } = session.around.port.client;
  if (!start) return await stage.say('agent', 'Your client offers me no terminals.');
  const [command, ...args] = ['node', '--version'] as const;
  const id = await stage.tool({
    title: `${command} ${args.join(' ')}`,
    kind: 'execute',
    status: 'in_progress',
    locations: [],
    content: [],
    input: { command, args },
  });
  let end = '';
  const problem = await stage.work(id, async () => {
    const terminal = await start(session, command, [...args]);
    try {
      const content = [{ type: 'client-terminal', terminalId: terminal.id }] as const;
      await stage.change({ change: 'tool', id, content });
      const { output, exitCode } = await stage.until(terminal.finished());
      end = exitCode === undefined ? 'It was killed.' : `It ended with code ${String(exitCode)}.`;
      return [{ type: 'text', text: output }];
    } finally {
      await terminal.release();
    }
  });
  await stage.say('agent', problem ?? end);
}

type How = ReadonlySet<DelegateWord>;

async function delegateTurn(stage: ScriptStage, { how }: { readonly how: How }): Promise<void> {
  const task = stage.pick(TASKS);
  const { port, hooks } = stage.session.around;
  if (!port.children) return await alone(stage, task);
  await stage.say('agent', `I let somebody look at ${task.about}.`);
  const child = await begin(stage, task, how);
  const id = await stage.tool({
    title: `Delegate: look at ${task.about}`,
    kind: 'other',
    status: 'in_progress',
    locations: [],
    content: [{ type: 'session', sessionId: hooks.linksNowhere ? 'sess_nowhere' : child.id }],
    input: { session: child.id },
  });
  if (how.has('behind')) {
    await stage.change({ change: 'tool', id, status: 'completed' });
    return await stage.say('agent', 'It goes on by itself; I say no more until you ask.');
  }
  const reason = await child.ended;
  stage.signal.throwIfAborted();
  const isDone = reason === 'end_turn';
  await stage.change({ change: 'tool', id, status: isDone ? 'completed' : 'failed' });
  await stage.say('agent', isDone ? task.found : `It was ${reason}, so I know nothing of it.`);
}

/** Without children, the work is its own. */
async function alone(stage: ScriptStage, task: Task): Promise<void> {
  await stage.say('agent', 'Your client takes no child sessions, so I look myself.');
  await readTask(stage, task);
  await stage.say('agent', task.found);
}

async function begin(stage: ScriptStage, task: Task, how: How): Promise<ChildSession> {
  return await ChildSession.begin(stage.session, {
    title: `Looks at ${task.about}`,
    prompt: `Look at ${task.about} in ${task.file} and tell me what is wrong.`,
    signal: how.has('behind') ? undefined : stage.signal,
    play: (own) => work(own, task, how),
  });
}

async function work(stage: ScriptStage, task: Task, how: How): Promise<string> {
  await stage.say('thought', task.thought);
  if (how.has('behind')) await stage.pause([1500, 2500]);
  if (how.has('deep')) {
    const child = await begin(stage, stage.pick(TASKS), new Set());
    const reason = await child.ended;
    stage.signal.throwIfAborted();
    await stage.say('agent', `The one I asked ended its work: ${reason}.`);
  }
  await readTask(stage, task);
  if (how.has('edit'))
    await stage.say('agent', (await editTask(stage, task)) ? 'I mended it.' : 'I left it.');
  await stage.say('agent', task.found);
  return task.found;
}
