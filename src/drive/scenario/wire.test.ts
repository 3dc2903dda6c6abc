import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AFTER, NOTE, run } from '../../test/programs/wired-run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a fault befalls the line, byte for byte on the wire', () => {
  const faulty = (fault: object) =>
    run({ steps: [{ notify: 'n', fault }, AFTER, { line: 'last' }] });

  test('drop: it is not sent', async () => {
    expect((await faulty({ drop: true })).lines).toEqual(['after', 'last']);
  });

  test('duplicate: it is sent so many times more', async () => {
    expect((await faulty({ duplicate: 2 })).lines).toEqual([NOTE, NOTE, NOTE, 'after', 'last']);
  });

  test('reorder: it is sent right after the next one', async () => {
    expect((await faulty({ reorder: true })).lines).toEqual(['after', NOTE, 'last']);
  });

  test('reorder: with no next one it is sent at the end', async () => {
    const { lines } = await run({ steps: [{ notify: 'n', fault: { reorder: true } }] });
    expect(lines).toEqual([NOTE]);
  });

  test('truncate: its first bytes are sent, and no half of a character', async () => {
    expect((await faulty({ truncate: 9 })).lines).toEqual(['{"jsonrpc', 'after', 'last']);
    const { lines } = await run({ steps: [{ line: 'aé', fault: { truncate: 2 } }] });
    expect(lines).toEqual(['a']);
  });

  test('delay: it goes out late, and what follows waits behind it', async () => {
    const { agents, lines } = await faulty({ delay: 500 });
    expect(lines).toEqual([NOTE, 'after', 'last']);
    const [initialize, note, after] = agents[0]?.writes ?? [];
    expect((note?.at ?? 0) - (initialize?.at ?? 0)).toBe(500);
    expect(after?.at).toBe(note?.at);
  });

  test('split: it goes out in two writes, and nothing comes between them', async () => {
    const { agents, lines } = await faulty({ split: 9, pause: 30 });
    expect(lines).toEqual([NOTE, 'after', 'last']);
    const [, head, rest] = agents[0]?.writes ?? [];
    expect(head?.text).toBe('{"jsonrpc');
    expect(rest?.text).toBe(`${NOTE.slice(9)}\n`);
    expect((rest?.at ?? 0) - (head?.at ?? 0)).toBe(30);
  });

  test('rules of an intercept go where it is recorded: at the start, at their step, and with a restart', async () => {
    const [first, second] = ['slow', { on: 'side:client method:n', drop: true }];
    const steps = [{ intercept: [second] }, AFTER, { restart: true }, { intercept: [] }];
    const { agents } = await run({ intercept: [first], steps });
    const text = (rule: unknown) => JSON.stringify({ rules: [rule] });
    expect(agents.map(({ rules }) => rules)).toEqual([
      [text(first), text(second)],
      [text(second), undefined],
    ]);
  });
});

describe('an answer', () => {
  const YES =
    '{"jsonrpc":"2.0","id":"p","result":{"outcome":{"outcome":"selected","optionId":"y"}}}';
  const NO = YES.replace('"y"', '"n"');
  const answered = async (...rules: object[]) => {
    const steps = [
      ...rules.map((rule) => ({ answer: 'session/request_permission', ...rule })),
      { request: 'ask' },
      { wait: 1000 },
    ];
    return (await run({ steps })).lines.slice(1);
  };

  test.each([
    ['where nothing is said, permissions are allowed once', [], [YES]],
    ['chooses by kind', [{ select: 'reject_once' }], [NO]],
    ['chooses by id', [{ select: 'n' }], [NO]],
    ['says a result', [{ result: { x: 1 } }], ['{"jsonrpc":"2.0","id":"p","result":{"x":1}}']],
    [
      'says an error',
      [{ error: { code: -1, message: 'no' } }],
      ['{"jsonrpc":"2.0","id":"p","error":{"code":-1,"message":"no"}}'],
    ],
    ['comes twice', [{ twice: true }], [YES, YES]],
    ['comes never', [{ never: true }], []],
    [
      'comes under a wrong id',
      [{ wrong: 'id' }],
      [YES.replace('"p"', '"acp-scope-asked-by-nobody"')],
    ],
    ['has a wrong result', [{ wrong: 'result' }], ['{"jsonrpc":"2.0","id":"p","result":"wrong"}']],
    [
      'has a result and an error',
      [{ wrong: 'both' }],
      [
        '{"jsonrpc":"2.0","id":"p","error":{"code":-32603,"message":"Internal error"},"result":{"outcome":{"outcome":"selected","optionId":"y"}}}',
      ],
    ],
  ])('%s', async (_, rules, lines) => {
    expect(await answered(...rules)).toEqual(lines);
  });

  test('comes late, and other lines pass it', async () => {
    const steps = [
      { answer: 'session/*', late: 300 },
      { request: 'ask' },
      { notify: 'n' },
      { wait: 400 },
    ];
    expect((await run({ steps })).lines.slice(1)).toEqual([NOTE, YES]);
  });

  test('that was held open is given by a later step', async () => {
    const steps = [
      { answer: 'session/request_permission', never: true },
      { request: 'ask' },
      { notify: 'n' },
      { answer: 'session/request_permission', select: 'reject_once' },
    ];
    expect((await run({ steps })).lines.slice(1)).toEqual([NOTE, NO]);
  });
});

describe('what never happened is told', () => {
  const failed = async (...steps: object[]) => (await run({ steps })).failure;
  const ASK = { request: 'ask' };
  const PERMISSION = 'session/request_permission';

  test('an answer that nobody asked for is a note; an odd one tests nothing and fails', async () => {
    const plain = await run({ steps: [{ answer: 'fs/*', result: {} }, AFTER] });
    expect(plain).toMatchObject({
      failure: undefined,
      notes: ['The agent never asked for an answer to fs/*.'],
    });
    expect(await failed({ answer: 'fs/*', never: true }, AFTER)).toMatchObject({
      step: 1,
      why: 'The agent never asked for an answer to fs/*, so it was never tested.',
    });
    expect((await run({ steps: [{ answer: 'session/*', times: 'all' }, ASK] })).notes).toEqual([]);
  });

  test('an answer more than the agent asked for is told with how often it asked', async () => {
    const answer = { answer: PERMISSION, select: 'allow_once' };
    const asked = (...steps: object[]) => run({ steps }).then(({ notes }) => notes);
    const said = `The agent asked for an answer to ${PERMISSION}`;
    expect(await asked(answer, answer, ASK)).toEqual([`${said} once, and not again.`]);
    expect(await asked({ ...answer, times: 2 }, answer, ASK, ASK)).toEqual([
      `${said} 2 times, and not again.`,
    ]);
  });

  test('a cut that leaves the line whole fails', async () => {
    expect(await failed({ line: 'aé', fault: { truncate: 3 } })).toMatchObject({
      step: 1,
      why: 'truncate 3 leaves a line of 3 bytes whole. Give fewer.',
    });
    expect((await failed({ line: 'abc', fault: { split: 9 } }))?.why).toContain('split 9 leaves');
    expect(await failed({ line: 'abc', fault: { split: 2 } })).toBeUndefined();
  });

  test('an option that was not offered fails, with what was', async () => {
    const select = 'allow_twice';
    expect((await failed({ answer: PERMISSION, select }, ASK, { wait: 9 }))?.why).toBe(
      'session/request_permission offered no allow_twice; it offered allow_once (y), reject_once (n). To answer with another, write a result.',
    );
  });
});
