// What the chips of sessions are called beside each other. A run of tests and an opened file count their
// own sessions, so that their S1 may be another session than the page's: those bear their trace too.
import type { TraceSummary } from '../../engine/messages.ts';
import { grouped } from '../../lib/grouped.ts';
import type { ConnectionId } from '../../trace/event.ts';

/** `S1` → `c7·S1`, by trace: only chips that stand for another session elsewhere. */
export type ChipNames = ReadonlyMap<ConnectionId, ReadonlyMap<string, string>>;

const countsItsOwn = ({ mode, group }: TraceSummary) => mode === 'file' || group !== undefined;

export function chipNames(traces: readonly TraceSummary[]): ChipNames {
  const names = new Map<ConnectionId, Map<string, string>>();
  const uses = traces.flatMap((trace) =>
    (trace.facts?.sessions ?? []).map(({ chip, sessionId }) => ({ chip, sessionId, trace })),
  );
  for (const [chip, all] of grouped(uses, (use) => use.chip)) {
    const sessions = grouped(all, (use) => use.sessionId);
    if (chip === '' || sessions.size < 2) continue;
    for (const same of sessions.values()) {
      if (!same.every(({ trace }) => countsItsOwn(trace))) continue;
      const first = Math.min(...same.map(({ trace }) => trace.number));
      for (const { trace } of same) {
        const own = names.get(trace.connection) ?? new Map<string, string>();
        names.set(trace.connection, own.set(chip, `c${first}·${chip}`));
      }
    }
  }
  return names;
}
