// Whether all stood still for a while: the machine slept, or this process was stopped. Three clocks
// tell: the one that times events, the wall's, which a person may set, and that of the running machine,
// which goes on in its sleep.
import { uptime } from 'node:os';
import { millis, type Millis } from '../../lib/time.ts';
import type { Sleep } from '../../trace/event.ts';

/** In milliseconds, from a moment of its own each. */
export interface Clocks {
  /** Only goes forward; in a sleep it may stand still. */
  readonly steady: () => number;
  readonly wall: () => number;
  /** To the second. */
  readonly machine: () => number;
}

const CLOCKS: Clocks = {
  steady: () => performance.now(),
  wall: () => Date.now(),
  machine: () => uptime() * 1000,
};

/** Who looks twice a second and comes this late was stopped: a busy machine is not. */
const HOLE_MS = 5000;
/** Clocks that part by more than this were not read between two others. */
const DRIFT_MS = 2000;
/** Looked at in between, clocks are only read. */
const SOON_MS = 250;

export class Awake {
  readonly #clocks: Clocks;
  readonly #began: number;
  #steady: number;
  #wall: number;
  #machine: number;

  constructor(clocks = CLOCKS) {
    this.#clocks = clocks;
    this.#began = this.#steady = clocks.steady();
    this.#wall = clocks.wall();
    this.#machine = clocks.machine();
  }

  /** Since it was made, by the steady clock. */
  get now(): Millis {
    return millis(this.#clocks.steady() - this.#began);
  }

  /** Asked twice a second, and before whatever comes: what passed meanwhile, if nothing ran in it. */
  look(): Pick<Sleep, 'ms' | 'counted' | 'unsure'> | undefined {
    const passed = this.#clocks.steady() - this.#steady;
    const drift = this.#clocks.wall() - this.#wall - passed;
    const isAwake = passed < HOLE_MS && drift < DRIFT_MS;
    if (isAwake && passed < SOON_MS) return undefined;
    const before = this.#machine;
    this.#steady += passed;
    this.#wall += drift + passed;
    this.#machine = this.#clocks.machine();
    if (isAwake) return undefined;
    const counted = passed < HOLE_MS ? 0 : passed;
    const stood = this.#machine - before - passed;
    if (stood >= DRIFT_MS) return { ms: millis(counted + stood), counted: millis(counted) };
    if (counted > 0) return { ms: millis(counted), counted: millis(counted) };
    return { ms: millis(drift), counted: millis(0), unsure: true };
  }
}
