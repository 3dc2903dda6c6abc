// What the page's v1 client asks this machine for, on behalf of one agent.
import { assertNever } from '../../lib/assert-never.ts';
import type { HostCall, HostResult } from '../../link/messages.ts';
import { readTextFile, writeTextFile } from './host-files.ts';
import { HostTerminals } from './host-terminals.ts';
import { realRoots } from './roots.ts';

export class Host {
  readonly #roots: readonly string[];
  readonly #terminals: HostTerminals;

  private constructor(roots: readonly string[], cwd: string) {
    this.#roots = roots;
    this.#terminals = new HostTerminals(roots, cwd);
  }

  static async open(roots: readonly string[], cwd: string): Promise<Host> {
    return new Host(await realRoots(roots), cwd);
  }

  call(call: HostCall): Promise<HostResult> {
    switch (call.op) {
      case 'fs/read_text_file':
        return readTextFile(call.path, this.#roots, call.line, call.limit);
      case 'fs/write_text_file':
        return writeTextFile(call.path, call.content, this.#roots);
      case 'terminal/create':
        return this.#terminals.create(call);
      case 'terminal/output':
      case 'terminal/wait_for_exit':
      case 'terminal/kill':
      case 'terminal/release':
        return this.#terminals.call(call);
      default:
        return assertNever(call);
    }
  }

  end(): Promise<void> {
    return this.#terminals.endAll();
  }
}
