// The real relay as a user starts it, on a free port, with a state folder of its own; and other
// commands of the same bin beside it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const BIN = fileURLToPath(new URL('../dist-node/acp-scope.js', import.meta.url));

/** A program of ours in `agents/`. */
export function program(name: string): string {
  return fileURLToPath(new URL(`agents/${name}`, import.meta.url));
}

/** argv of the bundled agent, as typed in the page; it keeps its sessions in the folder it runs in. */
export function bundledAgent(...options: readonly string[]): readonly string[] {
  return [process.execPath, BIN, 'agent', '--store', 'sessions', ...options];
}

/** A folder that no other test has; the caller removes it. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'acp-scope-e2e-'));
}

export function removeFolder(folder: string): void {
  // Windows keeps files of a process that has just ended for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** A command line as `--allow-command` takes it: its words, or those and what else it may. */
export type Allow =
  | readonly string[]
  | {
      readonly argv: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly roots?: readonly string[];
      readonly terminals?: boolean;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface RelayOptions {
  /** What the page may start without a question in a terminal, in the folder the relay runs in. */
  readonly allow?: readonly Allow[];
  /** It may start anything. */
  readonly trust?: boolean;
  /** Another copy of the command than the one that was built here. */
  readonly bin?: string;
  readonly cwd?: string;
  /** A program of `agents/` that is loaded into it. */
  readonly preload?: string;
  /** It has a terminal, in which it asks: see `press`. */
  readonly terminal?: boolean;
}

/** Arguments of Node that load a program of `agents/` before all else. */
export function preloading(name: string | undefined): readonly string[] {
  return name === undefined ? [] : ['--import', pathToFileURL(program(name)).href];
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Relay {
  readonly state = freshFolder();
  readonly #options: RelayOptions;
  #process: ChildProcess | undefined;
  #port = 0;
  #link = '';
  #stderr = '';

  private constructor(options: RelayOptions) {
    this.#options = options;
  }

  static async start(options: RelayOptions = {}): Promise<Relay> {
    const relay = new Relay(options);
    await relay.start();
    return relay;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }
  get port(): number {
    return this.#port;
  }
  /** The link printed at the start: it holds once. */
  get link(): string {
    return this.#link;
  }
  get env(): NodeJS.ProcessEnv {
    return { ...process.env, ACP_SCOPE_STATE: this.state };
  }

  get stderr(): string {
    return this.#stderr;
  }
  get pid(): number | undefined {
    return this.#process?.pid;
  }
  /** A key in its terminal. */
  press(key: string): void {
    this.#process?.stdin?.write(key);
  }
  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }
  /** Its exit status, once it has ended by itself. */
  async ended(): Promise<number | null> {
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child?.exitCode ?? null;
  }

  /** Starts it, the second time on the port it had. */
  async start(): Promise<void> {
    const { allow = [], trust = false, bin = BIN, cwd, terminal = false } = this.#options;
    const preload = this.#options.preload ?? (terminal ? 'terminal.mjs' : undefined);
    const allowed = allow.flatMap((one) => ['--allow-command', JSON.stringify(one)]);
    if (trust) allowed.push('--trust-page');
    const child = spawn(
      process.execPath,
      [...preloading(preload), bin, '--no-open', '--port', String(this.#port), ...allowed],
      {
        ...{ env: this.env, stdio: [terminal ? 'pipe' : 'ignore', 'pipe', 'pipe'] },
        ...(cwd !== undefined && { cwd }),
      },
    );
    this.#process = child;
    let said = '';
    this.#stderr = '';
    child.stderr?.on('data', (data: Buffer) => {
      said += data;
      this.#stderr += data;
    });
    this.#link = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (data: Buffer) => {
        said += data;
        const link = /Open (http:\S+)/.exec(said)?.[1];
        if (link) resolve(link);
      });
      child.once('exit', (code) => reject(new Error(`The relay ended with ${code}: ${said}`)));
    });
    this.#port = Number(new URL(this.#link).port);
  }

  /** Runs a command of the bin with the relay's state folder, to its end. */
  async run(...args: readonly string[]): Promise<Ran> {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data));
    child.stderr.on('data', (data: Buffer) => (stderr += data));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }

  /** A link from `acp-scope open`. */
  async freshLink(): Promise<string> {
    const { stdout, stderr } = await this.run('open', '--no-open', '--port', String(this.#port));
    const link = /http:\S+/.exec(stdout)?.[0];
    if (link === undefined) throw new Error(`No link: ${stdout}${stderr}`);
    return link;
  }

  /** Ends it as Ctrl-C does, or without a chance to tidy up. */
  async stop(how: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(how);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    removeFolder(this.state);
  }
}
