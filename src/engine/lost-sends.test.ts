// Whatever a page says to the relay may be lost with the link: then it is said, and what a person did holds.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../drive/settings.ts';
import {
  ASK,
  CONNECTION,
  FakeRelay,
  LAUNCH,
  page,
  polite,
  settle,
} from '../test/programs/fake-relay.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const WITH = JSON.stringify({ jsonrpc: '2.0', method: '_mine', params: { n: 0 } });
const line = (n: number) => WITH.replace('0}', `${n}}`);

/** A short session over a link that is lost with its nth command, and comes back; how it went. */
async function session(breaksAt: number) {
  const relay = new FakeRelay();
  polite(relay);
  const { engine, news, last, handlers, store } = await page(relay);
  relay.breaksAt = breaksAt;
  const back = async () => {
    await settle();
    if (last('link')?.state.status === 'lost') for (const one of handlers) relay.connect(one);
    await settle();
  };
  const starting = engine.connections.start(LAUNCH, DEFAULT_SETTINGS);
  await back();
  let said: unknown[] = [await starting];
  if (!relay.exists) return { relay, said, lost: [], news, store };
  await back();
  const asking = engine.connections.request(CONNECTION, 'session/new', { cwd: '/w' });
  await back();
  said = [...said, await asking];
  for (let n = 1; n <= 3; n++) {
    said.push((await engine.connections.sendLine(CONNECTION, line(n))) ?? 'sent');
    await back();
  }
  relay.frame('agent', ASK);
  await back();
  const asked = last('traces')?.traces[0]?.facts?.open.at(-1)?.seq;
  if (asked)
    await engine.connections.answer(CONNECTION, asked, { kind: 'option', optionId: 'yes' });
  await back();
  const waits = last('traces')?.traces[0]?.facts?.open.length;
  const lost = [1, 2, 3].filter((n) => !relay.sentBy('composer').includes(line(n)));
  return { relay, said, lost, waits, news, store };
}

test('every write can fail (N1): whichever command is lost with its link, nothing a person did is lost without a word', async () => {
  const losses: string[] = [];
  for (let nth = 1; ; nth++) {
    const { relay, said, lost, waits, news, store } = await session(nth);
    const at = `the ${nth}th of them`;
    if (!relay.exists) {
      expect(said, at).toMatchObject([
        { ok: false, problem: { message: expect.stringContaining('no link') as string } },
      ]);
      losses.push('start');
      continue;
    }
    // A request is answered, or whoever asked is told.
    const [, asked, ...sent] = said;
    const heard = relay.sentBy('script').some((text) => text.includes('session/new'));
    if (!heard) losses.push('request');
    expect(asked, at).toMatchObject(
      heard
        ? { kind: 'result' }
        : { kind: 'ended', message: expect.stringContaining('Send it again') as string },
    );
    // A line is in the record, or its person is told.
    expect(sent, at).toEqual(['sent', 'sent', 'sent']);
    expect(news().filter((text) => text.includes('what you wrote')).length, at).toBe(lost.length);
    if (lost.length > 0) losses.push('line');
    // A request of the agent is answered, or waits on.
    const answered = relay.sentBy('script').filter((text) => text.includes('"yes"')).length;
    expect([answered, waits], at).toEqual(answered === 1 ? [1, 0] : [0, 1]);
    if (answered === 0) losses.push('answer');
    // And all that the relay has is in the database, once.
    await settle(1000);
    const traces = await store.traces();
    expect(traces.ok && traces.value[0]?.events, at).toBe(relay.spool.length);
    if (relay.breaksAt > 0) break;
  }
  expect(new Set(losses)).toEqual(new Set(['start', 'request', 'line', 'answer']));
});

test('a trace that is deleted while the relay cannot be told stays deleted', async () => {
  const relay = new FakeRelay();
  const { engine, last, handlers } = await page(relay);
  await engine.connections.start(LAUNCH, { ...DEFAULT_SETTINGS, handshake: false });
  relay.record({ type: 'exit', code: 0 });
  for (const one of relay.dropAll()) relay.connect(one);
  await settle();
  relay.dropAll();
  await engine.library.remove([CONNECTION]);
  await settle(20_000);
  for (const one of handlers) relay.connect(one);
  await settle(1000);
  expect(last('traces')?.traces).toEqual([]);
  expect(relay.commands.at(-1)).toEqual({ type: 'forget', connection: CONNECTION });
});
