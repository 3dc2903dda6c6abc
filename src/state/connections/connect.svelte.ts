// The connect view: what could be started or reached, the command or URL being written, and how it went.
import type { KnownCommand } from '../../engine/messages.ts';
import type { ClientSettings } from '../../drive/settings.ts';
import { isUrl, programName } from '../../lib/program-name.ts';
import { commandKey, joinCommand, splitCommand } from '../../lib/split-command.ts';
import { leadingVariables } from '../../lib/variables.ts';
import type { Launch, AgentPreset } from '../../link/messages.ts';
import type { App } from '../app.svelte.ts';

/** What is half typed is there again when the person comes back to it, until it is started. */
const made = new WeakMap<App, Connect>();

export function connectOf(app: App): Connect {
  const connect = made.get(app) ?? new Connect(app);
  made.set(app, connect);
  return connect;
}

export class Connect {
  readonly #app: App;

  presets = $state.raw<readonly AgentPreset[]>([]);
  recents = $state.raw<readonly KnownCommand[]>([]);
  command = $state('');
  cwd = $state('');
  env = $state('');
  /** Of a URL, as lines. */
  headers = $state('');
  /** Folders for v1 `fs/*`, one a line. */
  roots = $state('');
  settings = $state.raw<ClientSettings>({} as ClientSettings);
  hasFocus = false;
  /** What is seldom changed is open. */
  showsOptions = $state(false);
  /** Names of what was not kept of the command that is changed here: an empty value is no value yet. */
  #unknown: readonly string[] = [];
  /** Of the bundled agent; empty: it behaves. */
  misbehave = $state('');
  starting = $state.raw<string | undefined>();
  /** Why the last start failed, shown at the name of what was started. */
  problem = $state.raw<{ readonly of: string; readonly message: string } | undefined>();

  constructor(app: App) {
    this.#app = app;
    this.settings = app.defaults;
    app.isFormWritten = () => this.isWritten;
  }

  // Not derived: what is derived in a component ends with it, and the form outlives it.
  get bundled(): AgentPreset | undefined {
    return this.presets.find((preset) => preset.bundled);
  }
  get others(): readonly AgentPreset[] {
    return this.presets.filter((preset) => !preset.bundled);
  }

  /** Where a program is started if nobody says otherwise. */
  get home(): string {
    const { link } = this.#app;
    return link.status === 'open' ? link.cwd : '';
  }

  /** The focus is in the form, or something was typed there that is not started yet. */
  get isWritten(): boolean {
    const typed = this.command + this.env + this.headers + this.roots;
    return this.hasFocus || typed.trim() !== '' || !['', this.home].includes(this.cwd);
  }

  async load(): Promise<void> {
    this.recents = await this.#app.engine.library.recents();
    if (this.#app.link.status !== 'open') return;
    this.presets = await this.#app.engine.connections.presets();
    this.cwd ||= this.home;
  }

  startBundled(): Promise<void> {
    const { bundled, misbehave } = this;
    if (!bundled) return Promise.resolve();
    const argv = misbehave === '' ? bundled.argv : [...bundled.argv, '--misbehave', misbehave];
    const name = misbehave === '' ? bundled.name : `${bundled.name}, ${misbehave}`;
    return this.#start('bundled', { ...this.#launch(argv), name, env: {}, cwd: this.home });
  }

  startPreset(preset: AgentPreset): Promise<void> {
    return this.#start(preset.id, { ...this.#launch(preset.argv), name: preset.name, env: {} });
  }

  async startCommand(): Promise<void> {
    const split = splitCommand(this.command);
    if (!split.ok) return this.#fail(split.message);
    const { argv, env: typed } = leadingVariables(split.argv);
    if (argv.length === 0) return this.#fail('Type the command that starts the agent, or its URL.');
    const { parseLines, printLines } = await import('./env-lines.ts');
    const written = isUrl(argv) ? parseLines(this.headers, ':') : parseLines(this.env, '=');
    if (!written.ok) return this.#fail(written.message);
    const [name] = Object.keys(typed);
    if (isUrl(argv) && name !== undefined)
      return this.#fail(`A URL has no environment. Leave out ${name}.`);
    const values = { ...written.values, ...typed };
    const empty = this.#unknown.filter((unknown) => values[unknown] === '');
    if (empty.length > 0) return this.#failFor(empty, argv);
    const launch = { ...this.#launch(argv), name: programName(argv) };
    if (isUrl(argv)) return this.#start('command', { ...launch, env: {}, headers: values });
    // From now on they stand where values are covered.
    this.command = joinCommand(argv);
    this.env = printLines(values, '=');
    return this.#start('command', { ...launch, env: values });
  }

  async startRecent(recent: KnownCommand): Promise<void> {
    const { launch, settings } = recent;
    const { withheld = [] } = launch;
    if (withheld.length > 0) {
      await this.edit(recent);
      return this.#failFor(withheld, launch.argv);
    }
    this.settings = settings;
    await this.#start(commandKey(launch), launch);
  }

  /** Puts a recent command into the form, to be changed. */
  async edit({ launch, settings }: KnownCommand): Promise<void> {
    const { printLines } = await import('./env-lines.ts');
    this.command = joinCommand(launch.argv);
    this.cwd = launch.cwd;
    this.#unknown = launch.withheld ?? [];
    const unknown = this.#unknown.map((name): [string, string] => [name, '']);
    const values = (known = {}) => ({ ...known, ...Object.fromEntries(unknown) });
    if (isUrl(launch.argv)) this.headers = printLines(values(launch.headers), ':');
    else this.env = printLines(values(launch.env), '=');
    // What is started with it is seen before it is started again; values stay covered.
    this.showsOptions ||= `${this.env}${this.headers}`.trim() !== '';
    this.roots = launch.roots.join('\n');
    this.settings = settings;
  }

  async forget({ launch }: KnownCommand): Promise<void> {
    await this.#app.engine.library.forgetRecent(launch);
    this.recents = await this.#app.engine.library.recents();
  }

  set(change: Partial<ClientSettings>): void {
    this.settings = { ...this.settings, ...change };
  }
  advertise(change: Partial<ClientSettings['advertise']>): void {
    this.set({ advertise: { ...this.settings.advertise, ...change } });
  }

  #launch(argv: readonly string[]): Omit<Launch, 'name' | 'env'> {
    const roots = this.roots.split('\n').map((line) => line.trim());
    const { readFiles, writeFiles, terminals } = this.settings.advertise;
    const confined = readFiles || writeFiles;
    const cwd = this.cwd.trim() || this.home;
    const chosen = roots.filter((root) => root !== '');
    return {
      ...{ argv, cwd, roots: confined ? (chosen.length > 0 ? chosen : [cwd]) : [] },
      ...(terminals && { terminals }),
    };
  }

  async #start(of: string, launch: Launch): Promise<void> {
    this.problem = undefined;
    this.starting = of;
    const answer = await this.#app.engine.connections.start(launch, this.settings);
    this.starting = undefined;
    if (answer.ok) {
      made.delete(this.#app);
      await this.#app.show(answer.connection, 'trace');
      this.#app.panes.drawer = 'composer';
    } else this.problem = { of, message: answer.problem.message };
  }

  #failFor(names: readonly string[], argv: readonly string[]): Promise<void> {
    const place = isUrl(argv) ? 'Headers' : 'Environment';
    return this.#fail(
      `The value of ${names.join(', ')} is not known here. Type it under ${place}, and start this.`,
    );
  }

  #fail(message: string): Promise<void> {
    this.problem = { of: 'command', message };
    return Promise.resolve();
  }
}
