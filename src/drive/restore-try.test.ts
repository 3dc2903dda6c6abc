import { beforeEach, describe, expect, test } from 'vitest';
import type { BundledAgentOptions } from '../agent/misbehaviours.ts';
import { obj, str } from '../acp/json.ts';
import { sourcesOf } from '../test/traces/fidelity-sources.ts';
import { bundledLauncher, type BundledLauncher } from '../test/programs/driven-agent.ts';
import { freshStore } from '../test/programs/bundled-agent.ts';
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import type { TraceEvent } from '../trace/event.ts';
import type { RestoreResult } from '../model/restore/restore-results.ts';
import { restoreVariants, type RestoreVariant } from '../model/restore/restore-shapes.ts';
import { ScriptedConnection } from './scripted.ts';
import { PromptBudget } from './prompt-budget.ts';
import { tryRestore, type ThenPrompt, type Tried, type TryOptions } from './restore-try.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { takeTurn } from './turn.ts';

const CWD = '/work/project';
const name = { name: 'test', version: '1' };
let store: string;
let sessionId: string;
let messageId: string;
let live: readonly TraceEvent[];

/** A session with one turn, by an agent that has ended. */
beforeEach(async () => {
  store = freshStore();
  const launched = await bundledLauncher({ store }).launch({ label: 'live' });
  if (!launched.ok) throw new Error(launched.message);
  const connection = new ScriptedConnection(launched.agent, { name, budget: new PromptBudget(2) });
  await connection.initialize(2);
  const made = await connection.request('session/new', { cwd: CWD, mcpServers: [] });
  sessionId = str(made.result, 'sessionId') ?? '';
  await takeTurn(connection, sessionId, 'quick');
  messageId = (await takeTurn(connection, sessionId, 'quick')).messageId ?? '';
  await connection.leave();
  live = connection.heard.map(({ frame }) => frame);
});

const partsOf = ({ shape, cursor }: RestoreVariant) => ({
  ...{ shape, cursor, sessionId, cwd: CWD, mcpServers: '[]' },
});

interface Ran {
  readonly tried: Tried;
  readonly launcher: BundledLauncher;
  /** Of the last restore of the last connection. */
  readonly result: RestoreResult | undefined;
}

async function run(
  variant: RestoreVariant,
  agent: Partial<BundledAgentOptions> = {},
  then?: ThenPrompt,
  budget = new PromptBudget(0),
): Promise<Ran> {
  const launcher = bundledLauncher({ store, ...agent });
  const options: TryOptions = {
    ...{ launcher, name, budget },
    offer: DEFAULT_SETTINGS.advertise,
    quiet: 20,
  };
  const parts = partsOf(variant);
  const wish = { label: variant.label, version: variant.version, parts };
  const tried = await tryRestore(then ? { ...wish, then } : wish, options);
  const sources = sourcesOf([live, launcher.launched.at(-1)?.frames ?? []]);
  return { tried, launcher, result: fidelityOf(sources).windows.at(-1)?.result };
}

const variants = () => restoreVariants([JSON.stringify({ type: '_message', messageId })]);
const variant = (label: string) => {
  const found = variants().find((one) => one.label.startsWith(label));
  if (!found) throw new Error(`No variant is called ${label}`);
  return found;
};

describe('of the bundled agent, each variant on a connection of its own', () => {
  test('comes to what is due, and nothing is prompted', async () => {
    const verdicts = new Map<string, unknown>();
    for (const one of variants()) {
      const { tried, result, launcher } = await run(one);
      expect(tried).toEqual({ kind: 'sent', trace: one.label });
      expect(launcher.launched).toHaveLength(1);
      verdicts.set(one.label.replace(/ \{.*| ".*/, ''), [result?.verdict, result?.due]);
    }
    expect(Object.fromEntries(verdicts)).toEqual({
      'v2 omitted': ['restored-without-replay', true],
      'v2 null': ['restored-without-replay', true],
      'v2 start': ['replayed-from-start', true],
      'v2 custom': ['replayed-from-cursor', true],
      'v2 unknown': ['rejected-as-due', true],
      'v2 malformed': ['rejected-as-due', true],
      'v1 load': ['replayed-from-start', true],
      'v1 resume': ['restored-without-replay', true],
    });
  });

  test.each([
    ['v2 unknown', 'accepts-unknown-cursor', 'ignored-replayed-from-start'],
    ['v2 malformed', 'accepts-unknown-cursor', 'ignored-replayed-from-start'],
    ['v2 custom', 'exclusive-cursor', 'replayed-elsewhere'],
    ['v2 omitted', 'replay-without-cursor', 'replayed-unasked'],
    ['v1 resume', 'replay-without-cursor', 'replayed-unasked'],
    ['v2 start', 'replay-after-answer', 'replayed-late'],
    ['v1 load', 'replay-after-answer', 'replayed-late'],
  ] as const)('%s of an agent that misbehaves: %s', async (label, misbehave, verdict) => {
    const { result } = await run(variant(label), { misbehave });
    expect([result?.verdict, result?.due]).toEqual([verdict, false]);
  });
});

test('an agent that speaks another version is told apart, and gets no line', async () => {
  const { tried, result } = await run(variant('v1 load'), { protocol: 2 });
  expect(tried).toEqual({ kind: 'other version', spoken: undefined });
  expect(result).toBeUndefined();
});

test('an agent that ends at once fails with a sentence', async () => {
  const launcher = { launch: () => Promise.resolve({ ok: false as const, message: 'Not found.' }) };
  const wish = variant('v1 load');
  const tried = await tryRestore(
    { ...wish, parts: partsOf(wish) },
    { launcher, name, budget: new PromptBudget(0), offer: DEFAULT_SETTINGS.advertise },
  );
  expect(tried).toEqual({ kind: 'failed', message: 'Not found.' });
});

describe('a prompt goes to a copy', () => {
  test('a fork is restored and asked; the session itself is never prompted', async () => {
    const budget = new PromptBudget(1);
    const then = { on: 'fork', prompt: 'quick' } as const;
    const { tried, launcher, result } = await run(variant('v2 start'), {}, then, budget);
    expect(tried.kind).toBe('sent');
    expect(budget.spent).toBe(1);
    expect(result?.window.sessionId).not.toBe(sessionId);
    expect(result?.verdict).toBe('replayed-from-start');
    for (const { frames } of launcher.launched)
      for (const { line } of frames) {
        const text = 'text' in line ? line.text : '';
        if (!text.includes('"session/prompt"')) continue;
        const asked = obj(JSON.parse(text), 'params');
        expect(str(asked, 'sessionId')).not.toBe(sessionId);
      }
  });

  test('a lab session is told first, and asked by the connection that restored it', async () => {
    const budget = new PromptBudget(2);
    const then = { on: 'lab', tell: 'quick', prompt: 'quick' } as const;
    const { tried, launcher } = await run(variant('v1 resume'), {}, then, budget);
    expect(tried.kind).toBe('sent');
    expect(budget.spent).toBe(2);
    expect(launcher.launched.map(({ trace }) => trace)).toEqual(['v1 resume, lab', 'v1 resume']);
  });

  test('where the restore is rejected, nothing is prompted', async () => {
    const budget = new PromptBudget(1);
    await run(variant('v2 unknown'), {}, { on: 'fork', prompt: 'quick' }, budget);
    expect(budget.spent).toBe(0);
  });
});
