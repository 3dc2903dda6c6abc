// Turns that use what a v1 client offers its agent: files and terminals.
import type { ScriptStage } from './stage.ts';

const NOTES = 'acp-scope-notes.txt';

/** Reads a file, asks, and writes it with one more line. */
export async function filesTurn(stage: ScriptStage): Promise<void> {
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
export async function terminalTurn(stage: ScriptStage): Promise<void> {
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
