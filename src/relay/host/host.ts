// What the page's v1 client asks this machine for, on behalf of one agent.
import { CODE } from '../../acp/message.ts';
import { assertNever } from '../../lib/assert-never.ts';
import type { HostCall, HostResult } from '../../link/messages.ts';
import { readTextFile, writeTextFile } from './host-files.ts';
import { HostTerminals } from './host-terminals.ts';
import { hostError, type Reach } from './roots.ts';

/** What was approved for this agent. */
export interface HostMay extends Reach {
  /** Where the agent runs, without links. */
  readonly cwd: string;
  readonly terminals: boolean;
}

const NO_TERMINALS = hostError(
  CODE.methodNotFound,
  'terminals were not allowed for this connection: start it again with them switched on',
);

/** What they take or give may be many megabytes. */
const LARGE: readonly HostCall['op'][] = [
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/output',
];

const ENDED = hostError(CODE.internalError, 'the connection has ended');

export class Host {
  readonly #reach: Reach;
  readonly #terminals: HostTerminals | undefined;
  #hasEnded = false;
  /** Of the last call that may hold much. */
  #turn: Promise<void> = Promise.resolve();

  constructor({ cwd, terminals, ...reach }: HostMay) {
    this.#reach = reach;
    this.#terminals = terminals ? new HostTerminals(reach, cwd) : undefined;
  }

  /** Large answers are made one after the other, each when `tell` has resolved for the one before. */
  answer(call: HostCall, tell: (result: HostResult) => Promise<void>): Promise<void> {
    const done = async () => tell(await this.call(call));
    if (!LARGE.includes(call.op)) return done();
    return (this.#turn = this.#turn.then(done, done));
  }

  async call(call: HostCall): Promise<HostResult> {
    if (this.#hasEnded) return ENDED;
    switch (call.op) {
      case 'fs/read_text_file':
        return readTextFile(call.path, this.#reach, call.line, call.limit);
      case 'fs/write_text_file':
        return writeTextFile(call.path, call.content, this.#reach);
      case 'terminal/create':
        return this.#terminals?.create(call) ?? NO_TERMINALS;
      case 'terminal/output':
      case 'terminal/wait_for_exit':
      case 'terminal/kill':
      case 'terminal/release':
        return this.#terminals?.call(call) ?? NO_TERMINALS;
      default:
        return assertNever(call);
    }
  }

  /** The agent is gone, and all that was done in its name is over. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#terminals?.endAll();
  }
}

/** `tell` resolves when a further answer may come. */
export function answerOf(
  host: Host | undefined,
  call: HostCall,
  tell: (result: HostResult) => Promise<void>,
): Promise<void> {
  return host ? host.answer(call, tell) : tell(ENDED);
}
