// What a page asks of the intercept of an agent that the relay drives, through a real relay and process.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InterceptCall } from '../link/messages.ts';
import { ECHO, RelayTest, texts } from '../test/programs/relay-fixture.ts';
import type { ConnectionId, Intercept } from '../trace/event.ts';

let here: RelayTest;
beforeEach(() => void (here = new RelayTest()));
afterEach(() => here.close());

const rules = (...list: readonly object[]) => JSON.stringify({ rules: list });
const HOLD = { name: 'mine', on: 'side:agent', hold: true };

async function begin() {
  const one = await here.page(await here.relay());
  const connection: ConnectionId = await one.start(here.launch(ECHO));
  one.follow(connection);
  const events = () => one.events.get(connection) ?? [];
  const deeds = (did: Intercept['did']) =>
    events().filter((event) => event.type === 'intercept' && event.did === did);
  return {
    ...{ one, connection, events, deeds },
    call: (call: InterceptCall) => one.intercept(connection, call),
    send: (text: string) =>
      one.command({ type: 'send', connection, line: { text }, origin: 'composer' }),
    of: (from: 'client' | 'agent') =>
      texts(events().filter((event) => event.type === 'frame' && event.from === from)),
  };
}

test('a frame is held for the page: it goes on as it was, as another line, or not at all', async () => {
  const { one, call, send, of, deeds, events, connection } = await begin();
  send('{"id":0}');
  await one.until(() => of('agent').length === 1);
  call({ op: 'on', rules: rules(HOLD) });
  await one.until(() => deeds('on').length === 1);
  for (const id of [1, 2, 3]) send(`{"id":${id}}`);
  const held = await one.until(() => deeds('hold').length === 3 && deeds('hold'));
  expect(held).toMatchObject([
    { rule: 'mine', from: 'agent', line: { text: '{"id":1}' }, deadline: 60_000 },
    ...[{}, {}],
  ]);
  expect(of('agent')).toEqual(['{"id":0}']);
  const [first, second, third] = held.map(({ seq }) => seq);
  if (!first || !second || !third) throw new Error('three are held');
  call({ op: 'release', of: second, line: { text: '{"id":"two"}' } });
  call({ op: 'release', of: first });
  call({ op: 'drop', of: third });
  await one.until(() => deeds('drop').length === 1);
  expect(of('agent')).toEqual(['{"id":0}', '{"id":"two"}', '{"id":1}']);
  expect(events().filter((event) => 'of' in event)).toMatchObject([
    { type: 'frame', origin: 'intercept', of: second },
    { type: 'frame', origin: 'peer', of: first },
    { type: 'intercept', of: third },
  ]);
  call({ op: 'release', of: third });
  const told = await one.told1('problem');
  expect(told).toMatchObject({ connection, problem: { code: 'ended' } });
});

test('switched off, all that was held goes on, and nothing is touched any more', async () => {
  const { one, call, send, of, deeds } = await begin();
  call({ op: 'on', rules: rules(HOLD, { on: 'side:client method:x', drop: true }) });
  await one.until(() => deeds('on').length === 1);
  send('{"id":1}');
  send('{"jsonrpc":"2.0","method":"x"}');
  await one.until(() => deeds('hold').length === 1 && deeds('drop').length === 1);
  call({ op: 'off' });
  await one.until(() => deeds('off').length === 1);
  send('{"jsonrpc":"2.0","method":"x"}');
  await one.until(() => of('agent').length === 2);
  expect(of('agent')).toEqual(['{"id":1}', '{"jsonrpc":"2.0","method":"x"}']);
  expect(deeds('off')).toHaveLength(1);
  expect(deeds('drop')).toHaveLength(1);
});

test('rules that a page switches on and off at once are off afterwards', async () => {
  const { one, call, deeds } = await begin();
  call({ op: 'on', rules: rules(HOLD) });
  call({ op: 'off' });
  await one.until(() => deeds('off').length === 1);
  expect(deeds('on')).toHaveLength(1);
});

test('rules with a mistake change nothing, and the page is told where it is', async () => {
  const { one, call, send, of, deeds } = await begin();
  call({ op: 'on', rules: '{"rules": [{"on": "side:agent"}]}' });
  const { problem } = await one.told1('problem');
  expect(problem.message).toContain('Line 1, /rules/0: A rule is an object that says what is done');
  send('{"id":1}');
  await one.until(() => of('agent').length === 1);
  expect(deeds('on')).toHaveLength(0);
});

test('an agent that ends has all of its frames in the record, those that were held among them', async () => {
  const { one, call, send, deeds, connection } = await begin();
  call({ op: 'on', rules: rules(HOLD) });
  await one.until(() => deeds('on').length === 1);
  send('{"id":1}');
  await one.until(() => deeds('hold').length === 1);
  one.command({ type: 'stop', connection, how: 'end' });
  const events = await one.ended(connection);
  expect(events.at(-2)).toMatchObject({ type: 'frame', from: 'agent', line: { text: '{"id":1}' } });
});

test('an agent that is started with rules is intercepted from the first frame on', async () => {
  const one = await here.page(await here.relay());
  const mask = { on: 'side:client', edit: { set: { '$.id': 7 } } };
  const connection = await one.start(here.launch(ECHO), { rules: rules(mask) });
  one.command({ type: 'send', connection, line: { text: '{"id":0}' }, origin: 'script' });
  one.follow(connection);
  const events = await one.until(() => {
    const all = one.events.get(connection) ?? [];
    return all.length > 4 && all;
  });
  expect(events.filter(({ type }) => type !== 'stderr')).toMatchObject([
    { type: 'start' },
    { type: 'intercept', did: 'on' },
    { type: 'intercept', did: 'edit', line: { text: '{"id":0}' } },
    { type: 'frame', from: 'client', origin: 'intercept', line: { text: '{"id":7}' } },
    { type: 'frame', from: 'agent', line: { text: '{"id":7}' } },
  ]);
});
