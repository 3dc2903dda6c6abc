// What told an agent to end, for the record: an agent that had ended before anything reached it was told nothing.
import type { ChildProcess } from 'node:child_process';
import type { EndRequest, Exit } from '../../trace/event.ts';
import { awaitsReaping } from './kill-tree.ts';

/** A stronger one is not hidden by a weaker one that comes after it. */
const STRENGTH: Readonly<Record<EndRequest, number>> = {
  ...{ stdin: 0, cut: 1 },
  ...{ SIGHUP: 2, SIGINT: 2, SIGTERM: 2, SIGKILL: 3 },
};

export class EndRequests {
  readonly #child: ChildProcess;
  #strongest: { readonly sent: EndRequest; readonly by?: 'client' } | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** `by`: the client, through a tap; absent: ACP Scope. To be called before it is sent. */
  note(sent: EndRequest, by?: 'client'): void {
    if (hasEnded(this.#child)) return;
    if (this.#strongest && STRENGTH[sent] < STRENGTH[this.#strongest.sent]) return;
    this.#strongest = { sent, ...(by && { by }) };
  }

  /** What the `exit` says of it. */
  get facts(): Pick<Exit, 'sent' | 'by'> {
    return this.#strongest ?? {};
  }
}

/** True if the process has ended, also if Node has not heard of that yet: on Linux alone can one look. */
function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || (pid !== undefined && awaitsReaping(pid));
}
