// A turn in which a child session does the work: while its parent waits for it or behind the turn,
// with a child of its own, or asking before it edits.
import { ChildSession } from '../child.ts';
import { editTask, readTask } from './coding-turn.ts';
import type { ScriptStage } from './stage.ts';
import { TASKS, type Task } from './tasks.ts';
import type { DelegateWord } from './words.ts';

type How = ReadonlySet<DelegateWord>;

export async function delegateTurn(
  stage: ScriptStage,
  { how }: { readonly how: How },
): Promise<void> {
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
