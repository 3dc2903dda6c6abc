import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessage, type Json, type Message } from '../acp/message.ts';
import { millis } from '../lib/time.ts';
import { seq, type Frame, type Side } from '../trace/event.ts';
import { ActingClient } from './client.ts';
import type { Peer } from './peer.ts';
import { parseScript, promptScript, runScript } from './script.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/** An agent that answers each line it gets by `reply`; everything said is kept. */
function agentThat(
  reply: (message: { method?: string; id?: number }, say: (value: Json) => void) => void,
) {
  const heard: string[] = [];
  const listeners = new Set<(frame: Frame, message: Message) => void>();
  const frame = (from: Side, text: string) => {
    const shown: Frame = {
      type: 'frame',
      seq: seq(1),
      at: millis(0),
      from,
      line: { text },
      origin: 'peer',
    };
    for (const listener of [...listeners]) listener(shown, parseMessage(text));
  };
  const peer: Peer = {
    send(line) {
      heard.push(line);
      frame('client', line);
      const message = (line.startsWith('{') ? JSON.parse(line) : {}) as { method?: string };
      queueMicrotask(() => reply(message, (value) => frame('agent', JSON.stringify(value))));
    },
    receive(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end: () => undefined,
  };
  const client = new ActingClient(
    peer,
    { ...DEFAULT_SETTINGS, handshake: false },
    {
      name: { name: 'test', version: '1' },
      host: () => Promise.resolve({ ok: true, result: {} }),
      note: () => undefined,
    },
  );
  return { peer, client, heard };
}

const state = (state: string): Json => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate: 'state_update', state } },
});

describe('a script', () => {
  test('is JSON lines, with comments and empty lines', () => {
    expect(parseScript('# first\n{"request":"session/list"}\n\n{"wait":5}\n{"line":"x"}')).toEqual([
      { kind: 'request', method: 'session/list', params: {} },
      { kind: 'wait', ms: 5 },
      { kind: 'line', text: 'x' },
    ]);
  });

  test.each(['nonsense', '{"wait":-1}', '{"line":"a\\nb"}', '[]'])(
    'a line that is no step is named: %s',
    (line) => {
      expect(parseScript(`{"wait":1}\n${line}`)).toMatchObject({
        problem: /^Line 2 of the script is no step/,
      });
    },
  );

  test('never throws, whatever it holds', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseScript(text)));
    fc.assert(fc.property(fc.json(), (text) => void parseScript(text)));
  });
});

describe('running a script', () => {
  test('fills in the folder and the session of the last answer', async () => {
    const { client, peer, heard } = agentThat(({ method, id }, say) =>
      say({
        jsonrpc: '2.0',
        id: id ?? 0,
        result: method === 'session/new' ? { sessionId: 's1' } : { stopReason: 'end_turn' },
      }),
    );
    await runScript(promptScript('Hi'), {
      client,
      peer,
      cwd: '/w',
      ended: new AbortController().signal,
    });
    expect(heard.map((line) => (JSON.parse(line) as { params: Json }).params)).toEqual([
      { cwd: '/w', mcpServers: [] },
      { sessionId: 's1', prompt: [{ type: 'text', text: 'Hi' }] },
    ]);
  });

  test('in v2 a prompt lasts until the session is idle, though its answer came before', async () => {
    const { client, peer, heard } = agentThat(({ method, id }, say) => {
      if (method !== 'session/prompt') return;
      say(state('running'));
      say({ jsonrpc: '2.0', id: id ?? 0, result: { messageId: 'm' } });
      setTimeout(() => say(state('idle')), 20);
    });
    const steps = [
      { kind: 'request', method: 'session/prompt', params: { sessionId: 's', prompt: [] } },
      { kind: 'line', text: 'after' },
    ] as const;
    const run = runScript(steps, { client, peer, cwd: '/w', ended: new AbortController().signal });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(heard).toHaveLength(1);
    await run;
    expect(heard[1]).toBe('after');
  });

  test('an error answer does not stop it, and the end of the agent does', async () => {
    const ended = new AbortController();
    const { client, peer, heard } = agentThat(({ method, id }, say) => {
      if (method === 'a') say({ jsonrpc: '2.0', id: id ?? 0, error: { code: -1, message: 'no' } });
      else ended.abort();
    });
    const request = (method: string) => ({ kind: 'request', method, params: {} }) as const;
    await runScript([request('a'), request('b'), request('c')], {
      client,
      peer,
      cwd: '/w',
      ended: ended.signal,
    });
    expect(heard.map((line) => (JSON.parse(line) as { method: string }).method)).toEqual([
      'a',
      'b',
    ]);
  });
});
