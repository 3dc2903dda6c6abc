// A recording as an agent: how exactly and how fast it answers, the lines that put it in the place of an
// agent, and the agent itself, played to this page.
import type { RerunPlan } from '../../engine/runs/rerun-messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { bareLaunch } from './known-agents.ts';
import { tapSnippets, type Snippet } from '../connections/tap-snippets.ts';
import type { Strictness } from '../../drive/replay/strictness.ts';

type ReplaySpeed = 'max' | '4' | 'real';

const NOWHERE = '/path/to/recording.acptrace.jsonl';

export class RecordedAgent {
  readonly #app: App;
  strictness = $state<Strictness>('plain');
  speed = $state<ReplaySpeed>('max');
  /** Where the relay keeps the recording; undefined: it was not handed over yet. */
  #path = $state.raw<string | undefined>();
  isStarting = $state(false);
  /** Why it could not be started, or handed over. */
  problem = $state.raw<string | undefined>();
  #recording: ConnectionId | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  get isLent(): boolean {
    return this.#path !== undefined;
  }
  snippets: readonly Snippet[] = $derived.by(() => this.#snippets(this.#path ?? NOWHERE));

  /** Another trace is looked at. */
  look(recording: ConnectionId): void {
    if (recording === this.#recording) return;
    this.#recording = recording;
    this.#path = undefined;
    this.problem = undefined;
  }

  /** The lines for an editor, with the path under which the relay keeps the recording as it is now. */
  async lines(editor: string): Promise<string> {
    const path = await this.#lend();
    if (path === undefined) throw new Error(this.problem);
    return this.#snippets(path).find((one) => one.editor === editor)?.text ?? '';
  }

  /** As an agent of this page, which is its client. Undefined: it did not start, see `problem`. */
  async start({ asked }: Pick<RerunPlan, 'asked'>): Promise<ConnectionId | undefined> {
    const { link, defaults, current } = this.#app;
    if (link.status !== 'open' || !current) return undefined;
    let started: ConnectionId | undefined;
    this.isStarting = true;
    const path = await this.#lend();
    if (path !== undefined) {
      const launch = bareLaunch(`${current.name}, replayed`, this.#argv(path), link.cwd);
      const ask = asked ?? defaults.ask;
      const answer = await this.#app.engine.connections.start(launch, { ...defaults, ask });
      if (answer.ok) started = answer.connection;
      else this.problem = answer.problem.message;
    }
    this.isStarting = false;
    return started;
  }

  async #lend(): Promise<string | undefined> {
    const { current, engine } = this.#app;
    if (!current) return undefined;
    this.problem = undefined;
    const { connection } = current;
    const lent = await engine.runs.lendTrace(connection);
    if (connection !== this.#recording) return undefined;
    if ('problem' in lent) this.problem = lent.problem;
    else this.#path = lent.path;
    return this.#path;
  }

  #snippets(path: string): readonly Snippet[] {
    return tapSnippets(this.#scope, 'recorded-tap', this.#argv(path));
  }

  /** How acp-scope is run here. */
  get #scope(): readonly string[] {
    const { link } = this.#app;
    return link.status === 'open' ? link.command : ['acp-scope'];
  }

  #argv(path: string): readonly string[] {
    return [
      ...this.#scope,
      ...['replay', path, '--as', 'agent'],
      ...(this.strictness === 'plain' ? [] : [`--${this.strictness}`]),
      ...(this.speed === 'max' ? [] : ['--speed', this.speed]),
    ];
  }
}
