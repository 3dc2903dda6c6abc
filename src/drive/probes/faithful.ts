// The shared session's replay held against what was said live, as `acp-scope fidelity` does it: both
// folded to one form and aligned.
import { fidelityOf } from '../../diff/fidelity.ts';
import type { FidelitySource, FidelityWindow } from '../../diff/report.ts';
import { chipBook } from '../../model/chips.ts';
import { messageOf } from '../../model/digest.ts';
import { TraceIndex } from '../../model/trace-index.ts';
import { connectionId, type TraceEvent } from '../../trace/event.ts';
import { eventSize } from '../../trace/line.ts';
import type { ScriptedConnection } from '../scripted.ts';
import { eventsOf } from './events.ts';
import { at, pass, skip, warn, type ProbeVerdict } from './probe.ts';
import type { Restored } from './restored.ts';

/** Warns of what a client that trusts the replay would get wrong. */
export function faithful(
  live: ScriptedConnection,
  { connection, answered }: Pick<Restored, 'connection' | 'answered'>,
  sessionId: string,
): ProbeVerdict {
  const window = windowOf(live, connection, sessionId, answered.requestSeq);
  const spot = at(connection, answered);
  if (!window) return skip('There is no replay to compare.', spot);
  const { verdict, sentence, differences } = window;
  const counted = differences.filter((one) => one.verdict === 'lossy' || one.verdict === 'corrupt');
  const mine = counted.flatMap(({ replayed }) => replayed?.seq ?? []);
  const theirs = counted.flatMap(({ live: said }) => said?.seq ?? []);
  const spots = [at(connection, answered, ...mine), at(live, ...theirs)];
  switch (verdict) {
    case 'equal':
      return pass('What was said live came back as it was.', spot);
    case 'cosmetic':
      return pass(`What was said live came back. ${sentence}`, spot);
    case 'undecidable':
      return skip(sentence, spot);
    case 'lossy':
    case 'corrupt':
      return warn(sentence, ...spots);
  }
}

function windowOf(
  live: ScriptedConnection,
  back: ScriptedConnection,
  session: string,
  request: number | undefined,
): FidelityWindow | undefined {
  const { windows } = fidelityOf([sourceOf(live), sourceOf(back)], { session });
  return windows.find(
    ({ connection, requestSeq }) => connection === back.trace && requestSeq === request,
  );
}

function sourceOf(connection: ScriptedConnection): FidelitySource {
  const events = eventsOf(connection);
  const name = connectionId(connection.trace);
  const index = new TraceIndex(name, chipBook());
  for (const event of events)
    index.append(event, event.type === 'frame' ? messageOf(event) : undefined, eventSize(event));
  return { index, connection: name, began: undefined, eventAt: (place) => eventIn(events, place) };
}

function eventIn(events: readonly TraceEvent[], place: number): TraceEvent {
  const event = events[place];
  if (!event) throw new Error(`There is no event at ${place}.`);
  return event;
}
