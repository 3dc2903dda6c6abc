// A trace that is played as the agent, to this page or to an editor: its connection beside the
// recording, as far as it is. Nothing of it is kept: both traces are, and it is read off them.
import { nearestVersion } from '../../acp/handshake.ts';
import { agentVerdict, type AgentReport } from '../../drive/replay/agent-report.ts';
import { divergenceOf, storySoFar } from '../../drive/replay/divergence.ts';
import type { Strictness } from '../../drive/replay/strictness.ts';
import { playedOf, type PlayedNote } from '../../drive/replay/played.ts';
import { readRecorded, type Recorded } from '../../drive/replay/recorded.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { playedTrace } from '../../link/lent-name.ts';
import { peerWords } from '../../model/words.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { ConnectionId, Seq, TraceEvent } from '../../trace/event.ts';
import { isUnreadable, parseHeader } from '../../trace/format.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { Parts } from '../parts.ts';
import type { RerunReportView } from './rerun-messages.ts';
import type { RerunTerms } from './run-messages.ts';
import { MOST_WATCHED, stateRows, termsTold } from './rerun-run.ts';
import { rerunRows } from './rerun-rows.ts';

interface Play {
  readonly recording: StoredTrace;
  readonly connection: StoredTrace;
  readonly strictness: Strictness;
}

export interface KnownPlay {
  readonly view: RerunReportView;
  readonly report: AgentReport;
}

/** What a recording holds is read once for as long as it does not grow. */
const read = new WeakMap<OpenTrace, { readonly length: number; readonly recorded: Recorded }>();

/** Undefined: it plays no trace that this browser has. */
export function playOf({ catalog }: Parts, connection: ConnectionId): Play | undefined {
  const stored = catalog.get(connection);
  const argv = stored && argvOf(stored);
  const played = argv && playedTrace(argv);
  const recording = played === undefined ? undefined : catalog.get(played);
  if (!stored || !argv || !recording) return undefined;
  const strictness = argv.includes('--strict')
    ? 'strict'
    : argv.includes('--loose')
      ? 'loose'
      : 'plain';
  return { recording, connection: stored, strictness };
}

/** Connections that play this recording, the newest first. */
export function playsOf({ catalog }: Parts, recording: ConnectionId): readonly ConnectionId[] {
  return catalog
    .summaries()
    .flatMap(({ connection }) => catalog.get(connection) ?? [])
    .filter((stored) => playedTrace(argvOf(stored) ?? []) === recording)
    .map(({ connection }) => connection)
    .toReversed();
}

export async function knownPlay(parts: Parts, play: Play, terms: RerunTerms): Promise<KnownPlay> {
  const { recording, connection, strictness } = play;
  const { traces } = parts;
  const [was, is] = await Promise.all([
    traces.whole(recording.connection),
    traces.whole(connection.connection),
  ]);
  const isOver = !parts.catalog.isRunning(connection.connection);
  const [before, after] = [was.lines.all(), is.lines.all()];
  const { report, notes, folders } = playedOf(recordedOf(was, before), strictness, after, isOver);
  const { client, version } = is.index.facts().handshake ?? {};
  const isLaid = isOver || before.length + after.length <= MOST_WATCHED;
  const divergence = isOver ? await divergenceOf(before, after, folders, terms) : undefined;
  const story =
    divergence?.story ?? (isLaid ? await storySoFar(before, after, folders, terms) : undefined);
  const { rows, leftOut, counts } = story
    ? rerunRows(story, { isOver, anyOrder: true, letPass: letPassIn(notes) })
    : { rows: [], leftOut: 0, counts: {} };
  const [next] = isOver ? [] : report.neverCame;
  const view: RerunReportView = {
    ...{ id: connection.connection, role: 'agent', name: recording.name },
    agent: peerWords(client ?? {}, ''),
    version: nearestVersion(version),
    at: connection.startedAt,
    ...{ recording: recording.connection, rerun: connection.connection },
    phase: isOver ? 'over' : 'running',
    verdict: isOver ? agentVerdict(report) : undefined,
    isAsRecorded: report.ok,
    ended: undefined,
    ...{ rows, rowsLeftOut: leftOut, counts, notes },
    state: divergence ? stateRows(divergence.differences) : [],
    problems: report.problems,
    ...(story && termsTold(story)),
    said: report.said,
    unsaid: report.unsaid,
    ...(next && { next: { seq: next.seq, method: next.method } }),
  };
  return { view, report };
}

function letPassIn(notes: readonly PlayedNote[]): ReadonlySet<Seq> {
  return new Set(
    notes.flatMap(({ kind, live }) => (kind === 'tolerated' && live !== undefined ? [live] : [])),
  );
}

function recordedOf(trace: OpenTrace, events: readonly TraceEvent[]): Recorded {
  const known = read.get(trace);
  if (known?.length === events.length) return known.recorded;
  const recorded = readRecorded(events);
  read.set(trace, { length: events.length, recorded });
  return recorded;
}

function argvOf({ header }: StoredTrace): readonly string[] | undefined {
  const read = parseHeader(decodeLossy(header));
  return isUnreadable(read) ? undefined : read.argv;
}
