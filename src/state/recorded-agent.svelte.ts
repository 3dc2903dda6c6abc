// A recording as an agent: how exactly and how fast it answers, where its file is, and the lines that
// put it in the place of an agent.
import type { App } from './app.svelte.ts';
import { bare } from './known-agents.ts';
import { tapSnippets, type Snippet } from './tap-snippets.ts';

type ReplayManner = 'plain' | 'loose' | 'strict';
type ReplaySpeed = 'max' | '4' | 'real';

const NOWHERE = '/path/to/';

export class RecordedAgent {
  readonly #app: App;
  manner = $state<ReplayManner>('plain');
  speed = $state<ReplaySpeed>('max');
  /** Where the file was saved, as typed. */
  path = $state('');
  #fileName = $state('recording.acptrace.jsonl');
  #starting = $state(false);
  #problem = $state.raw<string | undefined>();

  constructor(app: App) {
    this.#app = app;
  }

  get isStarting(): boolean {
    return this.#starting;
  }
  /** Why it could not be started. */
  get problem(): string | undefined {
    return this.#problem;
  }
  get placeholder(): string {
    return NOWHERE + this.#fileName;
  }
  snippets: readonly Snippet[] = $derived.by(() =>
    tapSnippets(this.#scope, 'recorded-tap', this.#argv(this.path.trim() || this.placeholder)),
  );

  /** Another trace is looked at. */
  look(): void {
    this.path = '';
    this.#problem = undefined;
  }

  async file(): Promise<{ readonly name: string; readonly blob: Blob } | undefined> {
    const { current } = this.#app;
    if (!current) return undefined;
    const file = await this.#app.file(current.connection);
    this.#fileName = file.name;
    return file;
  }

  /** As an agent like any other: the relay asks in its terminal once, and records it. */
  async start(): Promise<void> {
    const { link, defaults, current } = this.#app;
    if (link.status !== 'open' || !current) return;
    this.#problem = undefined;
    this.#starting = true;
    const launch = bare(`${current.name}, replayed`, this.#argv(this.path.trim()), link.cwd);
    const answer = await this.#app.engine.start(launch, defaults);
    this.#starting = false;
    this.#app.confirmed();
    if (answer.ok) await this.#app.show(answer.connection, 'trace');
    else this.#problem = answer.problem.message;
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
      ...(this.manner === 'plain' ? [] : [`--${this.manner}`]),
      ...(this.speed === 'max' ? [] : ['--speed', this.speed]),
    ];
  }
}
