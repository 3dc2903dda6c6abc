// The two traces that Compare proposes: of one session, else of one agent.
import type { TraceSummary } from '../../engine/messages.ts';

/** Name of the agent as it reports it, else its command. */
export function agentName({ facts, agent }: TraceSummary): string | undefined {
  const told = facts?.handshake?.agent;
  return told?.title ?? told?.name ?? agent;
}

/**
 * Returns the pair in the order of the traces, or undefined if nothing fits. `left`: one of the two. The newest
 * trace of the same session is proposed first, then the newest of the same agent, then the newest.
 */
export function proposedPair(
  traces: readonly TraceSummary[],
  left: TraceSummary | undefined,
): readonly [TraceSummary, TraceSummary] | undefined {
  const known = traces.filter(({ frames, group }) => frames > 0 && group === undefined);
  const one = left ?? known.at(-1);
  if (!one) return undefined;
  const others = known.filter(({ connection }) => connection !== one.connection);
  const own = sessionsOf(one);
  const other =
    others.findLast((trace) => sessionsOf(trace).some((session) => own.includes(session))) ??
    others.findLast((trace) => agentName(trace) === agentName(one)) ??
    others.at(-1);
  if (!other) return undefined;
  return traces.indexOf(other) < traces.indexOf(one) ? [other, one] : [one, other];
}

function sessionsOf({ facts }: TraceSummary): readonly string[] {
  return (facts?.sessions ?? []).flatMap(({ sessionId, listedOnly }) =>
    listedOnly ? [] : [sessionId],
  );
}
