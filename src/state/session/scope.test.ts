import { expect, test } from 'vitest';
import type { TraceSession, TraceSummary } from '../../engine/messages.ts';
import {
  connectionFacts,
  NO_SETTINGS,
  sessionFacts,
  someEngine,
} from '../../test/programs/running-app.ts';
import type { RunVerdict } from '../../model/sessions/session-runs.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { App } from '../app.svelte.ts';
import type { View } from '../views.ts';
import { runToShow } from './scope.ts';

const restore = { request: seq(5), name: 'start', outcome: 'answered', late: 0 } as const;
const restores: TraceSession['restores'] = [restore];
function trace(number: number, more: Partial<TraceSummary> = {}): TraceSummary {
  const connection = connectionId(`c${number}`);
  const ids = more.sessions?.map(({ sessionId }) => sessionId) ?? [];
  const facts = connectionFacts({ connection, sessions: ids.map((id) => sessionFacts(id)) });
  return {
    ...{ connection, name: 'agent', number, mode: 'drive', state: 'ended', startedAt: '' },
    ...{ events: 1, frames: 1, stored: 1, agent: 'Ant', facts },
    ...more,
  };
}
const named = (of: TraceSession['restores'] = []): Partial<TraceSummary> => ({
  sessions: [{ sessionId: 's', chip: 'S1', items: 1, restores: of }],
});
const batch = (label: string) => ({
  group: { id: 'b', title: 'Restore variants', label, session: 's' },
});

async function at(traces: readonly TraceSummary[], connection: string, view: View) {
  const app = new App(someEngine({}), NO_SETTINGS);
  app.receive({ type: 'traces', traces });
  await app.show(connectionId(connection), view);
  return { app, other: runToShow(app)?.connection };
}

test('after all variants were sent, a view without anything to show takes the newest run with it', async () => {
  const all = [
    trace(1, named()),
    trace(2),
    trace(3, { ...batch('v2 start'), ...named(restores) }),
    trace(4, { ...batch('v2 malformed'), ...named([{ ...restore, outcome: 'rejected' }]) }),
  ];
  for (const view of ['session', 'conversation', 'compare'] as const)
    expect((await at(all, 'c2', view)).other).toBe('c3');
  expect((await at(all, 'c1', 'compare')).other).toBe('c3');
  expect((await at(all, 'c1', 'session')).other).toBeUndefined();
  expect((await at(all, 'c2', 'trace')).other).toBeUndefined();
});

test('a run without history that nobody chose gives way to a run with history; a chosen run stays', async () => {
  const judged: RunVerdict = {
    ...{ protocol: 'followed', history: 'identical', headline: '', figures: '' },
    tape: [['replayed', 1]],
  };
  const empty: Partial<TraceSummary> = {
    sessions: [{ sessionId: 's', chip: 'S1', items: 0, restores }],
  };
  const all = [
    trace(1, named()),
    trace(2, { ...batch('v2 omitted'), ...empty }),
    trace(3, { ...batch('v2 start'), ...named([{ ...restore, judged }]) }),
    trace(4, { ...batch('v2 null'), ...empty }),
  ];
  for (const view of ['conversation', 'compare'] as const) {
    const { app } = await at(all, 'c2', view);
    expect(runToShow(app)).toBeUndefined();
    expect(runToShow(app, connectionId('c2'))?.connection).toBe('c3');
  }
  expect(runToShow((await at(all, 'c2', 'session')).app, connectionId('c2'))).toBeUndefined();
});

test('an agent that was started after a run is not taken away from', async () => {
  const all = [trace(1, named()), trace(2, { ...batch('v2 start'), ...named(restores) }), trace(3)];
  expect((await at(all, 'c3', 'conversation')).other).toBeUndefined();
});

test('the chosen session stays with another run of it, and not with a trace that lacks it', async () => {
  const all = [trace(1, named()), trace(2, named(restores)), trace(3)];
  const { app } = await at(all, 'c1', 'trace');
  await app.pickSession(connectionId('c1'), 's');
  await app.show(connectionId('c2'));
  expect(app.pickedSession).toBe('s');
  await app.show(connectionId('c3'));
  expect(app.pickedSession).toBeUndefined();
});
