// Numbers for frames of several traces in the order they count as live, so that one fold can take
// them all, and every number leads back to its frame.
import { nearestVersion } from '../../acp/handshake.ts';
import { FLAG } from '../columns.ts';
import { makesItem } from '../facts/variants.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import { seq, type Seq, type FrameRef } from '../../trace/event.ts';

interface Numbered {
  readonly source: IndexedTrace;
  readonly place: number;
}

export class Numbering {
  readonly #frames: Numbered[] = [];

  /** The number of the event at a place of a trace: higher than all before. */
  next(source: IndexedTrace, place: number): Seq {
    this.#frames.push({ source, place });
    return seq(this.#frames.length);
  }

  frame(number: number): FrameRef {
    const { source, place } = this.at(number);
    return { connection: source.connection, seq: source.index.columns.seqOf(place) };
  }

  /** What the connection of a frame speaks; undefined: its trace does not tell. */
  version(number: number): 1 | 2 | undefined {
    const { version } = this.at(number).source.index;
    return version === undefined ? undefined : nearestVersion(version);
  }

  at(number: number): Numbered {
    const numbered = this.#frames[number - 1];
    if (!numbered) throw new Error(`no frame was numbered ${number}`);
    return numbered;
  }
}

// Which frames are history that an agent sent again. The index marks messages and tool calls; plans
// and terminals among late ones belong to them.

interface WindowHistory {
  readonly window: WindowRecord;
  readonly late: boolean;
}

/** Undefined: the frame at this place was said live, or makes no item. */
export function historyAt({ index }: IndexedTrace, place: number): WindowHistory | undefined {
  const { columns } = index;
  if (!columns.has(place, FLAG.update) || !makesItem(columns.nameOf(place))) return undefined;
  const window = index.window(place);
  if (window) {
    const late = columns.has(place, FLAG.late);
    return late || columns.has(place, FLAG.replay) ? { window, late } : undefined;
  }
  const session = index.sessionByNumber(columns.session.get(place));
  const around =
    session &&
    index.replays
      .lateOf(session)
      .find(
        ({ branches, answer }) =>
          answer >= 0 && answer < place && place <= (branches.get(session)?.lastLate ?? -1),
      );
  return around && { window: around, late: true };
}
