// What a page asks of the intercepts of connections: in the relay, of agents that it drives; in a tap, of
// its own.
import { assertNever } from '../lib/assert-never.ts';
import type { InterceptCall, Problem } from '../link/messages.ts';
import { lineBytes } from '../trace/line.ts';
import type { Interceptable, LoadIntercept, MakeSteered, SteeredInterceptor } from './intercept.ts';

/** Each is made when it is first switched on. */
export class Intercepts {
  readonly #load: LoadIntercept;
  readonly #made = new WeakMap<Interceptable, SteeredInterceptor>();

  /** `load`: what reads rules is not even loaded before. */
  constructor(load: LoadIntercept) {
    this.#load = load;
  }

  /** One that has its rules before anything crosses. */
  begin(connection: Interceptable, make: MakeSteered): SteeredInterceptor {
    let made: SteeredInterceptor | undefined;
    connection.intercept((outlet) => (made = make(outlet)));
    if (!made) throw new Error('a connection that takes no intercept');
    this.#made.set(connection, made);
    return made;
  }

  async call(connection: Interceptable, call: InterceptCall): Promise<Problem | undefined> {
    const fault = callFault(call);
    if (fault) return fault;
    switch (call.op) {
      case 'on': {
        const message = (await this.#of(connection)).on(call.rules);
        return message === undefined ? undefined : { code: 'bad_message', message };
      }
      case 'off':
        return this.off(connection);
      case 'release': {
        const line = call.line && lineBytes(call.line);
        return this.#made.get(connection)?.release(call.of, line) === true ? undefined : GONE;
      }
      case 'drop':
        return this.#made.get(connection)?.discard(call.of) === true ? undefined : GONE;
      default:
        return assertNever(call);
    }
  }

  /** `problem`: why it is switched off, where nobody asked for that. */
  off(connection: Interceptable, problem?: string): undefined {
    this.#made.get(connection)?.off(problem);
  }

  async #of(connection: Interceptable): Promise<SteeredInterceptor> {
    const make = await this.#load();
    return this.#made.get(connection) ?? this.begin(connection, make);
  }
}

/** Why this cannot be asked of any; undefined: it can. */
export function callFault(call: InterceptCall): Problem | undefined {
  return call.op === 'release' && call.line ? lineFault(lineBytes(call.line)) : undefined;
}

/** Why a page's line cannot be sent as one. */
export function lineFault(line: Uint8Array): Problem | undefined {
  return line.includes(NEWLINE) ? TWO_LINES : undefined;
}

const NEWLINE = 0x0a;
const TWO_LINES: Problem = {
  code: 'bad_message',
  message: 'A line break inside a line would make it two. Remove it, or send two lines.',
};
export const WHOLE_ONLY: Problem = {
  code: 'bad_message',
  message: 'This connection sends whole messages: none can be split. Send it whole.',
};
const GONE: Problem = {
  code: 'ended',
  message: 'This frame is held no more: it has gone on, or was dropped.',
};
