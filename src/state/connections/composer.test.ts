import { expect, test } from 'vitest';
import type { EngineApi } from '../../engine/api.ts';
import type { SentRecord } from '../../engine/messages.ts';
import type { InterceptCall, Problem } from '../../link/messages.ts';
import type { Millis } from '../../lib/time.ts';
import type { HeldFrame } from '../../model/facts/facts-view.ts';
import {
  CONNECTION,
  connectionFacts,
  NO_SETTINGS,
  runningApp,
  sessionFacts,
} from '../../test/programs/running-app.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { App } from '../app.svelte.ts';

const OPEN = {
  seq: seq(9),
  from: 'agent' as const,
  id: '←"x"',
  method: 'session/request_permission',
  since: 0 as Millis,
  summary: '',
};

const HELD: HeldFrame = {
  ...{ seq: seq(12), at: 0 as Millis, from: 'agent', rule: 'mine', summary: '' },
  deadline: 60_000,
};

async function running(problem?: Problem) {
  const drafts = new Map<string, string>();
  const lines: string[] = [];
  const calls: InterceptCall[] = [];
  const sent: SentRecord[] = [];
  const candidates: [field: string, value: string][] = [];
  const app = await runningApp(
    {
      library: {
        draft: (key) => Promise.resolve(drafts.get(key)),
        saveDraft: (key, text) => Promise.resolve(drafts.set(key, text).size > 0),
        sent: () => Promise.resolve([...sent]),
      },
      restore: {
        candidates: () =>
          Promise.resolve(
            candidates.map(([field, value]) => ({
              ...{ field, value, seq: seq(1), of: '', names: '', session: 's1' },
            })),
          ),
      },
      connections: {
        nextId: () => Promise.resolve(String(7 + lines.length)),
        sendLine(connection, text) {
          if (problem) return Promise.resolve(problem);
          lines.push(text);
          sent.unshift({ at: 0, connection, text });
          return Promise.resolve(undefined);
        },
        intercept: (_, call) => Promise.resolve(void calls.push(call)),
      },
    },
    connectionFacts({
      open: [OPEN],
      intercept: { held: [HELD] },
      sessions: [sessionFacts('s1')],
    }),
  );
  await app.composer.show(CONNECTION);
  return { app, composer: app.composer, drafts, lines, calls, candidates };
}

test('a template gets the next id, goes out as one line, and then has the id after', async () => {
  const { composer, lines } = await running();
  await composer.fill('{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}');
  expect(composer.kind).toBe('request');
  await composer.send();
  expect(lines).toEqual(['{"jsonrpc":"2.0","id":7,"method":"session/list","params":{}}']);
  expect(JSON.parse(composer.text)).toMatchObject({ id: 8 });
  expect(composer.sent).toHaveLength(1);
});

test('a raw line goes out exactly as typed', async () => {
  const { composer, lines } = await running();
  composer.setKind('raw');
  composer.edit('  {"id":1.0 , } \r');
  await composer.send();
  expect(lines).toEqual(['  {"id":1.0 , } \r']);
});

test('JSON that does not parse is kept back, and goes out raw when a person says so', async () => {
  const { composer, lines } = await running();
  composer.edit('{"id":');
  await composer.send();
  expect(lines).toEqual([]);
  expect(composer.tried).toBe(true);
  const out = composer.outgoing;
  if (!out.ok) await composer.send(out.rawLine);
  expect(lines).toEqual(['{"id":']);
});

test('an answer takes the exact id of the open request, and what may answer it and allows nothing', async () => {
  const { composer, lines } = await running();
  composer.setKind('response');
  await composer.send();
  expect(lines).toEqual([
    '{"jsonrpc":"2.0","id":"x","result":{"outcome":{"outcome":"cancelled"}}}',
  ]);
});

test('a draft outlives the page', async () => {
  const { app, composer, drafts } = await running();
  composer.setKind('notification');
  composer.edit('{"half":');
  await composer.show(undefined);
  await composer.show(CONNECTION);
  expect(drafts.size).toBe(1);
  expect([composer.kind, composer.text]).toEqual(['notification', '{"half":']);
  expect(app.composer.blocked).toBeUndefined();
});

test('what was written for one connection, with its folder, is no draft of another', async () => {
  const { composer } = await running();
  composer.edit('{"method":"session/new","params":{"cwd":"/old","mcpServers":[]}}');
  await composer.show(connectionId('another'));
  expect(composer.text).not.toContain('/old');
  await composer.show(CONNECTION);
  expect(composer.text).toContain('/old');
});

test('what cannot be sent is said in words, and the text stays', async () => {
  const { composer } = await running({ code: 'ended', message: 'The agent has ended.' });
  composer.edit('{}');
  await composer.send();
  expect(composer.problem).toBe('The agent has ended.');
  expect(composer.text).toBe('{}');
  expect(new App({} as EngineApi, NO_SETTINGS).composer.blocked).toBe('Connect an agent first.');
});

test('a held frame goes on as it is written here, and then what was written before is back', async () => {
  const { composer, lines, calls } = await running();
  composer.edit('{"mine":1}');
  await composer.hold(HELD, '{"jsonrpc":"2.0","id":0,"method":"x"}');
  expect(composer.holds).toBe(HELD);
  composer.edit('{"jsonrpc":"2.0","id":0,"method":"y"}');
  await composer.send();
  expect(lines).toEqual([]);
  expect(calls).toEqual([
    { op: 'release', of: 12, line: { text: '{"jsonrpc":"2.0","id":0,"method":"y"}' } },
  ]);
  expect(composer.held).toBeUndefined();
  expect(JSON.parse(composer.text)).toMatchObject({ mine: 1 });
});

test('in the place of a frame that is held no more nothing goes, and that is said', async () => {
  const { composer, calls } = await running();
  await composer.hold({ ...HELD, seq: seq(13) }, '{"jsonrpc":"2.0","id":0,"method":"x"}');
  expect(composer.stopped).toBe('It has gone on, or was dropped.');
  await composer.send();
  expect(calls).toEqual([]);
  composer.letGo();
  expect(composer.stopped).toBeUndefined();
});

test('a placeholder goes out as the value that the connection knows, and stays in the text', async () => {
  const { app, composer, lines } = await running();
  const { sessionId } = app.session ?? {};
  expect(sessionId).toBeDefined();
  const typed =
    '{"jsonrpc":"2.0","id":7,"method":"session/close","params":{"sessionId":"$sessionId"}}';
  composer.edit(typed);
  expect(composer.outgoing).toMatchObject({ ok: true, used: ['sessionId'] });
  await composer.send();
  expect(lines).toEqual([typed.replace('$sessionId', sessionId ?? '')]);
  expect(composer.text).toContain('"$sessionId"');
});

test('the newest message id is asked for when the message is sent, and without one nothing goes out', async () => {
  const { composer, lines, candidates } = await running();
  const typed = '{"jsonrpc":"2.0","id":7,"method":"x","params":"$lastMessageId"}';
  composer.edit(typed);
  await composer.send();
  expect(lines).toEqual([]);
  expect(composer.outgoing).toMatchObject({ ok: false, rawLine: typed });
  candidates.push(['messageId', 'm1'], ['messageId', 'm2'], ['toolCallId', 't1']);
  await composer.send();
  expect(lines).toEqual([typed.replace('$lastMessageId', 'm2')]);
});

test('in the place of a held frame a placeholder goes on as it is written', async () => {
  const { composer, calls } = await running();
  const typed = '{"jsonrpc":"2.0","id":0,"method":"x","params":"$sessionId"}';
  await composer.hold(HELD, typed);
  await composer.send();
  expect(calls).toEqual([{ op: 'release', of: 12, line: { text: typed } }]);
});
