// The intercept of a connection as the relay and the tap see it: lines go in, and what it lets cross
// comes out. What its rules say is not known here, as nothing of ACP is.
import type { Intercept, Origin, Seq, Side } from '../trace/event.ts';

interface InterceptOutlet {
  /** The line crosses now. `of`: the event that says what was done to it on its way. */
  send(from: Side, line: Uint8Array, origin: Origin, of: Seq | undefined): void;
  /** Records what was done. */
  tell(fact: Omit<Intercept, 'type' | 'seq' | 'at'>): Seq;
  /** Ends both directions. */
  cut(): void;
}

export interface Interceptor {
  /** It is switched off, and nothing of it is on its way: lines may pass it by. */
  readonly isIdle: boolean;
  /** A line without its 0x0A, which nobody writes to later. */
  take(from: Side, line: Uint8Array, origin: Origin): void;
  /** This side writes no more: what waits of it crosses, and this resolves behind it. */
  ended(from: Side): Promise<void>;
  /** Undefined: there is room. Otherwise resolves when more of this side may be read. */
  room(from: Side): Promise<void> | undefined;
  /** All that waits crosses, and so does what comes. */
  off(problem?: string): void;
}

export type MakeInterceptor = (outlet: InterceptOutlet) => Interceptor;

/** A connection whose frames can go through one. */
export interface Interceptable {
  /** Its frames go through this one from now on, those that we send among them. */
  intercept(make: MakeInterceptor): Interceptor;
}

/** One that a page switches and decides for. */
export interface SteeredInterceptor extends Interceptor {
  /** These rules are in force from now on; or nothing is changed: why, as a sentence. */
  on(rules: string): string | undefined;
  /** The frame that this event holds goes on, as another line if one is given; false: it is held no more. */
  release(of: Seq, line?: Uint8Array): boolean;
  /** It does not go on; false: it is held no more. */
  discard(of: Seq): boolean;
}

export type MakeSteered = (outlet: InterceptOutlet) => SteeredInterceptor;
export type LoadIntercept = () => Promise<MakeSteered>;
