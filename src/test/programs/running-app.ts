// An app that looks at one running connection, over an engine that a test supplies in part.
import type { ClientSettings } from '../../drive/settings.ts';
import type { EngineApi } from '../../engine/api.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { Millis } from '../../lib/time.ts';
import type { ConnectionFacts, SessionFacts } from '../../model/facts/facts-view.ts';
import { App } from '../../state/app.svelte.ts';
import { connectionId, seq } from '../../trace/event.ts';

export const CONNECTION = connectionId('c');

export function sessionFacts(sessionId: string, more: Partial<SessionFacts> = {}): SessionFacts {
  return {
    sessionId,
    chip: 'S1',
    frames: 1,
    first: seq(1),
    last: seq(2),
    active: true,
    listedOnly: false,
    turn: 'idle',
    prompts: [],
    config: [],
    commands: [],
    ...more,
  };
}

export function connectionFacts(more: Partial<ConnectionFacts> = {}): ConnectionFacts {
  return {
    connection: CONNECTION,
    sessions: [],
    open: [],
    lastWords: [],
    frames: 1,
    missing: 0,
    lastEventAt: 0 as Millis,
    ...more,
  };
}

export function traceSummary(facts: ConnectionFacts): TraceSummary {
  return {
    connection: facts.connection,
    name: 'agent',
    number: 1,
    mode: 'drive',
    state: 'running',
    startedAt: '2026-11-21T08:00:00Z',
    events: 1,
    frames: 1,
    stored: 0,
    facts,
  };
}

/** For tests that start nothing. */
export const NO_SETTINGS = {} as ClientSettings;

/** Of each feature some calls. */
export type SomeCalls = { readonly [F in keyof EngineApi]?: Partial<EngineApi[F]> };

/** Calls the test does not supply give nothing; those it supplies later count too. */
export function someEngine(calls: SomeCalls): EngineApi {
  const nothing = () => Promise.resolve(undefined);
  const callsOf = (feature: object) =>
    new Proxy(feature, { get: (target, name) => Reflect.get(target, name) ?? nothing });
  const made = new Map<string | symbol, object>();
  return new Proxy(calls as EngineApi, {
    get: (target, name) => {
      const feature = made.get(name) ?? callsOf(Reflect.get(target, name) ?? {});
      made.set(name, feature);
      return feature;
    },
  });
}

export async function runningApp(
  engine: SomeCalls,
  facts: ConnectionFacts = connectionFacts(),
): Promise<App> {
  const app = new App(someEngine(engine), NO_SETTINGS);
  app.receive({
    type: 'link',
    state: { status: 'open', version: '0', home: '/', cwd: '/', command: [] },
  });
  app.receive({ type: 'traces', traces: [traceSummary(facts)] });
  await app.show(facts.connection, 'trace');
  return app;
}
