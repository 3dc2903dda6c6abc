// The bundled agent behind the official SDK's server; and behind a proxy that gives events ids, repeats,
// loses, or takes any cursor.
import { mkdtempSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BundledAgentOptions } from '../../../agent/misbehaviours.ts';
import { NodeLauncher } from '../../../cli/parts/launcher.ts';
import { addressOf } from '../../../relay/transports/address.ts';
import { listen, listeningAgent } from '../../../test/programs/remote.ts';
import { PromptBudget } from '../../prompt-budget.ts';
import { matcherOf } from '../plan.ts';
import { runProbes } from '../run.ts';
import { PROBE_TEXTS } from '../../../model/probe-texts.ts';

async function probed(id: string, url: string, version: 1 | 2 = 2, patience = 20_000) {
  const read = addressOf(url, []);
  if (!read.ok) throw new Error(read.message);
  const words = { argv: [url], address: read.address };
  const launcher = new NodeLauncher(words, mkdtempSync(join(tmpdir(), 'acp-scope-')), () => {});
  const outcome = await runProbes({
    settings: {
      ...{ launcher, name: { name: 'test', version: '1' }, budget: new PromptBudget(5) },
      ...{ cwd: '/work', otherCwd: '/other', quiet: 100, patience, turnPatience: 20_000 },
      ...{ texts: PROBE_TEXTS, random: () => 'zzyzx' },
    },
    ...{ version, chosen: matcherOf(id), stop: new AbortController().signal },
  });
  if (!outcome.ok) throw new Error(outcome.message);
  const found = outcome.report.probes.find((probe) => probe.id === id);
  return { verdict: found?.verdict, why: found?.why };
}

interface Faults {
  /** Without: events have no ids. */
  readonly ids?: 'refused' | 'any';
  readonly onReopen?: 'repeats' | 'loses';
}

/** Its streams go through here, as they came but for these faults. */
async function behindProxy(url: string, { ids, onReopen }: Faults): Promise<string> {
  const streams = new Map<string, string[]>();
  const proxy = createServer((asked, answer) => {
    const { headers, method } = asked;
    const lastId = headers['last-event-id'];
    const key = `${String(headers['acp-connection-id'])} ${String(headers['acp-session-id'])}`;
    if (ids === 'refused' && lastId !== undefined && !/^\d+$/.test(String(lastId)))
      return answer.writeHead(409).end();
    const there = { ...headers, host: new URL(url).host };
    const sent = request(url, { method, headers: there }, (got) => {
      answer.writeHead(got.statusCode ?? 0, got.headers);
      if (method !== 'GET' || got.statusCode !== 200) return got.pipe(answer);
      answer.flushHeaders();
      const said = streams.get(key) ?? [];
      streams.set(key, said);
      const isAgain = said.length > 0;
      let loses = isAgain && onReopen === 'loses' ? 1 : 0;
      if (isAgain && onReopen === 'repeats') answer.write(said[0]);
      return got.on('data', (chunk: Buffer) => {
        for (const event of chunk.toString().split(/(?<=\n\n)/)) {
          if (!event.startsWith('data:') || loses-- > 0) continue;
          const named = ids ? `id: ${said.length}\n${event}` : event;
          said.push(named);
          answer.write(named);
        }
      });
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    return asked.pipe(sent);
  });
  return `http://127.0.0.1:${await listen(proxy)}/acp`;
}

const agent = (faults?: Faults, more: Partial<BundledAgentOptions> = { pace: 0.2 }) =>
  listeningAgent(more).then((url) => (faults ? behindProxy(url, faults) : url));

test.each([1, 2] as const)(
  'v%i: a stream that is dropped in the middle of work and opened again goes on, and repeats nothing',
  async (version) => {
    expect(await probed('http/reattach', await agent(), version)).toMatchObject({
      verdict: 'pass',
      why: expect.stringMatching(/came before it was dropped, \d+ behind, and none of them twice/),
    });
  },
);

test('a server that says once more what it had said on a stream that is opened again fails', async () => {
  const found = await probed('http/reattach', await agent({ onReopen: 'repeats' }));
  expect(found).toMatchObject({ verdict: 'fail', why: expect.stringContaining('and 1 of those') });
});

test('without ids nothing can be resumed, which is noted', async () => {
  const found = await probed('http/last-event-id', await agent());
  expect(found).toMatchObject({ verdict: 'info', why: expect.stringContaining('have no ids') });
});

test.each([
  ['pass', 'an unknown id got 409', { ids: 'refused' }],
  ['warn', 'An id that no event had got a stream', { ids: 'any' }],
  ['fail', 'came once more', { ids: 'refused', onReopen: 'repeats' }],
  ['fail', 'did not come', { ids: 'refused', onReopen: 'loses' }],
] as const)(
  'behind the last id: %s, %s',
  async (verdict, why, faults) => {
    const found = await probed('http/last-event-id', await agent(faults), 2, 3000);
    expect(found).toMatchObject({ verdict, why: expect.stringContaining(why) });
  },
  60_000,
);

test.each([1, 2] as const)(
  'v%i: a new connection finds what was said on the last',
  async (version) => {
    expect(await probed('http/reconnect', await agent(), version)).toMatchObject({
      verdict: 'pass',
    });
  },
);

test('an agent that gives half of what it said back fails', async () => {
  const lossy = await agent(undefined, { pace: 0, misbehave: 'lossy-replay' });
  expect(await probed('http/reconnect', lossy)).toMatchObject({ verdict: 'fail' });
});
