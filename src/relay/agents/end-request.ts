// The request that made an agent end, for the record: a request after the end of the agent does not count.
import type { ChildProcess } from 'node:child_process';
import type { EndRequest, Exit } from '../../trace/event.ts';
import { awaitsReaping } from './kill-tree.ts';

/** A weaker request does not replace a stronger one that came before it. */
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

  /** The fields of the `exit` event about it. */
  get facts(): Pick<Exit, 'sent' | 'by'> {
    return this.#strongest ?? {};
  }
}

/** True if the process has ended. Only Linux shows an end that Node does not know yet. */
function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || (pid !== undefined && awaitsReaping(pid));
}
