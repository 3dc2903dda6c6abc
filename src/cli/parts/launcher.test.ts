import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PromptBudget } from '../../drive/prompt-budget.ts';
import { ScriptedConnection } from '../../drive/scripted.ts';
import { NodeLauncher } from './launcher.ts';

/** Answers each line with itself, and says what it got as its first argument. */
const ECHO = [process.execPath, '-e', 'process.stdin.on("data", (d) => process.stdout.write(d))'];

function launcher(argv: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'launcher-'));
  return new NodeLauncher({ argv }, folder, () => undefined);
}

const OPTIONS = { name: { name: 'test', version: '1' }, budget: new PromptBudget(0) };

test('each launch is a process with a trace of its own, whose seqs are those heard', async () => {
  const agents = launcher(ECHO);
  for (const label of ['one', 'two']) {
    const launched = await agents.launch({ label });
    if (!launched.ok) throw new Error(launched.message);
    const connection = new ScriptedConnection(launched.agent, OPTIONS);
    connection.line('{"a":1}');
    const back = await connection.waitFor(({ frame }) => frame.from === 'agent');
    expect(await connection.leave()).toEqual({ code: 0, sent: 'stdin' });
    const events = readFileSync(connection.trace, 'utf8').trim().split('\n').slice(1);
    const at = events.findIndex((line) => line.includes('"from":"agent"'));
    expect(back?.frame.seq).toBe(at + 1);
    expect(connection.trace).toContain(label);
  }
});

test('a signal ends it, and is how it ended', async () => {
  const launched = await launcher(ECHO).launch({ label: 'killed' });
  if (!launched.ok) throw new Error(launched.message);
  launched.agent.signal('SIGKILL');
  const ended = await launched.agent.ended;
  const here = { signal: 'SIGKILL', sent: 'SIGKILL' };
  expect(ended).toEqual(process.platform === 'win32' ? expect.anything() : here);
});

test('a program that is not there is a sentence', async () => {
  const launched = await launcher(['acp-scope-no-such-program']).launch({ label: 'none' });
  expect(launched).toMatchObject({ ok: false, message: /was not found. Install it/ });
});

test('all that run can be ended at once, and none is started any more', async () => {
  const agents = launcher(ECHO);
  const launched = await agents.launch({ label: 'long' });
  if (!launched.ok) throw new Error(launched.message);
  expect(await agents.endAll()).toHaveLength(1);
  await launched.agent.ended;
  // Who is about to start another, as a probe between two agents, is not let.
  const message = 'The run was stopped, so no further agent is started.';
  expect(await agents.launch({ label: 'later' })).toEqual({ ok: false, message });
});
