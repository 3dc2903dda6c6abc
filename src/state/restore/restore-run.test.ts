import { expect, test } from 'vitest';
import type { RestoreAsk } from '../../engine/messages.ts';
import type { Tried } from '../../drive/restore-try.ts';
import type { CursorCandidate } from '../../model/restore/cursor-candidates.ts';
import { connectionFacts, runningApp, sessionFacts } from '../../test/programs/running-app.ts';
import { seq } from '../../trace/event.ts';
import { restoreForm } from './open.ts';

async function form(
  answer: (ask: RestoreAsk) => Tried,
  fork = true,
  children: readonly string[] = [],
) {
  const asked: RestoreAsk[] = [];
  const offered: CursorCandidate[] = [];
  const handshake = {
    request: seq(1),
    version: 2,
    clientCapabilities: {},
    agentCapabilities: { session: fork ? { fork: {} } : {} },
    authMethods: [],
  };
  const sessions = [
    sessionFacts('s1', { cwd: '/w' }),
    ...children.map((id) => sessionFacts(id, { parent: 's1' })),
  ];
  const app = await runningApp(
    {
      connections: { nextId: () => Promise.resolve('7') },
      restore: {
        candidates: () => Promise.resolve([...offered]),
        restores: () => Promise.resolve([]),
        background: () =>
          Promise.resolve({ isKnown: true, hasHistory: true, firstPrompt: 'Mend the fault' }),
        tryRestore(ask) {
          asked.push(ask);
          return Promise.resolve(answer(ask));
        },
      },
    },
    connectionFacts({ handshake, sessions }),
  );
  return { app, form: await restoreForm(app), asked, offered };
}

test('where the first prompt has no telling word, that is said before anything is prompted', async () => {
  const { app, form: it, asked } = await form(sent);
  await it.refresh();
  expect(it.run.untold).toBeUndefined();
  it.run.prompts = true;
  expect(it.run.untold).toBeUndefined();
  const known = { isKnown: true, hasHistory: true, firstPrompt: 'Fix it' };
  Object.assign(app.engine.restore, { background: () => Promise.resolve(known) });
  await it.refresh();
  expect(it.run.untold).toBe('The first prompt, “Fix it”, has no word of four letters or more');
  expect(asked).toEqual([]);
});

const sent = (): Tried => ({ kind: 'sent', trace: 'c9' });

test('a session with child sessions is also restored by a v1 client that takes them', async () => {
  const label = 'v1 load with child sessions';
  const { form: plain } = await form(sent);
  expect(plain.run.variants.map((one) => one.label)).not.toContain(label);
  const { form: it, asked } = await form(sent, true, ['k1']);
  await it.run.sendAll();
  expect(asked.find((one) => one.label === label)).toMatchObject({
    ...{ version: 1, takesChildren: true, parts: { shape: 'load', sessionId: 's1' } },
  });
});

test('every variant is tried once, of one run about the session, with nothing to prompt', async () => {
  const { form: it, asked } = await form(sent);
  await it.run.sendAll();
  expect(asked.map(({ label }) => label)).toEqual(it.run.variants.map(({ label }) => label));
  expect(new Set(asked.map(({ run }) => run.id)).size).toBe(1);
  expect(asked[0]).toMatchObject({ run: { session: 's1' }, parts: { sessionId: 's1', cwd: '/w' } });
  expect(asked.some(({ then }) => then !== undefined)).toBe(false);
  expect(it.run.begun).toEqual({ id: asked[0]?.run.id, session: 's1' });
  expect(it.run.progress).toBeUndefined();
});

test('cursors that the trace offers since the form was opened are tried too', async () => {
  const { form: it, asked, offered } = await form(sent);
  const names = { names: '“Mended.”', of: 'agent_message', session: 'S1' };
  offered.push({ field: 'messageId', value: 'm1', seq: seq(3), ...names });
  await it.run.sendAll();
  expect(asked.map(({ label }) => label)).toContain(
    'v2 custom {"type":"_message","messageId":"m1"}',
  );
});

test('a version that the agent does not speak is asked for once', async () => {
  const { form: it, asked } = await form(({ version }) =>
    version === 1 ? { kind: 'other version', spoken: 2 } : sent(),
  );
  await it.run.sendAll();
  expect(asked.filter(({ version }) => version === 1)).toHaveLength(1);
  expect(it.run.notSent.map(({ label, words }) => [label, words])).toEqual([
    ['v1 load', 'the agent does not speak v1'],
    ['v1 resume', 'the agent does not speak v1'],
  ]);
});

test('a run that is cancelled sends no more', async () => {
  const { form: it, asked } = await form((): Tried => {
    it.run.cancel();
    return sent();
  });
  await it.run.sendAll();
  expect(asked).toHaveLength(1);
});

test('one request is sent ten times, under ten names', async () => {
  const { form: it, asked } = await form(sent);
  it.setShape('null');
  await it.run.repeat();
  expect(asked).toHaveLength(10);
  expect(asked.map(({ label }) => label)).toContain('v2 null · 10');
  expect(asked[0]?.run.title).toBe('v2 null × 10');
});

test('prompts go to a fork where the agent can, else to a session made for it, and cost as many', async () => {
  const forking = await form(sent);
  forking.form.run.prompts = true;
  expect(forking.form.run.promptsOf(11)).toBe(11);
  await forking.form.run.sendAll();
  expect(forking.asked[0]).toMatchObject({
    run: { expects: 'Mend the fault' },
    then: { on: 'fork', prompt: 'What did I ask first?' },
  });
  const other = await form(sent, false);
  other.form.run.prompts = true;
  expect(other.form.run.promptsOf(11)).toBe(22);
  await other.form.run.sendAll();
  const { then, run } = other.asked[0] ?? {};
  expect(then?.on).toBe('lab');
  expect(then?.on === 'lab' && then.tell).toContain(run?.expects);
});

test('a fresh connection gets the request of the form once, and no prompt', async () => {
  const { form: it, asked } = await form(sent);
  it.run.prompts = true;
  await it.mend({ label: 'Send on a fresh connection', fresh: true });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ label: 'v2 start', version: 2, parts: { sessionId: 's1' } });
  expect(asked[0]?.then).toBeUndefined();
});
