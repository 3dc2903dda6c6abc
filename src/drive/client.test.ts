import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CODE, parseMessage } from '../acp/message.ts';
import { client, permission, QUIET, rpc, settled } from '../test/programs/acting-client.ts';

describe('the handshake', () => {
  test('asks for the highest version with the first free id, as a script', () => {
    const { peer, acting } = client({ handshake: true });
    acting.act();
    expect(peer.sent).toMatchObject([
      { id: 0, method: 'initialize', params: { protocolVersion: 2, info: { name: 'test' } } },
    ]);
    expect(peer.lines[0]?.origin).toBe('script');
  });

  test('is not repeated after a reload, which sees it among the past frames', () => {
    const { peer, acting } = client({ handshake: true });
    peer.frame('client', rpc('0', 'initialize'));
    acting.act();
    expect(peer.sent).toEqual([]);
  });

  test('is left to a person where it is switched off', () => {
    const { peer, acting } = client({ handshake: false });
    acting.act();
    expect(peer.sent).toEqual([]);
  });
});

describe('ids', () => {
  test('are above every number we have sent, whoever wrote it', () => {
    const { peer, acting } = client();
    peer.frame('client', rpc('41', 'session/list'));
    peer.frame('client', rpc('"99"', 'session/list'));
    peer.frame('agent', rpc('500', 'session/request_permission'));
    expect(acting.request('session/list', {})).toBe(42);
    expect(acting.nextId).toBe(43);
  });
});

describe('permission requests', () => {
  test.each([
    ['allow-once', { outcome: { outcome: 'selected', optionId: 'once' } }],
    ['reject', { outcome: { outcome: 'selected', optionId: 'no' } }],
    ['cancel', { outcome: { outcome: 'cancelled' } }],
  ] as const)('policy %s answers by itself', (policy, result) => {
    const { peer } = settled({ permission: policy });
    peer.frame('agent', permission('7'));
    expect(peer.sent).toEqual([{ jsonrpc: '2.0', id: 7, result }]);
  });

  test.each(['ask', 'never'] as const)('policy %s leaves it open', (policy) => {
    const { peer } = settled({ permission: policy });
    peer.frame('agent', permission('7'));
    expect(peer.sent).toEqual([]);
  });

  test('policy allow-always chooses that option, and no other', () => {
    const { peer, notes } = settled({ permission: 'allow-always' });
    const once = { optionId: 'o', name: 'Once', kind: 'allow_once' };
    const always = { optionId: 'a', name: 'Always', kind: 'allow_always' };
    const ask = (id: string, options: readonly Readonly<Record<string, string>>[]) =>
      peer.frame('agent', rpc(id, 'session/request_permission', { sessionId: 's', options }));
    ask('7', [once, always]);
    ask('8', [once]);
    expect(peer.sent).toMatchObject([
      { id: 7, result: { outcome: { outcome: 'selected', optionId: 'a' } } },
      { id: 8, result: { outcome: { outcome: 'cancelled' } } },
    ]);
    expect(notes[0]).toContain('allow_always');
  });

  test('a delayed answer comes after its time, once, and by the settings of then', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { peer, acting } = settled({ permission: 'allow-once', permissionDelay: 2000 });
    peer.frame('agent', permission('1'));
    const byHand = peer.frame('agent', permission('2'));
    vi.advanceTimersByTime(1999);
    expect(peer.sent).toEqual([]);
    acting.cancel(byHand);
    vi.advanceTimersByTime(1);
    expect(peer.sent).toMatchObject([{ id: 2 }, { id: 1 }]);

    peer.frame('agent', permission('3'));
    acting.change({ ...acting.settings, permission: 'ask' });
    vi.advanceTimersByTime(5000);
    expect(peer.sent).toHaveLength(2);
    peer.frame('agent', permission('4'));
    acting.change({ ...acting.settings, permission: 'reject' });
    vi.advanceTimersByTime(5000);
    expect(peer.sent.slice(2)).toMatchObject([{ id: 3 }, { id: 4 }]);
  });

  test('an option that holds for always is never chosen; the person is told', () => {
    const { peer, notes } = settled({ permission: 'allow-once' });
    const options = [{ optionId: 'a', name: 'Always', kind: 'allow_always' }];
    peer.frame('agent', rpc('7', 'session/request_permission', { sessionId: 's', options }));
    expect(peer.sent).toMatchObject([{ result: { outcome: { outcome: 'cancelled' } } }]);
    expect(notes[0]).toContain('allow_once');
  });

  test('the exact token of the id comes back', () => {
    const { peer } = settled({ permission: 'cancel' });
    for (const id of ['1.0', '"1"', '9007199254740993', '"\\u0061"'])
      peer.frame('agent', permission(id));
    expect(peer.lines.map(({ line }) => /"id":(.*?),"result"/.exec(line)?.[1])).toEqual([
      '1.0',
      '"1"',
      '9007199254740993',
      '"\\u0061"',
    ]);
  });

  test('v1: cancelling the turn answers those of its session cancelled, also by hand policy', () => {
    const { peer } = settled({ permission: 'ask' });
    peer.frame('agent', permission('1', 's'));
    peer.frame('agent', permission('2', 'other'));
    peer.frame('client', '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}');
    expect(peer.sent).toEqual([
      { jsonrpc: '2.0', id: 1, result: { outcome: { outcome: 'cancelled' } } },
    ]);
  });

  test('v2: the agent withdraws them with $/cancel_request', () => {
    const { peer } = settled({ permission: 'ask' }, 2);
    peer.frame('agent', permission('1'));
    peer.frame('client', '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}');
    expect(peer.sent).toEqual([]);
    peer.frame('agent', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}');
    expect(peer.sent).toMatchObject([{ id: 1, result: { outcome: { outcome: 'cancelled' } } }]);
  });

  test('left open by hand, it stays open when its turn is cancelled', () => {
    const { peer, acting } = settled({ permission: 'ask' });
    acting.leaveOpen(peer.frame('agent', permission('1')));
    peer.frame('client', '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}');
    expect(peer.sent).toEqual([]);
  });

  test('a changed policy takes those that wait with it', () => {
    const { peer, acting } = settled({ permission: 'ask' });
    peer.frame('agent', permission('1'));
    acting.change({ ...acting.settings, permission: 'allow-once' });
    expect(peer.sent).toHaveLength(1);
  });
});

describe('an array of the agent', () => {
  test('R-10: is heard as the messages in it: each request is answered, and the version is known', () => {
    const { peer, acting } = client({ handshake: true, permission: 'allow-once' });
    acting.act();
    peer.lines.length = 0;
    peer.frame('agent', '[{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}]');
    peer.frame('agent', `[${permission('7')},3,${permission('8')}]`);
    expect(peer.sent).toMatchObject([
      { id: 7, result: { outcome: { optionId: 'once' } } },
      { id: 8, result: { outcome: { optionId: 'once' } } },
    ]);
  });
});

describe('elicitations', () => {
  const ask = (mode: string) => rpc('1', 'elicitation/create', { mode, message: 'm' });

  test.each(['decline', 'cancel'] as const)('policy %s answers so', (elicitation) => {
    const { peer } = settled({ elicitation });
    peer.frame('agent', ask('form'));
    expect(peer.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: { action: elicitation } }]);
  });

  test('a mode that was not advertised is invalid', () => {
    const { peer } = settled({ advertise: { ...QUIET.advertise, elicitUrl: false } });
    peer.frame('agent', ask('url'));
    expect(peer.sent).toMatchObject([{ error: { code: CODE.invalidParams } }]);
  });
});

describe('fs and terminal', () => {
  test('P-09: terminal commands are refused while they are off, and once on nothing runs before a person said so', async () => {
    const create = rpc('1', 'terminal/create', { command: 'sh', args: ['-c', 'rm -rf /'] });
    const off = client({ ask: 1, handshake: true });
    off.acting.act();
    off.peer.frame('agent', '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}');
    off.peer.lines.length = 0;
    off.peer.frame('agent', create);
    expect(off.peer.sent).toMatchObject([{ id: 1, error: { code: CODE.methodNotFound } }]);
    expect(off.calls).toEqual([]);
    // As they are unless a person chose otherwise.
    const on = settled();
    const place = on.peer.frame('agent', create);
    expect([on.calls, on.peer.sent]).toEqual([[], []]);
    on.acting.allow(place);
    expect(on.calls).toEqual(['terminal/create']);
    await on.done({ ok: true, result: { terminalId: 't' } });
    expect(on.peer.sent).toMatchObject([{ id: 1, result: { terminalId: 't' } }]);
  });

  test('not advertised means method not found, with why', () => {
    const { peer, calls } = settled({ advertise: QUIET.advertise });
    peer.frame('agent', rpc('1', 'fs/read_text_file', { path: '/a' }));
    peer.frame('agent', rpc('2', 'terminal/create', { command: 'ls' }));
    peer.frame('agent', rpc('3', '_own/method'));
    expect(peer.sent).toMatchObject([
      {
        error: {
          code: CODE.methodNotFound,
          message: 'Method not found: fs/read_text_file (not advertised)',
        },
      },
      { error: { code: CODE.methodNotFound } },
      { error: { message: 'Method not found: _own/method (not known)' } },
    ]);
    expect(calls).toEqual([]);
  });

  test('left to a person, all of it waits, known or not; switched back, it is answered', () => {
    const { peer, acting } = settled({ advertise: QUIET.advertise, others: 'ask' });
    peer.frame('agent', rpc('1', 'fs/read_text_file', { path: '/a' }));
    const own = peer.frame('agent', rpc('2', '_own/method'));
    expect(peer.sent).toEqual([]);
    acting.answer(own, { x: 1 });
    acting.change({ ...acting.settings, others: 'auto' });
    expect(peer.sent).toMatchObject([
      { id: 2, result: { x: 1 } },
      { id: 1, error: { code: CODE.methodNotFound } },
    ]);
  });

  test('version 2 has none of it, whatever was advertised', () => {
    const { peer, calls } = settled({}, 2);
    peer.frame('agent', rpc('1', 'fs/read_text_file', { path: '/a' }));
    expect(peer.sent).toMatchObject([{ error: { code: CODE.methodNotFound } }]);
    expect(calls).toEqual([]);
  });

  test('what this machine did is the answer', async () => {
    const { peer, calls, done } = settled();
    peer.frame('agent', rpc('1', 'fs/read_text_file', { path: '/a' }));
    expect(calls).toEqual(['fs/read_text_file']);
    await done({ ok: true, result: { content: 'text' } });
    expect(peer.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: 'text' } }]);
  });

  test('a command waits for a person, who allows or refuses it', async () => {
    const { peer, acting, calls, done } = settled({ terminalCommands: 'ask' });
    const one = peer.frame('agent', rpc('1', 'terminal/create', { command: 'ls' }));
    const two = peer.frame('agent', rpc('2', 'terminal/create', { command: 'rm' }));
    expect(calls).toEqual([]);
    acting.allow(one);
    acting.allow(one);
    expect(calls).toEqual(['terminal/create']);
    await done({ ok: false, error: { code: CODE.notFound, message: 'no such program' } });
    acting.refuse(two, CODE.internalError, 'Refused');
    expect(peer.sent).toMatchObject([{ id: 1, error: { code: CODE.notFound } }, { id: 2 }]);
  });

  test('a call withdrawn while it runs is answered cancelled, and only once', async () => {
    const { peer, done } = settled();
    peer.frame('agent', rpc('"w"', 'terminal/wait_for_exit', { terminalId: 't' }));
    peer.frame('agent', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"w"}}');
    await done({ ok: true, result: {} });
    expect(peer.sent).toMatchObject([{ id: 'w', error: { code: CODE.requestCancelled } }]);
  });
});

describe('nothing is answered twice', () => {
  test('past requests are looked at only when all past frames are known', () => {
    const { peer, acting } = client({ permission: 'allow-once' });
    peer.frame('agent', permission('1'));
    peer.frame('agent', permission('2'));
    peer.frame('client', '{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(peer.sent).toEqual([]);
    acting.act();
    expect(peer.sent).toMatchObject([{ id: 2 }]);
  });

  test('an answer on its way is not sent again, by policy or by hand', () => {
    const { peer, acting } = settled({ permission: 'ask' });
    const asked = peer.frame('agent', permission('1'));
    peer.holding = true;
    expect(acting.cancel(asked)).toBe(true);
    acting.change({ ...acting.settings, permission: 'allow-once' });
    expect(acting.cancel(asked)).toBe(false);
    expect(peer.sent).toHaveLength(1);
  });

  test('after a lost link only what did not arrive is answered again', () => {
    const { peer, acting } = settled({ permission: 'allow-once' });
    peer.holding = true;
    peer.frame('agent', permission('1'));
    peer.frame('agent', permission('2'));
    acting.pause();
    peer.holding = false;
    peer.frame('client', '{"jsonrpc":"2.0","id":1,"result":{}}');
    acting.act();
    expect(peer.sent).toMatchObject([{ id: 1 }, { id: 2 }, { id: 2 }]);
  });

  test('any frames in any order get at most one answer for each request, and never throw', () => {
    const line = fc.oneof(
      fc.constantFrom('1', '"1"', '1.0', 'null').map((id) => permission(id)),
      fc.constantFrom('1', '2').map((id) => rpc(id, 'elicitation/create', { mode: 'form' })),
      fc.json(),
      fc.string().map((text) => text.replaceAll('\n', '')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.nat(30), (lines, actAt) => {
        const { peer, acting } = settled({ permission: 'cancel', elicitation: 'decline' });
        acting.pause();
        let asked = 0;
        lines.forEach((text, i) => {
          if (i === actAt) acting.act();
          peer.frame('agent', text);
          if (parseMessage(text).kind === 'request') asked++;
        });
        acting.act();
        expect(peer.lines).toHaveLength(asked);
      }),
    );
  });
});
