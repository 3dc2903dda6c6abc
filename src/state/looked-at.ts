// What views read of the trace or the session looked at, each again as it grows.
import type { WindowStrip } from '../engine/fidelity/fidelities.ts';
import type { WindowDetail } from '../engine/messages.ts';
import type { CapabilityUse } from '../model/facts/capability-use.ts';
import type { WaitingView } from '../model/facts/waiting.ts';
import type { InterceptMark } from '../model/sessions/intercept-marks.ts';
import type { Drift } from '../model/sessions/session-history.ts';
import type { FindingRow } from '../model/timeline/density.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { App } from './app.svelte.ts';
import { Asked } from './asked.svelte.ts';
import type { Answers } from './answers.svelte.ts';

const PAUSE_MS = 250;
const LONG_PAUSE_MS = 500;
/** As many as a tall ruler has room for. */
const RULER_PARTS = 300;

function ofTrace<A>(app: App, ask: (of: ConnectionId) => Promise<A>, pauseMs: number) {
  return new Asked(() => app.current?.connection, ask, pauseMs);
}

/** Who waits for whom at the playhead. */
export function waitingIn(app: App): Asked<ConnectionId, WaitingView> {
  return ofTrace(app, (of) => app.engine.sessions.waiting(of, app.playhead), LONG_PAUSE_MS);
}

/** How often capabilities were made use of. */
export function usesIn(app: App): Asked<ConnectionId, readonly CapabilityUse[]> {
  return ofTrace(app, (of) => app.engine.sessions.capabilityUse(of), 2 * LONG_PAUSE_MS);
}

/** For the ruler beside the timeline. */
export function findingRowsIn(app: App): Asked<ConnectionId, readonly FindingRow[]> {
  return ofTrace(app, (of) => app.engine.findings.rows(of, RULER_PARTS), PAUSE_MS);
}

/** How faithful each replay of a session on the connection looked at is, in the order they were asked for. */
export function replaysOf(
  app: App,
  session: () => string | undefined,
): Asked<string, readonly WindowStrip[]> {
  const of = () => app.current && session() && `${app.current.connection} ${session()}`;
  const ask = async (): Promise<readonly WindowStrip[]> => {
    const [connection, sessionId] = [app.current?.connection, session()];
    if (connection === undefined || sessionId === undefined) return [];
    const all = await app.engine.fidelity.strips(connection, sessionId);
    return all.filter((one) => one.connection === connection);
  };
  return new Asked(of, ask, LONG_PAUSE_MS);
}

/** What the intercept did to messages of the session that is shown. */
export function interceptedIn(app: App): Asked<string, readonly InterceptMark[]> {
  const of = () => app.session?.sessionId;
  const ask = async (session: string) =>
    app.current ? app.engine.fidelity.intercepted(app.current.connection, session) : [];
  return new Asked(of, ask, LONG_PAUSE_MS);
}

/** The replay window of a restore request; its answer is requested with it. */
export function windowAt(
  app: App,
  request: () => Seq | undefined,
  answers: Answers,
): Asked<Seq, WindowDetail | undefined> {
  const ask = async (of: Seq) => {
    const connection = app.current?.connection;
    const found = connection && (await app.engine.sessions.replayWindow(connection, of));
    if (found) void answers.ask([found.result]);
    return found;
  };
  return new Asked(request, ask, PAUSE_MS);
}

/** What the last restore of a session brought back here otherwise than it was. */
export function lastDrift(
  app: App,
  session: () => string | undefined,
): Asked<string, readonly Drift[]> {
  const ask = async (of: string) => {
    const connection = app.current?.connection;
    const events = await app.engine.sessions.history(of);
    return events.flatMap((event) => (event.connection === connection ? event.drift : []));
  };
  return new Asked(session, ask, PAUSE_MS);
}

/** What a value said by this frame was before the restore; undefined: the same, or set since. */
export function beforeRestore(
  drifts: readonly Drift[] | undefined,
  path: string,
  seq: Seq,
): Drift['before'] | undefined {
  return drifts?.find((drift) => drift.path === path && drift.after?.seq === seq)?.before;
}
