// The sessions a restore can name: those of the connection looked at first, then those seen in
// other traces of the same agent, so that a session outlives the process that knew it.
import { defined } from '../../lib/defined.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { SessionFacts } from '../../model/facts/facts-view.ts';
import type { ConnectionId } from '../../trace/event.ts';

/** Its facts are those of the trace whose frames know most of it. */
export interface SessionChoice extends Pick<
  SessionFacts,
  'sessionId' | 'chip' | 'title' | 'cwd' | 'cwdTried' | 'updatedAt' | 'first' | 'frames'
> {
  readonly connection: ConnectionId;
  readonly number: number;
  /** Named by a `session/list` answer of the connection looked at. */
  readonly listed: boolean;
  readonly here: boolean;
}

export function sessionChoices(
  traces: readonly TraceSummary[],
  current: ConnectionId | undefined,
): readonly SessionChoice[] {
  const choices = new Map<string, SessionChoice>();
  const agent = traces.find(({ connection }) => connection === current)?.agent;
  for (const trace of inOrder(traces, current)) {
    // Another agent cannot know it. Before both handshakes nobody can tell.
    if (agent !== undefined && trace.agent !== undefined && trace.agent !== agent) continue;
    // What runs of ours made is nobody's work to come back to.
    if (trace.group !== undefined && trace.connection !== current) continue;
    for (const session of trace.facts?.sessions ?? []) {
      // An id that we tried and the agent refused is typed, not chosen.
      if (session.askedOnly && trace.mode === 'drive') continue;
      // A child comes back with its parent.
      if (session.parent !== undefined) continue;
      const here = trace.connection === current;
      const known = choices.get(session.sessionId);
      const merged = merge(known, choice(trace, session, here));
      choices.set(session.sessionId, merged);
    }
  }
  return [...choices.values()];
}

/** The trace looked at first, then the newest. */
function inOrder(
  traces: readonly TraceSummary[],
  current: ConnectionId | undefined,
): readonly TraceSummary[] {
  const rank = (trace: TraceSummary) => (trace.connection === current ? -1 : 0);
  return traces.toSorted((a, b) => rank(a) - rank(b) || b.number - a.number);
}

function choice(trace: TraceSummary, session: SessionFacts, here: boolean): SessionChoice {
  const { sessionId, chip, title, cwd, cwdTried, updatedAt, first, frames } = session;
  const { connection, number } = trace;
  return {
    ...{ sessionId, chip, connection, number, first, frames, here },
    ...defined({ title, cwd, updatedAt, cwdTried: cwdTried || undefined }),
    listed: here && session.listedOnly,
  };
}

/** The first naming keeps its place; the richer trace gives the frames. */
function merge(known: SessionChoice | undefined, next: SessionChoice): SessionChoice {
  if (!known) return next;
  const richer = next.frames > known.frames ? next : known;
  const isTold = (one: SessionChoice) => one.cwd !== undefined && one.cwdTried !== true;
  const { cwd, cwdTried } =
    !isTold(known) && (isTold(next) || known.cwd === undefined) ? next : known;
  const { connection, number, first, frames } = richer;
  const { cwd: _, cwdTried: __, ...rest } = { ...next, ...known };
  return { ...rest, ...defined({ cwd, cwdTried }), connection, number, first, frames };
}
