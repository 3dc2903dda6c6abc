// The gutter of the timeline: which tapes run through a row, which pins stand on it, and whether a
// pin's leader passes by.
import { leading } from '../../lib/list-window.ts';
import type { TraceIndex } from '../trace-index.ts';
import { pinView } from './pins.ts';
import { broughtBy, isForbidden, type WindowRecord } from './replay-windows.ts';
import type { Pin, Tape, TapePart } from './row-view.ts';

type Leader = 'begin' | 'middle' | 'end';

export class Gutter {
  readonly #index: TraceIndex;
  /** Windows by lane: they do not overlap there, and begin in ascending order. */
  readonly #lanes: readonly [WindowRecord[], WindowRecord[]] = [[], []];
  /** Windows whose cursor was taken from a frame of this trace. */
  readonly #led: WindowRecord[] = [];
  #known = 0;

  constructor(index: TraceIndex) {
    this.#index = index;
  }

  /** The tapes through the row of an event; `isLast`: nothing is below it so far. */
  tapes(event: number, isLast: boolean): Tape[] {
    return this.#spans(event).map((window) =>
      tape(window, this.#partOf(window, event, isLast && window.end < 0)),
    );
  }

  /** Through a fold, and through the head of a window, which stands above its request. */
  passing(event: number, part: 'folded' | 'middle', except?: WindowRecord): Tape[] {
    return this.#spans(event)
      .filter((window) => window !== except && window.request < event)
      .map((window) => tape(window, part));
  }

  /** Pins taken from this event, and the pin of the restore it asks for. */
  pins(event: number): Pin[] {
    const window = this.#index.window(event);
    const taken = this.#index.pinsFrom(event).map((pin) => pinView(pin, pin.fate, pin.brought));
    if (window?.request !== event || window.pin === undefined) return taken;
    return [...taken, pinView(window.pin, window.fate, broughtBy(window))];
  }

  /** `target`: the window whose pin stands on this row, if one does. */
  leader(event: number, target: WindowRecord | undefined): Leader | undefined {
    this.#learn();
    let found: Leader | undefined;
    for (const window of this.#led) {
      const source = window.pin?.source ?? event;
      if (event < source || event > window.request) continue;
      const here = window === target ? 'end' : event === source ? 'begin' : 'middle';
      // A line that goes on is drawn whole.
      found = found === undefined || found === here ? here : 'middle';
    }
    return found;
  }

  #spans(event: number): WindowRecord[] {
    this.#learn();
    return this.#lanes.flatMap((lane) => {
      const window = lastBegun(lane, event);
      if (window === undefined || (window.end >= 0 && window.end < event)) return [];
      // A window without expected and without replayed history has no mark.
      return window.allowed || isForbidden(window) ? [window] : [];
    });
  }

  #partOf(window: WindowRecord, event: number, isOpenEnd: boolean): TapePart {
    if (event === window.request) return 'begin';
    if (event === window.end) return window.outcome === 'incomplete' ? 'torn' : 'end';
    if (!isOpenEnd) return 'middle';
    return this.#index.isOver() ? 'torn' : 'open';
  }

  #learn(): void {
    const all = this.#index.windowRecords;
    for (; this.#known < all.length; this.#known++) {
      const window = all[this.#known];
      if (window === undefined) continue;
      if (window.lane !== 2) this.#lanes[window.lane].push(window);
      if (window.pin !== undefined && window.pin.source >= 0) this.#led.push(window);
    }
  }
}

function tape(window: WindowRecord, part: TapePart): Tape {
  return { part, lane: window.lane === 1 ? 1 : 0, forbidden: isForbidden(window) };
}

/** The last window of a lane that began at or before the event. */
function lastBegun(lane: readonly WindowRecord[], event: number): WindowRecord | undefined {
  const begun = leading(lane.length, (at) => (lane[at]?.request ?? Infinity) <= event);
  return lane[begun - 1];
}
