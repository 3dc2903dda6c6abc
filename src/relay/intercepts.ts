// What a page asks of the intercepts of agents that the relay drives.
import { assertNever } from '../lib/assert-never.ts';
import type { InterceptCall, Problem } from '../link/messages.ts';
import { lineBytes } from '../trace/line.ts';
import type { Agent } from './agents/agent.ts';
import type { LoadIntercept, SteeredInterceptor } from './intercept.ts';

/** Each is made when a page first switches it on. */
export class Intercepts {
  readonly #load: LoadIntercept;
  readonly #made = new WeakMap<Agent, SteeredInterceptor>();

  /** `load`: what reads rules is not even loaded before. */
  constructor(load: LoadIntercept) {
    this.#load = load;
  }

  async call(agent: Agent, call: InterceptCall): Promise<Problem | undefined> {
    switch (call.op) {
      case 'on': {
        const message = (await this.#of(agent)).on(call.rules);
        return message === undefined ? undefined : { code: 'bad_message', message };
      }
      case 'off':
        return void this.#made.get(agent)?.off();
      case 'release': {
        const line = call.line && lineBytes(call.line);
        if (line?.includes(NEWLINE)) return TWO_LINES;
        return this.#made.get(agent)?.release(call.of, line) === true ? undefined : GONE;
      }
      case 'drop':
        return this.#made.get(agent)?.discard(call.of) === true ? undefined : GONE;
      default:
        return assertNever(call);
    }
  }

  async #of(agent: Agent): Promise<SteeredInterceptor> {
    const make = await this.#load();
    const known = this.#made.get(agent);
    if (known) return known;
    let made: SteeredInterceptor | undefined;
    agent.intercept((outlet) => (made = make(outlet)));
    if (!made) throw new Error('an agent that takes no intercept');
    this.#made.set(agent, made);
    return made;
  }
}

const NEWLINE = 0x0a;
const TWO_LINES: Problem = {
  code: 'bad_message',
  message: 'A line break inside a line would make it two. Remove it.',
};
const GONE: Problem = {
  code: 'ended',
  message: 'This frame is held no more: it has gone on, or was dropped.',
};
