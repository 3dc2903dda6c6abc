import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FindingsState } from '../engine/findings/finding-messages.ts';
import type { TraceSummary } from '../engine/messages.ts';
import type { Millis } from '../lib/time.ts';
import type { OpenRequest } from '../model/facts/facts-view.ts';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  traceSummary,
} from '../test/programs/running-app.ts';
import { connectionId, seq } from '../trace/event.ts';
import { Announcer } from './announcer.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const CHECKED: FindingsState = {
  connection: CONNECTION,
  version: 1,
  checked: 1,
  done: true,
  counts: { error: 0, warning: 0, hint: 0, undecidable: 0, suppressed: 0 },
  choice: { edition: 'auto', together: [] },
  edition: 'v1-2.4.0',
  words: 'v1 as of SDK 2.4.0',
  reason: '',
  editions: [],
  together: [],
};

async function heard(more: Partial<TraceSummary> = {}) {
  const app = await runningApp({});
  const announcer = new Announcer(app);
  const said: string[] = [];
  const show = (now: Partial<TraceSummary>) => {
    const trace = { ...traceSummary(connectionFacts()), ...more, ...now };
    app.receive({ type: 'traces', traces: [trace] });
    announcer.watch();
  };
  const found = (counts: Partial<FindingsState['counts']>, done = true) => {
    app.receive({
      type: 'findings',
      state: { ...CHECKED, done, counts: { ...CHECKED.counts, ...counts } },
    });
    announcer.watch();
  };
  const pass = (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      vi.advanceTimersByTime(100);
      if (announcer.polite !== '' && announcer.polite !== said.at(-1)) said.push(announcer.polite);
    }
  };
  show({ frames: 10 });
  return { app, announcer, said, show, found, pass };
}

test('what has come is told in sum, at most once in five seconds', async () => {
  const { said, show, found, pass } = await heard();
  pass(2000);
  expect(said).toEqual([]);
  show({ frames: 30 });
  show({ frames: 47 });
  found({ error: 1 });
  pass(1000);
  expect(said).toEqual(['37 new frames, 1 error']);
  for (let frames = 48; frames < 148; frames++) {
    show({ frames });
    pass(100);
  }
  expect(said).toHaveLength(3);
  found({ error: 1, warning: 2, hint: 1 });
  pass(10_000);
  expect(said).toHaveLength(4);
  expect(said.at(-1)).toMatch(/^\d+ new frames, 2 warnings, 1 hint$/);
});

test('frames that are read from storage again are not new', async () => {
  const { said, show, pass } = await heard();
  show({ frames: 2 });
  pass(6000);
  show({ frames: 10 });
  pass(6000);
  expect(said).toEqual([]);
  show({ frames: 11 });
  pass(6000);
  expect(said).toEqual(['1 new frame']);
});

test('of a file is told what the whole check found, and no frame', async () => {
  const { said, show, found, pass } = await heard({ mode: 'file', state: 'ended' });
  show({ frames: 500 });
  found({ warning: 1 }, false);
  pass(6000);
  expect(said).toEqual([]);
  found({ warning: 3 });
  pass(6000);
  expect(said).toEqual(['3 warnings']);
});

test('another trace begins anew, and says nothing of the one before', async () => {
  const { app, announcer, said, show, pass } = await heard();
  show({ frames: 40 });
  const other = { ...traceSummary(connectionFacts()), connection: connectionId('other') };
  app.receive({ type: 'traces', traces: [other] });
  await app.show(other.connection);
  announcer.watch();
  pass(6000);
  expect(said).toEqual([]);
});

test('an agent that waits is told of, unless a rule of the client answers it at once', async () => {
  const { announcer, show } = await heard();
  const ask: OpenRequest = {
    ...{ seq: seq(9), from: 'agent', id: '←1', method: 'session/request_permission' },
    ...{ since: 0 as Millis, summary: 'Write config.json', options: [] },
  };
  const during = (open: readonly OpenRequest[]) => {
    show({ facts: connectionFacts({ open }) });
    return announcer.watchAsks();
  };
  const done = during([ask]);
  vi.advanceTimersByTime(200);
  done?.();
  during([]);
  vi.advanceTimersByTime(2000);
  expect(announcer.urgent).toBe('');
  during([ask]);
  vi.advanceTimersByTime(2000);
  expect(announcer.urgent).toBe('The agent asks for permission: Write config.json');
  during([]);
  expect(announcer.urgent).toBe('');
});
