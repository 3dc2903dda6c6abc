// Which agent a run is tried on: one that is known, or a command line as typed, and the folder.
import { joinCommand, splitCommand } from '../../lib/split-command.ts';
import { leadingVariables } from '../../lib/variables.ts';
import type { Launch } from '../../link/messages.ts';
import type { App } from '../app.svelte.ts';
import {
  bareLaunch,
  knownAgents,
  sameWords,
  type AgentSources,
  type KnownAgent,
} from './known-agents.ts';

export class AgentChoice {
  readonly #app: App;
  known = $state.raw<readonly KnownAgent[]>([]);
  #picked = $state<string | undefined>();
  /** The command line, as typed. */
  command = $state('');
  cwd = $state('');

  constructor(app: App) {
    this.#app = app;
  }

  #split = $derived.by(() => splitCommand(this.command));
  /** The known one that the fields were filled from. */
  picked: KnownAgent | undefined = $derived(this.known.find(({ key }) => key === this.#picked));
  /** What is wrong with the command line. */
  get problem(): string | undefined {
    return this.#split.ok ? undefined : this.#split.message;
  }
  /** Undefined: there is no command to start. */
  launch: Launch | undefined = $derived.by(() => {
    const split = this.#split;
    const cwd = this.cwd.trim();
    const { argv, env } = leadingVariables(split.ok ? split.argv : []);
    const [program] = argv;
    if (program === undefined || cwd === '') return undefined;
    const { launch } = this.picked ?? {};
    // Names and secrets of another program are not this one's.
    if (!launch || launch.argv[0] !== program) return { ...bareLaunch(program, argv, cwd), env };
    const name = sameWords(launch.argv, argv) ? launch.name : joinCommand(argv);
    return { ...launch, name, argv, cwd, env: { ...launch.env, ...env } };
  });

  /** Reads what is known anew; `fresh`: and picks the first. */
  async load(started: AgentSources['started'], fresh: boolean): Promise<void> {
    const { engine, link } = this.#app;
    const [recents, presets] = await Promise.all([
      engine.library.recents(),
      link.status === 'open' ? engine.connections.presets() : [],
    ]);
    const home = link.status === 'open' ? link.cwd : '';
    this.known = knownAgents({ started, recents, presets, home });
    const [first] = this.known;
    if (first && (fresh || this.command === '')) this.pick(first.key);
  }

  pick(key: string): void {
    const found = this.known.find((one) => one.key === key);
    if (!found) return;
    this.#picked = key;
    this.command = joinCommand(found.launch.argv);
    this.cwd = found.launch.cwd;
  }
}
