import { expect, test } from 'vitest';
import type { Json } from '../../acp/message.ts';
import { DEFAULT_SETTINGS } from '../../drive/settings.ts';
import type { SessionRestore } from '../../engine/messages.ts';
import { restored } from '../../test/traces/restored.ts';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  sessionFacts,
  traceSummary,
} from '../../test/programs/running-app.ts';
import { connectionId, seq, type Seq } from '../../trace/event.ts';
import { restoreForm, restoreSession } from './open.ts';

async function form(
  version: number,
  sessions = [sessionFacts('s1', { cwd: '/w' })],
  isAnswered = true,
) {
  const lines: string[] = [];
  const asked: [string, Json][] = [];
  const next = { id: '7' };
  const handshake = {
    request: seq(1),
    ...(isAnswered && { answer: seq(2) }),
    version,
    clientCapabilities: {},
    agentCapabilities: version === 2 ? { session: {} } : { loadSession: true },
    authMethods: [],
  };
  const app = await runningApp(
    {
      connections: {
        nextId: () => Promise.resolve(next.id),
        sendLine: (_, text) => Promise.resolve(void lines.push(text)),
        request(_, method, params) {
          asked.push([method, params]);
          return Promise.resolve({ kind: 'error', seq: seq(9), code: -32601, message: 'no' });
        },
        restart(_, change) {
          const launch = {
            name: 'a',
            argv: ['a'],
            cwd: '/w',
            env: {},
            roots: [],
            withheld: ['KEY'],
          };
          const lacks = { launch, settings: { ...DEFAULT_SETTINGS, ...change } };
          return Promise.resolve({ ok: false, problem: { code: 'not_found', message: '' }, lacks });
        },
      },
      restore: { candidates: () => Promise.resolve([]), restores: () => Promise.resolve([]) },
      library: { recents: () => Promise.resolve([]) },
    },
    connectionFacts({
      handshake,
      sessions,
      listCursor: 'next',
    }),
  );
  const form = await restoreForm(app);
  await form.refresh();
  return { app, form, lines, asked, next };
}

test('the form begins with what the connection speaks, and sends exactly the line it shows', async () => {
  const v1 = await form(1);
  expect(v1.form.shape).toBe('load');
  const { form: v2, lines } = await form(2);
  expect(v2.shape).toBe('start');
  await v2.send();
  expect(lines).toEqual([v2.line]);
  expect(lines[0]).toContain(
    '"id":7,"method":"session/resume","params":{"sessionId":"s1","cwd":"/w"',
  );
});

test('an id that another request took since the line was shown is not sent twice', async () => {
  const { form: shown, lines, next } = await form(2);
  expect(shown.line).toContain('"id":7');
  next.id = '8';
  await shown.send();
  expect(lines[0]).toContain('"id":8');
});

test('before the answer to initialize a line waits, unless it is to go now; one typed whole does not', async () => {
  const { form: it, lines } = await form(2, undefined, false);
  await it.send();
  expect([it.waits, lines]).toEqual([true, []]);
  await it.send(true);
  expect([it.waits, lines]).toEqual([false, [it.line]]);
  it.setShape('raw');
  it.setRaw('{"typed":"whole"}');
  await it.send();
  expect([it.waits, lines.length]).toEqual([false, 2]);
});

test('resume from here opens the form with the value as a custom cursor, and sends nothing', async () => {
  const { app, form: it, lines } = await form(2);
  await restoreSession(app, 's1', { field: 'messageId', value: 'm1' });
  expect(app.view).toBe('session');
  expect(it.line).toContain('"replayFrom":{"type":"_message","messageId":"m1"}');
  expect(lines).toEqual([]);
});

test('the values of the frame to resume from are offered, until another session is chosen', async () => {
  const { form: it } = await form(2);
  await it.resumeFrom(seq(33), '{"result":{"messageId":"m1"}}');
  expect(it.offered).toMatchObject({ seq: 33, fields: [{ value: 'm1' }], instead: undefined });
  it.choose('s1');
  expect(it.offered).toBeUndefined();
});

test('the cursor of one frame is never sent for another', async () => {
  const { app, form: it } = await form(2);
  await it.resumeFrom(seq(28), '{"result":{"messageId":"m28"}}');
  await it.resumeFrom(seq(10), '{"result":{}}');
  expect(it.line).not.toContain('m28');
  expect(it.shape).toBe('start');
  expect(it.instead).toContain('#10 holds nothing that could be a cursor');
  const m9 = { field: 'messageId', value: 'm9', seq: seq(9), of: 'x', names: '', session: 'S1' };
  Object.assign(app.engine.restore, { candidates: () => Promise.resolve([m9]) });
  await it.resumeFrom(seq(10), '{"result":{}}');
  expect(it.line).toContain('"replayFrom":{"type":"_message","messageId":"m9"}');
  expect(it.instead).toContain('nearest before it: messageId m9 of #9');
  it.useCandidate({ field: 'messageId', value: 'm2' });
  expect(it.instead).toBeUndefined();
});

test('a raw line begins as the line there was, and stays as typed', async () => {
  const { form: it, lines } = await form(2);
  const before = it.line;
  it.setShape('raw');
  expect(it.line).toBe(before);
  it.setRaw('{"method":"session/resume"');
  await it.send();
  expect(lines).toEqual(['{"method":"session/resume"']);
  expect(it.due[0]?.tone).toBe('breaks');
});

test('another id is typed by hand', async () => {
  const { form: it } = await form(2);
  it.choose('');
  it.typedId = 'gone';
  expect(it.line).toContain('"sessionId":"gone"');
});

test('sessions are listed from the start or from the list cursor, and a refusal is said', async () => {
  const { form: it, asked } = await form(2);
  await it.list(false);
  await it.list(true);
  expect(asked).toEqual([
    ['session/list', {}],
    ['session/list', { cursor: 'next' }],
  ]);
  expect(it.problem).toBe('session/list failed: -32601 no');
});

test('what its command lacks is typed at the connect view, from where another version starts', async () => {
  const { app, form: it } = await form(2);
  await it.startBeside(1);
  expect(app.view).toBe('connect');
  expect(app.library.lacking?.settings.ask).toBe(1);
  expect(app.library.lacking?.launch.withheld).toEqual(['KEY']);
  expect(app.current?.connection).toBe(CONNECTION);
});

test('without a session nothing is sent, unless the line is edited by hand; a new one can be made', async () => {
  const { form: it, lines, asked } = await form(2, []);
  expect(it.blocked).toBe('Choose a session, or type an id.');
  await it.send();
  expect(lines).toEqual([]);
  it.setShape('raw');
  await it.send();
  expect(lines).toHaveLength(1);
  await it.newSession();
  expect(asked).toEqual([['session/new', { cwd: it.cwd, mcpServers: [] }]]);
  it.setShape('start');
  it.choose('');
  it.typedId = 'gone';
  expect(it.blocked).toBeUndefined();
});

test('what was filled in for one agent is not asked of another, and stays for the same one', async () => {
  const { app, form: it } = await form(2);
  const agents = (other: string) => {
    const [first] = app.traces;
    if (!first?.facts) throw new Error('no trace');
    const connection = connectionId('d');
    const facts = { ...first.facts, connection, sessions: [sessionFacts('s3')] };
    const second = { ...traceSummary(facts), agent: other };
    app.receive({ type: 'traces', traces: [{ ...first, agent: 'Ant' }, second] });
    return connection;
  };
  const fillIn = async () => {
    await app.show(CONNECTION);
    it.watch();
    it.choose('');
    it.typedId = 'gone';
    it.useCandidate({ field: 'messageId', value: 'm1' });
  };
  await fillIn();
  await app.show(agents('Ant'));
  it.watch();
  expect(it.line).toContain('"sessionId":"gone"');
  expect(it.line).toContain('"messageId":"m1"');
  await fillIn();
  await app.show(agents('Bee'));
  it.watch();
  expect(it.line).toContain('"sessionId":"s3"');
  expect(it.line).not.toContain('m1');
  await fillIn();
  await app.show(agents('Ant'));
  await restoreSession(app, 's3');
  expect(it.line).toContain('"sessionId":"s3"');
  expect(it.line).not.toContain('m1');
});

test('what came is of the line sent, and marked as old once the line asks for something else', async () => {
  const { form: it } = await form(2);
  await it.send();
  expect(it.outcomes.isOld).toBe(false);
  it.setCwd('/other');
  expect(it.outcomes.isOld).toBe(true);
  it.setCwd('/w');
  expect(it.outcomes.isOld).toBe(false);
});

test('a session picked elsewhere is the one to restore, without what was typed for another', async () => {
  const { app, form: it } = await form(2, [sessionFacts('s1', { cwd: '/w' }), sessionFacts('s2')]);
  it.choose('s1');
  it.setCwd('/typed');
  it.setShape('raw');
  it.setRaw('{"of":"s1"}');
  await app.pickSession(CONNECTION, 's2');
  expect(it.shape).toBe('start');
  expect(it.line).toContain('"sessionId":"s2"');
  expect(it.line).not.toContain('/typed');
});

test('an id that is none of the choices is typed', async () => {
  const { app, form: it } = await form(2);
  await restoreSession(app, 'elsewhere');
  expect(it.choice).toBeUndefined();
  expect(it.line).toContain('"sessionId":"elsewhere"');
});

test('another command is another agent, also while it has not said its name', async () => {
  const { app, form: it } = await form(2);
  const started = (argv: string[]) => ({ argv, cwd: '/w' });
  const [first] = app.traces;
  if (!first?.facts) throw new Error('no trace');
  const { handshake: _, ...silent } = first.facts;
  const connection = connectionId('d');
  const second = traceSummary({ ...silent, connection, started: started(['bee']) });
  const before = { ...first, facts: { ...first.facts, started: started(['ant']) } };
  app.receive({ type: 'traces', traces: [before, second] });
  it.watch();
  it.choose('');
  it.typedId = 'gone';
  it.run.prompts = true;
  await app.show(connection);
  it.watch();
  expect(it.typedId).toBe('');
  expect(it.run.prompts).toBe(false);
});

test('what came is told of the line sent, not of another restore that came after it', async () => {
  const { app, form: it, lines } = await form(2);
  const restores: SessionRestore[] = [];
  const texts = new Map<Seq, string>();
  const cross = (at: number, text: string) => {
    texts.set(seq(at), text);
    const window = restored({ request: seq(at), answer: seq(at + 1) });
    const told = { verdict: 'replayed-from-start', seen: [], due: true, evidence: [] } as const;
    restores.push({ connection: CONNECTION, window, ...told });
  };
  Object.assign(app.engine.restore, { restores: () => Promise.resolve(restores) });
  Object.assign(app.engine.timeline, {
    frame: (_: unknown, at: Seq) => Promise.resolve({ seq: at, line: { text: texts.get(at) } }),
  });
  cross(5, it.line);
  await it.refresh();
  await it.send();
  expect(it.outcomes.last).toBeUndefined();
  cross(9, lines[0] ?? '');
  cross(20, '{"id":8,"method":"session/resume","params":{"sessionId":"s1"}}');
  await it.refresh();
  expect(it.outcomes.last?.window.request).toBe(9);
});
