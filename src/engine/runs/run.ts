// A run of ours that drives the agent of a connection: what it may do, how far it is, and the end of
// it from outside. A run lives in the tab that began it, and ends with it or with its link.
import type { ClientName } from '../../acp/capabilities.ts';
import { parseMessage } from '../../acp/message.ts';
import { ownName } from '../../drive/settings.ts';
import type { LabEnvironment } from '../../drive/lab/environment.ts';
import { LabProblem } from '../../drive/lab/part.ts';
import type { Driven } from '../../drive/peer.ts';
import { PromptBudget } from '../../drive/prompt-budget.ts';
import type { RelayCalls } from '../connections/relay-calls.ts';
import type { Parts } from '../parts.ts';
import { pageLauncher, type PageLauncher } from './page-launcher.ts';
import type { RunKind, RunState } from './run-messages.ts';
import type { Launch, RunFolderAnswer, RunFolderCall } from '../../link/messages.ts';
import type { Finder } from '../../model/query/find.ts';
import type { ConnectionId, Origin } from '../../trace/event.ts';

const MORE = 'The run was about to send a prompt more than was agreed to, so it was stopped.';
const LOST = 'The link to the relay was lost, so the run ended. What is known is kept.';

export interface RunWish {
  readonly kind: RunKind;
  readonly like: ConnectionId | undefined;
  readonly launch: Launch;
  /** Prompts it may send. */
  readonly most: number;
}

export class Run {
  /** Its connections are a group of this id, and its report has it. */
  readonly id = crypto.randomUUID();
  /** ISO 8601. */
  readonly at = new Date().toISOString();
  readonly launcher: PageLauncher;
  readonly environment: PageEnvironment;
  readonly budget: PromptBudget;
  readonly name: ClientName;
  readonly finder: Finder;
  readonly #stop = new AbortController();
  readonly #tell: () => void;
  readonly #forget: () => void;
  #state: RunState;
  /** What each thing tried took, in milliseconds. */
  #took: Readonly<Record<string, number>> = {};
  #begun = 0;

  /** `title`: over its connections. `tell`: the state is another one. */
  constructor(
    parts: Parts,
    { kind, like, launch, most }: RunWish,
    title: string,
    tell: () => void,
  ) {
    this.#tell = tell;
    this.launcher = pageLauncher(parts, launch, { id: this.id, title });
    this.environment = pageEnvironment(parts.calls, launch.cwd);
    this.budget = new PromptBudget(most);
    this.finder = parts.finder;
    this.name = ownName(parts.driving.version);
    this.#state = {
      ...{ kind, like, phase: 'running', done: 0, of: 0, now: '', prompts: 0, most },
      ...{ problem: undefined, version: 0 },
    };
    this.#forget = parts.calls.onLost(() => this.cancel(LOST));
  }

  get state(): RunState {
    return { ...this.#state, prompts: this.budget.spent };
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get took(): Readonly<Record<string, number>> {
    return this.#took;
  }

  begins(now: string, of: number): void {
    this.#begun = performance.now();
    this.#change({ now, of });
  }

  /** What was tried has ended. */
  measure(): void {
    const { now } = this.#state;
    const took = (this.#took[now] ?? 0) + performance.now() - this.#begun;
    this.#took = { ...this.#took, [now]: Math.round(took) };
  }

  /** One more result is there. */
  ends(): void {
    this.#change({ done: this.#state.done + 1, version: this.#state.version + 1 });
  }

  /** What is known has grown, within what is tried now. */
  grows(): void {
    this.#change({ version: this.#state.version + 1 });
  }

  /** Ends the agents; what is tried now has no result. */
  cancel(problem?: string): void {
    if (this.#state.phase !== 'running') return;
    this.#change({ phase: 'stopping', problem });
    this.#stop.abort();
    this.launcher.endAll();
  }

  /** Nothing more comes. `problem`: why nothing, or not all, could be tried. */
  async over(problem: string | undefined): Promise<void> {
    this.#forget();
    this.launcher.endAll();
    await this.environment.clear();
    const { version } = this.#state;
    // Who stopped it knows why its agents ended.
    const why = this.#stop.signal.aborted ? undefined : problem;
    this.#change({
      ...{ phase: 'ended', now: '', version: version + 1 },
      problem: this.#state.problem ?? why,
    });
  }

  /** The agent, which gets no more prompts than were agreed to: before one more the run is ended. */
  metered(agent: Driven): Driven {
    const isPaid = (line: string) => {
      const message = parseMessage(line);
      if (!('method' in message) || message.method !== 'session/prompt') return true;
      if (this.budget.left < 1) {
        this.cancel(MORE);
        return false;
      }
      this.budget.take();
      return true;
    };
    const { split } = agent;
    return {
      ...agent,
      send(line, origin) {
        if (isPaid(line)) agent.send(line, origin);
      },
      ...(split && {
        async split(line: string, bytes: number, ms: number, origin: Origin) {
          if (isPaid(line)) await split(line, bytes, ms, origin);
        },
      }),
    };
  }

  #change(patch: Partial<RunState>): void {
    this.#state = { ...this.#state, ...patch };
    this.#tell();
  }
}

type PageEnvironment = Pick<LabEnvironment, 'now' | 'token' | 'folder' | 'remove' | 'canary'> & {
  clear(): Promise<void>;
};

/** `from`: where the agents are started. Throws a final `LabProblem` where the relay cannot. */
function pageEnvironment(calls: RelayCalls, from: string): PageEnvironment {
  const ask = async <T extends RunFolderAnswer['op']>(call: RunFolderCall, op: T) => {
    const answer = await calls.folder(call);
    if (typeof answer === 'string') throw new LabProblem(answer, true);
    if (answer.op !== op) throw new Error(`${call.op} was answered as ${answer.op}.`);
    return answer as Extract<RunFolderAnswer, { readonly op: T }>;
  };
  return {
    now: () => Date.now(),
    token: () => crypto.randomUUID().replaceAll('-', '').slice(0, 6),
    folder: (name) => ask({ op: 'folder', name, from }, 'folder'),
    async remove({ path }) {
      await ask({ op: 'remove', path }, 'done');
    },
    async canary(name) {
      const made = await ask({ op: 'canary', name }, 'canary');
      return { ...made, seen: () => ask({ op: 'seen', tool: made.tool }, 'seen') };
    },
    async clear() {
      // The relay clears what is left when the page goes.
      await calls.folder({ op: 'clear' });
    },
  };
}
